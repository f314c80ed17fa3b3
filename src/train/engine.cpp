#include "train/engine.hpp"

#include <utility>

#include "roles/agree.hpp"
#include "sys/device_team.hpp"
#include "train/threads.hpp"

namespace persia::train {

Engine::Engine(const Setting& setting)
    : reduce_box_(setting.teams.trainers),
      compute_(choose_threads(setting.run.training.threads, setting.teams),
               sys::choose_device(setting.teams.trainers)) {
  const config::RunFile& run = setting.run;
  std::unique_ptr<sys::DeviceTeam> team =
      sys::make_device_team(setting.teams.trainers, run.mail.timeout_seconds);
  const bool trains = setting.options.task == Task::train;
  roles::agree(setting.teams.trainers, [&] {
    compute_.call([&] {
      replica_ = std::make_unique<DenseReplica>(run, setting.schema, setting.teams.num_trainers, reduce_box_,
                                                std::move(team));
      if (setting.start)
        checkpoint::load_dense(setting.start->folder, replica_->network(),
                               trains ? &replica_->optimizer() : nullptr);
    });
  });
}

Engine::~Engine() {
  reduce_box_.close();
  compute_.finish([this] { replica_.reset(); });
}

}  // namespace persia::train
