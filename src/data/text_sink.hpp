// A text file being written, plain or gzip, that appears under its name only when it is whole.
//
// Bytes go to NAME.tmp; close() checks everything and renames. Destroyed without close(): the temporary file
// is removed. Error with path and reason when the disk refuses.
#pragma once

#include <filesystem>
#include <memory>
#include <string_view>

namespace persia::data {

class TextSink {
 public:
  TextSink(std::filesystem::path path, bool gzip);
  ~TextSink();
  TextSink(const TextSink&) = delete;
  TextSink& operator=(const TextSink&) = delete;

  void write(std::string_view text);
  void close();

 private:
  struct File;
  std::filesystem::path path_;
  std::filesystem::path temporary_;
  std::unique_ptr<File> file_;
};

}  // namespace persia::data
