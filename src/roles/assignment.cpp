#include "roles/assignment.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "roles/rank_list.hpp"

namespace persia::roles {

namespace {

using Told = std::vector<std::string>;

std::vector<int> ranks_where(const Told& told, const auto& matches) {
  std::vector<int> ranks;
  for (std::size_t r = 0; r < told.size(); ++r)
    if (matches(told[r])) ranks.push_back(static_cast<int>(r));
  return ranks;
}

// "roles.embedding: 2 and roles.trainer: 1", with roles.worker where there are any.
std::string asked(const config::Roles& counts) {
  const std::string workers = counts.worker == 0 ? "" : fmt::format(", roles.worker: {}", counts.worker);
  return fmt::format("roles.embedding: {}{} and roles.trainer: {}", counts.embedding, workers,
                     counts.trainer);
}

void check_one_process(const Told& told, const config::Roles& counts) {
  require_user(
      told.front().empty(),
      "PERSIA_ROLE={} asks for a rank of one role, but the world has 1 process. Unset PERSIA_ROLE to run "
      "everything in one process; if this was started by mpirun or srun, launcher and MPI library do "
      "not belong together",
      told.front());
  const bool fits = counts.embedding >= 0 && counts.embedding <= 1 && counts.worker == 0 &&
                    counts.trainer >= 0 && counts.trainer <= 1;
  require_user(
      fits,
      "{} do not add up to the world of 1 process; start more with `mpirun -n N`, or leave both at 1 "
      "to run everything in one process",
      asked(counts));
}

void check_names(const Told& told) {
  for (const std::string& name : told) {
    if (name.empty() || name == "embedding" || name == "worker" || name == "trainer") continue;
    fail_user("PERSIA_ROLE={} on {} is not a role; use embedding, worker or trainer", name,
              rank_list(ranks_where(told, [&](const std::string& other) { return other == name; })));
  }
}

std::vector<Role> from_environment(const Told& told) {
  const auto unset = ranks_where(told, [](const std::string& name) { return name.empty(); });
  if (!unset.empty())
    fail_user(
        "PERSIA_ROLE is not set on {} of a world of {}, but on the others; set it on every rank or on none",
        rank_list(unset), told.size());
  std::vector<Role> roles(told.size());
  std::ranges::transform(told, roles.begin(), [](const std::string& name) {
    return name == "embedding" ? Role::embedding : name == "worker" ? Role::worker : Role::trainer;
  });
  const auto embedding = std::ranges::count(roles, Role::embedding);
  const auto trainers = std::ranges::count(roles, Role::trainer);
  require_user(
      embedding > 0 && trainers > 0,
      "PERSIA_ROLE makes {} embedding and {} trainer ranks in a world of {}; at least one of each is needed",
      embedding, trainers, told.size());
  return roles;
}

std::vector<Role> from_counts(std::size_t world_size, const config::Roles& counts) {
  const auto world = static_cast<std::int64_t>(world_size);
  const std::int64_t embedding = counts.embedding;
  const std::int64_t trainers = counts.trainer == 0 ? world - embedding - counts.worker : counts.trainer;
  require_user(
      embedding >= 1 && counts.worker >= 0 && trainers >= 1 && embedding + counts.worker + trainers == world,
      "{} do not add up to the world of {} processes; at least one embedding and one trainer rank are "
      "needed, and roles.trainer: 0 takes all that are left",
      asked(counts), world);
  std::vector<Role> roles(world_size, Role::trainer);
  std::fill_n(roles.begin(), embedding, Role::embedding);
  std::fill_n(roles.begin() + embedding, counts.worker, Role::worker);
  return roles;
}

}  // namespace

std::vector<Role> assign_roles(const std::vector<std::string>& told, const config::Roles& counts) {
  check_names(told);
  if (told.size() == 1) {
    check_one_process(told, counts);
    return {Role::everything};
  }
  const bool anywhere = std::ranges::any_of(told, [](const std::string& name) { return !name.empty(); });
  return anywhere ? from_environment(told) : from_counts(told.size(), counts);
}

}  // namespace persia::roles
