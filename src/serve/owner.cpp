#include "serve/owner.hpp"

#include <algorithm>
#include <cstring>
#include <deque>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/cast.hpp"
#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/status_board.hpp"
#include "serve/load.hpp"
#include "serve/lookup_request.hpp"
#include "serve/overlap_meter.hpp"
#include "serve/report.hpp"
#include "serve/step_gate.hpp"
#include "table/open_steps.hpp"

namespace persia::serve {

namespace {

class Owner {
 public:
  Owner(mail::Post& post, std::span<const std::unique_ptr<table::Table>> tables, const OwnerOptions& options)
      : post_(post), tables_(tables), options_(options) {
    if (options.mode == config::Mode::sync) gate_.emplace(options.num_trainers, options.first_step);
    // Between the steps of sync mode nothing is stale.
    if (!gate_ && options.num_trainers > 1) overlap_.emplace();
  }

  int run() {
    const status::Phase phase("serving");
    mail::Backoff backoff;
    status::SweepReport report;
    while (finals_ < options_.num_clients) {
      const bool moved = sweep();
      if (moved)
        backoff.reset();
      else
        backoff.wait();
      report.sweep(moved, [&] { status::tell(describe(), status::Waits::for_nobody); });
    }
    return exit_code_;
  }

 private:
  using TokenKey = OverlapMeter::TokenKey;
  struct OpenToken {
    Step step;
    std::vector<std::vector<table::Row>> rows;  // by table
  };

  // True if anything happened.
  bool sweep() {
    const double begin = now_seconds();
    bool moved = post_.progress();
    if (std::optional<mail::Message> message = post_.receive()) {
      moved = true;
      if (load_.first_message == 0) load_.first_message = begin;
      take(std::move(*message));
    }
    if (moved) load_.busy_seconds += now_seconds() - begin;
    return moved;
  }

  // For messages about a stuck job.
  [[nodiscard]] std::string describe() const {
    std::map<std::int32_t, std::int64_t> open;
    for (const auto& [key, token] : tokens_) ++open[key.first];
    std::string text = gate_ ? gate_->describe() : "waiting for messages";
    text +=
        fmt::format("; {} lookups of later steps wait; lookups whose gradient is to come:", deferred_.size());
    for (const auto& [client, count] : open) text += fmt::format(" {} of client {}", count, client);
    return text + (open.empty() ? " none\n" : "\n") + post_.describe();
  }

  void take(mail::Message message) {
    using wire::MessageKind;
    switch (message.kind) {
      case MessageKind::lookup:
        return take_lookup(std::move(message));
      case MessageKind::gradient:
        return take_gradient(message);
      case MessageKind::cancel:
        require(!gate_,
                "client {} cancelled token {}: in sync mode every step waits for every trainer's gradient",
                message.peer.value(), message.token.value());
        return cancel(message);
      case MessageKind::save:
        return reply_text(message, MessageKind::saved, options_.save(text_of(message)));
      case MessageKind::statistics:
        return reply_text(message, MessageKind::report, report().dump());
      case MessageKind::final:
        ++finals_;
        exit_code_ = std::max(exit_code_, static_cast<int>(message.token.value()));
        return;
      default:
        fail("client {} sent a message of kind {}, which owners do not take", message.peer.value(),
             static_cast<int>(message.kind));
    }
  }

  void take_lookup(mail::Message message) {
    const LookupRequest request = read_lookup(message, tables_.size());
    const bool too_early =
        gate_ && request.purpose == table::Purpose::train && request.step > gate_->open_step();
    if (too_early)
      deferred_.push_back(std::move(message));
    else
      answer(message, request);
  }

  void answer(const mail::Message& message, const LookupRequest& request) {
    std::size_t num_bytes = 0;
    for (std::size_t t = 0; t < tables_.size(); ++t)
      num_bytes += wire::encoded_bytes(request.values, {request.ids[t].size(), dim(t)});
    std::vector<std::byte> body = post_.spare_body(num_bytes);
    std::byte* to = body.data();
    OpenToken open{request.step, std::vector<std::vector<table::Row>>(tables_.size())};
    const table::Moment now = open_steps_.moment_of(request.step);
    for (std::size_t t = 0; t < tables_.size(); ++t) {
      const wire::Block block{request.ids[t].size(), dim(t)};
      open.rows[t].resize(block.num_rows);
      const std::span<float> values = room_for(request.values, to, block.num_values());
      const status::Detail detail("looking up in table {}", checked_cast<std::int64_t>(t));
      tables_[t]->lookup(request.ids[t], request.purpose, values, open.rows[t], now);
      if (!request.kept.empty()) find_kept(t, request.kept[t], open.rows[t], now);
      load_.lookup_rows += std::ssize(open.rows[t]);
      if (request.values != wire::ValueFormat::fp32)
        wire::encode_values(request.values, block.dim, values, to);
      to += wire::encoded_bytes(request.values, block);
    }
    ++load_.lookups;
    if (request.purpose == table::Purpose::train) {
      const TokenKey key{message.peer.value(), message.token};
      if (overlap_)
        for (std::size_t t = 0; t < tables_.size(); ++t) overlap_->open(key, t, open.rows[t]);
      require(tokens_.try_emplace(key, std::move(open)).second, "client {} opened token {} twice",
              message.peer.value(), message.token.value());
      open_steps_.open(request.step);
    }
    post_.send({message.peer, wire::MessageKind::rows, message.token, std::move(body)});
  }

  // Rows that the client has: their gradients come behind those of the others.
  void find_kept(std::size_t t, std::span<const FeatureId> ids, std::vector<table::Row>& rows,
                 table::Moment now) {
    scratch_.resize(std::max(scratch_.size(), ids.size() * dim(t)));
    const std::size_t asked = rows.size();
    rows.resize(asked + ids.size());
    tables_[t]->lookup(ids, table::Purpose::train, std::span(scratch_).first(ids.size() * dim(t)),
                       std::span(rows).subspan(asked), now);
  }

  // Where a table's values go: their place in the message if they travel as they are.
  std::span<float> room_for(wire::ValueFormat format, std::byte* place, std::size_t count) {
    if (format == wire::ValueFormat::fp32) return {reinterpret_cast<float*>(place), count};
    scratch_.resize(std::max(scratch_.size(), count));
    return std::span(scratch_).first(count);
  }

  void take_gradient(const mail::Message& message) {
    OpenToken token = close_token(message);
    std::vector<wire::Block> blocks;
    for (std::size_t t = 0; t < tables_.size(); ++t) blocks.push_back({token.rows[t].size(), dim(t)});
    const GradientMessage gradient = read_gradient(message, blocks);
    if (gate_)
      gather(message, gradient, std::move(token));
    else
      apply(message, gradient, token);
  }

  void apply(const mail::Message& message, const GradientMessage& gradient, const OpenToken& token) {
    std::span<const float> values = gradient.values;
    for (std::size_t t = 0; t < tables_.size(); ++t) {
      const std::size_t count = token.rows[t].size() * dim(t);
      const status::Detail detail("updating table {}", checked_cast<std::int64_t>(t));
      tables_[t]->update(token.rows[t], values.first(count), gradient.step);
      load_.update_rows += std::ssize(token.rows[t]);
      if (overlap_)
        overlap_->apply({message.peer.value(), message.token}, gradient.trainer, t, token.rows[t]);
      values = values.subspan(count);
    }
    post_.send({message.peer, wire::MessageKind::applied, message.token, {}});
  }

  void gather(const mail::Message& message, const GradientMessage& gradient, OpenToken token) {
    for (const std::vector<table::Row>& rows : token.rows) load_.update_rows += std::ssize(rows);
    StepGradient part{{message.peer.value(), message.token},
                      std::move(token.rows),
                      {gradient.values.begin(), gradient.values.end()}};
    if (!gate_->add(gradient.trainer, gradient.step, std::move(part))) return;
    for (const Receipt& receipt : gate_->apply(tables_))
      post_.send({mail::PeerIndex(receipt.client), wire::MessageKind::applied, receipt.token, {}});
    std::deque<mail::Message> waiting = std::exchange(deferred_, {});
    for (mail::Message& lookup : waiting) take_lookup(std::move(lookup));
  }

  void cancel(const mail::Message& message) {
    const OpenToken token = close_token(message);
    if (!overlap_) return;
    for (std::size_t t = 0; t < tables_.size(); ++t)
      overlap_->cancel({message.peer.value(), message.token}, t, token.rows[t]);
  }

  [[nodiscard]] nlohmann::json report() const {
    nlohmann::json report{{"tables", report_of(tables_)}, {"load", report_of(load_, post_.counts())}};
    if (overlap_) report["others_updates"] = overlap_->histogram();
    return report;
  }

  OpenToken close_token(const mail::Message& message) {
    const auto found = tokens_.find({message.peer.value(), message.token});
    require(found != tokens_.end(), "client {} sent a gradient or cancel for token {}, which is not open",
            message.peer.value(), message.token.value());
    OpenToken token = std::move(found->second);
    tokens_.erase(found);
    open_steps_.close(token.step);
    return token;
  }

  static std::string text_of(const mail::Message& message) {
    return {reinterpret_cast<const char*>(message.body.data()), message.body.size()};
  }

  void reply_text(const mail::Message& message, wire::MessageKind kind, const std::string& text) {
    const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
    post_.send({message.peer, kind, message.token, {bytes, bytes + text.size()}});
  }

  [[nodiscard]] std::size_t dim(std::size_t t) const {
    return static_cast<std::size_t>(tables_[t]->schema().table.dim);
  }

  mail::Post& post_;
  std::span<const std::unique_ptr<table::Table>> tables_;
  const OwnerOptions& options_;
  std::optional<StepGate> gate_;
  std::map<TokenKey, OpenToken> tokens_;
  table::OpenSteps open_steps_;
  std::optional<OverlapMeter> overlap_;  // where several trainers update as they come
  Load load_;
  std::vector<float> scratch_;          // values of one table before they are encoded
  std::deque<mail::Message> deferred_;  // lookups of a step that is not open yet
  std::int32_t finals_ = 0;
  int exit_code_ = 0;
};

}  // namespace

int serve_clients(mail::Post& post, std::span<const std::unique_ptr<table::Table>> tables,
                  const OwnerOptions& options) {
  return Owner(post, tables, options).run();
}

}  // namespace persia::serve
