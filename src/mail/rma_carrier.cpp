#include "mail/rma_carrier.hpp"

#include <atomic>

#include "base/error.hpp"

namespace persia::mail {

RmaCarrier::RmaCarrier(const sys::Communicator& comm, const Peers& peers, std::int64_t ring_bytes)
    : ranks_(peers.ranks),
      mine_{static_cast<std::int64_t>(peers.ranks.size()), ring_bytes},
      theirs_{peers.peers_of_a_peer, ring_bytes},
      my_index_(peers.my_index),
      window_(comm, mine_.total_bytes()),
      seen_heads_(peers.ranks.size()),
      puts_(window_),
      progress_(comm),
      sweeps_between_(window_.component() == "sm" ? 8 : 1) {
  lines_.reserve(ranks_.size());
  for (std::size_t i = 0; i < ranks_.size(); ++i) {
    const auto ring =
        window_.memory().subspan(static_cast<std::size_t>(mine_.ring(static_cast<std::int64_t>(i))),
                                 static_cast<std::size_t>(ring_bytes));
    lines_.push_back({RingWriter(ring_bytes, peers.name_out(i)), RingReader(ring, peers.name_in(i))});
  }
}

std::uint64_t RmaCarrier::load(std::int64_t offset) const {
  auto* word = reinterpret_cast<std::uint64_t*>(window_.memory().data() + offset);
  return std::atomic_ref(*word).load(std::memory_order_acquire);
}

bool RmaCarrier::receive(Traffic& traffic) {
  window_.sync();
  bool moved = false;
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    const std::uint64_t head = load(mine_.head(static_cast<std::int64_t>(i)));
    if (head == seen_heads_[i]) continue;
    empty_ring(i, head, traffic);
    moved = true;
  }
  flush_changed();
  return moved;
}

void RmaCarrier::empty_ring(std::size_t peer, std::uint64_t head, Traffic& traffic) {
  Line& line = lines_[peer];
  while (const auto record = line.reader.peek(head)) {
    traffic.deliver(peer, record->header, record->piece, record->offset);
    line.reader.pop();
  }
  seen_heads_[peer] = head;
  if (!line.reader.owes_credit()) return;
  line.credit_word = line.reader.publish();
  window_.replace(line.credit_word, ranks_[peer], theirs_.credit(my_index_));
  changed_.push_back(peer);
}

bool RmaCarrier::send(Traffic& traffic) {
  for (std::size_t i = 0; i < lines_.size(); ++i)
    if (fill_ring(i, traffic)) changed_.push_back(i);
  if (changed_.empty()) {
    let_mpi_progress();
    return false;
  }
  puts_.complete();
  for (const std::size_t i : changed_) {
    traffic.out(i).release(traffic.spare());
    lines_[i].head_word = lines_[i].writer.head();
    window_.replace(lines_[i].head_word, ranks_[i], theirs_.head(my_index_));
  }
  flush_changed();
  return true;
}

bool RmaCarrier::fill_ring(std::size_t peer, Traffic& traffic) {
  Outbox& out = traffic.out(peer);
  if (out.empty()) return false;
  RingWriter& writer = lines_[peer].writer;
  if (writer.take_credit(load(mine_.credit(static_cast<std::int64_t>(peer))))) traffic.note_room(peer);
  // Half a ring per sweep: the peer empties one half while the other is filled.
  const std::uint64_t stop = writer.head() + static_cast<std::uint64_t>(theirs_.ring_bytes / 2);
  const std::uint64_t before = writer.head();
  while (!out.empty() && writer.head() < stop) {
    const auto place = writer.place(out.left_bytes());
    if (!place) {
      traffic.note_full(peer);
      break;
    }
    puts_.add(ranks_[peer], theirs_.ring(my_index_) + place->offset, out.take(place->piece_bytes));
  }
  return writer.head() != before;
}

void RmaCarrier::flush_changed() {
  if (changed_.size() == 1) window_.flush(ranks_[changed_.front()]);
  if (changed_.size() > 1) window_.flush_all();
  changed_.clear();
}

void RmaCarrier::let_mpi_progress() {
  // MPI_Win_sync does not drive every transport; a call that polls does, and costs more. Windows in shared
  // memory need none.
  if (++idle_sweeps_ % sweeps_between_ == 0) progress_.make();
}

std::string RmaCarrier::describe(std::size_t peer) const {
  const Line& line = lines_[peer];
  return fmt::format("head {}, credit {}, received {}, credit given {}", line.writer.head(),
                     line.writer.credit(), line.reader.tail(), line.credit_word);
}

}  // namespace persia::mail
