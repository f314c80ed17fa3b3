#include "embed/local_source.hpp"

#include <deque>
#include <map>
#include <utility>

#include "base/error.hpp"
#include "table/open_steps.hpp"

namespace persia::embed {

namespace {

class LocalSource final : public EmbeddingSource {
 public:
  explicit LocalSource(std::span<const std::unique_ptr<table::Table>> tables) : tables_(tables) {}

  Token start_lookup(const LookupPlan& plan, Step step, table::Purpose purpose) override {
    const Token token(next_token_++);
    ReadyRows ready{token, std::vector<float>(static_cast<std::size_t>(plan.num_floats))};
    TokenRows rows(tables_.size());
    const table::Moment now = open_steps_.moment_of(step);
    for (std::size_t t = 0; t < tables_.size(); ++t) {
      const std::vector<FeatureId>& ids = plan.tables[t].ids;
      rows[t].resize(ids.size());
      tables_[t]->lookup(ids, purpose, floats_of(plan, t, ready.rows), rows[t], now);
    }
    if (purpose == table::Purpose::train) {
      open_.emplace(token, std::move(rows));
      open_steps_.open(step);
    }
    ready_.push_back(std::move(ready));
    return token;
  }

  bool progress() override { return false; }

  std::optional<ReadyRows> ready() override {
    if (ready_.empty()) return std::nullopt;
    ReadyRows oldest = std::move(ready_.front());
    ready_.pop_front();
    return oldest;
  }

  void push(Token token, const LookupPlan& plan, Step step, std::vector<float> row_gradients) override {
    const auto found = open_.find(token);
    expects(found != open_.end(), "push of an open token");
    for (std::size_t t = 0; t < tables_.size(); ++t)
      tables_[t]->update(found->second[t], floats_of(plan, t, row_gradients), step);
    open_.erase(found);
    open_steps_.close(step);
  }

  [[nodiscard]] std::int32_t open_tokens() const override { return static_cast<std::int32_t>(open_.size()); }
  [[nodiscard]] std::string describe() const override { return "tables of this process"; }

 private:
  using TokenRows = std::vector<std::vector<table::Row>>;  // by table

  [[nodiscard]] std::span<float> floats_of(const LookupPlan& plan, std::size_t t,
                                           std::vector<float>& buffer) const {
    const std::size_t count =
        plan.tables[t].ids.size() * static_cast<std::size_t>(tables_[t]->schema().table.dim);
    return std::span(buffer).subspan(static_cast<std::size_t>(plan.row_begin[t]), count);
  }

  std::span<const std::unique_ptr<table::Table>> tables_;
  std::uint64_t next_token_ = 1;
  std::map<Token, TokenRows> open_;
  table::OpenSteps open_steps_;
  std::deque<ReadyRows> ready_;
};

}  // namespace

std::unique_ptr<EmbeddingSource> make_local_source(std::span<const std::unique_ptr<table::Table>> tables) {
  return std::make_unique<LocalSource>(tables);
}

}  // namespace persia::embed
