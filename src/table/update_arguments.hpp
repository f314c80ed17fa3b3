// The arguments of one table's updates, as floats ready for the row loops.
//
// The update count of a row is a whole number kept as float state. It runs to 2^24 and from there on from
// 2^23 again, where bias corrections have long been 1 and it does not matter that rounding bits of 2^23
// updates before come back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "config/run_file.hpp"

namespace persia::table {

// 1 / (1 - beta1^t) and 1 / (1 - beta2^t).
struct BiasCorrection {
  float first = 1;
  float second = 1;
};

// What the adams multiply by after t updates: a table for the counts that matter, computed beyond it.
class BiasCorrections {
 public:
  BiasCorrections() = default;
  BiasCorrections(double beta1, double beta2);
  // Pre: count >= 1.
  [[nodiscard]] BiasCorrection at(float count) const {
    const auto place = static_cast<std::size_t>(count) - 1;
    return place < first_.size() ? first_[place] : beyond(count);
  }

 private:
  [[nodiscard]] BiasCorrection beyond(float count) const;

  double beta1_ = 0;
  double beta2_ = 0;
  std::vector<BiasCorrection> first_;  // by count - 1
};

struct UpdateArguments {
  float learning_rate = 0;  // of step 0; every update sets that of its step
  float momentum = 0;
  float accumulator_decay = 1;
  float epsilon = 0;
  float beta1 = 0;
  float beta2 = 0;
  float one_minus_beta1 = 0;  // from the doubles: 1 - 0.999F has lost four digits
  float one_minus_beta2 = 0;
  float beta = 0;
  float l1 = 0;
  float l2 = 0;
  float weight_decay = 0;
  bool clips = false;  // one of the two below is finite
  float clip_value = std::numeric_limits<float>::infinity();
  float clip_norm = std::numeric_limits<float>::infinity();
  float weight_bound = std::numeric_limits<float>::infinity();  // a number of the table's precision
  BiasCorrections corrections;                                  // of rules that count updates
};

[[nodiscard]] UpdateArguments make_update_arguments(const config::Table& table);

[[nodiscard]] constexpr float next_count(float count) {
  return count + 1.0F < 0x1.0p24F ? count + 1.0F : 0x1.0p23F;
}

}  // namespace persia::table
