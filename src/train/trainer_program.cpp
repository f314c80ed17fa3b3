#include "train/trainer_program.hpp"

#include <memory>
#include <optional>

#include "embed/local_source.hpp"
#include "embed/remote_source.hpp"
#include "roles/agree.hpp"
#include "train/embedding_program.hpp"
#include "train/feed_options.hpp"
#include "train/open_post.hpp"
#include "train/own_supply.hpp"
#include "train/trainer.hpp"

namespace persia::train {

namespace {

OwnSupply own_supply(const Setting& setting, embed::EmbeddingSource& source) {
  return OwnSupply(source, [&setting](table::Purpose purpose, const data::Position& start) {
    return std::make_shared<BatchFeed>(setting.run.data, setting.schema,
                                       feed_options(setting, purpose, start, setting.teams.index_in_role));
  });
}

// Runs the trainer; however the trainers end together, the owners are told.
nlohmann::json run_and_finish(Trainer& trainer, Owners& owners, mail::Post& post) {
  const auto end_with = [&](int exit_code) {
    owners.finish(exit_code);
    post.close();
  };
  try {
    nlohmann::json result = trainer.run();
    end_with(0);
    return result;
  } catch (const roles::StoppedTogether& stopped) {
    end_with(stopped.exit_code);
    throw;
  }
}

}  // namespace

nlohmann::json run_trainer(const Setting& setting) {
  const roles::Teams& teams = setting.teams;
  std::optional<Engine> engine;
  roles::agree(teams.world, [&] { engine.emplace(setting); });
  const std::unique_ptr<mail::Post> post = open_post(setting);
  const auto audience = setting.run.training.mode == config::Mode::sync ? embed::Audience::all_owners
                                                                        : embed::Audience::concerned_owners;
  embed::RemoteSource source(*post, setting.schema, teams.num_owners, audience, teams.index_in_role);
  const std::unique_ptr<Owners> owners =
      make_remote_owners(*post, source, teams.num_owners, setting.run.mail.timeout_seconds);
  OwnSupply supply = own_supply(setting, source);
  Trainer trainer(setting, *engine, supply, *owners);
  return run_and_finish(trainer, *owners, *post);
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
