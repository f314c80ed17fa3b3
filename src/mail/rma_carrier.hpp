// Mail over one-sided rings: records are put into the peer's window and announced by a head word; room comes
// back as a credit word (window_layout.hpp).
//
// A sweep puts to all peers first, waits once until all of it is in place, then announces all heads. The
// peer's processor is not needed for that where the transport is native; where MPI emulates it, the peer's
// own sweeps drive it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mail/carrier.hpp"
#include "mail/put_batch.hpp"
#include "mail/ring.hpp"
#include "mail/window_layout.hpp"
#include "sys/communicator.hpp"
#include "sys/messages.hpp"
#include "sys/window.hpp"

namespace persia::mail {

class RmaCarrier final : public Carrier {
 public:
  // Collective over `comm`, which outlives this. Pre: ring_bytes is a multiple of 64, equal on all ranks.
  RmaCarrier(const sys::Communicator& comm, const Peers& peers, std::int64_t ring_bytes);

  bool receive(Traffic& traffic) override;
  bool send(Traffic& traffic) override;
  [[nodiscard]] bool idle() const override { return true; }
  [[nodiscard]] std::string describe(std::size_t peer) const override;
  void free() override {
    progress_.end();
    window_.free();
  }

 private:
  // Both streams of one peer. The words live here because MPI reads them until the next flush.
  struct Line {
    RingWriter writer;
    RingReader reader;
    std::uint64_t head_word = 0;    // last announced to the peer
    std::uint64_t credit_word = 0;  // last given to the peer
  };

  [[nodiscard]] std::uint64_t load(std::int64_t offset) const;
  void empty_ring(std::size_t peer, std::uint64_t head, Traffic& traffic);
  bool fill_ring(std::size_t peer, Traffic& traffic);  // true if a record went in
  void flush_changed();
  void let_mpi_progress();

  std::vector<int> ranks_;
  WindowLayout mine_;
  WindowLayout theirs_;
  std::int64_t my_index_;
  sys::Window window_;
  std::vector<Line> lines_;
  std::vector<std::uint64_t> seen_heads_;  // by peer, side by side as the head words are
  PutBatch puts_;
  sys::Progress progress_;
  int sweeps_between_;                // idle ones, from one call of progress_ to the next
  std::vector<std::size_t> changed_;  // peers whose words were written since the last flush
  int idle_sweeps_ = 0;
};

}  // namespace persia::mail
