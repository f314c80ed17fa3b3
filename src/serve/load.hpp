// What an owner has done since its first message, to see whether the owners of a job are equally busy.
#pragma once

#include <cstdint>

namespace persia::serve {

struct Load {
  std::int64_t lookups = 0;  // messages
  std::int64_t lookup_rows = 0;
  std::int64_t update_rows = 0;
  double busy_seconds = 0;   // of the serving thread
  double first_message = 0;  // now_seconds(); 0 before it
};

}  // namespace persia::serve
