#include "model/network.hpp"

#include <exception>
#include <utility>

#include "base/error.hpp"
#include "base/memory_size.hpp"
#include "model/memory_need.hpp"
#include "model/model_factory.hpp"
#include "model/staging.hpp"

namespace persia::model {
namespace {

Parameters<float> allocate(std::int64_t size) {
  try {
    return Parameters<float>(size);
  } catch (const std::exception& error) {
    fail("cannot allocate the {} parameters of the network and their gradients ({}): {}", size,
         memory_text(2.0 * sizeof(float) * static_cast<double>(size)), error.what());
  }
}

class StagedNetwork final : public Network {
 public:
  StagedNetwork(std::unique_ptr<Model<float>> model, const config::Schema& schema, std::uint64_t seed)
      : num_dense_(schema.num_dense()),
        embedded_width_(schema.embedded_width),
        model_(std::move(model)),
        parameters_(allocate(model_->plan().size())) {
    for (const LayerSummary& layer : model_->layers())
      if (layer.is_linear) multiply_adds_ += layer.multiply_adds;
    copy_from_host(model_->plan().first_values(seed), StagedNetwork::parameters());
  }

  void forward(const Input& input, std::span<float> logits) override {
    staged_ = {stage_input(input.dense, input.num_samples, num_dense_, dense_),
               stage_input(input.embedded, input.num_samples, embedded_width_, embedded_)};
    const MatrixView<float> out = stage_output(logits, input.num_samples, 1, logits_);
    model_->forward(parameters_, staged_, out);
    fetch_output(out, logits);
  }

  void backward(const Input& input, std::span<const float> d_logits, std::span<float> d_embedded) override {
    expects(input.num_samples == staged_.dense.rows, "backward follows forward of the same input");
    const MatrixView<float> d_out = d_logits_.matrix(input.num_samples, 1);
    copy_from_host(d_logits, {d_out.data, d_logits.size()});
    const MatrixView<float> d_in = stage_output(d_embedded, input.num_samples, embedded_width_, d_embedded_);
    model_->backward(parameters_, staged_, d_out, d_in);
    fetch_output(d_in, d_embedded);
    Kokkos::fence("persia::model::gradients are complete");
  }

  [[nodiscard]] std::span<float> parameters() override {
    return {parameters_.values.data(), parameters_.values.size()};
  }
  [[nodiscard]] std::span<float> gradients() override {
    return {parameters_.gradients.data(), parameters_.gradients.size()};
  }
  [[nodiscard]] const std::vector<ParameterBlock>& blocks() const override { return model_->plan().blocks(); }
  [[nodiscard]] std::int64_t multiply_adds_per_sample() const override { return multiply_adds_; }

 private:
  std::int32_t num_dense_;
  std::int32_t embedded_width_;
  std::int64_t multiply_adds_ = 0;
  std::unique_ptr<Model<float>> model_;
  Parameters<float> parameters_;
  ModelInput<float> staged_;  // of the last forward
  Buffer<float> dense_{"persia::model::dense"};
  Buffer<float> embedded_{"persia::model::embedded"};
  Buffer<float> logits_{"persia::model::logits"};
  Buffer<float> d_logits_{"persia::model::d_logits"};
  Buffer<float> d_embedded_{"persia::model::d_embedded"};
};

}  // namespace

std::unique_ptr<Network> make_network(const config::Model& model, const config::Schema& schema,
                                      std::uint64_t seed) {
  std::unique_ptr<Model<float>> planned = make_model<float>(model, schema);
  require_memory(planned->layers(), physical_memory_bytes());
  return std::make_unique<StagedNetwork>(std::move(planned), schema, seed);
}

}  // namespace persia::model
