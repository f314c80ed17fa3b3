#include "model/dlrm_model.hpp"

#include <optional>

#include "base/cast.hpp"
#include "base/error.hpp"
#include "model/dot_interaction.hpp"
#include "model/mlp.hpp"
#include "model/widths.hpp"

namespace persia::model {
namespace {

void check_columns(const config::Schema& schema) {
  const auto& columns = schema.columns;
  require_user(!columns.empty(),
               "model.type dlrm combines embeddings, but there is no categorical column; name some in "
               "data.categorical or use model.type dnn");
  for (const config::ColumnSchema& column : columns) {
    require_user(column.dim == columns.front().dim,
                 "model.type dlrm needs one dim for all tables: column '{}' has {}, column '{}' has {}; give "
                 "their tables equal dims",
                 columns.front().column.name, columns.front().dim, column.column.name, column.dim);
  }
  require_user(
      columns.size() > 1 || schema.num_dense() > 0,
      "model.type dlrm combines pairs of vectors, but one categorical column and no dense column make "
      "no pair; add a column or use model.type dnn");
}

template <class Real>
class DlrmModel final : public Model<Real> {
 public:
  DlrmModel(const config::Model& options, const config::Schema& schema)
      : dim_(schema.columns.front().dim),
        bottom_(make_bottom(options, schema, plan_)),
        interaction_(bottom_.has_value(), checked_cast<std::int32_t>(schema.columns.size()), dim_),
        top_("top", interaction_.out_width(), layer_widths("model.top", options.top, 1), Activation::none,
             plan_) {}

  void forward(const Parameters<Real>& parameters, const ModelInput<Real>& input,
               MatrixView<Real> logits) override {
    const MatrixView<Real> bottom = bottom_output(logits.rows);
    if (bottom_) bottom_->forward(parameters, input.dense, bottom);
    interaction_.forward(bottom, input.embedded, top_input(logits.rows));
    top_.forward(parameters, top_input(logits.rows), logits);
  }

  void backward(Parameters<Real>& parameters, const ModelInput<Real>& input, MatrixView<Real> d_logits,
                MatrixView<Real> d_embedded) override {
    const std::int64_t n = d_logits.rows;
    const MatrixView<Real> bottom = bottom_output(n);
    const MatrixView<Real> d_bottom = d_bottom_.matrix(n, bottom.columns);
    const MatrixView<Real> d_top_input = d_top_input_.matrix(n, interaction_.out_width());
    top_.backward(parameters, top_input(n), d_logits, d_logits, d_top_input);
    interaction_.backward(bottom, input.embedded, d_top_input, d_bottom, d_embedded);
    const MatrixView<Real> none = dense_matrix<Real>(nullptr, n, 0);
    if (bottom_) bottom_->backward(parameters, input.dense, bottom, d_bottom, none);
  }

  [[nodiscard]] const ParameterPlan& plan() const override { return plan_; }

  [[nodiscard]] std::vector<LayerSummary> layers() const override {
    std::vector<LayerSummary> layers;
    if (bottom_) bottom_->summarize(layers);
    layers.push_back(interaction_.summary());
    top_.summarize(layers);
    return layers;
  }

 private:
  static std::optional<Mlp<Real>> make_bottom(const config::Model& options, const config::Schema& schema,
                                              ParameterPlan& plan) {
    if (schema.num_dense() == 0) return std::nullopt;
    return Mlp<Real>("bottom", schema.num_dense(),
                     layer_widths("model.bottom", options.bottom, schema.columns.front().dim),
                     Activation::relu, plan);
  }

  [[nodiscard]] MatrixView<Real> bottom_output(std::int64_t rows) {
    return bottom_output_.matrix(rows, bottom_ ? dim_ : 0);
  }
  [[nodiscard]] MatrixView<Real> top_input(std::int64_t rows) {
    return top_input_.matrix(rows, interaction_.out_width());
  }

  ParameterPlan plan_;
  std::int32_t dim_;
  std::optional<Mlp<Real>> bottom_;
  DotInteraction<Real> interaction_;
  Mlp<Real> top_;
  Buffer<Real> bottom_output_{"persia::model::bottom_output"};
  Buffer<Real> d_bottom_{"persia::model::d_bottom_output"};
  Buffer<Real> top_input_{"persia::model::top_input"};
  Buffer<Real> d_top_input_{"persia::model::d_top_input"};
};

}  // namespace

template <class Real>
std::unique_ptr<Model<Real>> make_dlrm_model(const config::Model& options, const config::Schema& schema) {
  check_columns(schema);
  return std::make_unique<DlrmModel<Real>>(options, schema);
}

template std::unique_ptr<Model<float>> make_dlrm_model(const config::Model&, const config::Schema&);
template std::unique_ptr<Model<double>> make_dlrm_model(const config::Model&, const config::Schema&);

}  // namespace persia::model
