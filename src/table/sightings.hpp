// How often the ids that have no row yet were looked up in training: of one inner shard.
//
// One word per id: the upper 60 bits of its place hash, and the count, at most 15, in the lowest four. Place
// hashes are a bijection of ids, so that a count is exact but for two ids of one shard that differ in four
// bits only: with n ids waiting, one in 2^60 / n. Open addressing, three quarters full at most; an id that is
// admitted is taken out and what stands behind it moves up. Not thread safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace persia::table {

inline constexpr std::int32_t kMaxSightings = 15;

class Sightings {
 public:
  // Counts a look-up. True if it is the `wanted`-th, and then nothing is kept of it. Pre: 2 <= wanted <= 15.
  [[nodiscard]] bool see(std::uint64_t place, std::int32_t wanted);

  [[nodiscard]] std::int64_t size() const { return size_; }
  [[nodiscard]] std::int64_t bytes() const {
    return static_cast<std::int64_t>(words_.capacity() * sizeof(std::uint64_t));
  }

  // For checkpoints. insert() pre: no word of that id is there.
  void append_to(std::vector<std::uint64_t>& words) const;
  void insert(std::uint64_t word);

 private:
  [[nodiscard]] std::size_t home(std::uint64_t word) const;
  [[nodiscard]] std::size_t next(std::size_t at) const { return at + 1 == words_.size() ? 0 : at + 1; }
  void grow();
  void take_out(std::size_t at);

  std::vector<std::uint64_t> words_;  // 0: free
  std::int64_t size_ = 0;
};

}  // namespace persia::table
