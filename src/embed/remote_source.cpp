#include "embed/remote_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <map>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "embed/lookup_message.hpp"
#include "embed/owner_part.hpp"
#include "embed/residuals.hpp"
#include "embed/row_reuse.hpp"
#include "embed/value_format.hpp"
#include "wire/values.hpp"

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
  std::shared_ptr<const RowSplit> split;  // null: all rows are asked for
};

// A training token whose rows went out.
struct ToPush {
  std::vector<std::int32_t> owners;  // to answer
  std::shared_ptr<const RowSplit> split;
};

}  // namespace

struct RemoteSource::State {
  mail::Post& post;
  const config::Schema& schema;
  std::int32_t num_owners;
  Audience audience;
  wire::ValueFormat format;
  ClientResiduals residuals;  // for int8
  WireBytes wire_bytes{};
  std::int32_t trainer;
  std::uint64_t next_token = 1;
  std::vector<float> spare_rows;  // of a batch that is done: memory that need not be zeroed
  std::deque<Pending> lookups;    // rows not handed out yet, in start order
  std::optional<RowReuse> reuse;
  std::vector<float> scratch;  // values of one table in the order in which they travel
  std::map<Token, ToPush> to_push;
  std::map<Token, std::vector<std::int32_t>> to_confirm;  // pushed: owners that have not applied yet
  std::deque<mail::Message> other;

  [[nodiscard]] std::vector<OwnerPart> parts_of(const LookupPlan& plan, const RowSplit* split,
                                                std::int32_t owner, Rows which) const {
    return split == nullptr ? embed::parts_of(plan, schema, owner)
                            : embed::parts_of(*split, schema, owner, which);
  }

  [[nodiscard]] bool concerns(std::span<const OwnerPart> parts) const {
    return audience == Audience::all_owners ||
           std::ranges::any_of(parts, [](const OwnerPart& part) { return !part.ids.empty(); });
  }

  [[nodiscard]] std::vector<std::byte> gradient_body(std::span<const OwnerPart> parts, Step step,
                                                     std::int32_t of_trainer,
                                                     std::span<const float> row_gradients) {
    const wire::GradientHeader header{.step = step.value(), .trainer = of_trainer, .values = format};
    std::vector<std::byte> body = post.spare_body(sizeof header + values_bytes(parts));
    std::memcpy(body.data(), &header, sizeof header);
    std::byte* to = body.data() + sizeof header;
    for (std::size_t t = 0; t < parts.size(); ++t) {
      const wire::Block& block = parts[t].block;
      const std::span<const float> gradients = gathered(parts[t], row_gradients, scratch);
      if (format == wire::ValueFormat::int8)
        residuals.encode(of_trainer, t, parts[t].ids, gradients, to);
      else
        wire::encode_values(format, block.dim, gradients, to);
      to += wire::encoded_bytes(format, block);
    }
    return body;
  }

  // Of an owner's rows of a batch on the wire.
  [[nodiscard]] std::size_t values_bytes(std::span<const OwnerPart> parts) const {
    std::size_t sum = 0;
    for (const OwnerPart& part : parts) sum += wire::encoded_bytes(format, part.block);
    return sum;
  }

  // A lookup's ids, or a batch's values one way: as they travelled, and all of them, with nothing packed and
  // in fp32.
  void count_ids(std::span<const OwnerPart> all, std::size_t num_groups, std::size_t sent) {
    for (const OwnerPart& part : all) wire_bytes.raw += static_cast<std::int64_t>(part.ids.size_bytes());
    wire_bytes.sent +=
        static_cast<std::int64_t>(sent - sizeof(wire::LookupHeader) - num_groups * 2 * sizeof(std::uint32_t));
  }
  void count_values(std::span<const OwnerPart> all, std::span<const OwnerPart> sent) {
    for (const OwnerPart& part : all)
      wire_bytes.raw += static_cast<std::int64_t>(part.block.num_values() * sizeof(float));
    wire_bytes.sent += static_cast<std::int64_t>(values_bytes(sent));
  }

  void take_rows(const mail::Message& message) {
    const auto found = std::find_if(lookups.begin(), lookups.end(),
                                    [&](const Pending& p) { return p.token == message.token; });
    require(found != lookups.end(), "owner {} sent rows for token {}, which is not open",
            message.peer.value(), message.token.value());
    const std::int32_t owner = message.peer.value();
    require(std::erase(found->awaited, owner) == 1, "owner {} sent rows twice for token {}", owner,
            message.token.value());
    const RowSplit* split = found->split.get();
    const std::vector<OwnerPart> parts = parts_of(*found->plan, split, owner, Rows::asked);
    if (split == nullptr)
      count_values(parts, parts);
    else
      count_values(embed::parts_of(*split, schema, owner, Rows::all), parts);
    if (message.landed) return;
    const std::size_t expected = values_bytes(parts);
    require(expected == message.body.size(), "owner {} sent {} bytes of rows for token {}, {} were asked for",
            owner, message.body.size(), message.token.value(), expected);
    const std::byte* from = message.body.data();
    for (const OwnerPart& part : parts) {
      const std::span<float> values = room_for(part, found->rows, scratch);
      wire::decode_values(format, part.block.dim, from, values);
      scatter(part, values, found->rows);
      from += wire::encoded_bytes(format, part.block);
    }
  }

  // Values that travel as they are may go right to their rows.
  void land_rows(Pending& pending, std::int32_t owner, std::span<const OwnerPart> asked) {
    if (format != wire::ValueFormat::fp32) return;
    std::vector<std::span<std::byte>> places;
    for (const OwnerPart& part : asked)
      part.for_each_run([&](std::size_t first, std::size_t count) {
        places.push_back(std::as_writable_bytes(std::span(pending.rows).subspan(first, count)));
      });
    post.land(mail::PeerIndex(owner), pending.token, mail::Landing(std::move(places)));
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
                           Audience audience, std::int32_t trainer, const config::Mail& mail,
                           std::int32_t reuse_bound)
    : state_(std::make_unique<State>(State{.post = post,
                                           .schema = schema,
                                           .num_owners = num_owners,
                                           .audience = audience,
                                           .format = format_of(mail.values),
                                           .residuals = ClientResiduals(schema, mail.residual_rows),
                                           .trainer = trainer,
                                           .spare_rows = {},
                                           .lookups = {},
                                           .reuse = {},
                                           .scratch = {},
                                           .to_push = {},
                                           .to_confirm = {},
                                           .other = {}})) {
  if (reuse_bound > 0) state_->reuse.emplace(schema, num_owners, reuse_bound);
}
RemoteSource::~RemoteSource() {
  state_->post.forget_landings();
}

Token RemoteSource::start_lookup(const LookupPlan& plan, Step step, table::Purpose purpose) {
  Pending pending{.token = Token(state_->next_token++),
                  .plan = &plan,
                  .step = step,
                  .purpose = purpose,
                  .awaited = {},
                  .rows = std::move(state_->spare_rows),
                  .split = {}};
  pending.rows.resize(static_cast<std::size_t>(plan.num_floats));
  const bool trains = purpose == table::Purpose::train;
  if (trains && state_->reuse)
    pending.split = std::make_shared<const RowSplit>(state_->reuse->split(plan, open_tokens()));
  const RowSplit* split = pending.split.get();
  for (std::int32_t owner = 0; owner < state_->num_owners; ++owner) {
    const std::vector<OwnerPart> all = state_->parts_of(plan, split, owner, Rows::all);
    if (!state_->concerns(all)) continue;
    pending.awaited.push_back(owner);
    std::vector<OwnerPart> asked = all, kept;
    if (split != nullptr) {
      asked = parts_of(*split, state_->schema, owner, Rows::asked);
      kept = parts_of(*split, state_->schema, owner, Rows::kept);
    }
    std::vector<std::byte> body = write_lookup(asked, kept, step, purpose, state_->format);
    state_->count_ids(all, asked.size() + kept.size(), body.size());
    state_->land_rows(pending, owner, asked);
    state_->post.send({mail::PeerIndex(owner), wire::MessageKind::lookup, pending.token, std::move(body)});
  }
  if (trains) state_->to_push.emplace(pending.token, ToPush{pending.awaited, pending.split});
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
  if (!oldest.split) return ReadyRows{.token = oldest.token, .rows = std::move(oldest.rows)};
  state_->reuse->complete(*oldest.split, oldest.rows);
  return ReadyRows{oldest.token, std::move(oldest.rows), oldest.split->missing};
}

std::optional<ReadyRows> RemoteSource::ready_in_any_order() {
  const auto complete = std::find_if(state_->lookups.begin(), state_->lookups.end(),
                                     [](const Pending& lookup) { return lookup.awaited.empty(); });
  if (complete == state_->lookups.end()) return std::nullopt;
  ReadyRows ready{.token = complete->token, .rows = std::move(complete->rows)};
  state_->lookups.erase(complete);
  return ready;
}

void RemoteSource::push(Token token, const LookupPlan& plan, Step step, std::vector<float> row_gradients) {
  push_for(state_->trainer, token, plan, step, row_gradients);
  state_->spare_rows = std::move(row_gradients);
}

void RemoteSource::push_for(std::int32_t trainer, Token token, const LookupPlan& plan, Step step,
                            std::span<const float> row_gradients) {
  const auto found = state_->to_push.find(token);
  expects(found != state_->to_push.end(), "push of an open token");
  const auto [owners, split] = std::move(found->second);
  state_->to_push.erase(found);
  for (const std::int32_t owner : owners) {
    const std::vector<OwnerPart> parts = state_->parts_of(plan, split.get(), owner, Rows::all);
    state_->count_values(parts, parts);
    state_->post.send({mail::PeerIndex(owner), wire::MessageKind::gradient, token,
                       state_->gradient_body(parts, step, trainer, row_gradients)});
  }
  if (!owners.empty()) state_->to_confirm.emplace(token, owners);
}

std::int32_t RemoteSource::open_tokens() const {
  return static_cast<std::int32_t>(state_->to_push.size() + state_->to_confirm.size());
}

WireBytes RemoteSource::wire_bytes() const {
  WireBytes bytes = state_->wire_bytes;
  bytes.dropped_residuals = state_->residuals.num_dropped();
  return bytes;
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
