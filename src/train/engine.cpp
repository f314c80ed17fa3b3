#include "train/engine.hpp"

#include <utility>

#include "roles/agree.hpp"
#include "sys/device_team.hpp"
#include "train/threads.hpp"

namespace persia::train {

Engine::Engine(const Setting& setting) : reduce_box_(setting.teams.trainers) {
  const sys::Communicator& trainers = setting.teams.trainers;
  const std::int32_t threads = choose_threads(setting.run.training.threads, setting.teams);
  const int device = sys::choose_device(trainers);
  roles::agree(trainers, [&] { compute_ = std::make_unique<ComputeThread>(threads, device); });
  try {
    make_replica(setting);
  } catch (...) {
    end();
    throw;
  }
}

void Engine::make_replica(const Setting& setting) {
  const config::RunFile& run = setting.run;
  std::unique_ptr<sys::DeviceTeam> team =
      sys::make_device_team(setting.teams.trainers, run.mail.timeout_seconds);
  const bool trains = setting.options.task == Task::train;
  roles::agree(setting.teams.trainers, [&] {
    compute_->call([&] {
      replica_ = std::make_unique<DenseReplica>(run, setting.schema, setting.teams.num_trainers, reduce_box_,
                                                std::move(team));
      if (setting.start)
        checkpoint::load_dense(setting.start->folder, replica_->network(),
                               trains ? &replica_->optimizer() : nullptr);
    });
  });
}

Engine::~Engine() {
  end();
}

void Engine::end() {
  reduce_box_.close();
  compute_->finish([this] { replica_.reset(); });
}

}  // namespace persia::train
