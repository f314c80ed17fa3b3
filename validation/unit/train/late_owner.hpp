// An EmbeddingSource that shows how far a trainer runs ahead.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "embed/source.hpp"

namespace persia::train {

// Rows of zeros from an owner that confirms gradients as late as it can: only when the trainer may not start
// another lookup without it, or when `all_steps` gradients have come.
class LateOwner final : public embed::EmbeddingSource {
 public:
  LateOwner(std::int32_t max_open, std::int64_t all_steps) : max_open_(max_open), all_steps_(all_steps) {}

  Token start_lookup(const embed::LookupPlan& plan, Step step, table::Purpose purpose) override {
    const Token token(next_token_++);
    started.push_back(step.value());
    ready_.push_back({token, std::vector<float>(static_cast<std::size_t>(plan.num_floats))});
    if (purpose == table::Purpose::train) ++unpushed_;
    most_unpushed = std::max(most_unpushed, unpushed_);
    most_open = std::max(most_open, open_tokens());
    return token;
  }
  bool progress() override {
    const bool must = open_tokens() >= max_open_ || std::ssize(pushed) >= all_steps_;
    if (!must || unconfirmed_ == 0) return false;
    --unconfirmed_;
    return true;
  }
  std::optional<embed::ReadyRows> ready() override {
    if (ready_.empty() || silent) return std::nullopt;
    embed::ReadyRows oldest = std::move(ready_.front());
    ready_.pop_front();
    return oldest;
  }
  void push(Token, const embed::LookupPlan& plan, Step step, std::vector<float> row_gradients) override {
    EXPECT_EQ(std::ssize(row_gradients), plan.num_floats);
    pushed.push_back(step.value());
    --unpushed_;
    ++unconfirmed_;
  }
  [[nodiscard]] std::int32_t open_tokens() const override { return unpushed_ + unconfirmed_; }
  [[nodiscard]] std::string describe() const override { return "the state of the owner"; }

  bool silent = false;
  std::int32_t most_open = 0, most_unpushed = 0;
  std::vector<std::int64_t> started, pushed;  // steps

 private:
  std::int32_t max_open_;
  std::int64_t all_steps_;
  std::uint64_t next_token_ = 1;
  std::int32_t unpushed_ = 0, unconfirmed_ = 0;
  std::deque<embed::ReadyRows> ready_;
};

}  // namespace persia::train
