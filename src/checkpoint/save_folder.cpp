// begin_save, finish_save, find_newest: the life of a step folder.
#include "base/error.hpp"
#include "base/file.hpp"
#include "checkpoint/checkpoint.hpp"
#include "checkpoint/folders.hpp"
#include "checkpoint/manifest.hpp"
#include "checkpoint/names.hpp"

namespace persia::checkpoint {

namespace fs = std::filesystem;

namespace {

void require_written(const fs::path& step_folder, const FileEntry& entry) {
  std::error_code error;
  const auto bytes = fs::file_size(step_folder / entry.name, error);
  require(!error && static_cast<std::int64_t>(bytes) == entry.bytes,
          "{} is not there as it was written; is {} the same directory on every host?",
          (step_folder / entry.name).string(), step_folder.parent_path().string());
}

// A crash between the two renames leaves step-N.old, which counts as step-N.
void put_in_place(const fs::path& step_folder, const fs::path& place) {
  const fs::path replaced = with_suffix(place, replaced_suffix);
  const bool replaces = fs::exists(place);
  if (replaces) rename_durably(place, replaced);
  rename_durably(step_folder, place);
  if (replaces) remove_tree(replaced);
}

void prune(const fs::path& directory, const fs::path& just_written, std::int32_t keep) {
  std::vector<CompleteFolder> others = complete_folders(directory);
  std::erase_if(others, [&](const CompleteFolder& folder) { return folder.path == just_written; });
  const auto kept = static_cast<std::size_t>(keep - 1);
  for (std::size_t i = 0; i + kept < others.size(); ++i) remove_folder(others[i].path);
}

}  // namespace

fs::path begin_save(const fs::path& directory, Step step) {
  std::error_code error;
  fs::create_directories(directory, error);
  require(!error, "cannot make the checkpoint directory {}: {}", directory.string(), error.message());
  clean_up(directory);
  const fs::path folder = directory / (folder_name(step) + unfinished_suffix);
  fs::create_directory(folder, error);
  require(!error, "cannot make {}: {}", folder.string(), error.message());
  return folder;
}

fs::path finish_save(const fs::path& step_folder, const Manifest& manifest, std::int32_t keep) {
  expects(keep >= 1, "at least one checkpoint is kept");
  const fs::path directory = step_folder.parent_path();
  const fs::path place = directory / folder_name(manifest.step);
  expects(step_folder == with_suffix(place, unfinished_suffix), "the folder that begin_save gave");
  for (const FileEntry& entry : manifest.files) require_written(step_folder, entry);
  sync_path(step_folder);
  write_file_atomically(step_folder / manifest_file, manifest_text(manifest));
  put_in_place(step_folder, place);
  write_file_atomically(directory / latest_file, folder_name(manifest.step) + "\n");
  prune(directory, place, keep);
  return place;
}

std::optional<fs::path> find_newest(const fs::path& directory) {
  std::error_code error;
  const bool is_step_folder = fs::exists(directory / manifest_file, error) ||
                              step_of_folder(directory.filename().string()).has_value();
  if (is_step_folder && fs::exists(directory, error)) return directory;
  const std::optional<CompleteFolder> newest = newest_folder(directory);
  if (!newest) return std::nullopt;
  return newest->path;
}

}  // namespace persia::checkpoint
