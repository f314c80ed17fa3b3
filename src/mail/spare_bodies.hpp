// Bodies of messages that have left, for new ones: they have their memory, which a new one would zero first.
//
// Thread safety: the communication thread only.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace persia::mail {

class SpareBodies {
 public:
  void give(std::vector<std::byte> body) {
    if (body.size() >= kLeastBytes && bodies_.size() < kMostBodies) bodies_.push_back(std::move(body));
  }
  // Of that size, holding anything.
  [[nodiscard]] std::vector<std::byte> take(std::size_t num_bytes) {
    const auto fits =
        std::ranges::find_if(bodies_, [&](const auto& body) { return body.size() >= num_bytes; });
    if (num_bytes < kLeastBytes || fits == bodies_.end()) return std::vector<std::byte>(num_bytes);
    std::vector<std::byte> body = std::move(*fits);
    bodies_.erase(fits);
    body.resize(num_bytes);
    return body;
  }

 private:
  static constexpr std::size_t kLeastBytes = 4096;  // smaller ones are made as quickly
  static constexpr std::size_t kMostBodies = 16;

  std::vector<std::vector<std::byte>> bodies_;
};

}  // namespace persia::mail
