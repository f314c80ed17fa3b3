#include "embed/remote_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <map>
#include <utility>

#include "base/cast.hpp"
#include "base/error.hpp"

namespace persia::embed {

namespace {

// What the trainer remembers of one started lookup.
struct Pending {
  Token token;
  const LookupPlan* plan = nullptr;
  Step step;
  table::Purpose purpose = table::Purpose::train;
  std::vector<std::int32_t> awaited;  // owners whose rows have not come
  std::vector<float> rows;
};

template <class T>
void append(std::vector<std::byte>& body, const T* values, std::size_t count) {
  const std::size_t at = body.size();
  body.resize(at + count * sizeof(T));
  if (count > 0) std::memcpy(body.data() + at, values, count * sizeof(T));
}

}  // namespace

struct RemoteSource::State {
  mail::Post& post;
  const config::Schema& schema;
  std::int32_t num_owners;
  Audience audience;
  std::int32_t trainer;
  std::uint64_t next_token = 1;
  std::deque<Pending> lookups;  // rows not handed out yet, in start order
  std::map<Token, std::vector<std::int32_t>>
      to_push;  // training tokens whose rows went out: owners to answer
  std::map<Token, std::vector<std::int32_t>> to_confirm;  // pushed: owners that have not applied yet
  std::deque<mail::Message> other;

  // Places of owner o's ids in table t's unique ids.
  struct Range {
    std::size_t begin, count;
  };
  static Range range_of(const LookupPlan& plan, std::size_t t, std::int32_t owner) {
    const std::vector<std::int32_t>& begin = plan.tables[t].owner_begin;
    const auto o = static_cast<std::size_t>(owner);
    return {static_cast<std::size_t>(begin[o]), static_cast<std::size_t>(begin[o + 1] - begin[o])};
  }

  [[nodiscard]] bool concerns(const LookupPlan& plan, std::int32_t owner) const {
    if (audience == Audience::all_owners) return true;
    for (std::size_t t = 0; t < plan.tables.size(); ++t)
      if (range_of(plan, t, owner).count > 0) return true;
    return false;
  }

  // Calls visit(first float, number of floats) for each table's part of owner's rows in a batch's row buffer.
  template <class Visit>
  void for_each_part(const LookupPlan& plan, std::int32_t owner, Visit visit) const {
    for (std::size_t t = 0; t < plan.tables.size(); ++t) {
      const Range range = range_of(plan, t, owner);
      const auto dim = static_cast<std::size_t>(schema.tables[t].table.dim);
      visit(static_cast<std::size_t>(plan.row_begin[t]) + range.begin * dim, range.count * dim);
    }
  }

  [[nodiscard]] std::vector<std::byte> lookup_body(const LookupPlan& plan, std::int32_t owner, Step step,
                                                   table::Purpose purpose) const {
    const wire::LookupHeader header{.step = step.value(),
                                    .purpose = purpose == table::Purpose::train ? 0U : 1U,
                                    .num_tables = checked_cast<std::uint32_t>(plan.tables.size())};
    std::vector<std::byte> body;
    append(body, &header, 1);
    std::vector<std::uint32_t> counts;
    for (std::size_t t = 0; t < plan.tables.size(); ++t)
      counts.push_back(static_cast<std::uint32_t>(range_of(plan, t, owner).count));
    if (counts.size() % 2 == 1) counts.push_back(0);  // ids start at a multiple of 8
    append(body, counts.data(), counts.size());
    for (std::size_t t = 0; t < plan.tables.size(); ++t) {
      const Range range = range_of(plan, t, owner);
      append(body, plan.tables[t].ids.data() + range.begin, range.count);
    }
    return body;
  }

  void take_rows(const mail::Message& message) {
    const auto found = std::find_if(lookups.begin(), lookups.end(),
                                    [&](const Pending& p) { return p.token == message.token; });
    require(found != lookups.end(), "owner {} sent rows for token {}, which is not open",
            message.peer.value(), message.token.value());
    const std::int32_t owner = message.peer.value();
    require(std::erase(found->awaited, owner) == 1, "owner {} sent rows twice for token {}", owner,
            message.token.value());
    std::size_t at = 0;
    for_each_part(*found->plan, owner, [&](std::size_t first, std::size_t count) {
      const std::size_t bytes = count * sizeof(float);
      require(at + bytes <= message.body.size(),
              "owner {} sent {} bytes of rows for token {}, more were asked for", owner, message.body.size(),
              message.token.value());
      if (bytes > 0) std::memcpy(found->rows.data() + first, message.body.data() + at, bytes);
      at += bytes;
    });
    require(at == message.body.size(), "owner {} sent {} bytes of rows for token {}, {} were asked for",
            owner, message.body.size(), message.token.value(), at);
  }

  void take_applied(const mail::Message& message) {
    const auto found = to_confirm.find(message.token);
    require(found != to_confirm.end() && std::erase(found->second, message.peer.value()) == 1,
            "owner {} confirmed token {}, which is not waiting for it", message.peer.value(),
            message.token.value());
    if (found->second.empty()) to_confirm.erase(found);
  }
};

RemoteSource::RemoteSource(mail::Post& post, const config::Schema& schema, std::int32_t num_owners,
                           Audience audience, std::int32_t trainer)
    : state_(std::make_unique<State>(State{post, schema, num_owners, audience, trainer, 1, {}, {}, {}, {}})) {
}
RemoteSource::~RemoteSource() = default;

Token RemoteSource::start_lookup(const LookupPlan& plan, Step step, table::Purpose purpose) {
  Pending pending{.token = Token(state_->next_token++),
                  .plan = &plan,
                  .step = step,
                  .purpose = purpose,
                  .awaited = {},
                  .rows = std::vector<float>(static_cast<std::size_t>(plan.num_floats))};
  for (std::int32_t owner = 0; owner < state_->num_owners; ++owner) {
    if (!state_->concerns(plan, owner)) continue;
    pending.awaited.push_back(owner);
    state_->post.send({mail::PeerIndex(owner), wire::MessageKind::lookup, pending.token,
                       state_->lookup_body(plan, owner, step, purpose)});
  }
  if (purpose == table::Purpose::train) state_->to_push.emplace(pending.token, pending.awaited);
  state_->lookups.push_back(std::move(pending));
  return state_->lookups.back().token;
}

bool RemoteSource::progress() {
  bool moved = state_->post.progress();
  while (std::optional<mail::Message> message = state_->post.receive()) {
    moved = true;
    if (message->kind == wire::MessageKind::rows)
      state_->take_rows(*message);
    else if (message->kind == wire::MessageKind::applied)
      state_->take_applied(*message);
    else
      state_->other.push_back(std::move(*message));
  }
  return moved;
}

std::optional<ReadyRows> RemoteSource::ready() {
  if (state_->lookups.empty() || !state_->lookups.front().awaited.empty()) return std::nullopt;
  Pending oldest = std::move(state_->lookups.front());
  state_->lookups.pop_front();
  return ReadyRows{oldest.token, std::move(oldest.rows)};
}

std::optional<ReadyRows> RemoteSource::ready_in_any_order() {
  const auto complete = std::find_if(state_->lookups.begin(), state_->lookups.end(),
                                     [](const Pending& lookup) { return lookup.awaited.empty(); });
  if (complete == state_->lookups.end()) return std::nullopt;
  ReadyRows ready{complete->token, std::move(complete->rows)};
  state_->lookups.erase(complete);
  return ready;
}

void RemoteSource::push(Token token, const LookupPlan& plan, Step step, std::vector<float> row_gradients) {
  push_for(state_->trainer, token, plan, step, row_gradients);
}

void RemoteSource::push_for(std::int32_t trainer, Token token, const LookupPlan& plan, Step step,
                            std::span<const float> row_gradients) {
  const auto found = state_->to_push.find(token);
  expects(found != state_->to_push.end(), "push of an open token");
  const std::vector<std::int32_t> owners = std::move(found->second);
  state_->to_push.erase(found);
  for (const std::int32_t owner : owners) {
    std::vector<std::byte> body;
    const wire::GradientHeader header{.step = step.value(), .trainer = trainer};
    append(body, &header, 1);
    state_->for_each_part(plan, owner, [&](std::size_t first, std::size_t count) {
      append(body, row_gradients.data() + first, count);
    });
    state_->post.send({mail::PeerIndex(owner), wire::MessageKind::gradient, token, std::move(body)});
  }
  if (!owners.empty()) state_->to_confirm.emplace(token, owners);
}

std::int32_t RemoteSource::open_tokens() const {
  return static_cast<std::int32_t>(state_->to_push.size() + state_->to_confirm.size());
}

bool RemoteSource::is_open(Token token) const {
  return state_->to_push.contains(token) || state_->to_confirm.contains(token);
}

std::string RemoteSource::describe() const {
  std::string text = fmt::format("{} lookups waiting for rows, {} gradients not confirmed",
                                 state_->lookups.size(), state_->to_confirm.size());
  if (!state_->lookups.empty())
    text +=
        fmt::format("; the oldest lookup (step {}) waits for owners {}", state_->lookups.front().step.value(),
                    fmt::join(state_->lookups.front().awaited, ", "));
  if (!state_->to_confirm.empty())
    text += fmt::format("; the oldest gradient waits for owners {}",
                        fmt::join(state_->to_confirm.begin()->second, ", "));
  return text + "\n" + state_->post.describe();
}

std::optional<mail::Message> RemoteSource::take_other() {
  if (state_->other.empty()) return std::nullopt;
  mail::Message message = std::move(state_->other.front());
  state_->other.pop_front();
  return message;
}

}  // namespace persia::embed
