#pragma once
// Memory of a device that is made once and kept for all launches of a job.
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace countpm {

/// Frees what it made when it goes. The device outlives it.
template <class Device>
class DeviceTables {
 public:
  explicit DeviceTables(const Device& device) : device_(device) {}

  /// Where the values are on the device.
  template <class T>
  T* upload(const std::vector<T>& values) {
    return keep(device_.upload(values));
  }
  /// Room for `size` Ts that hold anything.
  template <class T>
  T* allocate(std::size_t size) {
    return keep(device_.template allocate<T>(size));
  }

 private:
  template <class Buffer>
  auto* keep(Buffer made) {
    auto kept = std::make_shared<Buffer>(std::move(made));
    auto* const data = kept->data();
    memory_.push_back(std::move(kept));
    return data;
  }

  const Device& device_;
  std::vector<std::shared_ptr<void>> memory_;  // buffers of any element
};

}  // namespace countpm
