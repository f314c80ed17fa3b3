// The mail of a job.
#pragma once

#include <memory>

#include "mail/post.hpp"
#include "train/setting.hpp"

namespace persia::train {

struct Posts {
  // Owners serve trainers; or workers, and trainer 0, which alone saves and asks for statistics.
  std::unique_ptr<mail::Post> owners;
  std::unique_ptr<mail::Post> workers;  // workers serve trainers; null without workers, and at owners

  // Collective over the world: that of the workers first, since owners wait for what workers still have to
  // say.
  void close() const;
};

// How many clients owners have.
[[nodiscard]] std::int32_t num_clients_of_owners(const roles::Teams& teams);

// Opens the mail between the owners and their clients, and between workers and trainers. Collective over the
// world; fails on all ranks or none.
[[nodiscard]] Posts open_posts(const Setting& setting);

}  // namespace persia::train
