// What an embedding rank does: makes or loads its tables, serves, ends.
#pragma once

#include <memory>
#include <vector>

#include "base/thread_team.hpp"
#include "mail/post.hpp"
#include "table/table.hpp"
#include "train/setting.hpp"

namespace persia::train {

// The threads of this process's tables (training.embedding_threads).
[[nodiscard]] std::unique_ptr<ThreadTeam> make_embedding_team(const Setting& setting);

// This process's part of all tables, loaded from the start point if there is one. `owner` of `num_owners`.
// The team outlives them.
[[nodiscard]] std::vector<std::unique_ptr<table::Table>> make_tables(const Setting& setting, OwnerIndex owner,
                                                                     ThreadTeam& team);

// Serves until the trainers are done. Collective over the world in its first (mailboxes) and last (close)
// act. Throws roles::StoppedTogether when the trainers stopped for a reason of theirs.
void run_embedding(const Setting& setting);

}  // namespace persia::train
