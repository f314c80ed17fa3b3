#include "train/eviction_journal.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/error.hpp"
#include "base/log.hpp"

namespace persia::train {

namespace {

constexpr std::size_t kPieceBytes = std::size_t{1} << 20;

// What a process that was killed while writing left of its last line.
void drop_cut_line(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file || file.tellg() <= 0) return;
  const auto size = static_cast<std::size_t>(file.tellg());
  std::string tail(std::min(size, kPieceBytes), '\0');  // longer than any line
  file.seekg(-static_cast<std::streamoff>(tail.size()), std::ios::end);
  file.read(tail.data(), static_cast<std::streamsize>(tail.size()));
  const std::size_t whole = tail.rfind('\n') + 1;  // 0 where there is none
  if (file && whole < tail.size()) std::filesystem::resize_file(path, size - tail.size() + whole);
}

}  // namespace

EvictionJournal::EvictionJournal(const std::filesystem::path& path, Start start) : path_(path) {
  if (start == Start::resumed) drop_cut_line(path);
  errno = 0;
  file_.open(path, std::ios::binary | (start == Start::resumed ? std::ios::app : std::ios::trunc));
  require_user(file_.is_open(), "cannot open the eviction journal {}: {}", path.string(),
               std::strerror(errno));
}

EvictionJournal::~EvictionJournal() {
  try {
    flush();
  } catch (const std::exception& error) {  // after another failure: flush() was called at an orderly end
    log::error("{}", error.what());
  }
}

void EvictionJournal::write(const table::EvictedRow& row) {
  nlohmann::ordered_json line = {
      {"table", row.schema.name}, {"step", row.step.value()}, {"id", row.id.value()}};
  if (row.schema.table.eviction.journal == config::EvictionJournal::rows) {
    line["values"] = row.values;
    line["state"] = row.state;
  }
  pending_ += line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  pending_ += '\n';
  if (pending_.size() >= kPieceBytes) flush();
}

void EvictionJournal::flush() {
  if (pending_.empty()) return;
  errno = 0;
  file_ << std::exchange(pending_, {}) << std::flush;
  const char* const reason = errno == 0 ? "an earlier write failed" : std::strerror(errno);
  require(static_cast<bool>(file_), "the eviction journal {} cannot be written: {}", path_.string(), reason);
}

}  // namespace persia::train
