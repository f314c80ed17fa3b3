#include "train/embedding_program.hpp"

#include <algorithm>

#include "base/log.hpp"
#include "roles/agree.hpp"
#include "serve/owner.hpp"
#include "train/eviction_journal.hpp"
#include "train/open_post.hpp"
#include "train/owners.hpp"
#include "train/threads.hpp"

namespace persia::train {

namespace {

// Null where no table wants one, or nothing is to be left behind. Tables share it.
std::shared_ptr<EvictionJournal> open_journal(const Setting& setting, OwnerIndex owner) {
  const bool wanted = std::ranges::any_of(setting.schema.tables, [](const config::TableSchema& schema) {
    return schema.table.eviction.journal != config::EvictionJournal::none;
  });
  if (!wanted || setting.options.task != Task::train || setting.options.measure_only) return nullptr;
  const std::filesystem::path output = setting.run.output;
  return std::make_shared<EvictionJournal>(output / fmt::format("evicted-{}.jsonl", owner.value()));
}

}  // namespace

std::unique_ptr<ThreadTeam> make_embedding_team(const Setting& setting) {
  const roles::Teams& teams = setting.teams;
  const roles::RankInfo& own = teams.ranks[static_cast<std::size_t>(teams.world.rank())];
  return std::make_unique<ThreadTeam>(
      choose_embedding_threads(setting.run.training.embedding_threads, own, teams.ranks));
}

std::vector<std::unique_ptr<table::Table>> make_tables(const Setting& setting, OwnerIndex owner,
                                                       ThreadTeam& team) {
  const std::shared_ptr<EvictionJournal> journal = open_journal(setting, owner);
  std::vector<std::unique_ptr<table::Table>> tables;
  for (const config::TableSchema& schema : setting.schema.tables) {
    table::TableOptions options{
        .seed = setting.run.seed, .num_owners = setting.teams.num_owners, .team = &team};
    if (journal && schema.table.eviction.journal != config::EvictionJournal::none)
      options.on_evicted = [journal](const table::EvictedRow& row) { journal->write(row); };
    tables.push_back(table::make_table(schema, options));
  }
  if (setting.start) {
    const std::int64_t rows = checkpoint::load_tables(setting.start->folder, setting.start->manifest, owner,
                                                      setting.teams.num_owners, tables);
    log::debug("loaded {} rows from {}", rows, setting.start->folder.string());
  }
  return tables;
}

void run_embedding(const Setting& setting) {
  const roles::Teams& teams = setting.teams;
  const OwnerIndex owner(teams.index_in_role);
  std::unique_ptr<ThreadTeam> team;
  std::vector<std::unique_ptr<table::Table>> tables;
  roles::agree(teams.world, [&] {
    team = make_embedding_team(setting);
    tables = make_tables(setting, owner, *team);
  });

  const std::unique_ptr<mail::Post> post = open_post(setting);
  const serve::OwnerOptions options{.mode = setting.run.training.mode,
                                    .num_clients = teams.num_trainers,
                                    .first_step = setting.first_step(),
                                    .save = [&](const std::string& request) {
                                      return answer_save(request, owner, teams.num_owners, tables);
                                    }};
  const int exit_code = serve::serve_clients(*post, tables, options);
  post->close();
  if (exit_code != 0) throw roles::StoppedTogether{exit_code, nullptr};
}

}  // namespace persia::train
