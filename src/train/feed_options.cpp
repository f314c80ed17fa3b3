#include "train/feed_options.hpp"

namespace persia::train {

FeedOptions feed_options(const Setting& setting, table::Purpose purpose, const data::Position& start,
                         std::int32_t trainer) {
  const config::RunFile& run = setting.run;
  const bool training = purpose == table::Purpose::train;
  return {.source = {.files = training ? setting.train_files : setting.test_files,
                     .slice = {.index = trainer, .count = setting.teams.num_trainers},
                     .batch_size = run.training.batch_size,
                     .shuffle = training && run.data.shuffle,
                     .seed = run.seed,
                     .start = training ? start : data::Position{},
                     .statistics = setting.survey.statistics},
          .end_epoch = training ? run.training.epochs : 1,
          .num_owners = setting.teams.num_owners};
}

}  // namespace persia::train
