// What an embedding rank does: makes or loads its tables, serves, ends.
#pragma once

#include <memory>
#include <vector>

#include "mail/post.hpp"
#include "table/table.hpp"
#include "train/setting.hpp"

namespace persia::train {

// This process's part of all tables, loaded from the start point if there is one. `owner` of `num_owners`.
[[nodiscard]] std::vector<std::unique_ptr<table::Table>> make_tables(const Setting& setting,
                                                                     OwnerIndex owner);

// Serves until the trainers are done. Collective over the world in its first (mailboxes) and last (close)
// act. Throws roles::StoppedTogether when the trainers stopped for a reason of theirs.
void run_embedding(const Setting& setting);

}  // namespace persia::train
