#include "model/model_factory.hpp"

#include "base/error.hpp"
#include "model/dlrm_model.hpp"
#include "model/dnn_model.hpp"
#include "model/lr_model.hpp"

// A kind without its case does not compile.
#pragma GCC diagnostic error "-Wswitch"

namespace persia::model {

template <class Real>
std::unique_ptr<Model<Real>> make_model(const config::Model& options, const config::Schema& schema) {
  require_user(
      schema.num_dense() > 0 || !schema.columns.empty(),
      "the data section names neither dense nor categorical columns, so a model has no input; name at "
      "least one column");
  switch (options.type) {
    case config::ModelType::lr:
      return make_lr_model<Real>(schema);
    case config::ModelType::dnn:
      return make_dnn_model<Real>(options, schema);
    case config::ModelType::dlrm:
      return make_dlrm_model<Real>(options, schema);
  }
  fail("model.type has the unknown value {}", static_cast<int>(options.type));
}

template std::unique_ptr<Model<float>> make_model(const config::Model&, const config::Schema&);
template std::unique_ptr<Model<double>> make_model(const config::Model&, const config::Schema&);

}  // namespace persia::model
