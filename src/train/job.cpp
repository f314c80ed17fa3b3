#include "train/job.hpp"

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/folder_lock.hpp"
#include "base/log.hpp"
#include "config/writer.hpp"
#include "observe/run_log.hpp"
#include "observe/watcher.hpp"
#include "roles/agree.hpp"
#include "sys/mpi_session.hpp"
#include "train/embedding_program.hpp"
#include "train/setting.hpp"
#include "train/trainer_program.hpp"
#include "train/training_log.hpp"
#include "train/worker_program.hpp"

namespace persia::train {

namespace {

// What the watcher does when the job ends from outside: the run log gets its last line, and the process ends.
std::function<void(int)> end_of(const Setting& setting) {
  std::filesystem::path log;
  if (setting.keeps_records()) log = TrainingLog::path_of(setting.run);
  return [log](int exit_code) {
    if (!log.empty())
      observe::append_failed_end(log,
                                 "the job was ended from outside: a rank was lost, or it was asked to stop");
    std::_Exit(exit_code);
  };
}

std::unique_ptr<observe::Watcher> watch_peers(const Setting& setting) {
  const roles::Teams& teams = setting.teams;
  const int own_rank = teams.world.rank();
  const std::string& host = teams.ranks[static_cast<std::size_t>(own_rank)].host;
  std::vector<observe::WatchedRank> local;
  for (const roles::RankInfo& rank : teams.ranks) {
    if (rank.host != host) continue;
    local.push_back(
        {.world_rank = rank.world_rank,
         .description = fmt::format("{} {} (rank {} on host {}, pid {})", roles::name_of(rank.role),
                                    rank.index_in_role, rank.world_rank, rank.host, rank.pid),
         .pid = rank.pid});
  }
  return std::make_unique<observe::Watcher>(std::move(local), own_rank, setting.run.mail.timeout_seconds,
                                            end_of(setting));
}

using Locks = std::vector<FolderLock>;

// Nothing saved is lost unless the person says so.
void guard_checkpoints(const Setting& setting, Locks& locks) {
  const std::filesystem::path folder = setting.checkpoint_folder();
  require_writable_folder(folder, "checkpoint.directory");
  // A folder that serves for both is locked already.
  if (!std::filesystem::equivalent(folder, setting.run.output))
    locks.emplace_back(folder, "checkpoint.directory");
  if (setting.options.resume || !holds_checkpoints(folder)) return;
  require_user(
      setting.options.overwrite,
      "{} holds checkpoints of an earlier training: --resume goes on from them, another `output` keeps "
      "them beside new ones, --overwrite replaces them as new ones are written",
      folder.string());
  log::warn("{} holds checkpoints of an earlier training; new ones replace them (checkpoint.keep: {})",
            folder.string(), setting.run.checkpoint.keep);
}

// Before the first step, since hours later is too late: the output can be written, and the resolved run file
// lies in it. The folders are this job's for as long as the locks live.
Locks prepare_output(const Setting& setting) {
  Locks locks;
  roles::agree(setting.teams.world, [&] {
    if (!setting.keeps_records()) return;
    const config::Checkpoint& checkpoint = setting.run.checkpoint;
    require_writable_folder(setting.run.output, "output");
    locks.emplace_back(setting.run.output, "output");
    require_user(!std::filesystem::is_directory(TrainingLog::path_of(setting.run)),
                 "{} is a folder, and the run log cannot be written; remove it or name another output",
                 TrainingLog::path_of(setting.run).string());
    if (checkpoint.at_end || checkpoint.every_steps > 0) guard_checkpoints(setting, locks);
    write_file_atomically(std::filesystem::path(setting.run.output) / "resolved.yaml",
                          config::resolved_text(setting.run));
  });
  return locks;
}

nlohmann::json run_role(Setting& setting) {
  complete_setting(setting);
  const Locks locks = prepare_output(setting);
  switch (setting.teams.role) {
    case roles::Role::embedding:
      run_embedding(setting);
      return nullptr;
    case roles::Role::worker:
      run_worker(setting);
      return nullptr;
    case roles::Role::trainer:
      return run_trainer(setting);
    case roles::Role::everything:
      return run_everything(setting);
  }
  return nullptr;
}

// From here on a rank that is gone is a rank that is done.
void end_in_order(observe::Watcher& watcher, const sys::Communicator& world) {
  watcher.stand_down();
  world.barrier();
}

}  // namespace

nlohmann::json run_job(const config::RunFile& run, const JobOptions& options, const sys::Communicator& world,
                       std::unique_ptr<observe::Watcher>& watcher) {
  Setting setting = begin_setting(run, options, world);
  watcher = watch_peers(setting);
  try {
    nlohmann::json result = run_role(setting);
    end_in_order(*watcher, setting.teams.world);
    return result;
  } catch (const roles::StoppedTogether&) {
    end_in_order(*watcher, setting.teams.world);
    throw;
  }
}

}  // namespace persia::train
