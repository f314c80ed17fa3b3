#include "base/checksum.hpp"

#include "base/error.hpp"
#include "base/xxh3.hpp"

namespace persia {

std::uint64_t checksum64(std::span<const std::byte> bytes, std::uint64_t seed) {
  return xxh3(bytes.data(), bytes.size(), seed);
}

struct ChecksumStream::State {
  XXH3_state_t* xxh = XXH3_createState();
  State() {
    require(xxh != nullptr, "out of memory for a checksum");
    XXH3_64bits_reset(xxh);
  }
  ~State() { XXH3_freeState(xxh); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
};

ChecksumStream::ChecksumStream() : state_(std::make_unique<State>()) {}
ChecksumStream::~ChecksumStream() = default;
ChecksumStream::ChecksumStream(ChecksumStream&&) noexcept = default;
ChecksumStream& ChecksumStream::operator=(ChecksumStream&&) noexcept = default;

void ChecksumStream::update(std::span<const std::byte> bytes) {
  xxh3_update(state_->xxh, bytes.data(), bytes.size());
}

std::uint64_t ChecksumStream::value() const {
  return XXH3_64bits_digest(state_->xxh);
}

}  // namespace persia
