// Reads run files: strict YAML with line numbers, `--set section.key=value`, ${NAME} in paths.
//
// Errors: UserError "FILE:LINE: unknown key 'batchsize' in training (did you mean 'batch_size'?)" and the
// like for wrong types, duplicate keys, unknown names (listing the known ones), numbers outside their range,
// keys that are not used. 1e-3, 1E-3, .001 are numbers; 010, 0x10, 1_000, 1e3, 1.5, yes, ~ are refused as
// whole numbers. Thread safe, but reads the environment.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "config/run_file.hpp"
#include "config/validate.hpp"

namespace persia::config {

// Reads, applies the overrides in order, resolves, validates for `purpose`. Post: data.directory is absolute,
// columns name their tables, `tables` holds every table in the order of first use.
[[nodiscard]] RunFile read_run_file(const std::filesystem::path& path,
                                    const std::vector<std::string>& overrides,
                                    Purpose purpose = Purpose::train);

// The same from a text, for tests and for the resolved file inside a checkpoint. `name` stands in messages;
// its folder is where a relative data.directory starts.
[[nodiscard]] RunFile parse_run_file(const std::string& text, const std::string& name,
                                     const std::vector<std::string>& overrides,
                                     Purpose purpose = Purpose::train);

}  // namespace persia::config
