#include "train/worker_supply.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "train/ready_batch.hpp"

namespace persia::train {

class WorkerSupply::Pass final : public BatchPass {
 public:
  Pass(WorkerSupply& supply, table::Purpose purpose, std::uint32_t number)
      : supply_(supply), purpose_(purpose), number_(number), counts_(supply.num_workers_) {}

  bool start(Flight& flight) override {
    if (ended_) return false;
    supply_.want(flight, *this);
    return true;
  }
  [[nodiscard]] bool finished() const override { return ended_; }
  [[nodiscard]] data::ReadCounts counts() const override {
    data::ReadCounts sum;
    for (const data::ReadCounts& of_worker : counts_) sum += of_worker;
    return sum;
  }

 private:
  friend class WorkerSupply;

  WorkerSupply& supply_;
  table::Purpose purpose_;
  std::uint32_t number_;
  std::int64_t wanted_ = 0;  // batches
  bool ended_ = false;
  std::vector<data::ReadCounts> counts_;  // by worker: the last it told
};

WorkerSupply::WorkerSupply(mail::Post& post, const config::Schema& schema, config::Mode mode,
                           std::int32_t trainer, std::int32_t num_workers, wire::ValueFormat format)
    : post_(post),
      schema_(schema),
      mode_(mode),
      trainer_(trainer),
      num_workers_(num_workers),
      format_(format) {}

WorkerSupply::~WorkerSupply() = default;

std::unique_ptr<BatchPass> WorkerSupply::open(table::Purpose purpose, const data::Position&) {
  return std::make_unique<Pass>(*this, purpose, purpose == table::Purpose::train ? 0 : next_evaluation_++);
}

void WorkerSupply::want(Flight& flight, Pass& pass) {
  const std::int64_t number = pass.wanted_++;
  const auto worker = static_cast<std::int32_t>((number + trainer_) % num_workers_);
  const bool trains = pass.purpose_ == table::Purpose::train;
  flight.token = Token(next_token_++);
  flight.read_at = now_seconds();
  const wire::WantHeader header{
      .step = flight.lookup_step.value(), .number = number, .pass = pass.number_, .values = format_};
  const auto bytes = std::as_bytes(std::span(&header, 1));
  post_.send({mail::PeerIndex(worker), wire::MessageKind::want, flight.token, {bytes.begin(), bytes.end()}});
  if (trains) open_.emplace(flight.token, worker);
  wanted_.push_back({.token = flight.token,
                     .worker = worker,
                     .flight = &flight,
                     .pass = &pass,
                     .in_order = !trains || mode_ == config::Mode::sync});
}

bool WorkerSupply::progress() {
  bool moved = post_.progress();
  while (const std::optional<mail::Message> message = post_.receive()) {
    moved = true;
    take(*message);
  }
  return moved;
}

void WorkerSupply::take(const mail::Message& message) {
  using wire::MessageKind;
  const auto worker = static_cast<std::size_t>(message.peer.value());
  if (message.kind == MessageKind::ready) {
    Wanted& batch = wanted(message);
    batch.pass->counts_[worker] = read_ready(message, schema_, format_, *batch.flight);
  } else if (message.kind == MessageKind::no_batch) {
    Wanted& batch = wanted(message);
    batch.pass->counts_[worker] = read_no_batch(message, *batch.flight);
    batch.pass->ended_ = true;
    open_.erase(message.token);
  } else if (message.kind == MessageKind::applied) {
    require(open_.erase(message.token) == 1, "worker {} confirmed token {}, which is not open",
            message.peer.value(), message.token.value());
  } else if (message.kind == MessageKind::patience) {
    pass_on(message);
  } else if (message.kind == MessageKind::report) {
    const auto* begin = reinterpret_cast<const char*>(message.body.data());
    reports_.push_back(nlohmann::json::parse(begin, begin + message.body.size()));
  } else {
    fail("worker {} sent a {} message, which trainers do not take", message.peer.value(),
         wire::name_of(message.kind));
  }
}

// One trainer does it: what files keep in one worker may be missed at owners by another.
void WorkerSupply::pass_on(const mail::Message& patience) {
  if (trainer_ != 0 || patience.token.value() != static_cast<std::uint64_t>(wire::Waits::files)) return;
  for (std::int32_t worker = 0; worker < num_workers_; ++worker)
    if (worker != patience.peer.value())
      post_.send({mail::PeerIndex(worker), wire::MessageKind::patience, patience.token, {}});
}

WorkerSupply::Wanted& WorkerSupply::wanted(const mail::Message& message) {
  const auto found = std::ranges::find(wanted_, message.token, &Wanted::token);
  require(found != wanted_.end() && !found->here && found->worker == message.peer.value(),
          "worker {} answered token {}, for which it was not asked or has answered", message.peer.value(),
          message.token.value());
  found->here = true;
  return *found;
}

Flight* WorkerSupply::landed() {
  const auto first =
      std::ranges::find_if(wanted_, [](const Wanted& one) { return one.here || one.in_order; });
  if (first == wanted_.end() || !first->here) return nullptr;
  Flight* flight = first->flight;
  wanted_.erase(first);
  return flight;
}

void WorkerSupply::push(Flight& flight) {
  const auto found = open_.find(flight.token);
  expects(found != open_.end(), "push of an open token");
  post_.send({mail::PeerIndex(found->second), wire::MessageKind::pooled, flight.token,
              write_pooled(flight.d_embedded, format_)});
}

std::int32_t WorkerSupply::open_tokens() const {
  return static_cast<std::int32_t>(open_.size());
}

std::string WorkerSupply::describe() const {
  std::set<std::int32_t> asked, applying;
  for (const Wanted& one : wanted_)
    if (!one.here) asked.insert(one.worker);
  for (const auto& [token, worker] : open_) applying.insert(worker);
  return fmt::format("{} batches were asked of workers [{}]; {} tokens are open at workers [{}]\n{}",
                     wanted_.size(), fmt::join(asked, ", "), open_.size(), fmt::join(applying, ", "),
                     post_.describe());
}

nlohmann::json WorkerSupply::worker_reports(double timeout_seconds) {
  reports_.clear();
  send_to_all(wire::MessageKind::statistics, Token(0));
  mail::Backoff backoff;
  const Stopwatch watch;
  while (std::ssize(reports_) < num_workers_) {
    if (!progress()) backoff.wait();
    require(watch.seconds() < timeout_seconds,
            "{} of {} workers told where their time went within {} s (mail.timeout_seconds)\n{}",
            reports_.size(), num_workers_, timeout_seconds, post_.describe());
  }
  return reports_;
}

void WorkerSupply::finish(int exit_code) {
  send_to_all(wire::MessageKind::final, Token(static_cast<std::uint64_t>(exit_code)));
}

void WorkerSupply::send_to_all(wire::MessageKind kind, Token token) {
  for (std::int32_t worker = 0; worker < num_workers_; ++worker)
    post_.send({mail::PeerIndex(worker), kind, token, {}});
}

}  // namespace persia::train
