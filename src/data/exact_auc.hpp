// AUC by sorting: P(score of a positive > score of a negative) + half of the ties.
#pragma once

#include <vector>

namespace persia::data {

// Sorts both. Not a number if one class is empty.
[[nodiscard]] double exact_auc(std::vector<float>& positives, std::vector<float>& negatives);

}  // namespace persia::data
