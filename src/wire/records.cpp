#include "wire/records.hpp"

#include <array>

#include "base/checksum.hpp"
#include "base/error.hpp"

namespace persia::wire {

std::uint64_t record_checksum(const RecordHeader& header, std::span<const std::byte> piece) {
  RecordHeader plain = header;
  plain.checksum = 0;
  const std::uint64_t seed = checksum64(std::as_bytes(std::span(&plain, 1)));
  const std::uint64_t value = checksum64(piece, seed);
  return value == 0 ? 1 : value;
}

std::string name_of(MessageKind kind) {
  constexpr std::array names = {"lookup", "rows",  "gradient",   "cancel",   "applied",
                                "save",   "saved", "statistics", "report",   "final",
                                "want",   "ready", "pooled",     "no_batch", "patience"};
  const auto number = static_cast<std::size_t>(kind);
  if (number < 1 || number > names.size()) return fmt::format("kind {}", number);
  return names[number - 1];
}

}  // namespace persia::wire
