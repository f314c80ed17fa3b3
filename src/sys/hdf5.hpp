// Owners of HDF5 files, groups and datasets. hdf5.h is included by the sources of sys/ only.
//
// Serial files of fixed little-endian types that any HDF5 tool opens. Every return code is checked; messages
// carry the path and HDF5's own reason. A write that fails (full disk, size limit) is thrown by the call that
// wrote or, for what HDF5 still held in memory, by Hdf5File::close(); never later, and never as a crash.
// Opening takes no file locks, so it works where locks do not (some network file systems).
// Groups and datasets end with their file: use them before close().
// Thread safety: none, HDF5 is called by one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace persia::sys {

// Element types of datasets, all little-endian. bfloat16 is a 16-bit float with 8 exponent bits: readers
// without such a type get float32.
enum class Hdf5Type { float16, bfloat16, float32, float64, int8, int64, uint64 };
[[nodiscard]] std::int64_t size_of(Hdf5Type type);  // bytes

struct Hdf5State;  // path and first failure, shared by a file and what is in it

// Owner of one HDF5 identifier.
class Hdf5Id {
 public:
  using Close = int (*)(std::int64_t);
  Hdf5Id(std::int64_t id, Close closer) : id_(id), close_(closer) {}
  ~Hdf5Id();
  Hdf5Id(const Hdf5Id&) = delete;
  Hdf5Id& operator=(const Hdf5Id&) = delete;
  Hdf5Id(Hdf5Id&& other) noexcept;
  Hdf5Id& operator=(Hdf5Id&& other) noexcept;
  [[nodiscard]] std::int64_t get() const { return id_; }
  [[nodiscard]] int close();  // HDF5's return code

 private:
  std::int64_t id_;
  Close close_;
};

// An array whose first dimension counts rows. Row-major.
class Hdf5Dataset {
 public:
  Hdf5Dataset(std::shared_ptr<Hdf5State> state, std::string name, Hdf5Id id);
  [[nodiscard]] Hdf5Type type() const { return type_; }
  [[nodiscard]] const std::vector<std::int64_t>& shape() const { return shape_; }
  [[nodiscard]] std::int64_t rows() const { return shape_.front(); }
  [[nodiscard]] std::int64_t row_bytes() const;

  // Rows [first, first + bytes.size() / row_bytes()), as stored. Pre: they exist.
  void write_rows(std::int64_t first, std::span<const std::byte> bytes);
  void read_rows(std::int64_t first, std::span<std::byte> bytes) const;
  // The same, converted from any float type.
  void read_rows_as_float(std::int64_t first, std::span<float> values) const;
  // Pre: made by create_growing_dataset.
  void append_rows(std::span<const std::byte> bytes);

 private:
  void read(std::int64_t first, std::int64_t rows, void* to, std::int64_t row_size,
            std::int64_t memory_type) const;

  std::shared_ptr<Hdf5State> state_;
  std::string name_;
  Hdf5Id id_;
  Hdf5Type type_ = Hdf5Type::float32;
  std::vector<std::int64_t> shape_;
};

class Hdf5Group {
 public:
  Hdf5Group(std::shared_ptr<Hdf5State> state, std::string name, Hdf5Id id);

  [[nodiscard]] bool has(const std::string& name) const;    // a group or dataset
  [[nodiscard]] std::vector<std::string> children() const;  // sorted by name
  [[nodiscard]] Hdf5Group create_group(const std::string& name);
  [[nodiscard]] Hdf5Group open_group(const std::string& name) const;
  // Contiguous; its space is reserved by the first write. Pre: at least one dimension.
  [[nodiscard]] Hdf5Dataset create_dataset(const std::string& name, Hdf5Type type,
                                           const std::vector<std::int64_t>& shape);
  // Chunked, 0 rows at first; `row_shape` may be empty.
  [[nodiscard]] Hdf5Dataset create_growing_dataset(const std::string& name, Hdf5Type type,
                                                   const std::vector<std::int64_t>& row_shape);
  [[nodiscard]] Hdf5Dataset open_dataset(const std::string& name) const;

  void write_integer(const std::string& attribute, std::int64_t value);
  void write_unsigned(const std::string& attribute, std::uint64_t value);
  void write_text(const std::string& attribute, const std::string& value);  // UTF-8
  [[nodiscard]] std::int64_t read_integer(const std::string& attribute) const;
  [[nodiscard]] std::uint64_t read_unsigned(const std::string& attribute) const;
  [[nodiscard]] std::string read_text(const std::string& attribute) const;

 private:
  [[nodiscard]] Hdf5Dataset create(const std::string& name, Hdf5Type type,
                                   const std::vector<std::int64_t>& shape, bool growing);
  void write_number(const std::string& attribute, std::int64_t type, const void* value);
  void read_number(const std::string& attribute, std::int64_t memory_type, void* value) const;

  std::shared_ptr<Hdf5State> state_;
  std::string name_;
  Hdf5Id id_;
};

class Hdf5File {
 public:
  // Replaces an existing file.
  [[nodiscard]] static Hdf5File create(const std::filesystem::path& path);
  // For reading. UserError if it is missing or no readable HDF5 file.
  [[nodiscard]] static Hdf5File open(const std::filesystem::path& path);
  ~Hdf5File();
  Hdf5File(const Hdf5File&) = delete;
  Hdf5File& operator=(const Hdf5File&) = delete;
  Hdf5File(Hdf5File&&) noexcept;
  Hdf5File& operator=(Hdf5File&&) noexcept;
  [[nodiscard]] Hdf5Group root();
  // Post: everything was handed to the operating system (sync_path() brings it to the disk), or Error.
  // Without close() the destructor drops failures.
  void close();

 private:
  Hdf5File(std::shared_ptr<Hdf5State> state, Hdf5Id id);
  std::shared_ptr<Hdf5State> state_;
  Hdf5Id id_;
};

}  // namespace persia::sys
