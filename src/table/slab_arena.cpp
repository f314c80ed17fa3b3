#include "table/slab_arena.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace persia::table {

namespace {

constexpr std::size_t kSmallSlabBytes = std::size_t{64} << 10;
constexpr std::int32_t kMaxRowBytesOfSmallSlabs = 1024;  // 1.6 % of a slab at most stay unused
constexpr std::size_t kMinRunBytes = std::size_t{32} << 20;
constexpr std::size_t kMaxRunBytes = std::size_t{1} << 30;  // few enough mappings for terabytes

}  // namespace

std::size_t slab_bytes_for(std::int32_t row_bytes) {
  return row_bytes <= kMaxRowBytesOfSmallSlabs ? kSmallSlabBytes : kHugePageBytes;
}

SlabArena::SlabArena(std::int32_t row_bytes) : slab_bytes_(slab_bytes_for(row_bytes)) {}

std::byte* SlabArena::take() {
  const std::scoped_lock lock(lock_);
  if (given_back_ != nullptr) {
    std::byte* const slab = given_back_;
    std::memcpy(&given_back_, slab, sizeof given_back_);
    return slab;
  }
  std::byte* const slab = advance(cut_, slab_bytes_).data();
  if (!small()) prepare_more();
  return slab;
}

std::span<std::byte> SlabArena::advance(Mark& mark, std::size_t bytes) {
  if (runs_.empty()) add_run();
  if (mark.bytes == runs_[mark.run].bytes()) {
    if (mark.run + 1 == runs_.size()) add_run();
    ++mark.run;
    mark.bytes = 0;
  }
  const Pages& run = runs_[mark.run];
  const std::size_t size = std::min(bytes, run.bytes() - mark.bytes);
  const std::span piece(run.data() + mark.bytes, size);
  mark.bytes += size;
  mark.total += size;
  return piece;
}

// What lies beyond the huge page that the last slab was cut from.
void SlabArena::prepare_more() try {
  if (prepared_.run == 0) prepared_ = {0, runs_.front().bytes(), runs_.front().bytes()};
  const std::size_t wanted = round_up(cut_.total, kHugePageBytes) + prepared_bytes(cut_.total);
  while (prepared_.total < wanted) preparer_.prepare(advance(prepared_, wanted - prepared_.total));
} catch (const OutOfMemory&) {
  // No address space ahead: whoever needs it will be told.
}

void SlabArena::give_back(std::byte* slab) noexcept {
  const std::scoped_lock lock(lock_);
  std::memcpy(slab, &given_back_, sizeof given_back_);
  given_back_ = slab;
}

std::int64_t SlabArena::resident_bytes() const {
  return static_cast<std::int64_t>(std::max(prepared_.total, round_up(cut_.total, kHugePageBytes)));
}

void SlabArena::add_run() {
  const bool first = runs_.empty();
  const std::size_t bytes =
      first ? kSlabsOfSmallArena * slab_bytes_
            : std::clamp(round_up(cut_.total / 8, kHugePageBytes), kMinRunBytes, kMaxRunBytes);
  if (runs_.size() == runs_.capacity()) runs_.reserve(2 * runs_.size() + 1);
  runs_.emplace_back(bytes);
  if (first)
    avoid_huge_pages(runs_.back().data(), bytes);
  else
    prefer_huge_pages(runs_.back().data(), bytes);
  if (runs_.size() == 2) gather_into_huge_pages(runs_.front().data(), runs_.front().bytes());
}

Slabs::~Slabs() {
  for (std::byte* const slab : slabs_) arena_->give_back(slab);
}

Slabs::Slabs(Slabs&& other) noexcept : arena_(other.arena_), slabs_(std::exchange(other.slabs_, {})) {}

Slabs& Slabs::operator=(Slabs&& other) noexcept {
  std::swap(arena_, other.arena_);
  std::swap(slabs_, other.slabs_);
  return *this;
}

void Slabs::add() {
  if (slabs_.size() == slabs_.capacity()) slabs_.reserve(2 * slabs_.size() + 1);  // before anything is taken
  slabs_.push_back(arena_->take());
}

}  // namespace persia::table
