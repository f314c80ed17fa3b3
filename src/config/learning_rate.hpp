// The learning rate of a step: what an optimizer's schedule makes of its learning_rate.
//
// With w warm_up_steps and lr the learning_rate, steps counted from 0 over the whole training:
//
//   step s < w    lr (s + 1) / w, which is lr at s = w - 1
//   later         lr times a share, with t = s - w steps since the warm-up:
//     constant    1
//     step        factor^floor(t / every_steps)
//     polynomial  end + (1 - end) (1 - x)^power        x = min(1, t / decay_steps)
//     cosine      end + (1 - end) (1 + cos(pi x)) / 2
//
// So all types begin at lr and after the warm-up, and stay at lr end from t = decay_steps on.
#pragma once

#include "base/strong.hpp"
#include "config/run_file.hpp"

namespace persia::config {

// A pure function, so that a resumed training goes on with the same rates. Constant without a warm-up: the
// learning_rate itself, bit by bit. Pre: the schedule passed validate(), step >= 0.
[[nodiscard]] double rate_at(const Optimizer& optimizer, Step step);

}  // namespace persia::config
