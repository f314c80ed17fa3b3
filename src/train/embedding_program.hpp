// What an embedding rank does: makes or loads its tables, serves, ends.
#pragma once

#include <memory>
#include <vector>

#include "base/thread_team.hpp"
#include "mail/post.hpp"
#include "table/table.hpp"
#include "train/eviction_journal.hpp"
#include "train/setting.hpp"

namespace persia::train {

// This process's part of all tables, and what they use.
struct OwnedTables {
  std::unique_ptr<ThreadTeam> team;          // training.embedding_threads
  std::unique_ptr<ThreadTeam> disk_team;     // null where no table keeps rows on disk
  std::unique_ptr<EvictionJournal> journal;  // null where no table wants one
  std::vector<std::unique_ptr<table::Table>> tables;

  // Error if what was evicted so far cannot be written.
  void flush_journal() const {
    if (journal) journal->flush();
  }
};

// Loaded from the start point if there is one. `owner` of `num_owners`.
[[nodiscard]] OwnedTables make_tables(const Setting& setting, OwnerIndex owner);

// Serves until the trainers are done. Collective over the world in its first (mailboxes) and last (close)
// act. Throws roles::StoppedTogether when the trainers stopped for a reason of theirs.
void run_embedding(const Setting& setting);

}  // namespace persia::train
