#pragma once
// Random units: 1 and -1, and in the complex numbers and quaternions those of i, or of i, j and k, too.
#include <cstdint>

#include "kernels/arithmetic/host_device.hpp"

namespace countpm {

/// One of the 2 D units: its component, and the component's sign.
template <unsigned D>
struct RandomUnit {
  static constexpr unsigned bits = D == 1 ? 1 : D == 2 ? 2 : 3;
  static constexpr unsigned a_word = 64 / bits;  // of random bits; what is left of them is not used
  unsigned component;
  bool negative;

  /// By `bits` bits of a word from bit `from` on.
  static COUNTPM_HD RandomUnit of(std::uint64_t word, unsigned from) {
    const auto own = static_cast<unsigned>(word >> from);
    return {(own >> 1) & (D - 1), (own & 1) != 0};
  }
};

}  // namespace countpm
