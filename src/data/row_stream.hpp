// The rows of all files, one after the other, as text: headers are taken off, rows are numbered.
//
// UserError as RecordReader, for headers as match_columns, and for a file without a single row.
// Thread safety: one thread at a time. Used by file_source and survey.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/file_layout.hpp"
#include "data/record_reader.hpp"

namespace persia::data {

struct Row {
  std::string_view text;  // valid until the next call
  std::int64_t line = 0;
  std::int32_t file = 0;
  std::int64_t number = 0;  // from 0 over all files
};

class RowStream {
 public:
  RowStream(const config::Data& data, const config::Schema& schema, std::vector<std::filesystem::path> files);

  std::optional<Row> next();
  // Of a file that gave rows already.
  [[nodiscard]] const FileLayout& layout(std::int32_t file) const {
    return layouts_[static_cast<std::size_t>(file)];
  }
  [[nodiscard]] const std::filesystem::path& path(std::int32_t file) const {
    return files_[static_cast<std::size_t>(file)];
  }
  // Before a fault in that file's text is reported: throws instead if the file itself is damaged. Ends it.
  void verify(std::int32_t file);

 private:
  void open_next_file();
  FileLayout read_layout();

  config::Data data_;
  config::Schema schema_;
  RecordFormat format_;
  std::vector<std::filesystem::path> files_;
  std::vector<FileLayout> layouts_;  // of the files opened so far
  std::unique_ptr<RecordReader> reader_;
  std::int64_t rows_ = 0;
  std::int64_t first_row_of_file_ = 0;
};

}  // namespace persia::data
