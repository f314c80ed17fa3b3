#include "train/read_totals.hpp"

#include <array>

#include "base/error.hpp"
#include "roles/agree.hpp"

namespace persia::train {

data::ReadCounts sum_over(const sys::Communicator& trainers, const data::ReadCounts& own) {
  std::array<std::int64_t, 6> sums{
      own.rows, own.skipped_rows, own.blank_dense, own.blank_categories, own.truncated_lists, own.bad_ids};
  trainers.sum(sums);
  return {.rows = sums[0],
          .skipped_rows = sums[1],
          .blank_dense = sums[2],
          .blank_categories = sums[3],
          .truncated_lists = sums[4],
          .bad_ids = sums[5]};
}

void require_rows(const Setting& setting, const data::ReadCounts& own) {
  const sys::Communicator& trainers = setting.teams.trainers;
  const data::ReadCounts all = sum_over(trainers, own);
  roles::agree(trainers, [&] {
    require_user(
        all.rows > 0 || setting.start,
        "the training data hold no usable row ({} were skipped); look at data.train and data.on_bad_row",
        all.skipped_rows);
  });
}

}  // namespace persia::train
