#include "mail/two_sided_carrier.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/cast.hpp"
#include "base/error.hpp"
#include "mail/ring.hpp"

namespace persia::mail {

namespace {

constexpr std::size_t kNoPeer = static_cast<std::size_t>(-1);
constexpr std::size_t kSpareBuffers = 64;

}  // namespace

TwoSidedCarrier::TwoSidedCarrier(const sys::Communicator& comm, const Peers& peers, std::int64_t ring_bytes)
    : comm_(comm),
      ranks_(peers.ranks),
      peer_of_rank_(static_cast<std::size_t>(comm.size()), kNoPeer),
      ring_bytes_(ring_bytes),
      lines_(peers.ranks.size()) {
  for (std::size_t i = 0; i < ranks_.size(); ++i) peer_of_rank_[static_cast<std::size_t>(ranks_[i])] = i;
}

TwoSidedCarrier::Buffer TwoSidedCarrier::buffer_of(std::size_t num_bytes) {
  Buffer buffer;
  if (!spare_.empty()) {
    buffer = std::move(spare_.back());
    spare_.pop_back();
  }
  buffer.resize(num_bytes);
  return buffer;
}

bool TwoSidedCarrier::receive(Traffic& traffic) {
  start_receives();
  bool moved = false;
  for (std::size_t i = 0; i < lines_.size(); ++i) moved |= finish_receives(i, traffic);
  return moved;
}

void TwoSidedCarrier::start_receives() {
  for (std::size_t n = 0; n < 4 * lines_.size() + 4; ++n) {
    auto arrival = sys::find_arrival(comm_);
    if (!arrival) return;
    const std::size_t peer = peer_of_rank_.at(static_cast<std::size_t>(arrival->source()));
    require(peer != kNoPeer, "rank {} sent mail to a rank that is none of its peers", arrival->source());
    Transfer& transfer = lines_[peer].incoming.emplace_back();
    transfer.record = buffer_of(checked_cast<std::size_t>(arrival->num_bytes()));
    transfer.request = arrival->start_receive(transfer.record);
  }
}

bool TwoSidedCarrier::finish_receives(std::size_t peer, Traffic& traffic) {
  Line& line = lines_[peer];
  bool moved = false;
  while (!line.incoming.empty() && line.incoming.front().request.test()) {
    Buffer& bytes = line.incoming.front().record;
    wire::RecordHeader header;
    require(bytes.size() >= sizeof header, "{}: {} bytes came where a record has at least {}",
            traffic.peers().name_in(peer), bytes.size(), sizeof header);
    std::memcpy(&header, bytes.data(), sizeof header);
    const auto piece = std::span<const std::byte>(bytes).subspan(sizeof header);
    require(piece.size() == header.piece_bytes, "{}: the record at offset {} claims {} bytes where {} came",
            traffic.peers().name_in(peer), line.received_bytes, header.piece_bytes, piece.size());
    traffic.deliver(peer, header, piece, line.received_bytes);
    line.received_bytes += static_cast<std::int64_t>(bytes.size());
    if (spare_.size() < kSpareBuffers) spare_.push_back(std::move(bytes));
    line.incoming.pop_front();
    moved = true;
  }
  return moved;
}

bool TwoSidedCarrier::send(Traffic& traffic) {
  bool moved = false;
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    if (finish_sends(lines_[i])) traffic.note_room(i);
    moved |= fill(i, traffic);
  }
  return moved;
}

bool TwoSidedCarrier::finish_sends(Line& line) {
  bool freed = false;
  while (!line.outgoing.empty() && line.outgoing.front().request.test()) {
    Transfer& transfer = line.outgoing.front();
    if (transfer.synchronous) {
      line.on_the_way_bytes -= line.marks.front();
      line.marks.pop_front();
      freed = true;
    }
    if (spare_.size() < kSpareBuffers) spare_.push_back(std::move(transfer.record));
    line.outgoing.pop_front();
  }
  return freed;
}

bool TwoSidedCarrier::fill(std::size_t peer, Traffic& traffic) {
  Outbox& out = traffic.out(peer);
  Line& line = lines_[peer];
  bool moved = false;
  while (!out.empty()) {
    const std::int64_t piece = std::min(out.left_bytes(), largest_piece(ring_bytes_));
    if (line.on_the_way_bytes + wire::record_bytes(piece) > ring_bytes_) {
      traffic.note_full(peer);
      break;
    }
    start_send(peer, out.take(piece));
    moved = true;
  }
  out.release(traffic.spare());
  return moved;
}

void TwoSidedCarrier::start_send(std::size_t peer, const OutgoingRecord& record) {
  Line& line = lines_[peer];
  const auto num_bytes = wire::record_bytes(static_cast<std::int64_t>(record.piece.size()));
  line.on_the_way_bytes += num_bytes;
  line.unmarked_bytes += num_bytes;
  Transfer& transfer = line.outgoing.emplace_back();
  transfer.record = buffer_of(sizeof record.header + record.piece.size());
  std::memcpy(transfer.record.data(), &record.header, sizeof record.header);
  std::ranges::copy(record.piece, transfer.record.begin() + sizeof record.header);
  transfer.synchronous = line.unmarked_bytes >= ring_bytes_ / 4;
  if (transfer.synchronous) line.marks.push_back(std::exchange(line.unmarked_bytes, 0));
  transfer.request =
      sys::start_send(comm_, transfer.record, ranks_[peer],
                      transfer.synchronous ? sys::SendMode::received : sys::SendMode::buffered);
}

bool TwoSidedCarrier::idle() const {
  return std::ranges::all_of(lines_, [](const Line& line) { return line.outgoing.empty(); });
}

std::string TwoSidedCarrier::describe(std::size_t peer) const {
  const Line& line = lines_[peer];
  return fmt::format("{} bytes on the way in {} sends, received {} bytes", line.on_the_way_bytes,
                     line.outgoing.size(), line.received_bytes);
}

}  // namespace persia::mail
