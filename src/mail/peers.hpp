// Who exchanges mail with whom, seen from one rank.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace persia::mail {

enum class Side { owner, client, neither };

struct Peers {
  Side side = Side::neither;
  std::vector<int> ranks;            // by PeerIndex: clients for an owner, owners for a client
  std::vector<int> names;            // as messages call them: the ranks, unless others are given
  std::int32_t my_index = 0;         // this rank's PeerIndex at each of its peers
  std::int32_t peers_of_a_peer = 0;  // how many peers each of them has

  // "requests from rank 3" / "replies from rank 0", and the same towards a peer, for messages.
  [[nodiscard]] std::string name_in(std::size_t peer) const;
  [[nodiscard]] std::string name_out(std::size_t peer) const;
};

// Pre: no rank stands twice in the lists or in both; all are below `size`.
[[nodiscard]] Peers find_peers(int rank, int size, const std::vector<int>& owners,
                               const std::vector<int>& clients);

}  // namespace persia::mail
