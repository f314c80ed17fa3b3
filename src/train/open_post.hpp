// The mail of this job, made by all ranks together: owners on one side, trainers on the other.
#pragma once

#include <memory>

#include "mail/post.hpp"
#include "train/setting.hpp"

namespace persia::train {

// Collective over the world. If the mailboxes cannot be made, all ranks stop together with one message
// (roles::StoppedTogether).
[[nodiscard]] std::unique_ptr<mail::Post> open_post(const Setting& setting);

}  // namespace persia::train
