// Which ids get a row. The others answer zeros.
//
// probability: a pure function of (seed, table salt, id), so an id is in or out for good, on every rank and
// after every restart. sightings: an id's k-th look-up in training makes its row; the counts are saved with
// the rows. Not thread safe; different shards may be asked at the same time.
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.hpp"
#include "base/strong.hpp"
#include "config/run_file.hpp"
#include "table/place.hpp"
#include "table/sightings.hpp"

namespace persia::table {

class Admission {
 public:
  Admission(const config::Admission& rules, std::uint64_t seed, std::uint64_t salt)
      : policy_(rules.policy),
        drawn_from_all_(rules.probability >= 1),
        limit_(drawn_from_all_ ? 0 : static_cast<std::uint64_t>(rules.probability * 0x1p64)),
        key_(random_bits(seed, salt, kAdmissionStream)),
        wanted_(rules.sightings),
        seen_(rules.policy == config::AdmissionPolicy::sightings ? kInnerShards : 0) {}

  // Of an id without a row that training looks up.
  [[nodiscard]] bool admits(FeatureId id, std::uint64_t place) {
    switch (policy_) {
      case config::AdmissionPolicy::always:
        return true;
      case config::AdmissionPolicy::probability:
        return drawn_from_all_ || mix64(id.value() ^ key_) < limit_;
      case config::AdmissionPolicy::sightings:
        return seen_[shard_of(place)].see(place, wanted_);
    }
    return true;
  }

  // By inner shard; empty but for policy sightings.
  [[nodiscard]] std::vector<Sightings>& seen() { return seen_; }
  [[nodiscard]] const std::vector<Sightings>& seen() const { return seen_; }

 private:
  static constexpr std::uint64_t kAdmissionStream = 0x61646D6974;  // apart from the other streams of a table

  config::AdmissionPolicy policy_;
  bool drawn_from_all_;
  std::uint64_t limit_;
  std::uint64_t key_;
  std::int32_t wanted_;
  std::vector<Sightings> seen_;
};

}  // namespace persia::table
