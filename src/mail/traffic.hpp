// What one process's mail consists of, whatever carries it: a stream out and a stream in per peer, and the
// messages that have come.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <utility>
#include <vector>

#include "mail/joiner.hpp"
#include "mail/outbox.hpp"
#include "mail/peers.hpp"

namespace persia::mail {

class Traffic {
 public:
  Traffic(Peers peers, bool checksums);

  [[nodiscard]] const Peers& peers() const { return peers_; }
  [[nodiscard]] std::size_t size() const { return peers_.ranks.size(); }
  [[nodiscard]] Outbox& out(std::size_t peer) { return out_[peer]; }
  [[nodiscard]] const Outbox& out(std::size_t peer) const { return out_[peer]; }
  [[nodiscard]] SpareBodies& spare() { return spare_; }
  [[nodiscard]] std::deque<Message>& inbox() { return inbox_; }
  [[nodiscard]] PostCounts& counts() { return counts_; }
  [[nodiscard]] const PostCounts& counts() const { return counts_; }

  void land(std::size_t peer, Token token, Landing landing) { in_[peer].land(token, std::move(landing)); }
  void forget_landings() {
    for (Joiner& joiner : in_) joiner.forget_landings();
  }
  // A record has come from `peer`: verifies, joins, and puts a complete message into the inbox.
  void deliver(std::size_t peer, const wire::RecordHeader& header, std::span<const std::byte> piece,
               std::int64_t offset);
  // A record for `peer` waits for room; and: the peer has made room.
  void note_full(std::size_t peer);
  void note_room(std::size_t peer) { full_since_[peer] = 0; }
  // Seconds since the peer that has made no room for longest was found full; 0 if none is.
  [[nodiscard]] double longest_wait_seconds() const;

  [[nodiscard]] bool all_sent() const;      // nothing is queued
  [[nodiscard]] bool all_finished() const;  // every peer's final record has come

 private:
  Peers peers_;
  std::vector<Outbox> out_;
  std::vector<Joiner> in_;
  std::vector<double> full_since_;  // now_seconds() of it, 0 = not full
  std::deque<Message> inbox_;
  SpareBodies spare_;
  PostCounts counts_;
};

}  // namespace persia::mail
