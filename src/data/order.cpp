#include "data/order.hpp"

#include <numeric>
#include <utility>

#include "base/random.hpp"

namespace persia::data {

namespace {

constexpr std::uint64_t kShuffleStream = 0x73687566666C6500ULL;  // keeps clear of other uses of the seed

}  // namespace

std::vector<std::uint32_t> window_permutation(std::uint64_t seed, std::int64_t epoch, std::int64_t window,
                                              std::int64_t rows) {
  const std::uint64_t stream =
      mix64(mix64(kShuffleStream + static_cast<std::uint64_t>(epoch)) + static_cast<std::uint64_t>(window));
  std::vector<std::uint32_t> order(static_cast<std::size_t>(rows));
  std::iota(order.begin(), order.end(), std::uint32_t{0});
  for (std::size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[random_below(seed, stream, i, i)]);
  return order;
}

}  // namespace persia::data
