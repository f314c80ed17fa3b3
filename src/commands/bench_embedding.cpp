#include "commands/bench_embedding.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>
#include <vector>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/queue.hpp"
#include "base/random.hpp"
#include "base/thread_team.hpp"
#include "commands/median.hpp"
#include "config/reader.hpp"
#include "config/schema.hpp"
#include "data/source.hpp"
#include "embed/plan.hpp"
#include "embed/pooling.hpp"
#include "table/table.hpp"

namespace persia::commands {

namespace {

constexpr std::size_t kPlansAhead = 4;

// The whole pool of samples as batches.
std::vector<data::Batch> read_batches(const config::RunFile& run, const config::Schema& schema) {
  require_user(
      run.data.format == config::DataFormat::synthetic,
      "data.format is not synthetic; bench embedding measures samples that other systems can make too");
  for (const config::TableSchema& table : schema.tables) {
    const config::Eviction& eviction = table.table.eviction;
    require_user(eviction.policy == config::EvictionPolicy::none && eviction.ttl_steps == 0 &&
                     eviction.ttl_seconds == 0,
                 "table '{}' evicts rows; bench embedding measures tables that keep all", table.name);
  }
  data::SourceOptions options;
  options.batch_size = run.training.batch_size;
  options.seed = run.seed;
  const auto source = data::open_source(run.data, schema, options);
  std::vector<data::Batch> batches;
  while (std::optional<data::Batch> batch = source->next()) batches.push_back(std::move(*batch));
  return batches;
}

// All tables of a run in this process, and the buffers of one step.
class EmbeddingPart {
 public:
  EmbeddingPart(const config::RunFile& run, const config::Schema& schema, ThreadTeam* team)
      : schema_(schema),
        team_(team),
        embedded_(floats_of(run.training.batch_size, schema.embedded_width)),
        gradients_(embedded_.size()) {
    for (const config::TableSchema& table : schema.tables)
      tables_.push_back(table::make_table(table, {.seed = run.seed, .team = team}));
    for (std::size_t i = 0; i < gradients_.size(); ++i)
      gradients_[i] = static_cast<float>(0.001 * random_uniform(run.seed, 1, i));
  }

  // Look-ups of all columns, then their values side by side for each sample.
  void forward(const data::Batch& batch) {
    const auto num_samples = static_cast<std::size_t>(batch.num_samples);
    values_.resize(embedded_.size());
    rows_.resize(num_samples);
    std::size_t begin = 0;
    for (std::size_t c = 0; c < schema_.columns.size(); ++c) {
      const std::size_t size = num_samples * static_cast<std::size_t>(schema_.columns[c].dim);
      table_of(schema_.columns[c])
          .lookup(batch.columns[c].ids, table::Purpose::evaluate, std::span(values_).subspan(begin, size),
                  rows_, {});
      begin += size;
    }
    const auto num_parts = static_cast<std::size_t>(team_->size());
    team_->run([&](std::int32_t k) {
      lay_side_by_side(num_samples, part_of(num_samples, static_cast<std::size_t>(k), num_parts));
    });
  }

  void train(const data::Batch& batch, const embed::LookupPlan& plan) {
    values_.resize(static_cast<std::size_t>(plan.num_floats));
    held_.resize(tables_.size());
    for_each_table(plan, [&](std::size_t t, std::span<float> values) {
      held_[t].resize(plan.tables[t].ids.size());
      tables_[t]->lookup(plan.tables[t].ids, table::Purpose::train, values, held_[t], {});
    });
    const auto embedded = std::span(embedded_).first(
        floats_of(static_cast<std::size_t>(batch.num_samples), schema_.embedded_width));
    embed::pool(batch, plan, schema_, values_, embedded);
    embed::combine(batch, plan, schema_, std::span(gradients_).first(embedded.size()), 1.0F, values_);
    for_each_table(plan, [&](std::size_t t, std::span<const float> gradients) {
      tables_[t]->update(held_[t], gradients, persia::Step(0));
    });
  }

  [[nodiscard]] std::int64_t rows() const {
    std::int64_t sum = 0;
    for (const auto& table : tables_) sum += table->statistics().rows;
    return sum;
  }

 private:
  void lay_side_by_side(std::size_t num_samples, Part part) {
    for (std::size_t i = part.first; i < part.first + part.size; ++i) {
      float* to = embedded_.data() + floats_of(i, schema_.embedded_width);
      const float* column = values_.data();
      for (const config::ColumnSchema& one : schema_.columns) {
        const auto dim = static_cast<std::size_t>(one.dim);
        std::copy_n(column + i * dim, dim, to + one.embedded_begin);
        column += num_samples * dim;
      }
    }
  }
  template <class Number>
  static std::size_t floats_of(Number rows, std::int32_t width) {
    return static_cast<std::size_t>(rows) * static_cast<std::size_t>(width);
  }
  table::Table& table_of(const config::ColumnSchema& column) {
    return *tables_[static_cast<std::size_t>(column.table.value())];
  }
  template <class F>
  void for_each_table(const embed::LookupPlan& plan, const F& f) {
    for (std::size_t t = 0; t < tables_.size(); ++t)
      f(t, std::span(values_).subspan(static_cast<std::size_t>(plan.row_begin[t]),
                                      floats_of(plan.tables[t].ids.size(), schema_.tables[t].table.dim)));
  }

  const config::Schema& schema_;
  ThreadTeam* team_;
  std::vector<std::unique_ptr<table::Table>> tables_;
  std::vector<float> embedded_;   // (batch_size, embedded_width)
  std::vector<float> gradients_;  // of it, the same for every batch: U(0, 1) / 1000
  std::vector<float> values_;     // of the rows of one table, or of all of a plan
  std::vector<table::Row> rows_;
  std::vector<std::vector<table::Row>> held_;  // by table, of the step under way
};

// Plans of the batches in turn, made where they are asked for or by a thread of their own.
class Plans {
 public:
  Plans(const std::vector<data::Batch>& batches, const config::Schema& schema, bool ahead)
      : batches_(batches), schema_(schema), queue_(kPlansAhead) {
    if (ahead) maker_ = std::thread([this] { make_all(); });
  }
  ~Plans() {
    queue_.close();
    if (maker_.joinable()) maker_.join();
  }
  Plans(const Plans&) = delete;
  Plans& operator=(const Plans&) = delete;
  Plans(Plans&&) = delete;
  Plans& operator=(Plans&&) = delete;

  // Pre: called for batch 0, 1, ... and 0 again after the last.
  embed::LookupPlan of(const data::Batch& batch) {
    return maker_.joinable() ? std::move(*queue_.pop()) : embed::make_plan(batch, schema_, 1);
  }

 private:
  void make_all() {
    try {
      for (std::size_t b = 0; queue_.push(embed::make_plan(batches_[b], schema_, 1));)
        b = (b + 1) % batches_.size();
    } catch (...) {
      queue_.fail(std::current_exception());
    }
  }

  const std::vector<data::Batch>& batches_;
  const config::Schema& schema_;
  BoundedQueue<embed::LookupPlan> queue_;
  std::thread maker_;
};

// Rows per second of step(batch), which goes on where it was left.
class Rate {
 public:
  Rate(const std::vector<data::Batch>& batches, const BenchEmbeddingOptions& options)
      : batches_(batches), options_(options) {}

  template <class Run>
  double measure(const Run& run) {
    std::vector<double> rates;
    for (std::int32_t r = 0; r < options_.repeats; ++r) rates.push_back(once(run));
    return median(rates);
  }

 private:
  template <class Run>
  double once(const Run& run) {
    const Stopwatch watch;
    std::int64_t rows = 0;
    while (watch.seconds() < options_.min_seconds) {
      const data::Batch& batch = batches_[next_];
      next_ = (next_ + 1) % batches_.size();
      run(batch);
      for (const data::IdColumn& column : batch.columns) rows += std::ssize(column.ids);
    }
    return static_cast<double>(rows) / watch.seconds();
  }

  const std::vector<data::Batch>& batches_;
  const BenchEmbeddingOptions& options_;
  std::size_t next_ = 0;
};

}  // namespace

int bench_embedding(const BenchEmbeddingOptions& options) {
  const config::RunFile run = config::read_run_file(options.run_file.path, options.run_file.overrides);
  const config::Schema schema = config::make_schema(run);
  const std::vector<data::Batch> batches = read_batches(run, schema);
  const auto print = [&](const char* what, std::int64_t rows, double rate) {
    const nlohmann::json line{{"case", fmt::format("embedding {} {}", what, run.name)},
                              {"batch_size", run.training.batch_size},
                              {"threads", options.threads},
                              {"rows", rows},
                              {"rows_per_s", rate}};
    if (options.json)
      fmt::print("{}\n", line.dump());
    else
      fmt::print("{:<10} batch {:>6} {:>10.2f} M rows/s\n", what, run.training.batch_size, rate * 1e-6);
    std::fflush(stdout);
  };

  ThreadTeam forward_team(options.threads), training_team(std::max(1, options.threads - 1));
  const auto measure = [&](const char* what, ThreadTeam& team, const auto& step) {
    EmbeddingPart part(run, schema, &team);
    for (const data::Batch& batch : batches) part.train(batch, embed::make_plan(batch, schema, 1));
    print(what, part.rows(),
          Rate(batches, options).measure([&](const data::Batch& batch) { step(part, batch); }));
  };
  measure("forward", forward_team,
          [](EmbeddingPart& part, const data::Batch& batch) { part.forward(batch); });
  Plans plans(batches, schema, options.threads > 1);
  measure("training", training_team,
          [&](EmbeddingPart& part, const data::Batch& batch) { part.train(batch, plans.of(batch)); });
  return 0;
}

}  // namespace persia::commands
