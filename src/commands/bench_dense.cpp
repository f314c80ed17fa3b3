#include "commands/bench_dense.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "commands/median.hpp"
#include "commands/processor_clock.hpp"
#include "config/schema.hpp"
#include "model/dense_optimizer.hpp"
#include "model/network.hpp"
#include "model/plain_products.hpp"
#include "sys/kokkos_session.hpp"

namespace persia::commands {

namespace {

struct Workload {
  std::string name;
  config::Model model;
};

std::vector<Workload> workloads() {
  return {{"dlrm-criteo", {.type = config::ModelType::dlrm, .bottom = {512, 256, 64}, .top = {512, 256}}},
          {"ffnn-persia", {.type = config::ModelType::dnn, .hidden = {4096, 2048, 1024, 512, 256}}}};
}

// 13 numbers and 26 categories of dim 16.
config::Schema criteo_schema() {
  config::Schema schema;
  schema.dense.resize(13);
  for (std::int32_t c = 0; c < 26; ++c) {
    schema.columns.push_back({.column = {}, .table = TableIndex(c), .dim = 16, .embedded_begin = 16 * c});
    schema.embedded_width += 16;
  }
  return schema;
}

// The first layer of a network passes a gradient to embeddings only.
std::vector<model::ProductShape> products_of(const model::Network& network, std::int64_t first_d_in) {
  std::vector<model::ProductShape> shapes;
  for (const model::ParameterBlock& block : network.blocks()) {
    if (block.shape.size() != 2) continue;
    const std::int64_t in = block.shape[1];
    shapes.push_back({in, block.shape[0], shapes.empty() ? first_d_in : in});
  }
  return shapes;
}

class DenseStep {
 public:
  DenseStep(const Workload& workload, const config::Schema& schema, std::int32_t num_samples)
      : network_(model::make_network(workload.model, schema, 1)),
        optimizer_(model::make_dense_optimizer({.type = config::OptimizerType::sgd, .learning_rate = 0.01},
                                               static_cast<std::int64_t>(network_->parameters().size()))),
        num_samples_(num_samples),
        logits_(static_cast<std::size_t>(num_samples)),
        d_logits_(logits_.size()) {
    const auto size = [&](std::int32_t columns) {
      return logits_.size() * static_cast<std::size_t>(columns);
    };
    const auto value = [n = std::uint64_t{0}]() mutable {
      return static_cast<float>(random_uniform(1, 0, n++) - 0.5);
    };
    dense_.resize(size(schema.num_dense()));
    embedded_.resize(size(schema.embedded_width));
    std::ranges::generate(dense_, value);
    std::ranges::generate(embedded_, value);
    for (std::size_t i = 0; i < logits_.size(); ++i) labels_.push_back(static_cast<float>(i % 2));
    d_embedded_.resize(embedded_.size());
  }

  [[nodiscard]] const model::Network& network() const { return *network_; }

  void run() {
    const model::Input input{.num_samples = num_samples_, .dense = dense_, .embedded = embedded_};
    network_->forward(input, logits_);
    loss_ = model::binary_cross_entropy(logits_, labels_, d_logits_);
    network_->backward(input, d_logits_, d_embedded_);
    optimizer_->apply(network_->parameters(), network_->gradients(), 1.0F / static_cast<float>(num_samples_),
                      Step(0));
  }

 private:
  std::unique_ptr<model::Network> network_;
  std::unique_ptr<model::DenseOptimizer> optimizer_;
  std::int32_t num_samples_;
  std::vector<float> dense_, embedded_, labels_, logits_, d_logits_, d_embedded_;
  double loss_ = 0;
};

// Seconds of one run, as the mean over at least options.min_seconds.
template <class Work>
double seconds_of(Work& work, const BenchDenseOptions& options) {
  const TeamStopwatch watch(options.threads);
  std::int32_t runs = 0;
  do {
    work.run();
    ++runs;
  } while (watch.seconds() < options.min_seconds);
  return watch.seconds() / runs;
}

void run_case(const Workload& workload, std::int32_t batch, const BenchDenseOptions& options) {
  const config::Schema schema = criteo_schema();
  DenseStep step(workload, schema, batch);
  const std::int64_t first_d_in = workload.model.type == config::ModelType::dlrm ? 0 : schema.embedded_width;
  model::PlainProducts products(products_of(step.network(), first_d_in), batch);
  step.run();
  products.run();
  std::vector<double> step_seconds, product_seconds, ratios;
  for (std::int32_t r = 0; r < options.repeats; ++r) {
    product_seconds.push_back(seconds_of(products, options));
    step_seconds.push_back(seconds_of(step, options));
    ratios.push_back(product_seconds.back() / step_seconds.back());
  }
  const std::string name = fmt::format("dense {} batch={}", workload.name, batch);
  const double rate = batch / median(step_seconds);
  const double limit = batch / median(product_seconds);
  if (options.json)
    fmt::print("{}\n", nlohmann::json{{"case", name},
                                      {"threads", options.threads},
                                      {"samples_per_s", rate},
                                      {"products_samples_per_s", limit},
                                      {"ratio", median(ratios)}}
                           .dump());
  else
    fmt::print("{:<32} {:>10.0f} samples/s   {:>4.0f} % of its products' {:.0f}\n", name, rate,
               median(ratios) * 100, limit);
  std::fflush(stdout);
}

}  // namespace

int bench_dense(const BenchDenseOptions& options, int device) {
  const sys::KokkosSession kokkos(options.threads, device);
  for (const Workload& workload : workloads())
    for (const std::int32_t batch : {256, 2048, 16384}) run_case(workload, batch, options);
  return 0;
}

}  // namespace persia::commands
