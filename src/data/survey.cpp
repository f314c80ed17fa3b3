#include "data/survey.hpp"

#include <algorithm>
#include <limits>

#include "base/error.hpp"
#include "data/row_decoder.hpp"
#include "data/running_moments.hpp"

namespace persia::data {

namespace {

constexpr std::int64_t kSampleRows = 100000;
constexpr std::int64_t kBatchRows = 4096;  // parsed rows are thrown away this often
constexpr double kLargeValue = 1000.0;     // inputs above it drown the others of a freshly started network

bool wants_statistics(const config::DenseColumn& column) {
  return column.transform == config::Transform::standardise;
}

DenseStatistics identity(const config::Schema& schema) {
  return {.mean = std::vector<double>(schema.dense.size(), 0.0),
          .scale = std::vector<double>(schema.dense.size(), 1.0)};
}

// Reads rows and keeps the moments of their dense columns. Returns whether the data ended.
bool read_rows(const config::Data& data, const config::Schema& schema,
               const std::vector<std::filesystem::path>& files, std::int64_t limit,
               std::vector<RunningMoments>& moments, std::int64_t& rows) {
  RowStream stream(data, schema, files);
  RowDecoder decoder(data, schema, identity(schema), stream);
  ReadCounts counts;
  Batch batch = make_batch(schema, kBatchRows);
  for (rows = 0; rows < limit; ++rows) {
    const std::optional<Row> row = stream.next();
    if (!row) return true;
    if (batch.num_samples == kBatchRows) batch = make_batch(schema, kBatchRows);
    if (!decoder.decode(*row, batch, counts)) continue;
    for (std::size_t i = 0; i < moments.size(); ++i)
      if (const std::optional<Number>& number = decoder.parser().numbers()[i]) moments[i].add(*number);
  }
  return !stream.next().has_value();
}

void fit_column(const config::DenseColumn& column, const RunningMoments& moments, double& mean, double& scale,
                std::vector<std::string>& warnings) {
  if (wants_statistics(column)) {
    const double deviation = moments.deviation();
    mean = moments.mean();
    scale = deviation > 0 ? 1.0 / deviation : 0.0;
    if (moments.count() == 0)
      warnings.push_back(fmt::format("dense column '{}' is blank in every row; it will be 0", column.name));
    else if (deviation == 0)
      warnings.push_back(
          fmt::format("dense column '{}' is {} in every row; standardised it is always 0 and tells "
                      "the network nothing",
                      column.name, mean));
  } else if (column.transform == config::Transform::none && moments.largest() >= kLargeValue) {
    warnings.push_back(
        fmt::format("dense column '{}' has values up to {:.3g}, which a network can hardly learn "
                    "from; use transform: standardise (or log1p for counts)",
                    column.name, moments.largest()));
  }
}

}  // namespace

Survey survey(const config::Data& data, const config::Schema& schema,
              const std::vector<std::filesystem::path>& files) {
  Survey result;
  result.statistics = identity(schema);
  if (data.format == config::DataFormat::synthetic) {
    result.rows = data.synthetic.rows;
    result.complete = true;
    return result;
  }
  const bool all = std::any_of(schema.dense.begin(), schema.dense.end(), wants_statistics);
  std::vector<RunningMoments> moments(schema.dense.size());
  result.complete =
      read_rows(data, schema, files, all ? std::numeric_limits<std::int64_t>::max() : kSampleRows, moments,
                result.rows);
  for (std::size_t i = 0; i < moments.size(); ++i)
    fit_column(schema.dense[i], moments[i], result.statistics.mean[i], result.statistics.scale[i],
               result.warnings);
  return result;
}

}  // namespace persia::data
