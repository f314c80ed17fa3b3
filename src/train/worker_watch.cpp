#include "train/worker_watch.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace persia::train {

namespace {
constexpr double kNoticesPerTimeout = 4;
}  // namespace

nlohmann::json to_json(const WorkerTimes& times) {
  return {{"read", times.read},
          {"lookup_wait", times.lookup_wait},
          {"idle", times.idle},
          {"pool", times.pool},
          {"send", times.send}};
}

WorkerWatch::WorkerWatch(double timeout_seconds) : timeout_seconds_(timeout_seconds) {}

void WorkerWatch::add(const WorkerSweep& sweep, double now) {
  const bool awaits_owners = sweep.awaits_rows || sweep.awaits_gradients;
  if (began_) share_out(sweep, now - last_);
  began_ = began_ || sweep.awaits_files || awaits_owners;
  last_ = now;

  const bool counts = awaits_owners && !sweep.owners_moved && !sweep.awaits_files && !sweep.others_read;
  if (!counts) owners_heard_at_ = now;
  stuck_ = now - owners_heard_at_ >= timeout_seconds_;

  if (!sweep.awaits_files && !awaits_owners) told_at_ = now;
  if (now - told_at_ < timeout_seconds_ / kNoticesPerTimeout) return;
  told_at_ = now;
  notice_ = sweep.awaits_files ? wire::Waits::files : wire::Waits::owners;
}

std::optional<wire::Waits> WorkerWatch::take_notice() {
  return std::exchange(notice_, std::nullopt);
}

void WorkerWatch::share_out(const WorkerSweep& sweep, double seconds) {
  const double pool = std::min(sweep.pool_seconds, seconds);
  times_.pool += pool;
  if (sweep.moved)
    times_.send += seconds - pool;
  else if (sweep.awaits_rows)
    times_.lookup_wait += seconds;
  else if (sweep.awaits_files)
    times_.read += seconds;
  else
    times_.idle += seconds;
}

}  // namespace persia::train
