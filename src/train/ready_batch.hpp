// The bodies of messages between workers and trainers (wire/records.hpp), written and read.
#pragma once

#include <cstddef>
#include <exception>
#include <span>
#include <string>
#include <vector>

#include "config/schema.hpp"
#include "data/batch.hpp"
#include "mail/post.hpp"
#include "train/flight.hpp"

namespace persia::train {

// `embedded` are the pooled rows, (num_samples, embedded_width).
[[nodiscard]] std::vector<std::byte> write_ready(const data::Batch& batch, std::span<const float> embedded,
                                                 const data::ReadCounts& counts);
// Fills the flight's batch (but for its ids) and pooled rows, returns the counts. Error, naming the worker,
// if sizes do not fit.
data::ReadCounts read_ready(const mail::Message& message, const config::Schema& schema, Flight& flight);

// The data end (`failure` null), or cannot be read.
[[nodiscard]] std::vector<std::byte> write_no_batch(const std::exception_ptr& failure,
                                                    const data::ReadCounts& counts);
// Sets the flight's `no_batch` or `error`.
data::ReadCounts read_no_batch(const mail::Message& message, Flight& flight);

// Pre: `message` lives as long as the result. Error, naming the trainer, unless it holds `count` values.
[[nodiscard]] std::span<const float> read_pooled(const mail::Message& message, std::size_t count);

}  // namespace persia::train
