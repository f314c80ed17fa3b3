// From what each rank was told to what each rank is. A pure function, so that all ranks reach the same answer
// or the same message from the same gathered facts.
#pragma once

#include <string>
#include <vector>

#include "config/run_file.hpp"
#include "roles/teams.hpp"

namespace persia::roles {

// `told`: PERSIA_ROLE of every rank, "" where it is not set. Set on all ranks, it decides and the counts are
// not used; set on none, the counts decide, embedding ranks first, then workers. One process is everything.
// UserError, naming counts and world size, if the roles do not add up; naming ranks, if PERSIA_ROLE is set on
// some ranks only or to an unknown name.
[[nodiscard]] std::vector<Role> assign_roles(const std::vector<std::string>& told,
                                             const config::Roles& counts);

}  // namespace persia::roles
