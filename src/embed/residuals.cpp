#include "embed/residuals.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/cast.hpp"
#include "base/error.hpp"
#include "base/hash.hpp"
#include "base/memory_size.hpp"
#include "wire/values.hpp"

namespace persia::embed {

namespace {

constexpr auto kFormat = wire::ValueFormat::int8;

std::size_t bytes_of_row(std::size_t dim) {
  return table::round_up(sizeof(FeatureId) + dim * sizeof(float), alignof(FeatureId));
}

FeatureId& id_at(std::byte* place) {
  return *reinterpret_cast<FeatureId*>(place);
}
std::span<float> left_at(std::byte* place, std::size_t dim) {
  return {reinterpret_cast<float*>(place + sizeof(FeatureId)), dim};
}

Residuals make_store(const config::TableSchema& table, std::size_t num_rows) {
  try {
    return {num_rows, static_cast<std::size_t>(table.table.dim)};
  } catch (const table::OutOfMemory& error) {
    fail_user("no {} for what rounding leaves of gradients of table {}; lower mail.residual_rows ({})",
              memory_text(static_cast<double>(error.bytes())), table.name, num_rows);
  }
}

}  // namespace

Residuals::Residuals(std::size_t num_rows, std::size_t dim)
    : num_rows_(num_rows),
      dim_(dim),
      row_bytes_(bytes_of_row(dim)),
      pages_(num_rows * row_bytes_),
      sent_(kChunkRows * dim),
      arrived_(kChunkRows * dim) {}

void Residuals::encode(std::span<const FeatureId> ids, std::span<const float> gradients, std::byte* to) {
  for (std::size_t begin = 0; begin < ids.size(); begin += kChunkRows) {
    const std::size_t count = std::min(kChunkRows, ids.size() - begin);
    encode_chunk(ids.subspan(begin, count), gradients.subspan(begin * dim_, count * dim_), to);
    to += wire::encoded_bytes(kFormat, {count, dim_});
  }
}

// Places lie far apart in memory, so all of a chunk are asked for before the first is used.
void Residuals::encode_chunk(std::span<const FeatureId> ids, std::span<const float> gradients,
                             std::byte* to) {
  for (std::size_t k = 0; k < ids.size(); ++k) {
    places_[k] = pages_.data() + ((mix64(ids[k].value()) >> 32) * num_rows_ >> 32) * row_bytes_;
    __builtin_prefetch(places_[k], 1);
    __builtin_prefetch(places_[k] + row_bytes_ - 1, 1);
  }
  const std::span<float> sent = std::span(sent_).first(gradients.size());
  const std::span<float> arrived = std::span(arrived_).first(gradients.size());
  std::ranges::copy(gradients, sent.begin());
  for (std::size_t k = 0; k < ids.size(); ++k) take(places_[k], ids[k], sent.subspan(k * dim_, dim_));
  wire::encode_values(kFormat, dim_, sent, to);
  wire::decode_values(kFormat, dim_, to, arrived);
  for (std::size_t k = 0; k < ids.size(); ++k)
    keep(places_[k], ids[k], sent.subspan(k * dim_, dim_), arrived.subspan(k * dim_, dim_));
}

// Adds what was left to the gradient; then nothing is.
void Residuals::take(std::byte* place, FeatureId id, std::span<float> gradient) {
  if (id_at(place) != id) return;
  const std::span<float> left = left_at(place, dim_);
  for (std::size_t i = 0; i < dim_; ++i) gradient[i] += left[i];
  std::ranges::fill(left, 0.0F);
}

void Residuals::keep(std::byte* place, FeatureId id, std::span<const float> sent,
                     std::span<const float> arrived) {
  const std::span<float> left = left_at(place, dim_);
  if (id_at(place) != id && std::ranges::any_of(left, [](float value) { return value != 0; })) ++num_dropped_;
  id_at(place) = id;
  for (std::size_t i = 0; i < dim_; ++i) {
    const float rest = sent[i] - arrived[i];
    left[i] = rest == rest ? rest : 0.0F;
  }
}

ClientResiduals::ClientResiduals(const config::Schema& schema, std::int64_t num_rows)
    : schema_(schema), num_rows_(checked_cast<std::size_t>(num_rows)) {}

void ClientResiduals::encode(std::int32_t trainer, std::size_t table, std::span<const FeatureId> ids,
                             std::span<const float> gradients, std::byte* to) {
  if (num_rows_ == 0) {
    const auto dim = static_cast<std::size_t>(schema_.tables[table].table.dim);
    return wire::encode_values(kFormat, dim, gradients, to);
  }
  auto found = of_trainer_.find(trainer);
  if (found == of_trainer_.end()) found = of_trainer_.emplace(trainer, make_stores()).first;
  found->second[table].encode(ids, gradients, to);
}

std::int64_t ClientResiduals::num_dropped() const {
  std::int64_t sum = 0;
  for (const auto& [trainer, stores] : of_trainer_)
    for (const Residuals& store : stores) sum += store.num_dropped();
  return sum;
}

std::vector<Residuals> ClientResiduals::make_stores() const {
  std::vector<Residuals> stores;
  for (const config::TableSchema& table : schema_.tables) stores.push_back(make_store(table, num_rows_));
  return stores;
}

}  // namespace persia::embed
