#include "observe/local_process.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <string>
#include <utility>

namespace persia::observe {

namespace {

// The letter after the last ')' of /proc/PID/stat; X, that of a process that is no more, if there is no file.
char state_of(std::int64_t pid) {
  std::ifstream file(fmt::format("/proc/{}/stat", pid));
  std::string text;
  if (!std::getline(file, text)) return 'X';
  const std::size_t end = text.rfind(')');
  return end == std::string::npos || end + 2 >= text.size() ? '?' : text[end + 2];
}

// Z has ended and was not waited for.
bool gone_by_proc(std::int64_t pid) {
  const char state = state_of(pid);
  return state == 'Z' || state == 'X';
}

}  // namespace

LocalProcess::LocalProcess(std::int64_t pid) : pid_(pid) {
  // By number: older C libraries have no wrapper.
  descriptor_ = static_cast<int>(::syscall(SYS_pidfd_open, static_cast<pid_t>(pid), 0));
  gone_ = descriptor_ < 0 && errno == ESRCH;
}

LocalProcess::~LocalProcess() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

LocalProcess::LocalProcess(LocalProcess&& other) noexcept
    : pid_(other.pid_), descriptor_(std::exchange(other.descriptor_, -1)), gone_(other.gone_) {}

LocalProcess& LocalProcess::operator=(LocalProcess&& other) noexcept {
  std::swap(pid_, other.pid_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(gone_, other.gone_);
  return *this;
}

bool LocalProcess::gone() {
  if (gone_) return true;
  if (descriptor_ < 0) return gone_ = gone_by_proc(pid_);
  pollfd entry{descriptor_, POLLIN, 0};
  return gone_ = ::poll(&entry, 1, 0) > 0;
}

bool LocalProcess::stopped() const {
  return state_of(pid_) == 'T';
}

}  // namespace persia::observe
