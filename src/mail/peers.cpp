#include "mail/peers.hpp"

#include <algorithm>
#include <set>

#include "base/cast.hpp"
#include "base/error.hpp"

namespace persia::mail {

std::string Peers::name_in(std::size_t peer) const {
  return fmt::format("{} from rank {}", side == Side::owner ? "requests" : "replies", names[peer]);
}

std::string Peers::name_out(std::size_t peer) const {
  return fmt::format("{} to rank {}", side == Side::owner ? "replies" : "requests", names[peer]);
}

Peers find_peers(int rank, int size, const std::vector<int>& owners, const std::vector<int>& clients) {
  std::set<int> seen;
  for (const auto* list : {&owners, &clients})
    for (const int other : *list)
      expects(other >= 0 && other < size && seen.insert(other).second,
              "owners and clients are different ranks of the communicator");
  const auto index_in = [&](const std::vector<int>& list) {
    return checked_cast<std::int32_t>(std::ranges::find(list, rank) - list.begin());
  };
  const auto num_owners = checked_cast<std::int32_t>(owners.size());
  const auto num_clients = checked_cast<std::int32_t>(clients.size());
  if (index_in(owners) < num_owners) return {Side::owner, clients, clients, index_in(owners), num_owners};
  if (index_in(clients) < num_clients) return {Side::client, owners, owners, index_in(clients), num_clients};
  return {};
}

}  // namespace persia::mail
