#include "train/open_post.hpp"

#include "roles/agree.hpp"

namespace persia::train {

std::unique_ptr<mail::Post> open_post(const Setting& setting) {
  const roles::Teams& teams = setting.teams;
  std::unique_ptr<mail::Post> post;
  roles::agree(teams.world, [&] {
    post = mail::make_post(teams.world, teams.owner_ranks, teams.trainer_ranks, setting.run.mail);
  });
  return post;
}

}  // namespace persia::train
