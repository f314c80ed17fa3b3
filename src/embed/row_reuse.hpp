// Rows that a batch shares with the one before it need not be sent again: hot ids, kept at the client
// (training.reuse_steps).
//
// A row is used again as long as the own updates that it misses are within the bound: those that were under
// way when it was sent, and one more for each batch since. Its gradient goes to the owner as always. Batches
// are split in the order in which their look-ups start, and completed in the same order, each after all
// before it. Not thread safe: the communication thread.
#pragma once

#include <cstdint>
#include <vector>

#include "base/strong.hpp"
#include "config/schema.hpp"
#include "embed/owner_part.hpp"
#include "embed/plan.hpp"

namespace persia::embed {

// A batch's rows of one table and owner: those that are asked for, ascending, then those that are kept.
struct RowShare {
  std::vector<FeatureId> ids;
  std::size_t num_asked = 0;
  std::vector<Run> runs;  // where their rows lie
  std::size_t num_asked_runs = 0;
};

struct RowSplit {
  struct Copy {
    std::size_t to = 0;    // first float in this batch's row buffer
    std::size_t from = 0;  // in that of the batch before
    std::size_t count = 0;
  };
  std::vector<RowShare> shares;  // (owners, tables)
  std::vector<Copy> copies;
  std::int32_t missing = 0;  // the most own updates that a row of the batch misses
};

// By TableIndex, what one owner holds of a batch; they point into `split`.
enum class Rows { asked, kept, all };
[[nodiscard]] std::vector<OwnerPart> parts_of(const RowSplit& split, const config::Schema& schema,
                                              std::int32_t owner, Rows which);

class RowReuse {
 public:
  // `bound`: own updates that a row may miss.
  RowReuse(const config::Schema& schema, std::int32_t num_owners, std::int32_t bound);

  // The next batch, whose look-up starts while `missing` own updates are under way.
  [[nodiscard]] RowSplit split(const LookupPlan& plan, std::int32_t missing);
  // The rows that were asked for are in `rows`: adds those that were kept.
  void complete(const RowSplit& split, std::vector<float>& rows);

 private:
  struct Last {  // of the last batch, one table and owner
    std::vector<FeatureId> ids;
    std::vector<std::int32_t> missing;
    std::size_t first = 0;  // float
  };

  // `place`: in split.shares and last_.
  void split_share(const OwnerPart& part, std::size_t place, std::int32_t missing, RowSplit& split);

  const config::Schema& schema_;
  std::size_t num_owners_;
  std::int32_t bound_;
  std::vector<Last> last_;        // (owners, tables)
  std::vector<float> last_rows_;  // of the batch that was completed last
};

}  // namespace persia::embed
