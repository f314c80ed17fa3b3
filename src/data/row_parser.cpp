#include "data/row_parser.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/error.hpp"

namespace persia::data {

namespace {

RowFault at_field(const std::string& column, std::string_view what, const Field& field) {
  return {.text = fmt::format("column '{}': {}", column, what), .offset = field.offset};
}

}  // namespace

Batch make_batch(const config::Schema& schema, std::size_t rows) {
  Batch batch;
  batch.dense.reserve(rows * schema.dense.size());
  batch.labels.reserve(rows);
  batch.row_numbers.reserve(rows);
  batch.columns.resize(schema.columns.size());
  for (IdColumn& column : batch.columns) {
    column.offsets.reserve(rows + 1);
    column.offsets.push_back(0);
    column.ids.reserve(rows);
  }
  return batch;
}

RowParser::RowParser(const config::Data& data, const config::Schema& schema,
                     const DenseStatistics& statistics)
    : data_(data), schema_(schema), label_reader_(data.label), dense_(schema.dense.size()) {
  const bool fitted = !statistics.mean.empty();
  expects(!fitted || (statistics.mean.size() == schema.dense.size() &&
                      statistics.scale.size() == schema.dense.size()),
          "statistics have one entry per dense column");
  const bool whole_numbers_only = data.format == config::DataFormat::criteo;
  for (std::size_t i = 0; i < schema.dense.size(); ++i)
    dense_readers_.emplace_back(schema.dense[i].transform, whole_numbers_only,
                                fitted ? statistics.mean[i] : 0.0, fitted ? statistics.scale[i] : 1.0);
  for (const config::ColumnSchema& column : schema.columns)
    category_readers_.emplace_back(column.column,
                                   schema.tables[static_cast<std::size_t>(column.table.value())]);
  numbers_.resize(schema.dense.size());
  ids_until_.resize(schema.columns.size());
}

std::optional<RowFault> RowParser::append(std::span<const Field> fields, const FileLayout& layout,
                                          std::int64_t row_number, Batch& batch, ReadCounts& counts) {
  if (fields.size() != layout.num_fields) return wrong_field_count(fields.size(), layout.num_fields);
  counts_ = {};
  if (std::optional<RowFault> fault = read_label(fields, layout)) return fault;
  if (std::optional<RowFault> fault = read_dense(fields, layout)) return fault;
  if (std::optional<RowFault> fault = read_categories(fields, layout)) return fault;
  commit(row_number, layout.label >= 0, batch, counts);
  return std::nullopt;
}

std::optional<RowFault> RowParser::read_label(std::span<const Field> fields, const FileLayout& layout) {
  if (layout.label < 0) return std::nullopt;
  const Field& field = fields[static_cast<std::size_t>(layout.label)];
  const std::optional<float> label = label_reader_.read(field.text);
  if (!label)
    return at_field(data_.label.name,
                    fmt::format("the label is '{}', it must be {}", field.text, label_reader_.expected()),
                    field);
  label_ = *label;
  return std::nullopt;
}

std::optional<RowFault> RowParser::read_dense(std::span<const Field> fields, const FileLayout& layout) {
  for (std::size_t i = 0; i < dense_.size(); ++i) {
    const Field& field = fields[static_cast<std::size_t>(layout.dense[i])];
    dense_[i] = 0;
    numbers_[i].reset();
    if (is_blank(field.text)) {
      ++counts_.blank_dense;
      continue;
    }
    const std::variant<Number, std::string> read = dense_readers_[i].read(field.text);
    if (const auto* wrong = std::get_if<std::string>(&read))
      return at_field(schema_.dense[i].name, *wrong, field);
    numbers_[i] = std::get<Number>(read);
    dense_[i] = dense_readers_[i].transform(*numbers_[i]);
    if (!std::isfinite(dense_[i]))
      return at_field(schema_.dense[i].name,
                      fmt::format("'{}' is too far from the training values to be standardised", field.text),
                      field);
  }
  return std::nullopt;
}

std::optional<RowFault> RowParser::read_categories(std::span<const Field> fields, const FileLayout& layout) {
  ids_.clear();
  for (std::size_t c = 0; c < category_readers_.size(); ++c) {
    const Field& field = fields[static_cast<std::size_t>(layout.categorical[c])];
    if (const std::optional<std::string> wrong = category_readers_[c].read(field.text, ids_, counts_))
      return at_field(schema_.columns[c].column.name, *wrong, field);
    ids_until_[c] = ids_.size();
  }
  return std::nullopt;
}

void RowParser::commit(std::int64_t row_number, bool labelled, Batch& batch, ReadCounts& counts) const {
  if (labelled) batch.labels.push_back(label_);
  batch.dense.insert(batch.dense.end(), dense_.begin(), dense_.end());
  batch.row_numbers.push_back(row_number);
  auto from = ids_.begin();
  for (std::size_t c = 0; c < ids_until_.size(); ++c) {
    IdColumn& column = batch.columns[c];
    const auto until = ids_.begin() + static_cast<std::ptrdiff_t>(ids_until_[c]);
    column.ids.insert(column.ids.end(), from, until);
    column.offsets.push_back(static_cast<std::int32_t>(column.ids.size()));
    from = until;
  }
  ++batch.num_samples;
  ++counts.rows;
  counts += counts_;
}

RowFault RowParser::wrong_field_count(std::size_t have, std::size_t want) const {
  std::string text = fmt::format("{} fields, {} expected", have, want);
  if (data_.format == config::DataFormat::criteo) {
    if (has_label(data_) && have + 1 == want)
      text += "; without labels use predict with data.label.name: none";
    if (!has_label(data_) && have == want + 1)
      text += "; the rows have a label: leave data.label.name: none out";
  }
  return {.text = text, .offset = std::nullopt};
}

}  // namespace persia::data
