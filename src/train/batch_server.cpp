#include "train/batch_server.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/status_board.hpp"
#include "embed/pooling.hpp"
#include "train/ready_batch.hpp"

namespace persia::train {

BatchServer::BatchServer(mail::Post& trainers, embed::RemoteSource& source, const config::Schema& schema,
                         std::int32_t num_trainers, OpenFeed open_feed, double timeout_seconds)
    : post_(trainers),
      source_(source),
      schema_(schema),
      open_feed_(std::move(open_feed)),
      trainers_(static_cast<std::size_t>(num_trainers)),
      watch_(timeout_seconds),
      timeout_seconds_(timeout_seconds) {}

int BatchServer::serve() {
  const status::Phase phase("serving trainers");
  mail::Backoff backoff;
  status::SweepReport report;
  while (finals_ < std::ssize(trainers_)) {
    const WorkerSweep swept = sweep();
    look_out(swept);
    if (swept.moved)
      backoff.reset();
    else
      backoff.wait();
    report.sweep(swept.moved, [&] { status::tell(describe(), status::Waits::for_nobody); });
  }
  return exit_code_;
}

std::string BatchServer::describe() const {
  std::set<std::int32_t> want, compute;
  for (std::int32_t trainer = 0; trainer < std::ssize(trainers_); ++trainer)
    if (!trainers_[static_cast<std::size_t>(trainer)].wants.empty()) want.insert(trainer);
  for (const auto& [key, unit] : out_) compute.insert(key.first);
  return fmt::format(
      "trainers [{}] want batches that are not read yet; trainers [{}] have batches whose gradients are to "
      "come; {} batches wait for rows; towards owners: {}\ntowards trainers:\n{}",
      fmt::join(want, ", "), fmt::join(compute, ", "), looking_up_.size(), source_.describe(),
      post_.describe());
}

WorkerSweep BatchServer::sweep() {
  WorkerSweep swept;
  bool moved = post_.progress();
  while (const std::optional<mail::Message> message = post_.receive()) {
    moved = true;
    take(*message, swept);
  }
  for (std::int32_t trainer = 0; trainer < std::ssize(trainers_); ++trainer) moved |= start_wanted(trainer);
  swept.owners_moved = source_.progress();
  moved |= swept.owners_moved;
  moved |= send_ready(swept);
  moved |= confirm_applied();
  swept.moved = moved;
  swept.awaits_files = std::ranges::any_of(trainers_, [](const Trainer& one) { return !one.wants.empty(); });
  swept.awaits_rows = !looking_up_.empty();
  swept.awaits_gradients = !pushed_.empty();
  return swept;
}

void BatchServer::look_out(const WorkerSweep& swept) {
  watch_.add(swept, now_seconds());
  if (const std::optional<wire::Waits> notice = watch_.take_notice())
    for (std::int32_t trainer = 0; trainer < std::ssize(trainers_); ++trainer)
      send(trainer, wire::MessageKind::patience, Token(static_cast<std::uint64_t>(*notice)), {});
  if (!watch_.owners_are_stuck()) return;
  fail_stuck(
      "owners said nothing for {} s while rows or an update were due (mail.timeout_seconds): an embedding "
      "rank is stuck or gone, or, in sync mode, a trainer whose gradients owners wait for\n{}",
      timeout_seconds_, source_.describe());
}

void BatchServer::take(const mail::Message& message, WorkerSweep& swept) {
  using wire::MessageKind;
  if (message.kind == MessageKind::want) {
    take_want(message);
  } else if (message.kind == MessageKind::pooled) {
    take_gradients(message, swept);
  } else if (message.kind == MessageKind::patience) {
    swept.others_read = true;
  } else if (message.kind == MessageKind::statistics) {
    report();
  } else if (message.kind == MessageKind::final) {
    ++finals_;
    exit_code_ = std::max(exit_code_, static_cast<int>(message.token.value()));
  } else {
    fail("trainer {} sent a {} message, which workers do not take", message.peer.value(),
         wire::name_of(message.kind));
  }
}

void BatchServer::take_want(const mail::Message& message) {
  Want want{.token = message.token, .header = {}};
  require(message.body.size() == sizeof want.header, "trainer {} sent a want of {} bytes",
          message.peer.value(), message.body.size());
  std::memcpy(&want.header, message.body.data(), sizeof want.header);
  require(static_cast<std::uint16_t>(want.header.values) < wire::kNumValueFormats,
          "trainer {} wants values in format {}, which is unknown here; the ranks run different versions",
          message.peer.value(), static_cast<int>(want.header.values));
  trainers_[static_cast<std::size_t>(message.peer.value())].wants.push_back(want);
}

void BatchServer::report() {
  const embed::WireBytes with_owners = source_.wire_bytes();
  const std::string text = nlohmann::json{{"seconds", to_json(watch_.times())},
                                          {"raw_bytes", with_owners.raw + with_trainers_.raw},
                                          {"sent_bytes", with_owners.sent + with_trainers_.sent},
                                          {"dropped_residuals", with_owners.dropped_residuals}}
                               .dump();
  const auto bytes = std::as_bytes(std::span(text));
  send(0, wire::MessageKind::report, Token(0), {bytes.begin(), bytes.end()});
}

void BatchServer::take_gradients(const mail::Message& message, WorkerSweep& swept) {
  const Stopwatch watch;
  const auto found = out_.find({message.peer.value(), message.token});
  require(found != out_.end(), "trainer {} sent gradients for token {}, which is not open",
          message.peer.value(), message.token.value());
  const auto [lookup, unit] = std::move(found->second);
  out_.erase(found);
  const auto& [batch, plan] = unit->input;
  const auto width = static_cast<std::size_t>(schema_.embedded_width);
  const std::vector<float> pooled =
      read_pooled(message, static_cast<std::size_t>(batch.num_samples) * width, unit->want.header.values);
  std::vector<float> gradients(static_cast<std::size_t>(plan.num_floats));
  with_trainers_.raw += static_cast<std::int64_t>(pooled.size() * sizeof(float));
  with_trainers_.sent += static_cast<std::int64_t>(message.body.size());
  embed::combine(batch, plan, schema_, pooled, 1.0F / static_cast<float>(batch.global_rows), gradients);
  swept.pool_seconds += watch.seconds();
  source_.push_for(unit->trainer, lookup, plan, Step(unit->want.header.step), gradients);
  pushed_.push_back({.trainer = unit->trainer, .of_trainer = message.token, .of_owners = lookup});
}

bool BatchServer::start_wanted(std::int32_t trainer) {
  Trainer& asker = trainers_[static_cast<std::size_t>(trainer)];
  if (asker.wants.empty()) return false;
  const Want want = asker.wants.front();
  BatchFeed& feed = feed_of(trainer, want.header);
  std::optional<PreparedBatch> input;
  std::exception_ptr failure;
  const bool finished = feed.finished();  // asked first: a last batch or a failure may come in between
  try {
    input = feed.try_next();
  } catch (...) {
    failure = std::current_exception();
  }
  if (!input && !failure && !finished) return false;
  asker.wants.pop_front();
  if (!input) {
    send(trainer, wire::MessageKind::no_batch, want.token, write_no_batch(failure, feed.counts()));
    return true;
  }
  auto unit = std::make_unique<Unit>(
      Unit{.trainer = trainer, .want = want, .input = std::move(*input), .counts = feed.counts()});
  const auto purpose = want.header.pass == 0 ? table::Purpose::train : table::Purpose::evaluate;
  const Token token = source_.start_lookup(unit->input.plan, Step(want.header.step), purpose);
  looking_up_.emplace(token, std::move(unit));
  return true;
}

BatchFeed& BatchServer::feed_of(std::int32_t trainer, const wire::WantHeader& want) {
  Trainer& asker = trainers_[static_cast<std::size_t>(trainer)];
  if (want.pass == 0) {
    if (!asker.training) asker.training = open_feed_(table::Purpose::train, trainer);
    return *asker.training;
  }
  if (asker.evaluation_number != want.pass) {
    asker.evaluation = open_feed_(table::Purpose::evaluate, trainer);
    asker.evaluation_number = want.pass;
  }
  return *asker.evaluation;
}

bool BatchServer::send_ready(WorkerSweep& swept) {
  bool moved = false;
  while (const std::optional<embed::ReadyRows> ready = source_.ready_in_any_order()) {
    moved = true;
    const auto found = looking_up_.find(ready->token);
    expects(found != looking_up_.end(), "rows come for a batch that was looked up");
    std::unique_ptr<Unit> unit = std::move(found->second);
    looking_up_.erase(found);
    const auto& [batch, plan] = unit->input;
    const Stopwatch watch;
    std::vector<float> embedded(static_cast<std::size_t>(batch.num_samples) *
                                static_cast<std::size_t>(schema_.embedded_width));
    embed::pool(batch, plan, schema_, ready->rows, embedded);
    swept.pool_seconds += watch.seconds();
    const std::int32_t trainer = unit->trainer;
    const Token token = unit->want.token;
    std::vector<std::byte> body = write_ready(batch, embedded, unit->counts, unit->want.header.values);
    with_trainers_ += bytes_of_ready(body, embedded.size(), unit->want.header.values);
    send(trainer, wire::MessageKind::ready, token, std::move(body));
    if (unit->want.header.pass > 0) continue;
    out_.emplace(UnitKey{trainer, token}, std::pair(ready->token, std::move(unit)));
  }
  return moved;
}

bool BatchServer::confirm_applied() {
  const auto is_applied = [&](const Pushed& one) {
    if (source_.is_open(one.of_owners)) return false;
    send(one.trainer, wire::MessageKind::applied, one.of_trainer, {});
    return true;
  };
  return std::erase_if(pushed_, is_applied) > 0;
}

void BatchServer::send(std::int32_t trainer, wire::MessageKind kind, Token token,
                       std::vector<std::byte> body) {
  post_.send({mail::PeerIndex(trainer), kind, token, std::move(body)});
}

}  // namespace persia::train
