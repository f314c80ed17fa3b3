// Another process of this host, watched until it ends. A process that ended but was not yet waited for by its
// parent (the launcher) counts as gone.
//
// Uses a pidfd; where the kernel or a sandbox has none, /proc is asked, and the caller must look from time to
// time. Thread safety: one thread at a time.
#pragma once

#include <cstdint>

namespace persia::observe {

class LocalProcess {
 public:
  explicit LocalProcess(std::int64_t pid);
  ~LocalProcess();
  LocalProcess(const LocalProcess&) = delete;
  LocalProcess& operator=(const LocalProcess&) = delete;
  LocalProcess(LocalProcess&& other) noexcept;
  LocalProcess& operator=(LocalProcess&& other) noexcept;

  [[nodiscard]] bool gone();
  // It is there but does not run: SIGSTOP, Ctrl-Z. A process in a debugger is not meant.
  [[nodiscard]] bool stopped() const;
  // For poll(): readable once the process is gone. -1: there is none, ask gone().
  [[nodiscard]] int descriptor() const { return descriptor_; }

 private:
  std::int64_t pid_;
  int descriptor_ = -1;
  bool gone_ = false;
};

}  // namespace persia::observe
