#include <algorithm>
#include <bit>
#include <utility>

#include "base/cast.hpp"
#include "base/error.hpp"
#include "sys/hdf5.hpp"
#include "sys/hdf5_internal.hpp"

namespace persia::sys {

namespace {

static_assert(std::endian::native == std::endian::little, "bytes are stored as they stand in memory");

constexpr std::int64_t max_selection_bytes = std::int64_t{1} << 30;
constexpr Hdf5Type all_types[] = {Hdf5Type::float16, Hdf5Type::bfloat16, Hdf5Type::float32, Hdf5Type::float64,
                                  Hdf5Type::int8,    Hdf5Type::int64,    Hdf5Type::uint64};

// A 16-bit float: sign, exponent, mantissa from the top bit down. H5Tset_fields must come before the smaller
// size is set.
Hdf5Id make_half(std::size_t exponent_bits, std::size_t bias) {
  const std::size_t mantissa_bits = 15 - exponent_bits;
  Hdf5Id type(H5Tcopy(H5T_IEEE_F32LE), H5Tclose);
  const bool ok = H5Tset_fields(type.get(), 15, mantissa_bits, exponent_bits, 0, mantissa_bits) >= 0 &&
                  H5Tset_size(type.get(), 2) >= 0 && H5Tset_ebias(type.get(), bias) >= 0;
  require(ok, "HDF5 makes no 16-bit float type: {}", hdf5_reason());
  return type;
}

Hdf5Type type_of(std::int64_t dataset, const std::string& name, const Hdf5State& state) {
  const Hdf5Id stored(check_hdf5(H5Dget_type(dataset), state, "read the type of " + name), H5Tclose);
  for (const Hdf5Type type : all_types)
    if (H5Tequal(stored.get(), make_type(type).get()) > 0) return type;
  fail_user("dataset {} in {} has an element type that this program does not write", name, state.path);
}

std::vector<std::int64_t> shape_of(std::int64_t dataset, const std::string& name, const Hdf5State& state) {
  const Hdf5Id space(check_hdf5(H5Dget_space(dataset), state, "read the shape of " + name), H5Sclose);
  const auto rank = check_hdf5(H5Sget_simple_extent_ndims(space.get()), state, "read the shape of " + name);
  require_user(rank > 0, "dataset {} in {} has no dimensions", name, state.path);
  std::vector<hsize_t> extent(static_cast<std::size_t>(rank));
  check_hdf5(H5Sget_simple_extent_dims(space.get(), extent.data(), nullptr), state,
             "read the shape of " + name);
  std::vector<std::int64_t> shape;
  for (const hsize_t n : extent) shape.push_back(checked_cast<std::int64_t>(n));
  return shape;
}

// Rows [first, first + rows) selected in the file, and a memory space of the same shape.
struct Selection {
  Hdf5Id file_space;
  Hdf5Id memory_space;
};

Selection select_rows(std::int64_t dataset, std::int64_t first, std::int64_t rows,
                      const std::vector<std::int64_t>& shape, const Hdf5State& state) {
  std::vector<hsize_t> start(shape.size(), 0), count;
  for (const std::int64_t n : shape) count.push_back(static_cast<hsize_t>(n));
  start.front() = static_cast<hsize_t>(first);
  count.front() = static_cast<hsize_t>(rows);
  Hdf5Id file_space(check_hdf5(H5Dget_space(dataset), state, "select rows"), H5Sclose);
  check_hdf5(
      H5Sselect_hyperslab(file_space.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr),
      state, "select rows");
  Hdf5Id memory_space(check_hdf5(H5Screate_simple(checked_cast<int>(count.size()), count.data(), nullptr),
                                 state, "select rows"),
                      H5Sclose);
  return {std::move(file_space), std::move(memory_space)};
}

// Calls visit(first row, rows) for pieces of at most 1 GiB.
template <class Visit>
void for_each_piece(std::int64_t first, std::int64_t rows, std::int64_t row_bytes, Visit visit) {
  const std::int64_t at_once =
      std::max<std::int64_t>(1, max_selection_bytes / std::max<std::int64_t>(1, row_bytes));
  for (std::int64_t done = 0; done < rows; done += at_once)
    visit(first + done, std::min(at_once, rows - done));
}

}  // namespace

std::int64_t size_of(Hdf5Type type) {
  switch (type) {
    case Hdf5Type::int8:
      return 1;
    case Hdf5Type::float16:
    case Hdf5Type::bfloat16:
      return 2;
    case Hdf5Type::float32:
      return 4;
    case Hdf5Type::float64:
    case Hdf5Type::int64:
    case Hdf5Type::uint64:
      return 8;
  }
  fail("unknown HDF5 element type");
}

Hdf5Id make_type(Hdf5Type type) {
  switch (type) {
    case Hdf5Type::float16:
      return make_half(5, 15);
    case Hdf5Type::bfloat16:
      return make_half(8, 127);
    case Hdf5Type::float32:
      return {H5Tcopy(H5T_IEEE_F32LE), H5Tclose};
    case Hdf5Type::float64:
      return {H5Tcopy(H5T_IEEE_F64LE), H5Tclose};
    case Hdf5Type::int8:
      return {H5Tcopy(H5T_STD_I8LE), H5Tclose};
    case Hdf5Type::int64:
      return {H5Tcopy(H5T_STD_I64LE), H5Tclose};
    case Hdf5Type::uint64:
      return {H5Tcopy(H5T_STD_U64LE), H5Tclose};
  }
  fail("unknown HDF5 element type");
}

Hdf5Dataset::Hdf5Dataset(std::shared_ptr<Hdf5State> state, std::string name, Hdf5Id id)
    : state_(std::move(state)),
      name_(std::move(name)),
      id_(std::move(id)),
      type_(type_of(id_.get(), name_, *state_)),
      shape_(shape_of(id_.get(), name_, *state_)) {}

std::int64_t Hdf5Dataset::row_bytes() const {
  std::int64_t bytes = size_of(type_);
  for (std::size_t i = 1; i < shape_.size(); ++i) bytes *= shape_[i];
  return bytes;
}

void Hdf5Dataset::write_rows(std::int64_t first, std::span<const std::byte> bytes) {
  if (bytes.empty()) return;
  const auto total = static_cast<std::int64_t>(bytes.size());
  expects(row_bytes() > 0 && total % row_bytes() == 0, "whole rows are written");
  const std::int64_t rows = total / row_bytes();
  expects(first >= 0 && first + rows <= this->rows(), "the rows written exist");
  const Hdf5Id type = make_type(type_);
  const std::string what = "write dataset " + name_;
  for_each_piece(first, rows, row_bytes(), [&](std::int64_t begin, std::int64_t count) {
    const Selection selection = select_rows(id_.get(), begin, count, shape_, *state_);
    check_hdf5(H5Dwrite(id_.get(), type.get(), selection.memory_space.get(), selection.file_space.get(),
                        H5P_DEFAULT, bytes.data() + (begin - first) * row_bytes()),
               *state_, what);
  });
}

void Hdf5Dataset::append_rows(std::span<const std::byte> bytes) {
  if (bytes.empty()) return;
  expects(row_bytes() > 0, "rows have a size");
  const std::int64_t first = rows();
  shape_.front() += static_cast<std::int64_t>(bytes.size()) / row_bytes();
  std::vector<hsize_t> extent(shape_.begin(), shape_.end());
  check_hdf5(H5Dset_extent(id_.get(), extent.data()), *state_, "extend dataset " + name_);
  write_rows(first, bytes);
}

void Hdf5Dataset::read(std::int64_t first, std::int64_t rows, void* to, std::int64_t row_size,
                       std::int64_t memory_type) const {
  require_user(first >= 0 && first + rows <= this->rows(), "dataset {} in {} has {} rows, {} wanted", name_,
               state_->path, this->rows(), first + rows);
  const std::string what = "read dataset " + name_;
  for_each_piece(first, rows, row_size, [&](std::int64_t begin, std::int64_t count) {
    const Selection selection = select_rows(id_.get(), begin, count, shape_, *state_);
    check_hdf5(H5Dread(id_.get(), memory_type, selection.memory_space.get(), selection.file_space.get(),
                       H5P_DEFAULT, static_cast<std::byte*>(to) + (begin - first) * row_size),
               *state_, what);
  });
}

void Hdf5Dataset::read_rows(std::int64_t first, std::span<std::byte> bytes) const {
  if (bytes.empty()) return;
  const auto total = static_cast<std::int64_t>(bytes.size());
  expects(row_bytes() > 0 && total % row_bytes() == 0, "whole rows are read");
  read(first, total / row_bytes(), bytes.data(), row_bytes(), make_type(type_).get());
}

void Hdf5Dataset::read_rows_as_float(std::int64_t first, std::span<float> values) const {
  if (values.empty()) return;
  const std::int64_t width = row_bytes() / size_of(type_);
  const auto total = static_cast<std::int64_t>(values.size());
  expects(width > 0 && total % width == 0, "whole rows are read");
  read(first, total / width, values.data(), width * static_cast<std::int64_t>(sizeof(float)), H5T_IEEE_F32LE);
}

}  // namespace persia::sys
