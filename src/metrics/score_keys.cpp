#include "metrics/score_keys.hpp"

#include <array>
#include <cstddef>

namespace persia::metrics {

void sort_keys(std::vector<std::uint32_t>& keys) {
  constexpr int digit_bits = 11;
  constexpr std::size_t num_digits = std::size_t{1} << digit_bits;
  std::vector<std::uint32_t> other(keys.size());
  for (int shift = 0; shift < 32; shift += digit_bits) {
    const auto digit = [shift](std::uint32_t key) { return (key >> shift) & (num_digits - 1); };
    std::array<std::size_t, num_digits> place{};
    for (const std::uint32_t key : keys) ++place[digit(key)];
    std::size_t begin = 0;
    for (std::size_t& count : place) {
      const std::size_t size = count;
      count = begin;
      begin += size;
    }
    for (const std::uint32_t key : keys) other[place[digit(key)]++] = key;
    keys.swap(other);
  }
}

std::optional<double> auc_of_sorted(const std::vector<std::uint32_t>& positives,
                                    const std::vector<std::uint32_t>& negatives) {
  if (positives.empty() || negatives.empty()) return std::nullopt;
  unsigned __int128 twice_won = 0;  // 2 for each pair in order, 1 for each tie
  std::size_t below = 0, not_above = 0;
  for (const std::uint32_t key : positives) {
    while (below < negatives.size() && negatives[below] < key) ++below;
    while (not_above < negatives.size() && negatives[not_above] <= key) ++not_above;
    twice_won += below + not_above;
  }
  const auto pairs = static_cast<unsigned __int128>(positives.size()) * negatives.size();
  return static_cast<double>(twice_won) / static_cast<double>(2 * pairs);
}

}  // namespace persia::metrics
