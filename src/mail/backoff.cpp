#include <chrono>
#include <thread>

#include "mail/post.hpp"

namespace persia::mail {

void Backoff::wait() {
  constexpr int kSpins = 64;
  constexpr int kYields = 256;
  constexpr std::chrono::microseconds kNap(50);
  ++idle_;
  if (idle_ <= kSpins) return;
  if (idle_ <= kSpins + kYields)
    std::this_thread::yield();
  else
    std::this_thread::sleep_for(kNap);
}

}  // namespace persia::mail
