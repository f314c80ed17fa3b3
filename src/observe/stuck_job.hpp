// Whether a rank is stuck, and what it says then.
#pragma once

#include <string>
#include <vector>

#include "base/status_board.hpp"

namespace persia::observe {

// What a rank knows of itself and of the other ranks of its host.
struct Standstill {
  status::Status status;
  double still_seconds = 0;            // nothing has moved here
  double longest_stopped_seconds = 0;  // of a rank of this host that is stopped (SIGSTOP); 0: none is
};

// A little later than the waits that have a deadline of their own, which know more.
[[nodiscard]] bool is_stuck(const Standstill& here, double timeout_seconds);

// "stopped (SIGSTOP; kill -CONT wakes): trainer 0 (rank 2 on host a, pid 123)"; "" if none is.
[[nodiscard]] std::string name_stopped(const std::vector<std::string>& stopped);

// "nothing has moved for 61 s: training: step 120 waits for rows ..." and, on a line of its own, who of the
// host is stopped. Short enough that a launcher passes it on in one piece.
[[nodiscard]] std::string block_of(const Standstill& here, const std::vector<std::string>& stopped);

}  // namespace persia::observe
