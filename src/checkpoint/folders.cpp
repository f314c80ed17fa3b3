#include "checkpoint/folders.hpp"

#include <algorithm>
#include <tuple>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/log.hpp"
#include "checkpoint/checkpoint.hpp"
#include "checkpoint/names.hpp"

namespace persia::checkpoint {

namespace fs = std::filesystem;

namespace {

std::vector<fs::path> entries_of(const fs::path& directory) {
  std::vector<fs::path> entries;
  std::error_code error;
  if (!fs::exists(directory, error)) return entries;
  for (fs::directory_iterator it(directory, error), end; !error && it != end; it.increment(error))
    entries.push_back(it->path());
  require_user(!error, "cannot list {}: {}", directory.string(), error.message());
  std::sort(entries.begin(), entries.end());
  return entries;
}

// The step of "step-N" + suffix; nullopt for other names.
std::optional<Step> step_with_suffix(const fs::path& path, const std::string& suffix) {
  std::string name = path.filename().string();
  if (!name.ends_with(suffix)) return std::nullopt;
  name.resize(name.size() - suffix.size());
  return step_of_folder(name);
}

std::optional<CompleteFolder> read_folder(const fs::path& path, Step step) {
  if (!fs::exists(path / manifest_file)) return std::nullopt;
  try {
    return CompleteFolder{path, step, read_manifest(path).created};
  } catch (const UserError&) {
    return std::nullopt;
  }
}

// Empty folders and folders of other things are not ours to complain about.
bool holds_checkpoint_files(const fs::path& path) {
  return fs::exists(path / manifest_file) || std::ranges::any_of(entries_of(path), [](const fs::path& file) {
           return file.extension() == ".h5";
         });
}

std::optional<std::string> latest_name(const fs::path& directory) {
  if (!fs::exists(directory / latest_file)) return std::nullopt;
  std::string name = read_text_file(directory / latest_file);
  while (!name.empty() && (name.back() == '\n' || name.back() == '\r' || name.back() == ' ')) name.pop_back();
  return name;
}

}  // namespace

std::vector<CompleteFolder> complete_folders(const fs::path& directory) {
  std::vector<CompleteFolder> folders;
  for (const fs::path& path : entries_of(directory)) {
    std::optional<Step> step = step_of_folder(path.filename().string());
    if (!step) {
      step = step_with_suffix(path, replaced_suffix);
      if (!step || fs::exists(directory / folder_name(*step))) continue;
    }
    if (auto folder = read_folder(path, *step)) folders.push_back(std::move(*folder));
  }
  std::sort(folders.begin(), folders.end(), [](const CompleteFolder& a, const CompleteFolder& b) {
    return std::tie(a.created, a.step) < std::tie(b.created, b.step);
  });
  return folders;
}

std::vector<DamagedFolder> damaged_folders(const fs::path& directory) {
  std::vector<DamagedFolder> folders;
  for (const fs::path& path : entries_of(directory)) {
    const std::optional<Step> step = step_of_folder(path.filename().string());
    if (!step || !holds_checkpoint_files(path)) continue;
    try {
      static_cast<void>(read_manifest(path));
    } catch (const UserError& error) {
      folders.push_back({path, *step, error.what()});
    }
  }
  return folders;
}

std::vector<DamagedFolder> damaged_since(const CompleteFolder& newest) {
  const fs::path directory = newest.path.parent_path();
  std::vector<DamagedFolder> folders = damaged_folders(directory);
  const std::string latest = latest_name(directory).value_or("");
  std::erase_if(folders, [&](const DamagedFolder& folder) {
    return folder.step < newest.step && folder_name(folder.step) != latest;
  });
  return folders;
}

std::optional<CompleteFolder> newest_folder(const fs::path& directory) {
  const std::vector<CompleteFolder> folders = complete_folders(directory);
  const std::vector<DamagedFolder> damaged = damaged_folders(directory);
  if (folders.empty()) {
    // A training that starts anew beside damaged checkpoints would write over what they may still hold.
    require_user(damaged.empty(), "{}", damaged.empty() ? "" : damaged.back().reason);
    return std::nullopt;
  }
  for (const DamagedFolder& folder : damaged) log::warn("a checkpoint is left out: {}", folder.reason);
  const std::string latest = latest_name(directory).value_or("");
  const auto named = std::find_if(folders.begin(), folders.end(), [&](const CompleteFolder& folder) {
    return folder_name(folder.step) == latest;
  });
  if (named == folders.end()) return folders.back();
  const CompleteFolder* newest = &*named;
  for (const CompleteFolder& folder : folders)
    if (folder.step > newest->step && folder.created >= newest->created) newest = &folder;
  return *newest;
}

void clean_up(const fs::path& directory) {
  for (const fs::path& path : entries_of(directory)) {
    if (step_with_suffix(path, unfinished_suffix)) remove_tree(path);
    const std::optional<Step> replaced = step_with_suffix(path, replaced_suffix);
    if (!replaced) continue;
    const fs::path place = directory / folder_name(*replaced);
    if (fs::exists(place))
      remove_tree(path);
    else
      rename_durably(path, place);
  }
}

void remove_folder(const fs::path& folder) {
  const fs::path dying = with_suffix(folder, unfinished_suffix);
  rename_durably(folder, dying);
  remove_tree(dying);
}

void remove_tree(const fs::path& path) {
  std::error_code error;
  fs::remove_all(path, error);
  require(!error, "cannot remove {}: {}", path.string(), error.message());
}

}  // namespace persia::checkpoint
