// Error feedback for gradients that travel as int8: what rounding leaves of a row's gradient is added to the
// same row's next one, so that what arrives in the long run is what was sent, and a component that is always
// below half a quantum arrives too. (Seide, Fu, Droppo, Li, Yu, "1-bit stochastic gradient descent and its
// application to data-parallel distributed training of speech DNNs", Interspeech 2014; why it converges:
// Karimireddy, Rebjock, Stich, Jaggi, "Error feedback fixes SignSGD and other gradient compression schemes",
// ICML 2019.)
//
// The memory is bounded whatever the number of ids: a store has a fixed number of rows, each id has one place
// in it, and an id that comes to a place drops what another one left there, at most half a quantum for each
// value. What comes out is a function of the sequence of gradients alone. Neither kept in checkpoints nor
// flushed at the end. Not thread safe. Caller: RemoteSource.
//
// Layout of a row: u64 id, f32 left[dim], up to a multiple of 8 bytes. Zeros are an empty row: nothing left
// of id 0.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "base/strong.hpp"
#include "config/schema.hpp"
#include "table/pages.hpp"

namespace persia::embed {

// Of one table.
class Residuals {
 public:
  // Pre: both above 0, rows below 2^32. Throws table::OutOfMemory. Memory becomes resident as ids come to it.
  Residuals(std::size_t num_rows, std::size_t dim);

  // Writes the gradients with what was left of their ids' last ones as int8 (wire/values.hpp) and keeps what
  // that leaves; nothing of a row that is not finite.
  // Shape: gradients (ids, dim). Pre: the ids differ.
  void encode(std::span<const FeatureId> ids, std::span<const float> gradients, std::byte* to);

  // Rows of which something was left when another id took their place.
  [[nodiscard]] std::int64_t num_dropped() const { return num_dropped_; }

 private:
  static constexpr std::size_t kChunkRows = 128;

  void encode_chunk(std::span<const FeatureId> ids, std::span<const float> gradients, std::byte* to);
  void take(std::byte* place, FeatureId id, std::span<float> gradient);
  void keep(std::byte* place, FeatureId id, std::span<const float> sent, std::span<const float> arrived);

  std::size_t num_rows_;
  std::size_t dim_;
  std::size_t row_bytes_;
  table::Pages pages_;
  std::int64_t num_dropped_ = 0;
  std::array<std::byte*, kChunkRows> places_{};
  std::vector<float> sent_, arrived_;  // (kChunkRows, dim)
};

// Of a client: a store for each table and each trainer whose gradients it sends, made when the first one is
// sent. Trainers have their own because the order of their gradients at a worker is that of their arrival.
class ClientResiduals {
 public:
  // Of each store; 0: none, gradients are rounded and what is left is dropped. `schema` must outlive it.
  ClientResiduals(const config::Schema& schema, std::int64_t num_rows);

  // As Residuals::encode. A UserError where there is no memory for a store.
  void encode(std::int32_t trainer, std::size_t table, std::span<const FeatureId> ids,
              std::span<const float> gradients, std::byte* to);

  [[nodiscard]] std::int64_t num_dropped() const;

 private:
  [[nodiscard]] std::vector<Residuals> make_stores() const;

  const config::Schema& schema_;
  std::size_t num_rows_;
  std::map<std::int32_t, std::vector<Residuals>> of_trainer_;  // by table
};

}  // namespace persia::embed
