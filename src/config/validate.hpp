// Checks of a whole run file: ranges, and that what is written is used or refused.
#pragma once

#include "config/origins.hpp"
#include "config/run_file.hpp"

namespace persia::config {

// What the run file is read for. train needs training files; only predict takes rows without a label.
enum class Purpose { train, evaluate, predict };

// Throws UserError naming place, key, value, reason and remedy: values out of range, written keys that the
// chosen format, model, mode or optimizer does not use, dims that a dlrm cannot combine, duplicate columns, a
// table that nobody uses, ... Pre: resolved (reader.hpp). The first problem found is reported.
void validate(const RunFile& run, const Origins& origins, Purpose purpose);

}  // namespace persia::config
