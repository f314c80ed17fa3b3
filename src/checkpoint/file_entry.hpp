// Size and checksum of one file of a checkpoint, as the manifest lists them.
#pragma once

#include <filesystem>

#include "checkpoint/checkpoint.hpp"

namespace persia::checkpoint {

// Reads the whole file. Error if it cannot be read.
[[nodiscard]] FileEntry measure_file(const std::filesystem::path& path, std::int64_t rows);

}  // namespace persia::checkpoint
