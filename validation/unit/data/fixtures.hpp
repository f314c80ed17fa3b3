// Schemas and files made by hand for the tests of this room.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/hash.hpp"
#include "config/schema.hpp"
#include "data/file_layout.hpp"
#include "data/source.hpp"

namespace persia::data {

// A folder of the test's own, removed with it.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "persia-data-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  std::filesystem::path write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path_ / name, std::ios::binary) << bytes;
    return path_ / name;
  }

 private:
  std::filesystem::path path_;
};

inline std::string gzip(const std::string& text) {
  z_stream zlib{};
  deflateInit2(&zlib, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&zlib, text.size()), '\0');
  zlib.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  zlib.avail_in = static_cast<uInt>(text.size());
  zlib.next_out = reinterpret_cast<Bytef*>(out.data());
  zlib.avail_out = static_cast<uInt>(out.size());
  deflate(&zlib, Z_FINISH);
  out.resize(zlib.total_out);
  deflateEnd(&zlib);
  return out;
}

// A run's data section and its schema.
struct Recipe {
  config::Data data;
  config::Schema schema;

  Recipe& dense(const std::string& name, config::Transform transform = config::Transform::none) {
    schema.dense.push_back({name, transform});
    return *this;
  }
  // A column with a table of its own name, or of `column.table`.
  Recipe& category(config::CategoricalColumn column) {
    if (column.table.empty()) column.table = column.name;
    std::size_t table = 0;
    while (table < schema.tables.size() && schema.tables[table].name != column.table) ++table;
    if (table == schema.tables.size())
      schema.tables.push_back({.name = column.table, .table = {}, .salt = hash_bytes(column.table, 0)});
    schema.columns.push_back({.column = column,
                              .table = TableIndex(static_cast<std::int32_t>(table)),
                              .dim = 16,
                              .embedded_begin = schema.embedded_width});
    schema.embedded_width += 16;
    return *this;
  }
  Recipe& category(const std::string& name) {
    config::CategoricalColumn column;
    column.name = name;
    return category(column);
  }
  Recipe& category(const std::string& name, config::CategoryType type) {
    config::CategoricalColumn column;
    column.name = name;
    column.type = type;
    return category(column);
  }
};

inline Recipe criteo() {
  Recipe recipe;
  for (int i = 1; i <= 13; ++i) recipe.dense(fmt::format("I{}", i), config::Transform::log1p);
  for (int i = 1; i <= 26; ++i) recipe.category(fmt::format("C{}", i));
  return recipe;
}

// csv with a label column "click".
inline Recipe csv() {
  Recipe recipe;
  recipe.data.format = config::DataFormat::csv;
  recipe.data.label.name = "click";
  return recipe;
}

// A Criteo row whose integers are all `number` and whose categories are `word`.
inline std::string criteo_row(const std::string& label, const std::string& number, const std::string& word) {
  std::string row = label;
  for (int i = 0; i < 13; ++i) row += '\t' + number;
  for (int i = 0; i < 26; ++i) row += '\t' + word;
  return row;
}

inline std::vector<Batch> read_epoch(const Recipe& recipe, const SourceOptions& options,
                                     ReadCounts* counts = nullptr) {
  const std::unique_ptr<BatchSource> source = open_source(recipe.data, recipe.schema, options);
  std::vector<Batch> batches;
  while (std::optional<Batch> batch = source->next()) batches.push_back(std::move(*batch));
  if (counts != nullptr) *counts = source->counts();
  return batches;
}

// Everything in `files` as one batch, in file order.
inline Batch read_all(const Recipe& recipe, std::vector<std::filesystem::path> files,
                      DenseStatistics statistics = {}, ReadCounts* counts = nullptr) {
  SourceOptions options;
  options.files = std::move(files);
  options.batch_size = 1 << 20;
  options.statistics = std::move(statistics);
  std::vector<Batch> batches = read_epoch(recipe, options, counts);
  EXPECT_EQ(batches.size(), 1U);
  return batches.empty() ? Batch{} : batches[0];
}

// The message of the UserError that `action` throws; "" if it throws none.
inline std::string user_error(const std::function<void()>& action) {
  try {
    action();
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

inline std::string reading_error(const Recipe& recipe, const std::filesystem::path& file) {
  return user_error([&] { (void)read_all(recipe, {file}); });
}

}  // namespace persia::data
