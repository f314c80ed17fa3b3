// Logistic regression: logit = bias + sum of weight(j) dense(j) + sum of all pooled embedding values.
//
// The weight of a category is its row: with dim 1 this is logistic regression over sparse ids, and the row
// gets the same gradient as a dense weight whose column is 1. A wider row acts through the sum of its values.
// Blocks: "dense.weight" (1, num_dense), "dense.bias" (1), both zero at first. Either kind of column may be
// absent.
#pragma once

#include <memory>

#include "config/schema.hpp"
#include "model/model.hpp"

namespace persia::model {

template <class Real>
[[nodiscard]] std::unique_ptr<Model<Real>> make_lr_model(const config::Schema& schema);

}  // namespace persia::model
