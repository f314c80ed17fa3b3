// Messages that wait for one peer, cut into records in order.
//
// A message stays in memory until release(), so that its bytes can be sent from where they lie.
#pragma once

#include <cstdint>
#include <deque>
#include <span>

#include "mail/post.hpp"
#include "mail/spare_bodies.hpp"
#include "wire/records.hpp"

namespace persia::mail {

struct OutgoingRecord {
  wire::RecordHeader header;
  std::span<const std::byte> piece;  // lives until release()
};

class Outbox {
 public:
  explicit Outbox(bool checksums) : checksums_(checksums) {}

  void push(Message message);
  void push_final();  // nothing may follow
  [[nodiscard]] bool empty() const { return current_ == queue_.size(); }
  [[nodiscard]] std::int64_t queued_bytes() const { return queued_bytes_; }
  // Of the front message's body. Pre: !empty().
  [[nodiscard]] std::int64_t left_bytes() const;
  // The next record, with `piece_bytes` of the front message. Pre: piece_bytes <= left_bytes(), and 0 only if
  // that is 0.
  OutgoingRecord take(std::int64_t piece_bytes);
  // Forgets messages that were taken whole: their bytes have arrived or were copied. Their bodies go to
  // `spare` as long as that has room.
  void release(SpareBodies& spare);

 private:
  struct Item {
    Message message;
    std::uint16_t last_flags;
  };

  std::deque<Item> queue_;
  std::size_t current_ = 0;       // first item that is not taken whole
  std::int64_t taken_bytes_ = 0;  // of the current one
  std::int64_t queued_bytes_ = 0;
  std::uint64_t sequence_ = 0;
  bool checksums_;
  bool closed_ = false;
};

}  // namespace persia::mail
