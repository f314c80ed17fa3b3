// The bodies of messages between workers and trainers (wire/records.hpp), written and read.
#pragma once

#include <cstddef>
#include <exception>
#include <span>
#include <string>
#include <vector>

#include "config/schema.hpp"
#include "data/batch.hpp"
#include "embed/source.hpp"
#include "mail/post.hpp"
#include "train/flight.hpp"
#include "wire/values.hpp"

namespace persia::train {

// `embedded` are the pooled rows, (num_samples, embedded_width); they travel in `format`.
[[nodiscard]] std::vector<std::byte> write_ready(const data::Batch& batch, std::span<const float> embedded,
                                                 const data::ReadCounts& counts, wire::ValueFormat format);
// Of such a body without its header; `num_pooled` values are pooled rows.
[[nodiscard]] embed::WireBytes bytes_of_ready(std::span<const std::byte> body, std::size_t num_pooled,
                                              wire::ValueFormat format);
// Fills the flight's batch (but for its ids) and pooled rows, returns the counts. Error, naming the worker,
// if sizes do not fit.
data::ReadCounts read_ready(const mail::Message& message, const config::Schema& schema,
                            wire::ValueFormat format, Flight& flight);

// The data end (`failure` null), or cannot be read.
[[nodiscard]] std::vector<std::byte> write_no_batch(const std::exception_ptr& failure,
                                                    const data::ReadCounts& counts);
// Sets the flight's `no_batch` or `error`.
data::ReadCounts read_no_batch(const mail::Message& message, Flight& flight);

// Gradients of pooled rows.
[[nodiscard]] std::vector<std::byte> write_pooled(std::span<const float> gradients, wire::ValueFormat format);
// Error, naming the trainer, unless the message holds `count` values.
[[nodiscard]] std::vector<float> read_pooled(const mail::Message& message, std::size_t count,
                                             wire::ValueFormat format);

}  // namespace persia::train
