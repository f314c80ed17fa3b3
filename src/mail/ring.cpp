#include "mail/ring.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/cast.hpp"
#include "base/error.hpp"

namespace persia::mail {

namespace {

// Bytes of one MPI call stay far below what an int counts.
constexpr std::int64_t kLargestPieceBytes = std::int64_t{1} << 30;

void check_capacity(std::int64_t capacity) {
  expects(capacity >= kSmallestRingBytes && capacity % 8 == 0,
          "a ring has whole 8-byte words, at least 256 bytes");
}

// Bytes to skip so that the record at `position` does not start too near the end.
std::int64_t skip_at(std::uint64_t position, std::int64_t capacity) {
  const std::int64_t left =
      capacity - static_cast<std::int64_t>(position % static_cast<std::uint64_t>(capacity));
  return left < wire::kSmallestRoomBytes ? left : 0;
}

}  // namespace

std::int64_t largest_piece(std::int64_t capacity) {
  return std::min(kLargestPieceBytes, (capacity / 4 - wire::kRecordHeaderBytes) / 8 * 8);
}

RingWriter::RingWriter(std::int64_t capacity, std::string name)
    : capacity_(capacity), name_(std::move(name)) {
  check_capacity(capacity);
}

std::optional<RingPlace> RingWriter::place(std::int64_t left_bytes) {
  const std::int64_t skip = skip_at(head_, capacity_);
  const auto start = head_ + static_cast<std::uint64_t>(skip);
  const auto offset = static_cast<std::int64_t>(start % static_cast<std::uint64_t>(capacity_));
  const std::int64_t piece =
      std::min({left_bytes, largest_piece(capacity_), capacity_ - offset - wire::kRecordHeaderBytes});
  const std::uint64_t end = start + static_cast<std::uint64_t>(wire::record_bytes(piece));
  if (end - credit_ > static_cast<std::uint64_t>(capacity_)) return std::nullopt;
  head_ = end;
  return RingPlace{offset, piece};
}

bool RingWriter::take_credit(std::uint64_t credit) {
  if (credit == credit_) return false;
  require(credit > credit_ && credit <= head_,
          "{}: the peer gives credit {} where {} to {} is possible; the window or the transport is damaged",
          name_, credit, credit_, head_);
  credit_ = credit;
  return true;
}

RingReader::RingReader(std::span<const std::byte> ring, std::string name)
    : ring_(ring), name_(std::move(name)) {
  check_capacity(checked_cast<std::int64_t>(ring.size()));
}

void RingReader::check_head(std::uint64_t head) const {
  require(head >= tail_ && head - published_ <= ring_.size() && head % 8 == 0,
          "{}: the peer publishes head {} where {} to {} in steps of 8 is possible; the window or the "
          "transport is "
          "damaged",
          name_, head, tail_, published_ + ring_.size());
}

std::optional<RingRecord> RingReader::peek(std::uint64_t head) {
  if (head == tail_) return std::nullopt;
  check_head(head);
  const auto capacity = static_cast<std::int64_t>(ring_.size());
  const std::uint64_t start = tail_ + static_cast<std::uint64_t>(skip_at(tail_, capacity));
  const std::uint64_t offset = start % ring_.size();
  RingRecord record{{}, {}, static_cast<std::int64_t>(offset)};
  std::memcpy(&record.header, ring_.data() + offset, sizeof record.header);
  const auto size = static_cast<std::uint64_t>(wire::record_bytes(record.header.piece_bytes));
  require(start + size <= head && offset + size <= ring_.size(),
          "{}: the record at offset {} claims {} bytes where at most {} are published; the window or the "
          "transport "
          "is damaged",
          name_, offset, size, std::min(head - start, ring_.size() - offset));
  record.piece = ring_.subspan(offset + sizeof record.header, record.header.piece_bytes);
  next_ = start + size;
  return record;
}

void RingReader::pop() {
  expects(next_ > tail_, "pop() follows a peek() that gave a record");
  tail_ = next_;
}

bool RingReader::owes_credit() const {
  return tail_ - published_ >= ring_.size() / 8;
}

std::uint64_t RingReader::publish() {
  published_ = tail_;
  return published_;
}

}  // namespace persia::mail
