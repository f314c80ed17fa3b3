// Mixing of 64-bit words and hashing of strings. Pure functions; their values are part of the checkpoint
// format (owner of an id, first value of a row), so they must never change: hash_test.cpp holds golden
// values.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/strong.hpp"

namespace persia {

// splitmix64's output function (Steele, Lea, Flood 2014): a bijection on 64-bit words that passes as random.
// Word: std::uint64_t, or a vector of them.
template <class Word>
[[gnu::always_inline]] [[nodiscard]] constexpr Word mix_words(Word x) {
  x += 0x9E3779B97F4A7C15ULL;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
  return x ^ (x >> 31);
}
[[nodiscard]] constexpr std::uint64_t mix64(std::uint64_t x) {
  return mix_words(x);
}

// Where an id lives: the top bits choose the owner, the next the inner shard, the rest the bucket.
[[nodiscard]] constexpr std::uint64_t place_hash(FeatureId id, std::uint64_t table_salt) {
  return mix64(id.value() ^ table_salt);
}

// XXH3-64 of the bytes with a seed: ids of string categories, salts of table names.
[[nodiscard]] std::uint64_t hash_bytes(std::string_view bytes, std::uint64_t seed);

}  // namespace persia
