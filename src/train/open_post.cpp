#include "train/open_post.hpp"

#include "base/status_board.hpp"
#include "roles/agree.hpp"

namespace persia::train {

namespace {

std::vector<int> clients_of_owners(const roles::Teams& teams) {
  if (teams.num_workers == 0) return teams.trainer_ranks;
  std::vector<int> clients = teams.worker_ranks;
  clients.push_back(teams.trainer_ranks.front());
  return clients;
}

std::vector<int> among_readers(const roles::Teams& teams, const std::vector<int>& world_ranks) {
  std::vector<int> result;
  for (const int rank : world_ranks) result.push_back(teams.rank_among_readers(rank));
  return result;
}

}  // namespace

std::int32_t num_clients_of_owners(const roles::Teams& teams) {
  return static_cast<std::int32_t>(clients_of_owners(teams).size());
}

Posts open_posts(const Setting& setting) {
  const status::Phase phase("opening the mail");
  const roles::Teams& teams = setting.teams;
  Posts posts;
  roles::agree(teams.world, [&] {
    posts.owners =
        mail::make_post(teams.world, teams.owner_ranks, clients_of_owners(teams), setting.run.mail);
  });
  roles::agree(teams.world, [&] {
    if (teams.num_workers == 0 || teams.role == roles::Role::embedding) return;
    posts.workers =
        mail::make_post(teams.readers, among_readers(teams, teams.worker_ranks),
                        among_readers(teams, teams.trainer_ranks), setting.run.mail, teams.reader_ranks());
  });
  return posts;
}

void Posts::close() const {
  if (workers) workers->close();
  owners->close();
}

}  // namespace persia::train
