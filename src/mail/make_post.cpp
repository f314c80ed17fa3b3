#include "base/error.hpp"
#include "mail/late_post.hpp"
#include "mail/peers.hpp"
#include "mail/post_office.hpp"
#include "mail/ring.hpp"
#include "mail/rma_carrier.hpp"
#include "mail/two_sided_carrier.hpp"
#include "mail/window_layout.hpp"
#include "sys/window_advice.hpp"

namespace persia::mail {

namespace {

// The ring's size as used: whole cache lines. Every rank reaches the same answer or the same kind of error.
std::int64_t ring_bytes_of(const sys::Communicator& comm, const config::Mail& options) {
  const std::int64_t least = comm.min(options.ring_bytes);
  require_user(least >= kSmallestRingBytes, "mail.ring_bytes: {} is too small; give at least {}", least,
               kSmallestRingBytes);
  require_user(least == comm.max(options.ring_bytes),
               "mail.ring_bytes: {} on rank {} is not what other ranks have; give every rank the same",
               options.ring_bytes, comm.rank());
  return least / 64 * 64;
}

// Collective; the same UserError on every rank.
void require_room(const sys::Communicator& comm, const Peers& peers, std::int64_t ring_bytes) {
  const WindowLayout layout{static_cast<std::int64_t>(peers.ranks.size()), ring_bytes};
  const std::string shortage = sys::window_shortage(comm, layout.total_bytes());
  require_user(shortage.empty(), "mail.ring_bytes: {} is too much: {}; lower it, or enlarge /dev/shm",
               ring_bytes, shortage);
}

}  // namespace

std::unique_ptr<Post> make_post(const sys::Communicator& comm, const std::vector<int>& owners,
                                const std::vector<int>& clients, const config::Mail& options,
                                const std::vector<int>& names) {
  const std::int64_t ring_bytes = ring_bytes_of(comm, options);
  Peers peers = find_peers(comm.rank(), comm.size(), owners, clients);
  for (int& name : peers.names)
    if (!names.empty()) name = names.at(static_cast<std::size_t>(name));
  auto mine = std::make_unique<sys::Communicator>(comm.split(0));
  std::unique_ptr<Carrier> carrier;
  if (options.transport == config::Transport::rma) {
    require_room(*mine, peers, ring_bytes);
    carrier = std::make_unique<RmaCarrier>(*mine, peers, ring_bytes);
  } else {
    carrier = std::make_unique<TwoSidedCarrier>(*mine, peers, ring_bytes);
  }
  auto post = std::make_unique<PostOffice>(std::move(mine), std::move(peers), std::move(carrier), options);
  if (options.delay_ms <= 0 && options.delay_random_ms <= 0) return post;
  return std::make_unique<LatePost>(std::move(post), options.delay_ms * 1e-3, options.delay_random_ms * 1e-3,
                                    static_cast<std::uint64_t>(comm.rank()));
}

}  // namespace persia::mail
