#include "train/predictions.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <system_error>

#include "base/error.hpp"
#include "base/file.hpp"
#include "metrics/metrics.hpp"
#include "sys/hdf5.hpp"

namespace persia::train {

void Predictions::add(std::span<const std::int64_t> rows, std::span<const float> logits) {
  expects(rows.size() == logits.size(), "one logit per row");
  for (std::size_t i = 0; i < rows.size(); ++i)
    entries_.push_back({rows[i], metrics::probability_of(logits[i])});
}

void Predictions::gather(const sys::Communicator& trainers) {
  const std::vector<std::byte> all = trainers.gather(std::as_bytes(std::span(entries_)), 0);
  if (trainers.rank() != 0) return;
  entries_.resize(all.size() / sizeof(Entry));
  if (!all.empty()) std::memcpy(entries_.data(), all.data(), all.size());
  std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) { return a.row < b.row; });
}

void Predictions::check_output(const std::filesystem::path& path) {
  const std::string extension = path.extension().string();
  require_user(extension == ".csv" || extension == ".h5" || extension == ".hdf5",
               "--output {} must end in .csv, .h5 or .hdf5", path.string());
  require_user(!std::filesystem::is_directory(path), "--output {} is a folder; name a file", path.string());
  require_writable_folder(path.has_parent_path() ? path.parent_path() : ".", "--output");
}

void Predictions::write(const std::filesystem::path& path) const {
  if (path.extension() == ".csv") {
    std::string text = "row,probability\n";
    for (const Entry& entry : entries_) text += fmt::format("{},{}\n", entry.row, entry.probability);
    return write_file_atomically(path, text);
  }
  std::filesystem::path temporary = path;
  temporary += ".tmp";
  try {
    write_hdf5(temporary);
    rename_durably(temporary, path);
  } catch (...) {
    std::error_code ignored;
    std::filesystem::remove(temporary, ignored);
    throw;
  }
}

void Predictions::write_hdf5(const std::filesystem::path& path) const {
  std::vector<std::int64_t> rows;
  std::vector<double> probabilities;
  for (const Entry& entry : entries_) {
    rows.push_back(entry.row);
    probabilities.push_back(entry.probability);
  }
  const std::vector<std::int64_t> shape = {size()};
  sys::Hdf5File file = sys::Hdf5File::create(path);
  file.root()
      .create_dataset("row", sys::Hdf5Type::int64, shape)
      .write_rows(0, std::as_bytes(std::span(rows)));
  file.root()
      .create_dataset("probability", sys::Hdf5Type::float64, shape)
      .write_rows(0, std::as_bytes(std::span(probabilities)));
  file.close();
  sync_path(path);
}

}  // namespace persia::train
