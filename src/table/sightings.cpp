#include "table/sightings.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "table/place.hpp"

namespace persia::table {

namespace {

constexpr std::uint64_t kCount = 15;
constexpr std::size_t kFirstWords = 64;

}  // namespace

bool Sightings::see(std::uint64_t place, std::int32_t wanted) {
  const std::uint64_t key = place & ~kCount;
  if (4 * static_cast<std::size_t>(size_) >= 3 * words_.size()) grow();
  std::size_t at = home(key);
  while (words_[at] != 0 && (words_[at] & ~kCount) != key) at = next(at);
  if (words_[at] == 0) {
    words_[at] = key | 1;
    ++size_;
    return false;
  }
  if (static_cast<std::int32_t>(words_[at] & kCount) + 1 >= wanted) {
    take_out(at);
    return true;
  }
  ++words_[at];
  return false;
}

void Sightings::append_to(std::vector<std::uint64_t>& words) const {
  std::ranges::copy_if(words_, std::back_inserter(words), [](std::uint64_t word) { return word != 0; });
}

void Sightings::insert(std::uint64_t word) {
  if (4 * static_cast<std::size_t>(size_) >= 3 * words_.size()) grow();
  std::size_t at = home(word);
  while (words_[at] != 0) at = next(at);
  words_[at] = word;
  ++size_;
}

std::size_t Sightings::home(std::uint64_t word) const {
  return position_of(word) * words_.size() >> 32;
}

void Sightings::grow() {
  const std::vector<std::uint64_t> old =
      std::exchange(words_, std::vector<std::uint64_t>(std::max(kFirstWords, 2 * words_.size())));
  size_ = 0;
  for (const std::uint64_t word : old)
    if (word != 0) insert(word);
}

// A word moves up to the gap unless its home lies behind the gap.
void Sightings::take_out(std::size_t at) {
  std::size_t gap = at;
  for (std::size_t then = next(gap); words_[then] != 0; then = next(then)) {
    const std::size_t from_home = (then + words_.size() - home(words_[then])) % words_.size();
    const std::size_t from_gap = (then + words_.size() - gap) % words_.size();
    if (from_home < from_gap) continue;
    words_[gap] = words_[then];
    gap = then;
  }
  words_[gap] = 0;
  --size_;
}

}  // namespace persia::table
