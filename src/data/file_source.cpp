#include "data/file_source.hpp"

#include "base/error.hpp"
#include "data/order.hpp"
#include "data/row_decoder.hpp"
#include "data/row_window.hpp"

namespace persia::data {

namespace {

// How far ahead of the row being parsed the texts and the descriptions of rows are fetched.
constexpr std::int64_t kNearRows = 4;
constexpr std::int64_t kFarRows = 8;

RowOrder row_order(const config::Data& data, const SourceOptions& options) {
  return {.shuffle = options.shuffle,
          .seed = options.seed,
          .epoch = options.start.epoch,
          .window_rows = options.shuffle ? data.shuffle_rows : std::int64_t{options.batch_size}};
}

class FileSource final : public BatchSource {
 public:
  FileSource(const config::Data& data, const config::Schema& schema, const SourceOptions& options)
      : schema_(schema),
        slice_(options.slice),
        batch_size_(options.batch_size),
        position_(options.start),
        rows_(data, schema, options.files),
        ordered_(rows_, row_order(data, options), options.start.batch_in_epoch * options.batch_size),
        decoder_(data, schema, options.statistics, rows_) {}

  std::optional<Batch> next() override {
    const std::int64_t rows = ordered_.prepare(batch_size_);
    if (rows == 0) return std::nullopt;
    const RowRange range = slice_range(rows, slice_);
    Batch batch = make_batch(schema_, static_cast<std::size_t>(range.end - range.begin));
    batch.epoch = position_.epoch;
    batch.batch_in_epoch = position_.batch_in_epoch++;
    batch.global_rows = rows;
    for (std::int64_t i = range.begin; i < range.end; ++i) {
      if (i + kFarRows < range.end) ordered_.prefetch(i + kNearRows, i + kFarRows);
      decoder_.decode(ordered_.at(i), batch, counts_);
    }
    ordered_.drop(rows);
    return batch;
  }

  bool skip() override {
    const std::int64_t rows = ordered_.prepare(batch_size_);
    ordered_.drop(rows);
    ++position_.batch_in_epoch;
    return rows > 0;
  }

  [[nodiscard]] const ReadCounts& counts() const override { return counts_; }

 private:
  config::Schema schema_;
  Slice slice_;
  std::int64_t batch_size_;
  Position position_;
  RowStream rows_;
  OrderedRows ordered_;
  RowDecoder decoder_;
  ReadCounts counts_;
};

}  // namespace

std::unique_ptr<BatchSource> open_file_source(const config::Data& data, const config::Schema& schema,
                                              const SourceOptions& options) {
  return std::make_unique<FileSource>(data, schema, options);
}

}  // namespace persia::data
