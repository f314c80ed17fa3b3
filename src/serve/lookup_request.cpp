#include "serve/lookup_request.hpp"

#include <cstring>
#include <numeric>

#include "base/error.hpp"
#include "wire/records.hpp"

namespace persia::serve {

LookupRequest read_lookup(const mail::Message& message, std::size_t num_tables) {
  const std::span<const std::byte> body(message.body);
  wire::LookupHeader header;
  require(body.size() >= sizeof header, "client {} sent a lookup of {} bytes, too short for its header",
          message.peer.value(), body.size());
  std::memcpy(&header, body.data(), sizeof header);
  require(header.num_tables == num_tables, "client {} looks up {} tables, this owner has {}",
          message.peer.value(), header.num_tables, num_tables);

  const std::size_t padded_counts = num_tables + num_tables % 2;
  const std::size_t ids_begin = sizeof header + padded_counts * sizeof(std::uint32_t);
  require(body.size() >= ids_begin, "client {} sent a lookup of {} bytes, too short for its counts",
          message.peer.value(), body.size());
  std::vector<std::uint32_t> counts(num_tables);
  if (num_tables > 0)
    std::memcpy(counts.data(), body.data() + sizeof header, num_tables * sizeof(std::uint32_t));
  const std::size_t total = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
  require(body.size() == ids_begin + total * sizeof(FeatureId),
          "client {} sent a lookup of {} bytes whose counts add up to {} ids", message.peer.value(),
          body.size(), total);

  LookupRequest request{.step = Step(header.step),
                        .purpose = header.purpose == 0 ? table::Purpose::train : table::Purpose::evaluate,
                        .ids = {}};
  // The body comes from operator new and ids start at a multiple of 8, so they are aligned.
  const auto* ids = reinterpret_cast<const FeatureId*>(body.data() + ids_begin);
  for (const std::uint32_t count : counts) {
    request.ids.emplace_back(ids, count);
    ids += count;
  }
  return request;
}

GradientMessage read_gradient(const mail::Message& message) {
  const std::span<const std::byte> body(message.body);
  wire::GradientHeader header;
  require(body.size() >= sizeof header && (body.size() - sizeof header) % sizeof(float) == 0,
          "client {} sent a gradient of {} bytes, which is no header and whole floats", message.peer.value(),
          body.size());
  std::memcpy(&header, body.data(), sizeof header);
  const auto* values = reinterpret_cast<const float*>(body.data() + sizeof header);
  return {Step(header.step), header.trainer, {values, (body.size() - sizeof header) / sizeof(float)}};
}

}  // namespace persia::serve
