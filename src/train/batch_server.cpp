#include "train/batch_server.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <optional>
#include <set>
#include <utility>

#include "base/error.hpp"
#include "base/status_board.hpp"
#include "embed/pooling.hpp"
#include "train/ready_batch.hpp"

namespace persia::train {

BatchServer::BatchServer(mail::Post& trainers, embed::RemoteSource& source, const config::Schema& schema,
                         std::int32_t num_trainers, OpenFeed open_feed)
    : post_(trainers),
      source_(source),
      schema_(schema),
      open_feed_(std::move(open_feed)),
      trainers_(static_cast<std::size_t>(num_trainers)) {}

int BatchServer::serve() {
  const status::Phase phase("serving trainers");
  mail::Backoff backoff;
  status::SweepReport report;
  while (finals_ < std::ssize(trainers_)) {
    const bool moved = sweep();
    if (moved)
      backoff.reset();
    else
      backoff.wait();
    report.sweep(moved, [&] { status::tell(describe(), status::Waits::for_nobody); });
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

bool BatchServer::sweep() {
  bool moved = post_.progress();
  while (const std::optional<mail::Message> message = post_.receive()) {
    moved = true;
    take(*message);
  }
  for (std::int32_t trainer = 0; trainer < std::ssize(trainers_); ++trainer) moved |= start_wanted(trainer);
  moved |= source_.progress();
  moved |= send_ready();
  moved |= confirm_applied();
  return moved;
}

void BatchServer::take(const mail::Message& message) {
  using wire::MessageKind;
  if (message.kind == MessageKind::want) {
    Want want{.token = message.token, .header = {}};
    require(message.body.size() == sizeof want.header, "trainer {} sent a want of {} bytes",
            message.peer.value(), message.body.size());
    std::memcpy(&want.header, message.body.data(), sizeof want.header);
    trainers_[static_cast<std::size_t>(message.peer.value())].wants.push_back(want);
  } else if (message.kind == MessageKind::pooled) {
    take_gradients(message);
  } else if (message.kind == MessageKind::final) {
    ++finals_;
    exit_code_ = std::max(exit_code_, static_cast<int>(message.token.value()));
  } else {
    fail("trainer {} sent a {} message, which workers do not take", message.peer.value(),
         wire::name_of(message.kind));
  }
}

void BatchServer::take_gradients(const mail::Message& message) {
  const auto found = out_.find({message.peer.value(), message.token});
  require(found != out_.end(), "trainer {} sent gradients for token {}, which is not open",
          message.peer.value(), message.token.value());
  const auto [lookup, unit] = std::move(found->second);
  out_.erase(found);
  const auto& [batch, plan] = unit->input;
  const auto width = static_cast<std::size_t>(schema_.embedded_width);
  const std::span<const float> pooled =
      read_pooled(message, static_cast<std::size_t>(batch.num_samples) * width);
  std::vector<float> gradients(static_cast<std::size_t>(plan.num_floats));
  embed::combine(batch, plan, schema_, pooled, 1.0F / static_cast<float>(batch.global_rows), gradients);
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

bool BatchServer::send_ready() {
  bool moved = false;
  while (const std::optional<embed::ReadyRows> ready = source_.ready_in_any_order()) {
    moved = true;
    const auto found = looking_up_.find(ready->token);
    expects(found != looking_up_.end(), "rows come for a batch that was looked up");
    std::unique_ptr<Unit> unit = std::move(found->second);
    looking_up_.erase(found);
    const auto& [batch, plan] = unit->input;
    std::vector<float> embedded(static_cast<std::size_t>(batch.num_samples) *
                                static_cast<std::size_t>(schema_.embedded_width));
    embed::pool(batch, plan, schema_, ready->rows, embedded);
    const std::int32_t trainer = unit->trainer;
    const Token token = unit->want.token;
    send(trainer, wire::MessageKind::ready, token, write_ready(batch, embedded, unit->counts));
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
