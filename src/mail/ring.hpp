// Arithmetic of one single-producer single-consumer ring of records. No MPI here: the bytes are wherever the
// caller keeps them.
//
// Positions count bytes since the start of the job and never wrap; a position's place in the ring is its
// remainder by the capacity. head: end of what the producer published. credit: what the consumer gave back.
// Invariant: credit <= tail <= head <= credit + capacity. Records are 8-byte aligned, contiguous, and never
// start within the last kSmallestRoomBytes - 1 bytes of the ring. Thread safety: each side has one thread;
// head and credit travel between them with release and acquire.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "wire/records.hpp"

namespace persia::mail {

// Least capacity: four of the smallest records.
inline constexpr std::int64_t kSmallestRingBytes = 256;

// The most that one record of a ring carries: a quarter of the ring, so that both sides work at once.
[[nodiscard]] std::int64_t largest_piece(std::int64_t capacity);

// Where the next record goes.
struct RingPlace {
  std::int64_t offset = 0;       // of its header in the ring
  std::int64_t piece_bytes = 0;  // of the body, that it carries
};

class RingWriter {
 public:
  // Pre: capacity is a multiple of 8 and at least kSmallestRingBytes.
  RingWriter(std::int64_t capacity, std::string name);

  // Takes room for the next record of a body with `left_bytes` to go; nullopt: the ring is full, wait for
  // credit. The caller must publish head() after the bytes are there.
  std::optional<RingPlace> place(std::int64_t left_bytes);
  // Returns whether it moved. Error if it is no credit that the consumer can have given.
  bool take_credit(std::uint64_t credit);
  [[nodiscard]] std::uint64_t head() const { return head_; }
  [[nodiscard]] std::uint64_t credit() const { return credit_; }

 private:
  std::int64_t capacity_;
  std::string name_;
  std::uint64_t head_ = 0;
  std::uint64_t credit_ = 0;
};

struct RingRecord {
  wire::RecordHeader header;
  std::span<const std::byte> piece;  // in the ring; valid until pop()
  std::int64_t offset = 0;           // of the header in the ring
};

class RingReader {
 public:
  // Pre: as for RingWriter; `ring` outlives this.
  RingReader(std::span<const std::byte> ring, std::string name);

  // The oldest record below `head`, if there is one. Only its place is checked: Error if head or the header's
  // length cannot be right. Pre: `head` was read with acquire.
  std::optional<RingRecord> peek(std::uint64_t head);
  void pop();  // Pre: peek() gave a record
  [[nodiscard]] std::uint64_t tail() const { return tail_; }
  // Whether so much was taken since the last publish that the producer should hear of it.
  [[nodiscard]] bool owes_credit() const;
  std::uint64_t publish();  // the credit to send: tail()

 private:
  void check_head(std::uint64_t head) const;

  std::span<const std::byte> ring_;
  std::string name_;
  std::uint64_t tail_ = 0;
  std::uint64_t next_ = 0;  // end of the record that peek() gave
  std::uint64_t published_ = 0;
};

}  // namespace persia::mail
