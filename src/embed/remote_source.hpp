// EmbeddingSource over owners behind mailboxes (mail/post.hpp): one lookup and one gradient message per owner
// and batch.
#pragma once

#include <memory>
#include <span>

#include "config/schema.hpp"
#include "embed/source.hpp"
#include "mail/post.hpp"
#include "wire/values.hpp"

namespace persia::embed {

enum class Audience {
  concerned_owners,  // only owners that hold an id of the batch get messages
  all_owners,        // sync mode: every owner counts every trainer's gradient of every step
};

// `post` belongs to a client and must outlive the source; `trainer` is the one whose gradients push() sends;
// of `mail`, `values` and `residual_rows` count here.
// `reuse_bound`: own updates that a row kept from a batch before may miss (row_reuse.hpp); 0: none is kept.
// Messages that are not answers to lookups and gradients (saved, report) are kept for take_other().
class RemoteSource final : public EmbeddingSource {
 public:
  RemoteSource(mail::Post& post, const config::Schema& schema, std::int32_t num_owners, Audience audience,
               std::int32_t trainer = 0, const config::Mail& mail = {}, std::int32_t reuse_bound = 0);
  ~RemoteSource() override;
  RemoteSource(const RemoteSource&) = delete;
  RemoteSource& operator=(const RemoteSource&) = delete;
  RemoteSource(RemoteSource&&) = delete;
  RemoteSource& operator=(RemoteSource&&) = delete;

  Token start_lookup(const LookupPlan& plan, Step step, table::Purpose purpose) override;
  bool progress() override;
  std::optional<ReadyRows> ready() override;
  void push(Token token, const LookupPlan& plan, Step step, std::vector<float> row_gradients) override;
  [[nodiscard]] std::int32_t open_tokens() const override;
  [[nodiscard]] std::string describe() const override;
  [[nodiscard]] WireBytes wire_bytes() const override;

  // A worker looks up for several trainers: the rows of any lookup that is complete, whatever was started
  // before it, and gradients that say whose they are.
  [[nodiscard]] std::optional<ReadyRows> ready_in_any_order();
  void push_for(std::int32_t trainer, Token token, const LookupPlan& plan, Step step,
                std::span<const float> row_gradients);
  // The token's gradient is not yet known to be applied by every owner.
  [[nodiscard]] bool is_open(Token token) const;

  // The next message of another kind.
  [[nodiscard]] std::optional<mail::Message> take_other();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace persia::embed
