// Checksums of ring records and checkpoint files (XXH3, 64 bit).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace persia {

[[nodiscard]] std::uint64_t checksum64(std::span<const std::byte> bytes, std::uint64_t seed = 0);

// The same value for bytes that come in pieces (seed 0).
class ChecksumStream {
 public:
  ChecksumStream();
  ~ChecksumStream();
  ChecksumStream(const ChecksumStream&) = delete;
  ChecksumStream& operator=(const ChecksumStream&) = delete;
  ChecksumStream(ChecksumStream&&) noexcept;
  ChecksumStream& operator=(ChecksumStream&&) noexcept;
  void update(std::span<const std::byte> bytes);
  [[nodiscard]] std::uint64_t value() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace persia
