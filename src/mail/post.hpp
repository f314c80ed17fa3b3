// Messages between clients and owners, whatever carries them: trainers or workers and the embedding ranks,
// and trainers and the workers that serve them.
//
// A Post is one process's end. send() queues and never waits; progress() moves bytes both ways; receive()
// hands out complete messages, in order per sender. Two transports behave alike: one-sided rings
// (rma_carrier.hpp) and MPI point-to-point (two_sided_carrier.hpp), which is the oracle. Records are verified
// before they are believed: a bad header or checksum throws Error with the peer, the ring and the place in
// it. A peer that takes nothing for mail.timeout_seconds while mail waits for it makes progress() throw, with
// describe(). Received messages wait here without a limit: callers bound them by what they ask for.
// Thread safety: only the communication thread calls it.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/strong.hpp"
#include "config/run_file.hpp"
#include "mail/landing.hpp"
#include "sys/communicator.hpp"
#include "wire/records.hpp"

namespace persia::mail {

// Index into the list of peers given at construction: owners for a client, clients for an owner.
using PeerIndex = Strong<struct PeerIndexTag, std::int32_t>;

struct Message {
  PeerIndex peer;  // who sent it / who shall get it
  wire::MessageKind kind = wire::MessageKind::final;
  Token token;
  std::vector<std::byte> body;
  bool landed = false;  // received: the body is where land() said
};

struct PostCounts {
  std::int64_t messages_sent = 0, messages_received = 0;
  std::int64_t bytes_sent = 0, bytes_received = 0;
  std::int64_t full_ring_waits = 0;  // sweeps in which a record had to wait for credit
};

class Post {
 public:
  virtual ~Post() = default;
  // Queues; order per peer is kept.
  virtual void send(Message message) = 0;
  // A body of so many bytes to be written whole: what is in it is left from messages that were sent.
  [[nodiscard]] virtual std::vector<std::byte> spare_body(std::size_t num_bytes) {
    return std::vector<std::byte>(num_bytes);
  }
  // The `rows` message with this token from that peer, if it has just that size, is written there as it
  // comes; what is read before it is complete means nothing. False: this post does not do that.
  virtual bool land(PeerIndex, Token, Landing) { return false; }
  // Nothing is written to those places any more.
  virtual void forget_landings() {}
  // One sweep over all peers. True if any byte moved.
  virtual bool progress() = 0;
  // The next complete message, if there is one.
  virtual std::optional<Message> receive() = 0;
  // Bytes queued for a peer and not yet in its ring, headers included: back-pressure for callers.
  [[nodiscard]] virtual std::int64_t queued_bytes(PeerIndex peer) const = 0;
  [[nodiscard]] virtual const PostCounts& counts() const = 0;
  // One line per peer (head, credit, queued), for messages about a job that is stuck.
  [[nodiscard]] virtual std::string describe() const = 0;
  // Collective over the whole mail communicator. Sends out what is queued, waits until every peer closes too,
  // frees windows. What came meanwhile can still be received; nothing can be sent.
  virtual void close() = 0;
};

// Collective over `comm`. `owners` and `clients` are ranks of `comm`, no rank in both; a rank in neither list
// takes part in creation and close only. Each client has rings to and from each owner, nobody else. A window
// that cannot be made throws Error on every rank, with the remedy: call it within roles::agree(). `names`:
// what messages call the ranks of `comm`; empty: their numbers.
[[nodiscard]] std::unique_ptr<Post> make_post(const sys::Communicator& comm, const std::vector<int>& owners,
                                              const std::vector<int>& clients, const config::Mail& options,
                                              const std::vector<int>& names = {});

// Waiting with manners: spins, then yields, then sleeps: first 50 us at a time, and with patience longer, so
// that a wait is noticed to be over at most 0.4 % late and an idle rank costs 2 % of a core. reset() when
// something moved.
class Backoff {
 public:
  void wait();
  void reset() { *this = {}; }

 private:
  int idle_ = 0;
  std::chrono::nanoseconds nap_ = std::chrono::microseconds(50);
};

}  // namespace persia::mail
