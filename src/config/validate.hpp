// Checks that need several keys: what is written is used, or refused.
#pragma once

#include "config/run_file.hpp"

namespace persia::config {

// Throws UserError naming the key, the value, the reason and the remedy: values out of range, keys that the
// chosen format, model, mode or optimizer does not use (given ones differ from defaults: the reader passes
// which keys were written), dims that a dlrm cannot combine, duplicate column names, a table nobody uses, ...
void validate(const RunFile& run);

}  // namespace persia::config
