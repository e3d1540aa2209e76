#include "kernels/hafnian/gpu/form.hpp"

#include <algorithm>

#include "kernels/gpu/fp64_units.hpp"

namespace countpm::pair_sets {
namespace {

/// FP64 operations of a product: a pair's is four, and eight to add it.
double operations_of(lanes::Kind kind) {
  switch (kind) {
    case lanes::Kind::real:
      return 1;
    case lanes::Kind::complex:
      return 4;
    case lanes::Kind::real_pair:
      return 12;
    default:
      return 48;
  }
}

}  // namespace

double nominal_device_products(const GpuInfo& gpu, lanes::Kind kind) {
  // One H100, 2026-11-25, modulo a prime: 3.0 at n = 46, 4.4 at n = 56.
  constexpr double products_a_clock = 4;
  double clocks = 1 / products_a_clock;
  if (kind != lanes::Kind::residues) {
    // What is not FP64 takes as long as it does modulo a prime, a word of 8 bytes being two there; of FP64
    // half of what the units could do. 50 vertices, complex: 1.4 s, predicted 1.6 (H200, 2026-11-26).
    const double words = lanes::words_of(kind) + lanes::words_of(lanes::Kind::real);
    const double operations = operations_of(kind) + operations_of(lanes::Kind::real);
    clocks = std::max(words, 2.0) / products_a_clock + operations / (0.5 * fp64_a_cycle(gpu));
  }
  return gpu.clock_ghz * 1e9 * gpu.multiprocessors / clocks;
}

}  // namespace countpm::pair_sets
