#include <algorithm>
#include <utility>

#include "base/cast.hpp"
#include "base/error.hpp"
#include "sys/hdf5.hpp"
#include "sys/hdf5_internal.hpp"

namespace persia::sys {

namespace {

constexpr std::int64_t chunk_bytes = 1 << 20;

// Text attributes: UTF-8 of variable length, which h5py reads as str.
Hdf5Id make_text_type(const Hdf5State& state) {
  Hdf5Id type(check_hdf5(H5Tcopy(H5T_C_S1), state, "make a text type"), H5Tclose);
  check_hdf5(H5Tset_size(type.get(), H5T_VARIABLE), state, "make a text type");
  check_hdf5(H5Tset_cset(type.get(), H5T_CSET_UTF8), state, "make a text type");
  return type;
}

herr_t add_name(hid_t, const char* name, const H5L_info_t*, void* names) {
  static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  return 0;
}

std::vector<hsize_t> to_extent(const std::vector<std::int64_t>& shape) {
  std::vector<hsize_t> extent;
  for (const std::int64_t n : shape) extent.push_back(checked_cast<hsize_t>(n));
  return extent;
}

Hdf5Id make_space(const std::vector<hsize_t>& extent, bool growing, const Hdf5State& state) {
  std::vector<hsize_t> limit = extent;
  if (growing) limit.front() = H5S_UNLIMITED;
  const int rank = checked_cast<int>(extent.size());
  return {check_hdf5(H5Screate_simple(rank, extent.data(), limit.data()), state, "shape a dataset"),
          H5Sclose};
}

// No time stamps and no fill pass: equal content gives equal bytes, and bytes are written once.
Hdf5Id make_layout(const std::vector<hsize_t>& extent, Hdf5Type type, bool growing, const Hdf5State& state) {
  Hdf5Id layout(check_hdf5(H5Pcreate(H5P_DATASET_CREATE), state, "lay out a dataset"), H5Pclose);
  check_hdf5(H5Pset_obj_track_times(layout.get(), false), state, "lay out a dataset");
  check_hdf5(H5Pset_fill_time(layout.get(), H5D_FILL_TIME_NEVER), state, "lay out a dataset");
  if (!growing) return layout;
  std::vector<hsize_t> chunk = extent;
  hsize_t row_bytes = static_cast<hsize_t>(size_of(type));
  for (std::size_t i = 1; i < chunk.size(); ++i) row_bytes *= chunk[i];
  chunk.front() = std::max<hsize_t>(1, chunk_bytes / std::max<hsize_t>(1, row_bytes));
  check_hdf5(H5Pset_chunk(layout.get(), checked_cast<int>(chunk.size()), chunk.data()), state,
             "lay out a dataset");
  return layout;
}

}  // namespace

Hdf5Group::Hdf5Group(std::shared_ptr<Hdf5State> state, std::string name, Hdf5Id id)
    : state_(std::move(state)), name_(std::move(name)), id_(std::move(id)) {}

bool Hdf5Group::has(const std::string& name) const {
  return check_hdf5(H5Lexists(id_.get(), name.c_str(), H5P_DEFAULT), *state_, "look for " + name) > 0;
}

std::vector<std::string> Hdf5Group::children() const {
  std::vector<std::string> names;
  check_hdf5(H5Literate(id_.get(), H5_INDEX_NAME, H5_ITER_INC, nullptr, add_name, &names), *state_,
             "list group " + name_);
  return names;
}

Hdf5Group Hdf5Group::create_group(const std::string& name) {
  const std::string full = name_ + "/" + name;
  const auto id = check_hdf5(H5Gcreate2(id_.get(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                             *state_, "create group " + full);
  return Hdf5Group(state_, full, Hdf5Id(id, H5Gclose));
}

Hdf5Group Hdf5Group::open_group(const std::string& name) const {
  const std::string full = name_ + "/" + name;
  const auto id = check_hdf5(H5Gopen2(id_.get(), name.c_str(), H5P_DEFAULT), *state_, "open group " + full);
  return Hdf5Group(state_, full, Hdf5Id(id, H5Gclose));
}

Hdf5Dataset Hdf5Group::create(const std::string& name, Hdf5Type type, const std::vector<std::int64_t>& shape,
                              bool growing) {
  const std::string full = name_ + "/" + name;
  require(!shape.empty(), "dataset {} in {} has no dimensions", full, state_->path);
  const std::vector<hsize_t> extent = to_extent(shape);
  const Hdf5Id stored_type = make_type(type);
  const Hdf5Id space = make_space(extent, growing, *state_);
  const Hdf5Id layout = make_layout(extent, type, growing, *state_);
  const auto id = check_hdf5(H5Dcreate2(id_.get(), name.c_str(), stored_type.get(), space.get(), H5P_DEFAULT,
                                        layout.get(), H5P_DEFAULT),
                             *state_, "create dataset " + full);
  return Hdf5Dataset(state_, full, Hdf5Id(id, H5Dclose));
}

Hdf5Dataset Hdf5Group::create_dataset(const std::string& name, Hdf5Type type,
                                      const std::vector<std::int64_t>& shape) {
  return create(name, type, shape, false);
}

Hdf5Dataset Hdf5Group::create_growing_dataset(const std::string& name, Hdf5Type type,
                                              const std::vector<std::int64_t>& row_shape) {
  std::vector<std::int64_t> shape = {0};
  shape.insert(shape.end(), row_shape.begin(), row_shape.end());
  return create(name, type, shape, true);
}

Hdf5Dataset Hdf5Group::open_dataset(const std::string& name) const {
  const std::string full = name_ + "/" + name;
  const auto id = check_hdf5(H5Dopen2(id_.get(), name.c_str(), H5P_DEFAULT), *state_, "open dataset " + full);
  return Hdf5Dataset(state_, full, Hdf5Id(id, H5Dclose));
}

void Hdf5Group::write_number(const std::string& attribute, std::int64_t type, const void* value) {
  const std::string what = "write attribute " + attribute + " of " + name_ + "/";
  const Hdf5Id space(check_hdf5(H5Screate(H5S_SCALAR), *state_, what), H5Sclose);
  const Hdf5Id id(
      check_hdf5(H5Acreate2(id_.get(), attribute.c_str(), type, space.get(), H5P_DEFAULT, H5P_DEFAULT),
                 *state_, what),
      H5Aclose);
  check_hdf5(H5Awrite(id.get(), type, value), *state_, what);
}

void Hdf5Group::write_integer(const std::string& attribute, std::int64_t value) {
  write_number(attribute, H5T_STD_I64LE, &value);
}

void Hdf5Group::write_unsigned(const std::string& attribute, std::uint64_t value) {
  write_number(attribute, H5T_STD_U64LE, &value);
}

void Hdf5Group::write_text(const std::string& attribute, const std::string& value) {
  const char* text = value.c_str();
  write_number(attribute, make_text_type(*state_).get(), &text);
}

void Hdf5Group::read_number(const std::string& attribute, std::int64_t memory_type, void* value) const {
  const std::string what = "read attribute " + attribute + " of " + name_ + "/";
  const Hdf5Id id(check_hdf5(H5Aopen(id_.get(), attribute.c_str(), H5P_DEFAULT), *state_, what), H5Aclose);
  const Hdf5Id space(check_hdf5(H5Aget_space(id.get()), *state_, what), H5Sclose);
  require(H5Sget_simple_extent_npoints(space.get()) == 1, "cannot {} in {}: it is no single value", what,
          state_->path);
  check_hdf5(H5Aread(id.get(), memory_type, value), *state_, what);
}

std::int64_t Hdf5Group::read_integer(const std::string& attribute) const {
  std::int64_t value = 0;
  read_number(attribute, H5T_STD_I64LE, &value);
  return value;
}

std::uint64_t Hdf5Group::read_unsigned(const std::string& attribute) const {
  std::uint64_t value = 0;
  read_number(attribute, H5T_STD_U64LE, &value);
  return value;
}

std::string Hdf5Group::read_text(const std::string& attribute) const {
  char* text = nullptr;
  read_number(attribute, make_text_type(*state_).get(), &text);
  std::string value = text == nullptr ? "" : text;
  H5free_memory(text);
  return value;
}

}  // namespace persia::sys
