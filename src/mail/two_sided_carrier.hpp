// Mail over MPI point-to-point: one MPI message per record. The oracle of the one-sided carrier.
//
// At most ring_bytes per peer are on their way. Small sends complete before they are received, so completion
// says nothing about the peer: every quarter of ring_bytes one record is sent synchronously, and its
// completion frees it and all records before it.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "mail/carrier.hpp"
#include "sys/communicator.hpp"
#include "sys/messages.hpp"

namespace persia::mail {

class TwoSidedCarrier final : public Carrier {
 public:
  // `comm` carries nothing else and outlives this. Pre: ring_bytes is equal on all ranks.
  TwoSidedCarrier(const sys::Communicator& comm, const Peers& peers, std::int64_t ring_bytes);

  bool receive(Traffic& traffic) override;
  bool send(Traffic& traffic) override;
  [[nodiscard]] bool idle() const override;
  [[nodiscard]] std::string describe(std::size_t peer) const override;
  void free() override {}

 private:
  using Buffer = std::vector<std::byte>;

  struct Transfer {
    Buffer record;
    sys::Request request;  // after `record`: it ends first
    bool synchronous = false;
  };
  struct Line {
    std::deque<Transfer> outgoing;
    std::deque<Transfer> incoming;
    std::int64_t on_the_way_bytes = 0;  // sent and not known to be received
    std::int64_t unmarked_bytes = 0;    // of these, since the last synchronous send
    std::deque<std::int64_t> marks;     // bytes that each synchronous send under way will free
    std::int64_t received_bytes = 0;
  };

  void start_receives();
  bool finish_receives(std::size_t peer, Traffic& traffic);
  bool finish_sends(Line& line);
  bool fill(std::size_t peer, Traffic& traffic);
  void start_send(std::size_t peer, const OutgoingRecord& record);
  [[nodiscard]] Buffer buffer_of(std::size_t num_bytes);

  const sys::Communicator& comm_;
  std::vector<int> ranks_;
  std::vector<std::size_t> peer_of_rank_;
  std::int64_t ring_bytes_;
  std::vector<Line> lines_;
  std::vector<Buffer> spare_;
};

}  // namespace persia::mail
