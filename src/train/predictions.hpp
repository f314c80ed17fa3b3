// Probabilities by row number, collected on all trainers and written by trainer 0.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "sys/communicator.hpp"

namespace persia::train {

class Predictions {
 public:
  // Shape: both (n).
  void add(std::span<const std::int64_t> rows, std::span<const float> logits);
  // Collective: afterwards trainer 0 holds everything, in row order.
  void gather(const sys::Communicator& trainers);
  // UserError unless the name ends in .csv, .h5 or .hdf5 and its folder can be written.
  static void check_output(const std::filesystem::path& path);
  // .csv ("row,probability", probabilities that read back to the same double), or .h5/.hdf5 (datasets row
  // int64 and probability float64). Pre: check_output() passed. Error when the file cannot be written;
  // nothing half-written stays.
  void write(const std::filesystem::path& path) const;
  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(entries_.size()); }

 private:
  void write_hdf5(const std::filesystem::path& path) const;

  struct Entry {
    std::int64_t row;
    double probability;
  };
  std::vector<Entry> entries_;
};

}  // namespace persia::train
