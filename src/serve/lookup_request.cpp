#include "serve/lookup_request.hpp"

#include <cstring>

#include "base/error.hpp"
#include "wire/ids.hpp"
#include "wire/records.hpp"

namespace persia::serve {

namespace {

// Takes bodies apart from the front.
class Reader {
 public:
  Reader(const mail::Message& message, const char* what)
      : message_(message), what_(what), rest_(message.body) {}

  template <class T>
  std::vector<T> take(std::size_t count) {
    std::vector<T> values(count);
    const std::span<const std::byte> bytes = take_bytes(count * sizeof(T));
    if (count > 0) std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }
  std::span<const std::byte> take_bytes(std::size_t count) {
    require(count <= rest_.size(), "client {} sent a {} of {} bytes, which ends too early",
            message_.peer.value(), what_, message_.body.size());
    const std::span<const std::byte> taken = rest_.first(count);
    rest_ = rest_.subspan(count);
    return taken;
  }
  void end() const {
    require(rest_.empty(), "client {} sent a {} of {} bytes, {} more than it says", message_.peer.value(),
            what_, message_.body.size(), rest_.size());
  }

 private:
  const mail::Message& message_;
  const char* what_;
  std::span<const std::byte> rest_;
};

void check_format(const mail::Message& message, wire::ValueFormat format) {
  require(static_cast<std::uint16_t>(format) < wire::kNumValueFormats,
          "client {} asks for values of format {}", message.peer.value(), static_cast<std::uint16_t>(format));
}

// The ids of all groups, in order: those of each table, and again where the client keeps rows.
void read_ids(Reader& reader, const mail::Message& message, std::span<const std::uint32_t> counts,
              std::span<const std::uint32_t> bytes, std::size_t num_tables, LookupRequest& request) {
  std::size_t num_packed = 0;
  for (std::size_t t = 0; t < counts.size(); ++t) {
    // So that no count can ask for more memory than the message has bytes.
    require(bytes[t] >= counts[t], "client {} sent {} ids of a table in {} bytes", message.peer.value(),
            counts[t], bytes[t]);
    if (bytes[t] != 8 * std::size_t{counts[t]}) num_packed += counts[t];
  }
  request.unpacked.resize(num_packed);
  std::span<FeatureId> room(request.unpacked);
  for (std::size_t t = 0; t < counts.size(); ++t) {
    auto& groups = t < num_tables ? request.ids : request.kept;
    const std::span<const std::byte> ids = reader.take_bytes((std::size_t{bytes[t]} + 7) / 8 * 8);
    if (bytes[t] == 8 * std::size_t{counts[t]}) {
      // The body comes from operator new and every table's ids start at a multiple of 8, so they are aligned.
      groups.emplace_back(reinterpret_cast<const FeatureId*>(ids.data()), counts[t]);
      continue;
    }
    const std::span<FeatureId> unpacked = room.first(counts[t]);
    room = room.subspan(counts[t]);
    require(wire::unpack_ids(ids.first(bytes[t]), unpacked),
            "client {} sent {} packed bytes that are not {} ascending ids", message.peer.value(), bytes[t],
            counts[t]);
    groups.emplace_back(unpacked);
  }
}

}  // namespace

LookupRequest read_lookup(const mail::Message& message, std::size_t num_tables) {
  Reader reader(message, "lookup");
  const wire::LookupHeader header = reader.take<wire::LookupHeader>(1).front();
  require(header.num_tables == num_tables, "client {} looks up {} tables, this owner has {}",
          message.peer.value(), header.num_tables, num_tables);
  check_format(message, header.values);
  require(header.purpose <= wire::LookupPurpose::train_some_kept, "client {} looks up for purpose {}",
          message.peer.value(), static_cast<std::uint16_t>(header.purpose));
  const bool some_kept = header.purpose == wire::LookupPurpose::train_some_kept;
  const std::size_t num_groups = num_tables * (some_kept ? 2 : 1);
  const auto counts = reader.take<std::uint32_t>(num_groups);
  const auto bytes = reader.take<std::uint32_t>(num_groups);

  const bool evaluates = header.purpose == wire::LookupPurpose::evaluate;
  LookupRequest request{.step = Step(header.step),
                        .purpose = evaluates ? table::Purpose::evaluate : table::Purpose::train,
                        .values = header.values,
                        .ids = {},
                        .kept = {},
                        .unpacked = {}};
  read_ids(reader, message, counts, bytes, num_tables, request);
  reader.end();
  return request;
}

GradientMessage read_gradient(const mail::Message& message, std::span<const wire::Block> blocks) {
  Reader reader(message, "gradient");
  const wire::GradientHeader header = reader.take<wire::GradientHeader>(1).front();
  check_format(message, header.values);
  std::size_t num_bytes = 0, total = 0;
  for (const wire::Block& block : blocks) {
    num_bytes += wire::encoded_bytes(header.values, block);
    total += block.num_values();
  }
  const std::span<const std::byte> body = reader.take_bytes(num_bytes);
  reader.end();
  GradientMessage gradient{.step = Step(header.step), .trainer = header.trainer, .values = {}, .decoded = {}};
  if (header.values == wire::ValueFormat::fp32) {
    gradient.values = {reinterpret_cast<const float*>(body.data()), total};
    return gradient;
  }
  gradient.decoded.resize(total);
  const std::byte* from = body.data();
  std::span<float> rest(gradient.decoded);
  for (const wire::Block& block : blocks) {
    wire::decode_values(header.values, block.dim, from, rest.first(block.num_values()));
    from += wire::encoded_bytes(header.values, block);
    rest = rest.subspan(block.num_values());
  }
  gradient.values = gradient.decoded;
  return gradient;
}

}  // namespace persia::serve
