// Where a trainer's rows come from and its row gradients go: tables in this process, or owners behind
// mailboxes.
//
// Every training lookup opens a token that push() closes. Tokens are answered in any order across
// owners but ready() gives batches in the order they were started. Only the communication thread calls it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/strong.hpp"
#include "embed/plan.hpp"
#include "table/table.hpp"

namespace persia::embed {

struct ReadyRows {
  Token token;
  std::vector<float> rows;   // (plan.num_floats)
  std::int32_t missing = 0;  // own updates that some row misses because it was kept from a batch before
};

// Ids and values of a rank's lookups, rows and gradients since the start: as ids of 8 bytes and fp32 values,
// and as they travelled. Headers do not count.
struct WireBytes {
  std::int64_t raw = 0;
  std::int64_t sent = 0;
  std::int64_t dropped_residuals =
      0;  // rows of which int8 left something that never travelled (residuals.hpp)

  WireBytes& operator+=(const WireBytes& other) {
    raw += other.raw;
    sent += other.sent;
    dropped_residuals += other.dropped_residuals;
    return *this;
  }
};

class EmbeddingSource {
 public:
  virtual ~EmbeddingSource() = default;
  // Starts the lookup of a batch's plan; the plan must live until its rows are ready and, when training,
  // until push returns.
  virtual Token start_lookup(const LookupPlan& plan, Step step, table::Purpose purpose) = 0;
  // Moves messages. True if anything happened.
  virtual bool progress() = 0;
  // The oldest lookup whose rows are complete, in start order.
  virtual std::optional<ReadyRows> ready() = 0;
  // Closes the token with its gradients (plan.num_floats). Never waits.
  virtual void push(Token token, const LookupPlan& plan, Step step, std::vector<float> row_gradients) = 0;
  // Training tokens started whose gradient is not yet known to be applied by every owner.
  [[nodiscard]] virtual std::int32_t open_tokens() const = 0;
  [[nodiscard]] virtual WireBytes wire_bytes() const { return {}; }
  // For messages about a stuck job.
  [[nodiscard]] virtual std::string describe() const = 0;
};

}  // namespace persia::embed
