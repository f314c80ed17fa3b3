#include "train/embedding_program.hpp"

#include <algorithm>

#include "base/file.hpp"
#include "base/log.hpp"
#include "base/status_board.hpp"
#include "roles/agree.hpp"
#include "serve/owner.hpp"
#include "train/eviction_journal.hpp"
#include "train/open_post.hpp"
#include "train/owners.hpp"
#include "train/threads.hpp"

namespace persia::train {

namespace {

// Null where no table wants one, or nothing is to be left behind.
std::unique_ptr<EvictionJournal> open_journal(const Setting& setting, OwnerIndex owner) {
  const bool wanted = std::ranges::any_of(setting.schema.tables, [](const config::TableSchema& schema) {
    return schema.table.eviction.journal != config::EvictionJournal::none;
  });
  if (!wanted || setting.options.task != Task::train || setting.options.measure_only) return nullptr;
  const std::filesystem::path output = setting.run.output;
  return std::make_unique<EvictionJournal>(
      output / fmt::format("evicted-{}.jsonl", owner.value()),
      setting.start ? EvictionJournal::Start::resumed : EvictionJournal::Start::anew);
}

std::unique_ptr<ThreadTeam> make_team(const Setting& setting) {
  const roles::Teams& teams = setting.teams;
  const roles::RankInfo& own = teams.ranks[static_cast<std::size_t>(teams.world.rank())];
  return std::make_unique<ThreadTeam>(
      choose_embedding_threads(setting.run.training.embedding_threads, own, teams.ranks));
}

// Threads that wait for the disk, for each owner: a disk of today wants many reads at a time.
constexpr std::int32_t kDiskThreads = 16;

// Null where no table keeps rows on disk.
std::unique_ptr<ThreadTeam> make_disk_team(const Setting& setting) {
  const bool wanted = std::ranges::any_of(setting.schema.tables, [](const config::TableSchema& schema) {
    return !schema.table.eviction.directory.empty();
  });
  return wanted ? std::make_unique<ThreadTeam>(kDiskThreads) : nullptr;
}

}  // namespace

OwnedTables make_tables(const Setting& setting, OwnerIndex owner) {
  OwnedTables owned{.team = make_team(setting),
                    .disk_team = make_disk_team(setting),
                    .journal = open_journal(setting, owner),
                    .tables = {}};
  for (const config::TableSchema& schema : setting.schema.tables) {
    table::TableOptions options{
        .seed = setting.run.seed,
        .num_owners = setting.teams.num_owners,
        .team = owned.team.get(),
        .disk_folder = setting.run.output / std::filesystem::path(schema.table.eviction.directory),
        .disk_team = owned.disk_team.get()};
    if (!schema.table.eviction.directory.empty())
      require_writable_folder(options.disk_folder, "eviction.directory");
    if (owned.journal && schema.table.eviction.journal != config::EvictionJournal::none)
      options.on_evicted = [journal = owned.journal.get()](const table::EvictedRow& row) {
        journal->write(row);
      };
    owned.tables.push_back(table::make_table(schema, options));
  }
  if (setting.start) {
    const std::int64_t rows = checkpoint::load_tables(setting.start->folder, setting.start->manifest, owner,
                                                      setting.teams.num_owners, owned.tables);
    log::debug("loaded {} rows from {}", rows, setting.start->folder.string());
  }
  return owned;
}

void run_embedding(const Setting& setting) {
  const roles::Teams& teams = setting.teams;
  const OwnerIndex owner(teams.index_in_role);
  OwnedTables owned;
  roles::agree(teams.world, [&] {
    const status::Phase phase("making the tables");
    owned = make_tables(setting, owner);
  });

  const Posts posts = open_posts(setting);
  const serve::OwnerOptions options{.mode = setting.run.training.mode,
                                    .num_clients = num_clients_of_owners(teams),
                                    .num_trainers = teams.num_trainers,
                                    .first_step = setting.first_step(),
                                    .save = [&](const std::string& request) {
                                      return answer_save(request, owner, teams.num_owners, owned.tables,
                                                         [&] { owned.flush_journal(); });
                                    }};
  const int exit_code = serve::serve_clients(*posts.owners, owned.tables, options);
  owned.flush_journal();
  posts.close();
  if (exit_code != 0) throw roles::StoppedTogether{exit_code, nullptr};
}

}  // namespace persia::train
