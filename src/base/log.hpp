// The log of a process: standard error, one line per message, "12:00:01 trainer 0 (rank 1) info: ...".
//
// Results go to standard output (commands/ only); the log never does. Thread safe.
#pragma once

#include <spdlog/spdlog.h>

#include <string>

namespace persia {

// Who speaks, put in front of every line: "trainer 0 (rank 1)", or "" for a single process.
void set_log_speaker(const std::string& speaker);

// trace, debug, info, warn, error, off. Unknown names are a UserError.
void set_log_level(const std::string& level);

namespace log = ::spdlog;  // log::info("...", args), log::warn, log::error, log::debug

}  // namespace persia
