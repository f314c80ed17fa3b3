#include "train/pipeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <exception>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/observed_time.hpp"
#include "base/status_board.hpp"
#include "mail/post.hpp"

namespace persia::train {

namespace {

// What the communication thread waits for, in the words of messages.
struct Awaited {
  const char* what = "";
  bool own = false;  // this rank's own files and computations, which may be as slow as they are
};

// Throws when nothing moved for too long, and keeps the status board.
class Deadline {
 public:
  // `unit`: what sweep() counts, "step" or "batch".
  Deadline(double seconds, const Supply& supply, const char* unit = "step")
      : seconds_(seconds), supply_(supply), unit_(unit) {}

  // After each sweep. `moved`: something happened in it; `number`: of the step or batch that is waited for.
  void sweep(bool moved, Awaited awaited, std::int64_t number) {
    if (moved)
      backoff_.reset();
    else
      backoff_.wait();
    report_.sweep(moved, [&] { tell(awaited, number); });
    still_.look(now_seconds(), !moved && !awaited.own);
    if (still_.seconds() < seconds_) return;
    tell(awaited, number);
    fail_stuck(
        "nothing moved for {} s while waiting for {} (mail.timeout_seconds): a rank is stuck or gone\n{}",
        seconds_, awaited.what, status::read().text);
  }

 private:
  void tell(Awaited awaited, std::int64_t number) const {
    status::tell(fmt::format("{} {} waits for {}; {}", unit_, number, awaited.what, supply_.describe()),
                 awaited.own ? status::Waits::for_nobody : status::Waits::for_others);
  }

  double seconds_;
  const Supply& supply_;
  const char* unit_;
  ObservedTime still_;
  status::SweepReport report_;
  mail::Backoff backoff_;
};

}  // namespace

struct Pipeline::Run {
  const PipelineParts& parts;
  BatchPass& pass;
  Purpose purpose;
  Step next;  // of the next lookup
  Step end;
  const std::function<void(const Flight&)>& retire;
  Step model{};                                      // evaluation: how many updates the model has had
  std::deque<std::unique_ptr<Flight>> flights = {};  // those handed over in this order, then the others
  std::size_t num_handed_over = 0;                   // of flights
  std::int64_t next_computed = next.value();         // step
  std::exception_ptr feed_error = nullptr;
  bool failure_told = false;
  bool stopped = false;

  [[nodiscard]] bool may_start() const {
    if (feed_error || next >= end) return false;
    if (purpose == Purpose::evaluate) return flights.size() < kEvaluationWindow;
    if (parts.mode == config::Mode::sync) return flights.empty() || flights.back()->row_gradients_pushed;
    return parts.supply.open_tokens() <= parts.staleness.bound();
  }

  // Starts the next batch of the pass.
  bool start_one() {
    if (!may_start()) return false;
    auto flight = std::make_unique<Flight>();
    flight->lookup_step = purpose == Purpose::train ? next : model;
    flight->staleness = parts.mode == config::Mode::sync ? 0 : parts.supply.open_tokens();
    try {
      if (!pass.start(*flight)) return false;
    } catch (...) {
      feed_error = std::current_exception();
      return true;
    }
    flights.push_back(std::move(flight));
    next = Step(next.value() + 1);
    return true;
  }

  // Hands what landed to the compute thread, which takes flights in this order: they are ordered by it.
  bool hand_over() {
    bool moved = false;
    while (Flight* landed = parts.supply.landed()) {
      const auto place = std::ranges::find(flights, landed, &std::unique_ptr<Flight>::get);
      expects(place != flights.end(), "what lands was started");
      if (landed->no_batch || landed->error) {
        if (landed->error && !feed_error) feed_error = landed->error;
        flights.erase(place);
        next = Step(next.value() - 1);
      } else {
        const auto first_behind = flights.begin() + static_cast<std::ptrdiff_t>(num_handed_over++);
        std::rotate(first_behind, place, place + 1);
        landed->step = Step(next_computed++);
        hand_over(*landed);
      }
      moved = true;
    }
    return moved;
  }

  void hand_over(Flight& flight) {
    flight.stage = Flight::Stage::computing;
    DenseReplica& replica = parts.replica;
    if (purpose == Purpose::evaluate)
      parts.compute.post([&flight, &replica] { replica.evaluate_step(flight); });
    else
      parts.compute.post([&flight, &replica, &compute = parts.compute] {
        replica.train_step(flight, compute.idle_since());
      });
  }

  // Pushes gradients that are ready, in order.
  bool push() {
    bool moved = false;
    for (const std::unique_ptr<Flight>& flight : flights) {
      const Flight::Stage stage = flight->stage.load(std::memory_order_acquire);
      if (stage < Flight::Stage::gradients_ready) break;
      if (flight->row_gradients_pushed) continue;
      const double begin = now_seconds();
      parts.supply.push(*flight);
      flight->times.push = now_seconds() - begin;
      flight->row_gradients_pushed = true;
      moved = true;
    }
    return moved;
  }

  bool retire_done() {
    bool moved = false;
    while (!flights.empty() && !stopped &&
           flights.front()->stage.load(std::memory_order_acquire) == Flight::Stage::done &&
           (purpose == Purpose::evaluate || flights.front()->row_gradients_pushed)) {
      if (flights.front()->totals.failed > 0) {
        stopped = true;
      } else {
        retire(*flights.front());
        flights.pop_front();
        --num_handed_over;
      }
      moved = true;
    }
    return moved;
  }

  // This trainer's data failed: once its good batches are through, join the exchange of the next step and say
  // so.
  void tell_failure() {
    if (!feed_error || failure_told || !flights.empty()) return;
    failure_told = true;
    if (purpose == Purpose::train)
      parts.compute.post([&replica = parts.replica, step = next, this] {
        replica.failed_step(step);
        failure_exchanged = true;
      });
    else
      failure_exchanged = true;
  }

  [[nodiscard]] bool over() {
    if (stopped) return true;
    if (feed_error) return failure_exchanged;
    return flights.empty() && (next >= end || pass.finished());
  }

  // Leaves nothing behind on the compute thread, whatever ended the run.
  ~Run() {
    if (flights.empty() && !std::uncaught_exceptions()) return;
    parts.reduce_box.close();
    parts.compute.wait_idle();
  }

  [[nodiscard]] Awaited awaited() const {
    if (flights.empty()) {
      if (failure_told) return {"the other trainers to hear of the failure"};
      return may_start() ? Awaited{"a batch from this rank's reader", true}
                         : Awaited{"owners to apply gradients"};
    }
    if (num_handed_over == 0) return {"rows"};
    const Flight::Stage stage = flights.front()->stage.load(std::memory_order_acquire);
    if (stage == Flight::Stage::computing) return {"this rank's computation", true};
    return {"the other trainers' part of the sum of gradients"};
  }

  // Of the step or batch that is waited for.
  [[nodiscard]] std::int64_t number() const {
    return num_handed_over == 0 ? next_computed : flights.front()->step.value();
  }

  void run() {
    Deadline deadline(parts.timeout_seconds, parts.supply, purpose == Purpose::train ? "step" : "batch");
    while (!over()) {
      parts.compute.check();
      bool moved = start_one();
      moved |= parts.supply.progress();
      moved |= hand_over();
      moved |= parts.reduce_box.service();
      if (purpose == Purpose::train) moved |= push();
      moved |= retire_done();
      tell_failure();
      deadline.sweep(moved, awaited(), number());
    }
    if (stopped || feed_error) throw StoppedTraining{feed_error};
  }

  static constexpr std::size_t kEvaluationWindow = 4;
  std::atomic<bool> failure_exchanged = false;
};

Step Pipeline::run_training(BatchPass& pass, Step first, Step end,
                            const std::function<void(const Flight&)>& retire) {
  const status::Phase phase("training");
  Run run{
      .parts = parts_, .pass = pass, .purpose = Purpose::train, .next = first, .end = end, .retire = retire};
  run.run();
  if (parts_.mode == config::Mode::async) average_now(run.next);
  Deadline deadline(parts_.timeout_seconds, parts_.supply);
  while (parts_.supply.open_tokens() > 0)
    deadline.sweep(parts_.supply.progress(), {"owners to apply the last gradients"}, run.next.value());
  return run.next;
}

void Pipeline::run_evaluation(BatchPass& pass, Step model, const std::function<void(const Flight&)>& retire) {
  constexpr Step kForever{std::numeric_limits<std::int64_t>::max()};
  Run run{.parts = parts_,
          .pass = pass,
          .purpose = Purpose::evaluate,
          .next = Step(0),
          .end = kForever,
          .retire = retire,
          .model = model};
  run.run();
}

void Pipeline::average_now(Step next) {
  struct Average {
    StepTotals totals;
    std::atomic<bool> done = false;
  };
  // Shared with the compute thread, which may still be at it when this call throws.
  const auto average = std::make_shared<Average>();
  parts_.compute.post([average, &replica = parts_.replica] {
    average->totals = replica.average_now();
    average->done = true;
  });
  Deadline deadline(parts_.timeout_seconds, parts_.supply);
  while (!average->done) {
    parts_.compute.check();
    bool moved = parts_.supply.progress();
    moved |= parts_.reduce_box.service();
    deadline.sweep(moved, {"the other trainers to average parameters"}, next.value());
  }
  if (average->totals.failed > 0) throw StoppedTraining{nullptr};
}

}  // namespace persia::train
