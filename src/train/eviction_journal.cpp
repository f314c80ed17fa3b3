#include "train/eviction_journal.hpp"

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/log.hpp"

namespace persia::train {

EvictionJournal::EvictionJournal(const std::filesystem::path& path) : path_(path) {
  errno = 0;
  file_.open(path, std::ios::binary | std::ios::app);
  require(file_.is_open(), "cannot open the eviction journal {}: {}", path.string(), std::strerror(errno));
}

EvictionJournal::~EvictionJournal() {
  errno = 0;
  file_.flush();
  if (!file_)
    log::error("the last lines of the eviction journal {} are lost: {}", path_.string(),
               std::strerror(errno));
}

void EvictionJournal::write(const table::EvictedRow& row) {
  nlohmann::ordered_json line = {
      {"table", row.schema.name}, {"step", row.step.value()}, {"id", row.id.value()}};
  if (row.schema.table.eviction.journal == config::EvictionJournal::rows) {
    line["values"] = row.values;
    line["state"] = row.state;
  }
  errno = 0;
  file_ << line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << '\n';
  require(static_cast<bool>(file_), "the eviction journal {} cannot be written: {}", path_.string(),
          std::strerror(errno));
}

}  // namespace persia::train
