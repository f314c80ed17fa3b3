// manifest.json: what a checkpoint consists of. Complete only with it.
//
// The object carries a checksum of itself (of its dump without that key), so that a changed digit is seen.
#pragma once

#include <filesystem>
#include <string>

#include "checkpoint/checkpoint.hpp"

namespace persia::checkpoint {

[[nodiscard]] std::string manifest_text(const Manifest& manifest);
// UserError naming `path` and what is wrong with the text.
[[nodiscard]] Manifest parse_manifest(const std::string& text, const std::filesystem::path& path);

}  // namespace persia::checkpoint
