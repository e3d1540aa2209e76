#pragma once
// The values of all tables of a program on a device, modulo one modulus, and the program's weights.
#include <cstdint>
#include <vector>

#include "kernels/arithmetic/arithmetic.hpp"
#include "kernels/arithmetic/ring_values.hpp"

namespace countpm {

template <class Device, class R>
class DeviceValues {
 public:
  using Element = typename R::Element;

  DeviceValues(const Device& device, const R& ring, const AnyBlock& block)
      : device_(device), ring_(ring), entries_(ring_values(ring, block).value) {}

  const R& ring() const { return ring_; }
  Element entry(std::uint64_t number) const { return entries_[number]; }
  /// The values that were there are lost.
  void reserve(std::uint64_t states) {
    values_ = {};  // before the new ones are there
    values_ = device_.template allocate<Element>(states);
  }
  void take_weights(const std::vector<Element>& weights) { weights_ = device_.upload(weights); }
  /// State 0 becomes one.
  void begin() { device_.write(values_, std::vector<Element>{ring_.one()}); }
  const Element* weights() const { return weights_.data(); }
  Element* at(std::uint64_t state) const { return values_.data() + state; }
  uint128 residue(std::uint64_t state) const {
    return ring_.to_residue(device_.download(values_, 1, state)[0]);
  }

 private:
  const Device& device_;
  R ring_;
  std::vector<Element> entries_;
  typename Device::template Buffer<Element> values_;
  typename Device::template Buffer<Element> weights_;
};

}  // namespace countpm
