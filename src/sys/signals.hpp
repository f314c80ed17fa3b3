// Signals that must not end the process by themselves.
#pragma once

namespace persia::sys {

// A write beyond the file-size limit (ulimit -f) then fails with a reason instead of killing the process.
void ignore_file_size_signal();

}  // namespace persia::sys
