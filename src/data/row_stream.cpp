#include "data/row_stream.hpp"

#include "base/error.hpp"
#include "data/field_splitter.hpp"

namespace persia::data {

RowStream::RowStream(const config::Data& data, const config::Schema& schema,
                     std::vector<std::filesystem::path> files)
    : data_(data), schema_(schema), format_(record_format(data)), files_(std::move(files)) {}

std::optional<Row> RowStream::next() {
  while (true) {
    if (reader_) {
      if (const std::optional<Record> record = reader_->next())
        return Row{record->text, record->line, static_cast<std::int32_t>(layouts_.size()) - 1, rows_++};
      require_user(rows_ > first_row_of_file_, "{} holds no rows; give a file with data or leave it out",
                   reader_->path().string());
      reader_.reset();
    }
    if (layouts_.size() == files_.size()) return std::nullopt;
    open_next_file();
  }
}

void RowStream::open_next_file() {
  reader_ = std::make_unique<RecordReader>(files_[layouts_.size()], format_);
  first_row_of_file_ = rows_;
  layouts_.push_back(read_layout());
}

FileLayout RowStream::read_layout() {
  if (data_.format == config::DataFormat::criteo)
    return match_columns(criteo_names(has_label(data_)), data_, schema_, reader_->path().string());
  if (!data_.header.empty()) return match_columns(data_.header, data_, schema_, "data.header");
  const std::optional<Record> header = reader_->take_header();
  require_user(header.has_value(), "{} holds no rows, not even a header", reader_->path().string());
  std::vector<std::string> names;
  FieldSplitter splitter(format_);
  for (const Field& field : splitter.split(header->text)) names.emplace_back(field.text);
  return match_columns(names, data_, schema_, fmt::format("{}:{}", reader_->path().string(), header->line));
}

void RowStream::verify(std::int32_t file) {
  if (reader_ && static_cast<std::size_t>(file) + 1 == layouts_.size()) reader_->verify_rest();
}

}  // namespace persia::data
