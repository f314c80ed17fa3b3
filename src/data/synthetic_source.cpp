#include "data/synthetic_source.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "data/file_layout.hpp"
#include "data/order.hpp"
#include "data/row_parser.hpp"
#include "data/synthetic.hpp"

namespace persia::data {

namespace {

constexpr auto kLastDense = static_cast<std::int32_t>(kSyntheticDense);  // place of I13 in criteo_names()

class SyntheticSource final : public BatchSource {
 public:
  SyntheticSource(const config::Data& data, const config::Schema& schema, const SourceOptions& options)
      : schema_(schema),
        options_(options),
        pool_(data.synthetic.shrink),
        layout_(match_columns(criteo_names(true), data, schema, "data.format synthetic")),
        labelled_(has_label(data)),
        pool_rows_(data.synthetic.rows),
        window_rows_(data.shuffle_rows),
        batch_in_epoch_(options.start.batch_in_epoch) {
    for (const std::int32_t field : layout_.dense)
      require_user(field > 0 && field <= kLastDense, "synthetic dense columns are I1 to I13");
    for (const std::int32_t field : layout_.categorical)
      require_user(field > kLastDense, "synthetic categorical columns are C1 to C26");
  }

  std::optional<Batch> next() override {
    const std::int64_t first = batch_in_epoch_ * options_.batch_size;
    const std::int64_t rows = std::min<std::int64_t>(options_.batch_size, pool_rows_ - first);
    if (rows <= 0) return std::nullopt;
    const RowRange range = slice_range(rows, options_.slice);
    Batch batch = make_batch(schema_, static_cast<std::size_t>(range.end - range.begin));
    batch.epoch = options_.start.epoch;
    batch.batch_in_epoch = batch_in_epoch_++;
    batch.global_rows = rows;
    for (std::int64_t i = range.begin; i < range.end; ++i) append(row_at(first + i), batch);
    counts_.rows += batch.num_samples;
    return batch;
  }

  bool skip() override { return batch_in_epoch_++ * options_.batch_size < pool_rows_; }

  [[nodiscard]] const ReadCounts& counts() const override { return counts_; }

 private:
  // The pool row at one place of the epoch's order.
  std::int64_t row_at(std::int64_t place) {
    if (!options_.shuffle) return place;
    const std::int64_t window = place / window_rows_;
    const std::int64_t begin = window * window_rows_;
    if (window != window_) {
      window_ = window;
      permutation_ = window_permutation(options_.seed, options_.start.epoch, window,
                                        std::min(window_rows_, pool_rows_ - begin));
    }
    return begin + permutation_[static_cast<std::size_t>(place - begin)];
  }

  void append(std::int64_t row, Batch& batch) {
    const SyntheticSample sample = pool_.sample(row);
    for (const std::int32_t field : layout_.dense)
      batch.dense.push_back(sample.dense[static_cast<std::size_t>(field) - 1]);
    for (std::size_t c = 0; c < batch.columns.size(); ++c) {
      IdColumn& column = batch.columns[c];
      column.ids.emplace_back(sample.ids[static_cast<std::size_t>(layout_.categorical[c] - kLastDense - 1)]);
      column.offsets.push_back(static_cast<std::int32_t>(column.ids.size()));
    }
    if (labelled_) batch.labels.push_back(sample.label);
    batch.row_numbers.push_back(row);
    ++batch.num_samples;
  }

  config::Schema schema_;
  SourceOptions options_;
  SyntheticPool pool_;
  FileLayout layout_;
  bool labelled_;
  std::int64_t pool_rows_;
  std::int64_t window_rows_;
  std::int64_t batch_in_epoch_;
  std::int64_t window_ = -1;
  std::vector<std::uint32_t> permutation_;
  ReadCounts counts_;
};

}  // namespace

std::unique_ptr<BatchSource> open_synthetic_source(const config::Data& data, const config::Schema& schema,
                                                   const SourceOptions& options) {
  return std::make_unique<SyntheticSource>(data, schema, options);
}

}  // namespace persia::data
