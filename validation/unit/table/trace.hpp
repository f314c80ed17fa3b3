// Traces of look-ups with the skew of real ids, and exact caches to compare a table with.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <list>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "base/strong.hpp"

namespace persia::table {

// Ids 0 .. num_ids - 1 with probability proportional to (id + 1)^-exponent, in batches of distinct ids.
class ZipfTrace {
 public:
  ZipfTrace(std::uint64_t num_ids, double exponent) {
    double sum = 0;
    for (std::uint64_t id = 0; id < num_ids; ++id)
      cumulative_.push_back(sum += std::pow(static_cast<double>(id + 1), -exponent));
  }

  // The ids of a batch in the order in which they were drawn, each once.
  [[nodiscard]] std::vector<FeatureId> batch(std::uint64_t number, std::uint64_t draws) const {
    std::vector<FeatureId> ids;
    std::set<std::uint64_t> seen;
    for (std::uint64_t k = 0; k < draws; ++k) {
      const double at = random_uniform(71, number, k) * cumulative_.back();
      const auto found = std::ranges::upper_bound(cumulative_, at);
      const auto id = static_cast<std::uint64_t>(found - cumulative_.begin());
      if (seen.insert(id).second) ids.emplace_back(id);
    }
    return ids;
  }

 private:
  std::vector<double> cumulative_;
};

class ExactLru {
 public:
  explicit ExactLru(std::size_t capacity) : capacity_(capacity) {}

  // Whether it was there.
  bool use(FeatureId id) {
    const auto found = places_.find(id);
    const bool hit = found != places_.end();
    if (hit) order_.erase(found->second);
    order_.push_front(id);
    places_[id] = order_.begin();
    if (places_.size() > capacity_) {
      places_.erase(order_.back());
      order_.pop_back();
    }
    return hit;
  }

 private:
  std::size_t capacity_;
  std::list<FeatureId> order_;
  std::unordered_map<FeatureId, std::list<FeatureId>::iterator> places_;
};

// The fewest uses since it came go first, of those the oldest.
class ExactLfu {
 public:
  explicit ExactLfu(std::size_t capacity) : capacity_(capacity) {}

  bool use(FeatureId id) {
    const auto found = keys_.find(id);
    const bool hit = found != keys_.end();
    Key key{1, ++now_, id};
    if (hit) {
      key.uses = found->second.uses + 1;
      order_.erase(found->second);
    } else if (order_.size() == capacity_) {
      keys_.erase(order_.begin()->id);
      order_.erase(order_.begin());
    }
    order_.insert(key);
    keys_[id] = key;
    return hit;
  }

 private:
  struct Key {
    std::int64_t uses;
    std::int64_t last_use;
    FeatureId id;
    auto operator<=>(const Key&) const = default;
  };
  std::size_t capacity_;
  std::int64_t now_ = 0;
  std::set<Key> order_;
  std::unordered_map<FeatureId, Key> keys_;
};

}  // namespace persia::table
