// What a checkpoint's run file and the present one must have in common: rows, columns and numbers that were
// trained as one thing must not be taken for another. Pure functions; caller: setting.cpp.
#pragma once

#include <filesystem>
#include <string>

#include "config/run_file.hpp"

namespace persia::train {

// A resumed training sees the same rows in the same order and means the same by every saved number. UserError
// naming the first key that differs. `saved` is the text of the checkpoint's run file.
void require_same_training(const config::RunFile& run, const std::string& saved,
                           const std::filesystem::path& checkpoint);

// An evaluation or prediction feeds the same columns, made into numbers in the same way, into the same
// network; its files, label and row handling are its own. UserError as above.
void require_same_inputs(const config::RunFile& run, const std::string& saved,
                         const std::filesystem::path& checkpoint);

}  // namespace persia::train
