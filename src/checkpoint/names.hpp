// Names of folders, files and groups of a checkpoint (README.md). Pure functions.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "base/strong.hpp"

namespace persia::checkpoint {

inline constexpr const char* manifest_file = "manifest.json";
inline constexpr const char* dense_file = "dense.h5";
inline constexpr const char* latest_file = "LATEST";
// Behind a folder's name: a save under way (or dead), and what a save of the same step is replacing.
inline constexpr const char* unfinished_suffix = ".tmp";
inline constexpr const char* replaced_suffix = ".old";

[[nodiscard]] std::string folder_name(Step step);  // "step-000000000123"
// The step of a folder's name without suffix; nullopt for any other name.
[[nodiscard]] std::optional<Step> step_of_folder(const std::string& name);
[[nodiscard]] std::string tables_file(OwnerIndex owner,
                                      std::int32_t num_owners);  // "embedding-0000-of-0002.h5"

// HDF5 link names hold no '/' and are not ".": such characters (and '%') are written as %2F, %2E, %25.
[[nodiscard]] std::string link_name(const std::string& name);

// The path with a suffix behind its last part.
[[nodiscard]] std::filesystem::path with_suffix(std::filesystem::path path, const char* suffix);

}  // namespace persia::checkpoint
