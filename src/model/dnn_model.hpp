// Feed-forward network on concat(embedded, dense): model.hidden layers with ReLU, then a linear layer to one
// logit. Blocks "mlp.0.weight", ... Either kind of column may be absent.
#pragma once

#include <memory>

#include "config/schema.hpp"
#include "model/model.hpp"

namespace persia::model {

template <class Real>
[[nodiscard]] std::unique_ptr<Model<Real>> make_dnn_model(const config::Model& options,
                                                          const config::Schema& schema);

}  // namespace persia::model
