// Tests that need a GPU: each skips with a message where none is seen. Kokkos runs for the whole program
// where one is (main in gpu_main.cpp).
#pragma once

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <span>
#include <vector>

#include "check.hpp"

namespace persia::cuda {

[[nodiscard]] inline bool gpu_is_seen() {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
}

class GpuTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!gpu_is_seen()) GTEST_SKIP() << "no GPU is seen";
  }
};

// An array on the device, filled and read back with plain blocking copies, independent of what is tested.
template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(const std::vector<T>& values) : size_(values.size()) {
    void* memory = nullptr;
    check(cudaMalloc(&memory, size_ * sizeof(T) + 1));  // + 1: an empty array has an address too
    data_ = static_cast<T*>(memory);
    check(cudaMemcpy(data_, values.data(), size_ * sizeof(T), cudaMemcpyHostToDevice));
    check(cudaDeviceSynchronize());
  }
  ~DeviceArray() { check_no_throw(cudaFree(data_)); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  DeviceArray(DeviceArray&&) = delete;
  DeviceArray& operator=(DeviceArray&&) = delete;

  [[nodiscard]] T* data() const { return data_; }
  [[nodiscard]] std::span<T> span() const { return {data_, size_}; }
  [[nodiscard]] std::vector<T> values() const {
    std::vector<T> result(size_);
    check(cudaDeviceSynchronize());
    check(cudaMemcpy(result.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost));
    return result;
  }

 private:
  std::size_t size_ = 0;
  T* data_ = nullptr;
};

}  // namespace persia::cuda
