// Draws from a fixed discrete distribution in constant time (Walker's alias method).
#pragma once

#include <cstdint>
#include <vector>

namespace persia::data {

class AliasTable {
 public:
  // Pre: weights are not negative, their sum is positive, fewer than 2^32 of them.
  explicit AliasTable(const std::vector<double>& weights);

  // `bits`: 64 random bits. Index of the drawn entry.
  [[nodiscard]] std::uint32_t draw(std::uint64_t bits) const {
    const auto place = static_cast<std::size_t>((static_cast<unsigned __int128>(bits) * cells_.size()) >> 64);
    const Cell& cell = cells_[place];
    const auto luck = static_cast<std::uint32_t>(bits);  // the low bits hardly enter the place
    return luck < cell.keep ? static_cast<std::uint32_t>(place) : cell.other;
  }

 private:
  struct Cell {
    std::uint32_t keep = 0;  // probability of the cell's own index, of 2^32
    std::uint32_t other = 0;
  };
  std::vector<Cell> cells_;
};

// Weights of a Zipf distribution: 1 / rank^exponent for ranks 1 .. count.
[[nodiscard]] std::vector<double> zipf_weights(std::int64_t count, double exponent);

}  // namespace persia::data
