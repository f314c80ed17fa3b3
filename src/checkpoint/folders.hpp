// The step folders of one checkpoint directory: which are complete, which is the newest, which are leftovers.
//
// A folder is complete if its manifest can be read. The newest is the one that LATEST names, unless a save
// was cut off between its rename and LATEST: then it is the complete folder of a later step made since.
// Folders of later steps made earlier belong to a training that was started again from an older checkpoint;
// they do not count as newer.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/strong.hpp"

namespace persia::checkpoint {

struct CompleteFolder {
  std::filesystem::path path;  // step-N, or step-N.old where a save died while it replaced step-N
  Step step;
  std::string created;  // UTC; its order is that of time
};

// A step folder under its final name whose manifest cannot be read, or is missing beside the other files. No
// crash of a save leaves one.
struct DamagedFolder {
  std::filesystem::path path;
  Step step;
  std::string reason;  // a sentence with the path and what to do
};

// Oldest first, by time of creation, then by step.
[[nodiscard]] std::vector<CompleteFolder> complete_folders(const std::filesystem::path& directory);

// By step.
[[nodiscard]] std::vector<DamagedFolder> damaged_folders(const std::filesystem::path& directory);

// Those that were or may have been newer than `newest`: of a later step, or named by LATEST.
[[nodiscard]] std::vector<DamagedFolder> damaged_since(const CompleteFolder& newest);

// Warns of each damaged folder. nullopt: there is none. UserError: there are damaged ones only.
[[nodiscard]] std::optional<CompleteFolder> newest_folder(const std::filesystem::path& directory);

// Ends what dead saves left: removes step-N.tmp, puts step-N.old back in place or removes it.
// Pre: nobody saves into this directory.
void clean_up(const std::filesystem::path& directory);

// Removes a step folder so that a crash on the way leaves a leftover for clean_up(), never half a checkpoint.
void remove_folder(const std::filesystem::path& folder);

// A folder with all that is in it; Error if something stays.
void remove_tree(const std::filesystem::path& path);

}  // namespace persia::checkpoint
