// Where the body of a message that is waited for is to be written, instead of into a body of its own.
//
// Thread safety: the communication thread only.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

namespace persia::mail {

class Landing {
 public:
  // The places, in the order of the body. They live until all is written or the landing is forgotten.
  explicit Landing(std::vector<std::span<std::byte>> places) : places_(std::move(places)) {}

  [[nodiscard]] std::size_t size() const {
    std::size_t sum = 0;
    for (const std::span<std::byte> place : places_) sum += place.size();
    return sum;
  }
  // The next bytes of the body. Pre: there is room.
  void write(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
      std::span<std::byte>& place = places_[next_];
      const std::size_t count = std::min(bytes.size(), place.size());
      if (count > 0) std::memcpy(place.data(), bytes.data(), count);
      bytes = bytes.subspan(count);
      place = place.subspan(count);
      if (place.empty()) ++next_;
    }
  }

 private:
  std::vector<std::span<std::byte>> places_;
  std::size_t next_ = 0;
};

}  // namespace persia::mail
