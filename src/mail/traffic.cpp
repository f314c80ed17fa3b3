#include "mail/traffic.hpp"

#include <algorithm>
#include <utility>

#include "base/clock.hpp"

namespace persia::mail {

Traffic::Traffic(Peers peers, bool checksums)
    : peers_(std::move(peers)), out_(size(), Outbox(checksums)), full_since_(size(), 0.0) {
  in_.reserve(size());
  for (std::size_t i = 0; i < size(); ++i)
    in_.emplace_back(PeerIndex(static_cast<std::int32_t>(i)), peers_.name_in(i), checksums);
}

void Traffic::deliver(std::size_t peer, const wire::RecordHeader& header, std::span<const std::byte> piece,
                      std::int64_t offset) {
  auto message = in_[peer].accept(header, piece, offset);
  if (!message) return;
  ++counts_.messages_received;
  counts_.bytes_received += static_cast<std::int64_t>(header.message_bytes);
  inbox_.push_back(std::move(*message));
}

void Traffic::note_full(std::size_t peer) {
  ++counts_.full_ring_waits;
  if (full_since_[peer] == 0) full_since_[peer] = now_seconds();
}

double Traffic::longest_wait_seconds() const {
  double first = 0;
  for (const double since : full_since_)
    if (since != 0 && (first == 0 || since < first)) first = since;
  return first == 0 ? 0 : now_seconds() - first;
}

bool Traffic::all_sent() const {
  return std::ranges::all_of(out_, &Outbox::empty);
}
bool Traffic::all_finished() const {
  return std::ranges::all_of(in_, &Joiner::finished);
}

}  // namespace persia::mail
