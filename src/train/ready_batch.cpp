#include "train/ready_batch.hpp"

#include <cstring>

#include "base/cast.hpp"
#include "base/error.hpp"
#include "wire/records.hpp"

namespace persia::train {

namespace {

wire::ReadCounts to_wire(const data::ReadCounts& counts) {
  return {
      counts.rows,   counts.skipped_rows, counts.blank_dense, counts.blank_categories, counts.truncated_lists,
      counts.bad_ids};
}

data::ReadCounts from_wire(const wire::ReadCounts& counts) {
  return {
      counts.rows,   counts.skipped_rows, counts.blank_dense, counts.blank_categories, counts.truncated_lists,
      counts.bad_ids};
}

template <class T>
void append(std::vector<std::byte>& body, std::span<const T> values) {
  const std::size_t at = body.size();
  body.resize(at + values.size_bytes());
  if (!values.empty()) std::memcpy(body.data() + at, values.data(), values.size_bytes());
}

// Pooled rows have no rows of a table: no format that treats rows one by one is used for them.
wire::Block block_of(std::size_t num_values) {
  return {.num_rows = num_values, .dim = 1};
}

// Values as one block at the end of a body.
void append_block(std::vector<std::byte>& body, std::span<const float> values, wire::ValueFormat format) {
  const std::size_t at = body.size();
  body.resize(at + wire::encoded_bytes(format, block_of(values.size())));
  wire::encode_values(format, 1, values, body.data() + at);
}

// Takes values from the front of a body, and never more than it holds.
class Reader {
 public:
  explicit Reader(const mail::Message& message) : message_(message), rest_(message.body) {}

  template <class T>
  T take() {
    T value;
    copy(&value, sizeof value);
    return value;
  }
  template <class T>
  void take(std::vector<T>& values, std::size_t count) {
    require_rest(count * sizeof(T));
    values.resize(count);
    copy(values.data(), count * sizeof(T));
  }
  void take_block(std::vector<float>& values, std::size_t count, wire::ValueFormat format) {
    const std::size_t bytes = wire::encoded_bytes(format, block_of(count));
    require_rest(bytes);
    values.resize(count);
    wire::decode_values(format, 1, rest_.data(), values);
    rest_ = rest_.subspan(bytes);
  }
  [[nodiscard]] std::span<const std::byte> rest() const { return rest_; }

 private:
  void require_rest(std::size_t bytes) const {
    require(bytes <= rest_.size(), "worker {} sent a {} message of {} bytes, too short",
            message_.peer.value(), wire::name_of(message_.kind), message_.body.size());
  }
  void copy(void* to, std::size_t bytes) {
    require_rest(bytes);
    if (bytes > 0) std::memcpy(to, rest_.data(), bytes);
    rest_ = rest_.subspan(bytes);
  }

  const mail::Message& message_;
  std::span<const std::byte> rest_;
};

}  // namespace

std::vector<std::byte> write_ready(const data::Batch& batch, std::span<const float> embedded,
                                   const data::ReadCounts& counts, wire::ValueFormat format) {
  const auto samples = checked_cast<std::uint32_t>(batch.num_samples);
  const auto per_sample = [&](std::size_t values) {
    return samples == 0 ? 0U : checked_cast<std::uint32_t>(values / samples);
  };
  const wire::ReadyHeader header{.epoch = batch.epoch,
                                 .batch_in_epoch = batch.batch_in_epoch,
                                 .global_rows = batch.global_rows,
                                 .num_samples = samples,
                                 .num_labels = checked_cast<std::uint32_t>(batch.labels.size()),
                                 .num_dense = per_sample(batch.dense.size()),
                                 .width = per_sample(embedded.size()),
                                 .counts = to_wire(counts)};
  std::vector<std::byte> body;
  body.reserve(sizeof header + batch.row_numbers.size() * sizeof(std::int64_t) +
               (batch.labels.size() + batch.dense.size()) * sizeof(float) +
               wire::encoded_bytes(format, block_of(embedded.size())));
  append(body, std::span(&header, 1));
  append(body, std::span(batch.row_numbers));
  append(body, std::span(batch.labels));
  append(body, std::span(batch.dense));
  append_block(body, embedded, format);
  return body;
}

embed::WireBytes bytes_of_ready(std::span<const std::byte> body, std::size_t num_pooled,
                                wire::ValueFormat format) {
  const std::size_t sent = body.size() - sizeof(wire::ReadyHeader);
  const std::size_t raw =
      sent - wire::encoded_bytes(format, block_of(num_pooled)) + num_pooled * sizeof(float);
  return {.raw = static_cast<std::int64_t>(raw), .sent = static_cast<std::int64_t>(sent)};
}

data::ReadCounts read_ready(const mail::Message& message, const config::Schema& schema,
                            wire::ValueFormat format, Flight& flight) {
  Reader reader(message);
  const auto header = reader.take<wire::ReadyHeader>();
  const std::size_t samples = header.num_samples;
  const auto width = static_cast<std::size_t>(schema.embedded_width);
  require(
      samples == 0 || header.width == width,
      "worker {} sent pooled rows of width {} where the network takes {}; the ranks run different versions",
      message.peer.value(), header.width, width);
  data::Batch& batch = flight.input.batch;
  batch.epoch = header.epoch;
  batch.batch_in_epoch = header.batch_in_epoch;
  batch.global_rows = header.global_rows;
  batch.num_samples = checked_cast<std::int32_t>(samples);
  reader.take(batch.row_numbers, samples);
  reader.take(batch.labels, header.num_labels);
  reader.take(batch.dense, samples * header.num_dense);
  reader.take_block(flight.embedded, samples * width, format);
  require(reader.rest().empty(), "worker {} sent a ready batch with {} bytes too many", message.peer.value(),
          reader.rest().size());
  flight.comes_pooled = true;
  return from_wire(header.counts);
}

std::vector<std::byte> write_no_batch(const std::exception_ptr& failure, const data::ReadCounts& counts) {
  wire::NoBatchHeader header{.counts = to_wire(counts)};
  std::string text;
  try {
    if (failure) std::rethrow_exception(failure);
  } catch (const Error& error) {
    header.exit_code = error.exit_code();
    text = error.what();
  } catch (const std::exception& error) {
    header.exit_code = 1;
    text = error.what();
  }
  std::vector<std::byte> body;
  append(body, std::span<const wire::NoBatchHeader>(&header, 1));
  append(body, std::span<const char>(text));
  return body;
}

data::ReadCounts read_no_batch(const mail::Message& message, Flight& flight) {
  Reader reader(message);
  const auto header = reader.take<wire::NoBatchHeader>();
  const std::string text(reinterpret_cast<const char*>(reader.rest().data()), reader.rest().size());
  if (header.exit_code == 0)
    flight.no_batch = true;
  else if (header.exit_code == 2)
    flight.error = std::make_exception_ptr(UserError(text));
  else
    flight.error = std::make_exception_ptr(Error(text));
  return from_wire(header.counts);
}

std::vector<std::byte> write_pooled(std::span<const float> gradients, wire::ValueFormat format) {
  std::vector<std::byte> body;
  append_block(body, gradients, format);
  return body;
}

std::vector<float> read_pooled(const mail::Message& message, std::size_t count, wire::ValueFormat format) {
  require(message.body.size() == wire::encoded_bytes(format, block_of(count)),
          "trainer {} sent {} bytes of gradients for token {}, its batch has {} values", message.peer.value(),
          message.body.size(), message.token.value(), count);
  std::vector<float> gradients(count);
  wire::decode_values(format, 1, message.body.data(), gradients);
  return gradients;
}

}  // namespace persia::train
