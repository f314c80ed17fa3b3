#include "data/row_decoder.hpp"

#include "base/error.hpp"
#include "base/log.hpp"
#include "data/printable.hpp"

namespace persia::data {

namespace {

constexpr std::int64_t kWarnings = 5;

}  // namespace

RowDecoder::RowDecoder(const config::Data& data, const config::Schema& schema,
                       const DenseStatistics& statistics, RowStream& rows)
    : parser_(data, schema, statistics),
      splitter_(record_format(data)),
      rows_(rows),
      on_bad_row_(data.on_bad_row) {}

bool RowDecoder::decode(const Row& row, Batch& batch, ReadCounts& counts) {
  const std::optional<RowFault> fault =
      parser_.append(splitter_.split(row.text), rows_.layout(row.file), row.number, batch, counts);
  if (!fault) return true;
  if (on_bad_row_ == config::BadRow::stop) {
    rows_.verify(row.file);
    fail_user("{}; mend the row, or pass over such rows with data.on_bad_row: skip", describe(row, *fault));
  }
  if (++counts.skipped_rows <= kWarnings) log::warn("row skipped: {}", describe(row, *fault));
  if (counts.skipped_rows == kWarnings) log::warn("more skipped rows are counted but not shown");
  return false;
}

std::string RowDecoder::describe(const Row& row, const RowFault& fault) const {
  const std::string path = rows_.path(row.file).string();
  const std::string text = printable(fault.text);
  if (!fault.offset) return fmt::format("{}:{}: {}", path, row.line, text);
  const TextPlace place = place_in(row.text, *fault.offset, row.line);
  return fmt::format("{}:{}:{}: {}", path, place.line, place.column, text);
}

}  // namespace persia::data
