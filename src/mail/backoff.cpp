#include <algorithm>
#include <chrono>
#include <thread>

#include "mail/post.hpp"

namespace persia::mail {

void Backoff::wait() {
  constexpr int kSpins = 64;
  constexpr int kYields = 256;
  constexpr std::chrono::nanoseconds kLongestNap = std::chrono::milliseconds(1);
  if (idle_ < kSpins + kYields) {
    if (++idle_ > kSpins) std::this_thread::yield();
    return;
  }
  std::this_thread::sleep_for(nap_);
  nap_ = std::min(nap_ + nap_ / 256, kLongestNap);  // a 256th of all naps so far
}

}  // namespace persia::mail
