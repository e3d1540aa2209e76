#pragma once
// What the stored layers of a frontier may cost.
#include <cstdint>
#include <exception>

namespace countpm {

struct LayerLimits {
  std::uint64_t memory_bytes = ~std::uint64_t{0};
  int threads = 1;
};

/// The layers do not fit the memory limit, not even the two of a step.
class LayersTooLarge : public std::exception {
 public:
  LayersTooLarge(std::uint64_t needed, std::uint64_t limit) : needed_(needed), limit_(limit) {}
  std::uint64_t needed() const { return needed_; }
  std::uint64_t limit() const { return limit_; }
  const char* what() const noexcept override { return "layers: more memory needed than allowed"; }

 private:
  std::uint64_t needed_;
  std::uint64_t limit_;
};

}  // namespace countpm
