// From the run file's model section to a model.
#pragma once

#include <memory>

#include "config/schema.hpp"
#include "model/model.hpp"

namespace persia::model {

// UserError if the shapes do not fit: no input columns at all, a width below 1, or what dlrm_model.hpp lists.
// Instantiated for float and double. Needs no Kokkos session.
template <class Real>
[[nodiscard]] std::unique_ptr<Model<Real>> make_model(const config::Model& options,
                                                      const config::Schema& schema);

}  // namespace persia::model
