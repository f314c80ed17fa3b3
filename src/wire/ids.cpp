#include "wire/ids.hpp"

#include <bit>
#include <cstring>

#include "base/cast.hpp"

namespace persia::wire {

namespace {

constexpr std::uint64_t kMore = 0x80;
constexpr int kGroupBits = 7;

std::size_t packed_bytes(std::span<const FeatureId> ids) {
  std::size_t sum = 0;
  std::uint64_t before = 0;
  for (const FeatureId id : ids) {
    sum +=
        static_cast<std::size_t>((std::bit_width((id.value() - before) | 1) + kGroupBits - 1) / kGroupBits);
    before = id.value();
  }
  return sum;
}

void pack(std::span<const FeatureId> ids, std::byte* to) {
  std::uint64_t before = 0;
  for (const FeatureId id : ids) {
    std::uint64_t rest = id.value() - before;
    for (; rest >= kMore; rest >>= kGroupBits) *to++ = static_cast<std::byte>(rest | kMore);
    *to++ = static_cast<std::byte>(rest);
    before = id.value();
  }
}

// One number from the front of `bytes`; false if there is none that fits 64 bits.
bool take_number(std::span<const std::byte>& bytes, std::uint64_t& number) {
  number = 0;
  for (std::size_t i = 0; i < bytes.size() && i < 10; ++i) {
    const auto byte = static_cast<std::uint64_t>(bytes[i]);
    if (i == 9 && byte > 1) return false;
    number |= (byte & (kMore - 1)) << (kGroupBits * i);
    if (byte >= kMore) continue;
    bytes = bytes.subspan(i + 1);
    return true;
  }
  return false;
}

}  // namespace

std::uint32_t append_ids(std::span<const FeatureId> ids, std::vector<std::byte>& body) {
  const std::size_t packed = packed_bytes(ids);
  const std::size_t begin = body.size();
  const bool packs = 2 * packed <= ids.size_bytes();
  const std::size_t bytes = packs ? packed : ids.size_bytes();
  body.resize(begin + (bytes + 7) / 8 * 8);
  if (packs)
    pack(ids, body.data() + begin);
  else
    std::memcpy(body.data() + begin, ids.data(), bytes);
  return checked_cast<std::uint32_t>(bytes);
}

bool unpack_ids(std::span<const std::byte> packed, std::span<FeatureId> ids) {
  std::uint64_t before = 0;
  for (std::size_t k = 0; k < ids.size(); ++k) {
    std::uint64_t distance = 0;
    if (!take_number(packed, distance)) return false;
    const std::uint64_t id = before + distance;
    if (id < before || (distance == 0 && k > 0)) return false;
    ids[k] = FeatureId(id);
    before = id;
  }
  return packed.empty();
}

}  // namespace persia::wire
