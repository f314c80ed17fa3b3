// Which rank is what, the communicators made once from it, and which owner holds an id.
//
// Embedding ranks first, then workers, then trainers (from counts), or each rank as PERSIA_ROLE says. All
// ranks compare what they understood; a mismatch is a UserError on all ranks with one text.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/strong.hpp"
#include "config/run_file.hpp"
#include "sys/communicator.hpp"

namespace persia::roles {

enum class Role { embedding, worker, trainer, everything };  // everything: the only process does all
[[nodiscard]] std::string name_of(Role role);

struct RankInfo {  // of one rank, known to all
  Role role = Role::everything;
  int index_in_role = 0;
  int world_rank = 0;
  std::string host;
  std::int64_t pid = 0;
  std::vector<int> cores{};  // of the host, that the process may use (its affinity mask)
};

struct Teams {
  Role role = Role::everything;
  std::int32_t index_in_role = 0;
  std::int32_t num_owners = 1;    // E
  std::int32_t num_workers = 0;   // W
  std::int32_t num_trainers = 1;  // T
  sys::Communicator world;        // duplicate, all ranks
  sys::Communicator team;         // ranks of my role
  sys::Communicator trainers;     // trainer ranks; self() elsewhere
  sys::Communicator readers;      // trainer and worker ranks: those that know the data; self() elsewhere
  std::vector<RankInfo> ranks;    // by world rank
  std::vector<int> owner_ranks;   // world ranks of owners, workers and trainers, in index order
  std::vector<int> worker_ranks;
  std::vector<int> trainer_ranks;

  [[nodiscard]] std::string describe_self() const;  // "trainer 1 (rank 2 on host a)"
  // The rank in `readers` of a trainer or worker.
  [[nodiscard]] int rank_among_readers(int world_rank) const;
  // World ranks by rank in `readers`.
  [[nodiscard]] std::vector<int> reader_ranks() const;
};

// Collective over `world`. Pre: the run file was agreed (agree.hpp). UserError on all ranks if the roles do
// not add up.
[[nodiscard]] Teams make_teams(sys::Communicator world, const config::Roles& counts);

// The owner of an id: the top 32 bits of place_hash, cut into num_owners contiguous ranges. Post: 0 <= result
// < num_owners.
[[nodiscard]] constexpr OwnerIndex owner_of(std::uint64_t place_hash, std::int32_t num_owners) {
  return OwnerIndex(
      static_cast<std::int32_t>(((place_hash >> 32) * static_cast<std::uint64_t>(num_owners)) >> 32));
}

}  // namespace persia::roles
