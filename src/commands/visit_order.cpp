#include "commands/visit_order.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/random.hpp"

namespace persia::commands {

namespace {

// Draws ranks 1 .. count with probability proportional to rank^-exponent, without a table:
// rejection-inversion (Hörmann, Derflinger, "Rejection-inversion to generate variates from monotone discrete
// distributions", ACM TOMACS 6 (1996), 169-184).
class ZipfRanks {
 public:
  ZipfRanks(std::int64_t count, double exponent)
      : count_(static_cast<double>(count)),
        exponent_(exponent),
        lowest_(integral(1.5) - 1),
        highest_(integral(count_ + 0.5)),
        near_(2 - inverse_integral(integral(2.5) - weight(2))) {}

  // Takes as many random numbers from `counter` on as it needs.
  [[nodiscard]] std::int64_t draw(std::uint64_t& counter) const {
    for (;;) {
      const double area = highest_ + random_uniform(2, 0, counter++) * (lowest_ - highest_);
      const double x = inverse_integral(area);
      const double rank = std::clamp(std::floor(x + 0.5), 1.0, count_);
      if (rank - x <= near_ || area >= integral(rank + 0.5) - weight(rank))
        return static_cast<std::int64_t>(rank);
    }
  }

 private:
  [[nodiscard]] double weight(double x) const { return std::pow(x, -exponent_); }
  [[nodiscard]] double integral(double x) const { return (std::pow(x, 1 - exponent_) - 1) / (1 - exponent_); }
  [[nodiscard]] double inverse_integral(double area) const {
    return std::pow(1 + area * (1 - exponent_), 1 / (1 - exponent_));
  }

  double count_;
  double exponent_;
  double lowest_;
  double highest_;
  double near_;
};

}  // namespace

VisitOrder arrival_order(std::int64_t rows) {
  VisitOrder order;
  order.rows.resize(static_cast<std::size_t>(rows));
  std::iota(order.rows.begin(), order.rows.end(), 0U);
  for (std::size_t end = 0; end < order.rows.size();)
    order.batch_ends.push_back(end = std::min(end + kBatchRows, order.rows.size()));
  return order;
}

VisitOrder uniform_order(std::int64_t rows) {
  VisitOrder order = arrival_order(rows);
  for (std::size_t i = order.rows.size(); i > 1; --i)
    std::swap(order.rows[i - 1], order.rows[random_below(1, 0, i, i)]);
  return order;
}

VisitOrder zipf_order(std::span<const std::uint32_t> popularity, double exponent) {
  const ZipfRanks ranks(static_cast<std::int64_t>(popularity.size()), exponent);
  VisitOrder order;
  std::vector<std::uint32_t> last_batch(popularity.size(), 0);  // by rank, counted from 1
  std::uint64_t counter = 0;
  for (std::size_t draw = 0; draw < popularity.size(); ++draw) {
    const auto rank = static_cast<std::size_t>(ranks.draw(counter) - 1);
    const auto batch = static_cast<std::uint32_t>(draw / kBatchRows + 1);
    if (std::exchange(last_batch[rank], batch) != batch) order.rows.push_back(popularity[rank]);
    if ((draw + 1) % kBatchRows == 0 || draw + 1 == popularity.size())
      order.batch_ends.push_back(order.rows.size());
  }
  return order;
}

}  // namespace persia::commands
