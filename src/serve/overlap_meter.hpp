// How many updates of other trainers land on a row between its look-up and its update: the staleness that
// training.staleness does not bound.
//
// Measured on every 256th row or so, chosen by place, so that it costs next to nothing. Not thread safe: the
// serve loop.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/strong.hpp"
#include "table/table.hpp"

namespace persia::serve {

class OverlapMeter {
 public:
  using TokenKey = std::pair<std::int32_t, Token>;  // client, token

  // `token` has looked up these rows of a table.
  void open(TokenKey token, std::size_t table, std::span<const table::Row> rows);
  // Its gradient, which is that trainer's, is applied to them. Pre: opened with the same rows.
  void apply(TokenKey token, std::int32_t trainer, std::size_t table, std::span<const table::Row> rows);
  // It is closed without one.
  void cancel(TokenKey token, std::size_t table, std::span<const table::Row> rows);

  // [updates of others]: how many row updates had so many; the last one so many or more.
  [[nodiscard]] const std::vector<std::int64_t>& histogram() const { return histogram_; }
  // Of the rows that are looked at, those that a token holds.
  [[nodiscard]] std::size_t num_watched() const { return watched_.size(); }

  [[nodiscard]] static bool is_sampled(std::size_t table, table::Row row);

 private:
  struct Watched {
    std::vector<std::int32_t> updates;                   // trainers, since the oldest of `open`
    std::vector<std::pair<TokenKey, std::size_t>> open;  // and how many updates there were at its look-up
  };
  static constexpr std::size_t kMostCounted = 255;

  // The token leaves the row; returns its number of updates at the look-up.
  std::size_t leave(Watched& watched, TokenKey token);
  void forget_old(std::uint64_t place, Watched& watched);

  std::unordered_map<std::uint64_t, Watched> watched_;  // by place
  std::vector<std::int64_t> histogram_;
};

}  // namespace persia::serve
