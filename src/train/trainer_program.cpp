#include "train/trainer_program.hpp"

#include <functional>
#include <memory>
#include <optional>

#include "base/status_board.hpp"
#include "embed/local_source.hpp"
#include "embed/remote_source.hpp"
#include "embed/value_format.hpp"
#include "roles/agree.hpp"
#include "train/embedding_program.hpp"
#include "train/feed_options.hpp"
#include "train/open_post.hpp"
#include "train/own_supply.hpp"
#include "train/trainer.hpp"
#include "train/worker_supply.hpp"

namespace persia::train {

namespace {

OwnSupply own_supply(const Setting& setting, embed::EmbeddingSource& source) {
  return OwnSupply(source, [&setting](table::Purpose purpose, const data::Position& start) {
    return std::make_shared<BatchFeed>(setting.run.data, setting.schema,
                                       feed_options(setting, purpose, start, setting.teams.index_in_role));
  });
}

// Runs the trainer; however the trainers end together, the others are told by `finish`.
nlohmann::json run_and_finish(Trainer& trainer, const std::function<void(int exit_code)>& finish) {
  try {
    nlohmann::json result = trainer.run();
    finish(0);
    return result;
  } catch (const roles::StoppedTogether& stopped) {
    finish(stopped.exit_code);
    throw;
  }
}

nlohmann::json run_with_workers(const Setting& setting, Engine& engine, const Posts& posts,
                                embed::RemoteSource& source) {
  const roles::Teams& teams = setting.teams;
  const config::RunFile& run = setting.run;
  // Only trainer 0 speaks with owners; its source looks nothing up.
  const std::unique_ptr<Owners> owners = make_remote_owners(
      *posts.owners, source, setting.leads() ? teams.num_owners : 0, run.mail.timeout_seconds);
  WorkerSupply supply(*posts.workers, setting.schema, run.training.mode, teams.index_in_role,
                      teams.num_workers, embed::pooled_format_of(run.mail.values));
  Trainer trainer(setting, engine, supply, *owners);
  return run_and_finish(trainer, [&](int exit_code) {
    supply.finish(exit_code);
    owners->finish(exit_code);
    posts.close();
  });
}

// Own updates that a row kept from an earlier batch may miss; 0: none is kept.
std::int32_t reuse_bound(const Setting& setting) {
  const config::Training& training = setting.run.training;
  return training.reuse_steps > 0 ? training.staleness.bound : 0;
}

}  // namespace

nlohmann::json run_trainer(const Setting& setting) {
  const roles::Teams& teams = setting.teams;
  std::optional<Engine> engine;
  roles::agree(teams.world, [&] {
    const status::Phase phase("making the dense network");
    engine.emplace(setting);
  });
  const Posts posts = open_posts(setting);
  const auto audience = setting.run.training.mode == config::Mode::sync ? embed::Audience::all_owners
                                                                        : embed::Audience::concerned_owners;
  embed::RemoteSource source(*posts.owners, setting.schema, teams.num_owners, audience, teams.index_in_role,
                             setting.run.mail, reuse_bound(setting));
  if (teams.num_workers > 0) return run_with_workers(setting, *engine, posts, source);
  const std::unique_ptr<Owners> owners =
      make_remote_owners(*posts.owners, source, teams.num_owners, setting.run.mail.timeout_seconds);
  OwnSupply supply = own_supply(setting, source);
  Trainer trainer(setting, *engine, supply, *owners);
  return run_and_finish(trainer, [&](int exit_code) {
    owners->finish(exit_code);
    posts.close();
  });
}

nlohmann::json run_everything(const Setting& setting) {
  const OwnedTables owned = make_tables(setting, OwnerIndex(0));
  Engine engine(setting);
  const std::unique_ptr<embed::EmbeddingSource> source = embed::make_local_source(owned.tables);
  const std::unique_ptr<Owners> owners = make_local_owners(owned.tables, [&] { owned.flush_journal(); });
  OwnSupply supply = own_supply(setting, *source);
  Trainer trainer(setting, engine, supply, *owners);
  nlohmann::json result = trainer.run();
  owned.flush_journal();
  return result;
}

}  // namespace persia::train
