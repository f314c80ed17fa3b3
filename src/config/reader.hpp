// Reads run files: strict YAML with line numbers, `--set section.key=value`, ${ENV} in paths.
//
// Errors: UserError "FILE:LINE: unknown key 'batchsize' in training (did you mean 'batch_size'?)" and the
// like for wrong types, numbers that are no whole number where a count is wanted, duplicate keys, bad enum
// names (listing the known ones). 1e-3, 1E-3, .001 are numbers; 010, 0x10, 1_000, yes, ~ are refused as
// integers.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "config/run_file.hpp"

namespace persia::config {

// Reads, applies the overrides in order, fills `tables` defaults from `embedding`, validates (validate.hpp).
[[nodiscard]] RunFile read_run_file(const std::filesystem::path& path,
                                    const std::vector<std::string>& overrides);

// The same from a text, for tests and for the resolved file inside a checkpoint. `name` stands in messages.
[[nodiscard]] RunFile parse_run_file(const std::string& text, const std::string& name,
                                     const std::vector<std::string>& overrides);

}  // namespace persia::config
