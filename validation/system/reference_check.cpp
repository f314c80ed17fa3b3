// reference_check RUN.yaml STEPS CHECKPOINT [KEY=VALUE ...]: trains the run STEPS steps in one process and in
// double precision (validation/mpi/reference.hpp) and compares every dense parameter and every row with the
// checkpoint.
//
// Prints one JSON line {"parameters":, "rows":, "worst_parameter":, "worst_row":}: the worst are differences
// over max(|reference|, root mean square of its tensor or table). Exit code 0 if the ids are the same,
// else 1.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/error.hpp"
#include "checkpoint/checkpoint.hpp"
#include "config/reader.hpp"
#include "config/schema.hpp"
#include "data/source.hpp"
#include "data/survey.hpp"
#include "model/memory.hpp"
#include "model/network.hpp"
#include "reference.hpp"
#include "sys/kokkos_session.hpp"
#include "table/table.hpp"

namespace persia {
namespace {

using Tables = std::vector<std::unique_ptr<table::Table>>;

Tables make_tables(const config::Schema& schema, std::uint64_t seed) {
  Tables tables;
  for (const config::TableSchema& one : schema.tables)
    tables.push_back(table::make_table(one, {.seed = seed}));
  return tables;
}

std::vector<float> row_of(table::Table& table, FeatureId id, table::Purpose purpose) {
  std::vector<float> values(static_cast<std::size_t>(table.schema().table.dim));
  table::Row row;
  table.lookup(std::span(&id, 1), purpose, values, std::span(&row, 1), {});
  require(!row.absent(), "the checkpoint has no row {} in table {}", id.value(), table.schema().name);
  return values;
}

// Batches of the whole run, as one trainer would see them.
class Batches {
 public:
  Batches(const config::RunFile& run, const config::Schema& schema) : run_(run), schema_(schema) {
    const std::filesystem::path folder = std::filesystem::path(run.source).parent_path();
    if (run.data.format != config::DataFormat::synthetic)
      options_.files = data::expand_files(run.data, run.data.train, folder);
    options_.batch_size = run.training.batch_size;
    options_.shuffle = run.data.shuffle;
    options_.seed = run.seed;
    options_.statistics = data::survey(run.data, schema, options_.files).statistics;
  }

  data::Batch next() {
    while (true) {
      if (!source_) source_ = data::open_source(run_.data, schema_, options_);
      if (std::optional<data::Batch> batch = source_->next()) return std::move(*batch);
      source_.reset();
      ++options_.start.epoch;
    }
  }

 private:
  const config::RunFile& run_;
  const config::Schema& schema_;
  data::SourceOptions options_;
  std::unique_ptr<data::BatchSource> source_;
};

// The worst relative difference of one tensor.
double worst_of(const double* reference, const float* values, std::size_t count) {
  double squares = 0;
  for (std::size_t i = 0; i < count; ++i) squares += reference[i] * reference[i];
  const double scale = std::sqrt(squares / static_cast<double>(std::max<std::size_t>(1, count)));
  double worst = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double size = std::max({std::abs(reference[i]), scale, 1e-30});
    worst = std::max(worst, std::abs(static_cast<double>(values[i]) - reference[i]) / size);
  }
  return worst;
}

double worst_parameter(const reference::Values& reference, model::Network& network) {
  std::vector<float> parameters(network.parameters().size());
  model::copy_to_host(network.parameters(), parameters);
  double worst = 0;
  for (const model::ParameterBlock& block : network.blocks()) {
    const auto begin = static_cast<std::size_t>(block.offset);
    worst = std::max(worst, worst_of(reference.data() + begin, parameters.data() + begin,
                                     static_cast<std::size_t>(block.size)));
  }
  return worst;
}

double worst_row(const reference::Table& reference, table::Table& table) {
  reference::Values expected;
  std::vector<float> found;
  for (const auto& [id, row] : reference) {
    expected.insert(expected.end(), row.values.begin(), row.values.end());
    const std::vector<float> values = row_of(table, id, table::Purpose::evaluate);
    found.insert(found.end(), values.begin(), values.end());
  }
  return worst_of(expected.data(), found.data(), expected.size());
}

int check(int argc, char** argv) {
  require_user(argc >= 4, "usage: reference_check RUN.yaml STEPS CHECKPOINT [KEY=VALUE ...]");
  const config::RunFile run = config::read_run_file(argv[1], {argv + 4, argv + argc});
  const config::Schema schema = config::make_schema(run);
  const sys::KokkosSession kokkos(1, -1);
  const std::unique_ptr<model::Network> network = model::make_network(run.model, schema, run.seed);
  std::vector<float> first(network->parameters().size());
  model::copy_to_host(network->parameters(), first);

  const Tables fresh = make_tables(schema, run.seed);
  reference::Trainer trainer(run, schema, first, [&](TableIndex table, FeatureId id) {
    return row_of(*fresh[static_cast<std::size_t>(table.value())], id, table::Purpose::train);
  });
  Batches batches(run, schema);
  for (int step = 0; step < std::stoi(argv[2]); ++step) (void)trainer.step(batches.next());

  const std::optional<std::filesystem::path> folder = checkpoint::find_newest(argv[3]);
  require_user(folder.has_value(), "no complete checkpoint in {}", argv[3]);
  const checkpoint::Manifest manifest = checkpoint::read_manifest(*folder);
  checkpoint::load_dense(*folder, *network, nullptr);
  const Tables saved = make_tables(schema, run.seed);
  const std::int64_t rows = checkpoint::load_tables(*folder, manifest, OwnerIndex(0), 1, saved);

  double row = 0;
  std::int64_t expected_rows = 0;
  for (std::size_t t = 0; t < saved.size(); ++t) {
    row = std::max(row, worst_row(trainer.tables()[t], *saved[t]));
    expected_rows += static_cast<std::int64_t>(trainer.tables()[t].size());
  }
  const nlohmann::json line{{"parameters", first.size()},
                            {"rows", rows},
                            {"worst_parameter", worst_parameter(trainer.parameters(), *network)},
                            {"worst_row", row}};
  std::printf("%s\n", line.dump().c_str());
  return rows == expected_rows ? 0 : 1;
}

}  // namespace
}  // namespace persia

int main(int argc, char** argv) {
  try {
    return persia::check(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
