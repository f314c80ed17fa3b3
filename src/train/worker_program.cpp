#include "train/worker_program.hpp"

#include "embed/remote_source.hpp"
#include "roles/agree.hpp"
#include "train/batch_server.hpp"
#include "train/feed_options.hpp"
#include "train/open_post.hpp"
#include "train/owners.hpp"

namespace persia::train {

namespace {

// Batch n of trainer k is that of worker (n + k) % workers, so that all workers serve all trainers.
FeedOptions turns_of(const Setting& setting, table::Purpose purpose, std::int32_t trainer) {
  const data::Position start = setting.start ? setting.start->manifest.position : data::Position{};
  const std::int64_t workers = setting.teams.num_workers;
  FeedOptions options = feed_options(setting, purpose, start, trainer);
  options.turns = workers;
  options.turn = (setting.teams.index_in_role + (workers - trainer % workers)) % workers;
  return options;
}

}  // namespace

void run_worker(const Setting& setting) {
  const roles::Teams& teams = setting.teams;
  roles::agree(teams.world, [] {});
  const Posts posts = open_posts(setting);
  const auto audience = setting.run.training.mode == config::Mode::sync ? embed::Audience::all_owners
                                                                        : embed::Audience::concerned_owners;
  embed::RemoteSource source(*posts.owners, setting.schema, teams.num_owners, audience, 0, setting.run.mail);
  BatchServer server(
      *posts.workers, source, setting.schema, teams.num_trainers,
      [&](table::Purpose purpose, std::int32_t trainer) {
        return std::make_unique<BatchFeed>(setting.run.data, setting.schema,
                                           turns_of(setting, purpose, trainer));
      },
      setting.run.mail.timeout_seconds);
  const int exit_code = server.serve();
  make_remote_owners(*posts.owners, source, teams.num_owners, setting.run.mail.timeout_seconds)
      ->finish(exit_code);
  posts.close();
  if (exit_code != 0) throw roles::StoppedTogether{exit_code, nullptr};
}

}  // namespace persia::train
