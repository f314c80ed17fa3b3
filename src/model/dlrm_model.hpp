// DLRM: a bottom network turns the dense columns into one more vector of the tables' dim; dot products of all
// pairs of vectors, with the bottom output in front, feed a top network that gives the logit.
//
// Bottom: model.bottom and a last layer of the dim, ReLU after each. Top: model.top with ReLU, then one
// logit. Without dense columns there is no bottom network: the embeddings alone interact, and model.bottom is
// not used. Blocks "bottom.0.weight", ..., "top.0.weight", ... UserError: columns of different dims (both
// named), no categorical column, or no pair of vectors at all.
#pragma once

#include <memory>

#include "config/schema.hpp"
#include "model/model.hpp"

namespace persia::model {

template <class Real>
[[nodiscard]] std::unique_ptr<Model<Real>> make_dlrm_model(const config::Model& options,
                                                           const config::Schema& schema);

}  // namespace persia::model
