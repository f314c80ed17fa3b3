#include "model/dnn_model.hpp"

#include "model/concat.hpp"
#include "model/mlp.hpp"
#include "model/widths.hpp"

namespace persia::model {
namespace {

template <class Real>
class DnnModel final : public Model<Real> {
 public:
  DnnModel(const config::Model& options, const config::Schema& schema)
      : mlp_("mlp", std::int64_t{schema.embedded_width} + schema.num_dense(),
             layer_widths("model.hidden", options.hidden, 1), Activation::none, plan_) {}

  void forward(const Parameters<Real>& parameters, const ModelInput<Real>& input,
               MatrixView<Real> logits) override {
    x_ = joined(input);
    mlp_.forward(parameters, x_, logits);
  }

  void backward(Parameters<Real>& parameters, const ModelInput<Real>&, MatrixView<Real> d_logits,
                MatrixView<Real> d_embedded) override {
    mlp_.backward(parameters, x_, d_logits, d_logits, d_embedded);
  }

  [[nodiscard]] const ParameterPlan& plan() const override { return plan_; }

  [[nodiscard]] std::vector<LayerSummary> layers() const override {
    std::vector<LayerSummary> layers;
    mlp_.summarize(layers);
    return layers;
  }

 private:
  // Embeddings first, so that their gradient is the first columns of the input's.
  [[nodiscard]] MatrixView<const Real> joined(const ModelInput<Real>& input) {
    if (input.dense.columns == 0) return input.embedded;
    if (input.embedded.columns == 0) return input.dense;
    const MatrixView<Real> both =
        concatenated_.matrix(input.dense.rows, input.embedded.columns + input.dense.columns);
    concat<Real>(input.embedded, input.dense, both);
    return both;
  }

  ParameterPlan plan_;
  Mlp<Real> mlp_;
  Buffer<Real> concatenated_{"persia::model::concatenated"};
  MatrixView<const Real> x_;  // of the last forward
};

}  // namespace

template <class Real>
std::unique_ptr<Model<Real>> make_dnn_model(const config::Model& options, const config::Schema& schema) {
  return std::make_unique<DnnModel<Real>>(options, schema);
}

template std::unique_ptr<Model<float>> make_dnn_model(const config::Model&, const config::Schema&);
template std::unique_ptr<Model<double>> make_dnn_model(const config::Model&, const config::Schema&);

}  // namespace persia::model
