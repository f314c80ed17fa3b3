#include "sys/signals.hpp"

#include <csignal>

namespace persia::sys {

void ignore_file_size_signal() {
  std::signal(SIGXFSZ, SIG_IGN);
}

}  // namespace persia::sys
