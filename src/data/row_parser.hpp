// One row's fields to one sample at the end of a batch, by the columns of the run file.
//
// A row is taken whole or not at all: on a fault batch and counts are as before.
// Thread safety: one thread at a time. Used by row_decoder.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "config/schema.hpp"
#include "data/batch.hpp"
#include "data/category_value.hpp"
#include "data/dense_value.hpp"
#include "data/field_splitter.hpp"
#include "data/file_layout.hpp"
#include "data/label_value.hpp"
#include "data/row_fault.hpp"
#include "data/source.hpp"

namespace persia::data {

class RowParser {
 public:
  // Pre: statistics are (num_dense) long or empty (mean 0, scale 1).
  RowParser(const config::Data& data, const config::Schema& schema, const DenseStatistics& statistics);

  std::optional<RowFault> append(std::span<const Field> fields, const FileLayout& layout,
                                 std::int64_t row_number, Batch& batch, ReadCounts& counts);
  // Dense columns of the last row that was taken, before their transforms; nullopt for a blank.
  [[nodiscard]] const std::vector<std::optional<Number>>& numbers() const { return numbers_; }

 private:
  std::optional<RowFault> read_label(std::span<const Field> fields, const FileLayout& layout);
  std::optional<RowFault> read_dense(std::span<const Field> fields, const FileLayout& layout);
  std::optional<RowFault> read_categories(std::span<const Field> fields, const FileLayout& layout);
  void commit(std::int64_t row_number, bool labelled, Batch& batch, ReadCounts& counts) const;
  [[nodiscard]] RowFault wrong_field_count(std::size_t have, std::size_t want) const;

  config::Data data_;
  config::Schema schema_;
  LabelReader label_reader_;
  std::vector<DenseReader> dense_readers_;
  std::vector<CategoryReader> category_readers_;
  // the row being read
  float label_ = 0;
  std::vector<std::optional<Number>> numbers_;
  std::vector<float> dense_;
  std::vector<FeatureId> ids_;          // of all columns, one after the other
  std::vector<std::size_t> ids_until_;  // (num columns)
  ReadCounts counts_;
};

// An empty batch with the shapes of `schema` and room for `rows` samples.
[[nodiscard]] Batch make_batch(const config::Schema& schema, std::size_t rows);

}  // namespace persia::data
