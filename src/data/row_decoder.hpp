// Text rows to samples, and what to say about rows that cannot be used.
//
// Follows data.on_bad_row: stop throws UserError "FILE:LINE:COLUMN: ..." (without the column where the whole
// row is concerned); skip counts the row, and the first few are shown as warnings. Unprintable bytes are
// escaped. Thread safety: one thread at a time. Used by file_source and survey.
#pragma once

#include <string>

#include "data/row_parser.hpp"
#include "data/row_stream.hpp"

namespace persia::data {

class RowDecoder {
 public:
  // `rows` gives layouts and file names; it outlives the decoder.
  RowDecoder(const config::Data& data, const config::Schema& schema, const DenseStatistics& statistics,
             RowStream& rows);

  // Appends the row to `batch`, or skips it. Returns whether it was appended.
  bool decode(const Row& row, Batch& batch, ReadCounts& counts);
  [[nodiscard]] const RowParser& parser() const { return parser_; }

 private:
  [[nodiscard]] std::string describe(const Row& row, const RowFault& fault) const;

  RowParser parser_;
  FieldSplitter splitter_;
  RowStream& rows_;
  config::BadRow on_bad_row_;
};

}  // namespace persia::data
