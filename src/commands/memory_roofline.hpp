// What the memory of this machine gives to random row access, measured with nothing in the way: the bound
// that `persia bench table` compares the embedding table with.
//
// gather: a random line of an array as long as the table's index, and the values of a random record of a
// plain array, copied out as they are. rewrite: a random record whose values and state are read, changed by a
// gradient and written. Both run over the same order of records as the table does, each batch in equal parts
// for the threads of a team, with the best of several prefetch distances.
#pragma once

#include <cstdint>

#include "base/thread_team.hpp"
#include "commands/visit_order.hpp"
#include "table/pages.hpp"

namespace persia::commands {

class MemoryRoofline {
 public:
  // Record: 8 bytes of id, `value_bytes` (a multiple of 4), and what follows up to `row_bytes`.
  struct Shape {
    std::int64_t rows = 0;
    std::int32_t row_bytes = 0;
    std::int32_t value_bytes = 0;
    std::int64_t index_bytes = 0;
  };
  // The team outlives it.
  MemoryRoofline(const Shape& shape, ThreadTeam& team);

  // Rows per second over `order` (record numbers), batch by batch into one buffer.
  [[nodiscard]] double gather_rate(const VisitOrder& order) const;
  [[nodiscard]] double rewrite_rate(const VisitOrder& order);

 private:
  Shape shape_;
  ThreadTeam& team_;
  table::Pages rows_;
  table::Pages index_;
};

}  // namespace persia::commands
