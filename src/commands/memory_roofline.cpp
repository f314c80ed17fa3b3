#include "commands/memory_roofline.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <span>
#include <vector>

#include "base/hash.hpp"
#include "commands/processor_clock.hpp"

namespace persia::commands {

namespace {

constexpr std::array<std::size_t, 4> kDistances{8, 16, 32, 64};
constexpr std::size_t kLine = 64;

table::Pages touched_pages(std::size_t bytes) {
  table::Pages pages(bytes);
  table::prefer_huge_pages(pages.data(), pages.bytes());
  std::memset(pages.data(), 1, pages.bytes());
  return pages;
}

void prefetch(const std::byte* begin, std::size_t bytes) {
  for (std::size_t at = 0; at < bytes; at += kLine) __builtin_prefetch(begin + at);
  __builtin_prefetch(begin + bytes - 1);
}

using RowNumbers = std::span<const std::uint32_t>;

// The best rate over the prefetch distances. run(rows, first, distance) works on a part of one batch, which
// begins at its row `first`.
template <class Run>
double best_rate(const VisitOrder& order, ThreadTeam& team, const Run& run) {
  const auto num_parts = static_cast<std::size_t>(team.size());
  double best = 0;
  for (const std::size_t distance : kDistances) {
    const TeamStopwatch watch(team.size());
    order.for_each_batch([&](std::size_t begin, std::size_t size) {
      team.run([&](std::int32_t k) {
        const Part part = part_of(size, static_cast<std::size_t>(k), num_parts);
        run(std::span(order.rows).subspan(begin + part.first, part.size), part.first, distance);
      });
    });
    best = std::max(best, static_cast<double>(order.rows.size()) / watch.seconds());
  }
  return best;
}

}  // namespace

MemoryRoofline::MemoryRoofline(const Shape& shape, ThreadTeam& team)
    : shape_(shape),
      team_(team),
      rows_(touched_pages(static_cast<std::size_t>(shape.rows) * static_cast<std::size_t>(shape.row_bytes))),
      index_(touched_pages(static_cast<std::size_t>(shape.index_bytes))) {}

double MemoryRoofline::gather_rate(const VisitOrder& order) const {
  const auto row_bytes = static_cast<std::size_t>(shape_.row_bytes);
  const auto value_bytes = static_cast<std::size_t>(shape_.value_bytes);
  const std::size_t num_lines = index_.bytes() / kLine;
  const auto line_of = [&](std::uint32_t row) {
    return index_.data() + ((mix64(row) >> 32) * num_lines >> 32) * kLine;
  };
  const auto record = [&](std::uint32_t row) { return rows_.data() + row * row_bytes; };
  std::vector<std::byte> out(kBatchRows * value_bytes);
  std::atomic<std::uint64_t> sink = 0;
  return best_rate(order, team_, [&](RowNumbers rows, std::size_t first, std::size_t distance) {
    std::uint64_t sum = 0;
    std::byte* const values = out.data() + first * value_bytes;
    for (std::size_t i = 0; i < rows.size() + distance; ++i) {
      if (i < rows.size()) {
        __builtin_prefetch(line_of(rows[i]));
        prefetch(record(rows[i]), 8 + value_bytes);
      }
      if (i < distance) continue;
      const std::size_t now = i - distance;
      std::uint64_t word, id;
      std::memcpy(&word, line_of(rows[now]), sizeof word);
      std::memcpy(&id, record(rows[now]), sizeof id);
      sum += word ^ id;
      std::memcpy(values + now * value_bytes, record(rows[now]) + 8, value_bytes);
    }
    sink += sum;
  });
}

double MemoryRoofline::rewrite_rate(const VisitOrder& order) {
  const auto row_bytes = static_cast<std::size_t>(shape_.row_bytes);
  const std::size_t num_words = row_bytes / 4 - 2;  // all but the id
  const std::vector<std::uint32_t> gradients(kBatchRows * num_words, 1);
  return best_rate(order, team_, [&](RowNumbers rows, std::size_t first, std::size_t distance) {
    for (std::size_t i = 0; i < rows.size() + distance; ++i) {
      if (i < rows.size()) prefetch(rows_.data() + rows[i] * row_bytes, row_bytes);
      if (i < distance) continue;
      const std::size_t now = i - distance;
      auto* __restrict words = reinterpret_cast<std::uint32_t*>(rows_.data() + rows[now] * row_bytes + 8);
      const std::uint32_t* __restrict gradient = gradients.data() + (first + now) * num_words;
      for (std::size_t w = 0; w < num_words; ++w) words[w] += gradient[w];
    }
  });
}

}  // namespace persia::commands
