#include "model/lr_model.hpp"

#include "model/linear.hpp"

namespace persia::model {
namespace {

template <class Real>
void add_row_sums(MatrixView<const Real> embedded, MatrixView<Real> logits) {
  Kokkos::parallel_for(
      "persia::model::add_row_sums", Kokkos::RangePolicy<Space>(0, logits.rows),
      KOKKOS_LAMBDA(std::int64_t row) {
        Real sum = 0;
        for (std::int64_t column = 0; column < embedded.columns; ++column) sum += embedded(row, column);
        logits(row, 0) += sum;
      });
}

template <class Real>
void repeat_along_rows(MatrixView<const Real> d_logits, MatrixView<Real> d_embedded) {
  Kokkos::parallel_for(
      "persia::model::repeat_along_rows", Kokkos::RangePolicy<Space>(0, d_embedded.rows),
      KOKKOS_LAMBDA(std::int64_t row) {
        for (std::int64_t column = 0; column < d_embedded.columns; ++column)
          d_embedded(row, column) = d_logits(row, 0);
      });
}

template <class Real>
class LrModel final : public Model<Real> {
 public:
  explicit LrModel(const config::Schema& schema)
      : embedded_width_(schema.embedded_width),
        dense_("dense", {schema.num_dense(), 1, Activation::none}, FirstValues::zero, plan_) {}

  void forward(const Parameters<Real>& parameters, const ModelInput<Real>& input,
               MatrixView<Real> logits) override {
    dense_.forward(parameters, input.dense, logits);
    add_row_sums<Real>(input.embedded, logits);
  }

  void backward(Parameters<Real>& parameters, const ModelInput<Real>& input, MatrixView<Real> d_logits,
                MatrixView<Real> d_embedded) override {
    const MatrixView<Real> none = dense_matrix<Real>(nullptr, d_logits.rows, 0);
    dense_.backward(parameters, input.dense, d_logits, d_logits, none, scratch_);
    repeat_along_rows<Real>(d_logits, d_embedded);
  }

  [[nodiscard]] const ParameterPlan& plan() const override { return plan_; }

  [[nodiscard]] std::vector<LayerSummary> layers() const override {
    return {dense_.summary(),
            {.name = "embedded", .kind = "sum of all values", .in = embedded_width_, .out = 1}};
  }

 private:
  ParameterPlan plan_;
  std::int64_t embedded_width_;
  Linear<Real> dense_;
  Buffer<Real> scratch_{"persia::model::partial_sums"};
};

}  // namespace

template <class Real>
std::unique_ptr<Model<Real>> make_lr_model(const config::Schema& schema) {
  return std::make_unique<LrModel<Real>>(schema);
}

template std::unique_ptr<Model<float>> make_lr_model(const config::Schema&);
template std::unique_ptr<Model<double>> make_lr_model(const config::Schema&);

}  // namespace persia::model
