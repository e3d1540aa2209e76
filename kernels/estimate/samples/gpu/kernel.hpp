#pragma once
// The moments of samples that lie on a device, exact: kernels (kernels/gpu/cpu_executor.hpp says how they
// are written).
//
// A nonzero sample is an integer of 53 bits times 2^e. The first kernel finds the range of e; the second adds
// integer, square and cube into fixed-point windows of 16-bit digits from the range's low end, each digit in
// a word of 32 bits of the block's shared memory: 2^16 samples a block cannot overflow it, and the order of
// additions does not matter. Blocks then add their words to those of 64 bits in global memory.
#include <cstddef>
#include <cstdint>

#include "kernels/arithmetic/host_device.hpp"
#include "kernels/arithmetic/scaled.hpp"
#include "kernels/estimate/samples/sample_moments.hpp"
#include "kernels/gpu/atomic.hpp"

namespace countpm {

/// Of some samples; `low` and `largest` only where some are not zero.
struct SampleRange {
  std::uint64_t nonzero = 0;
  std::int64_t low = 0;   // the least exponent
  ScaledInteger largest;  // its exponent is the most

  COUNTPM_HD void join(const SampleRange& other) {
    if (other.nonzero == 0) return;
    if (nonzero == 0 || other.low < low) low = other.low;
    if (nonzero == 0 || less(largest, other.largest)) largest = other.largest;
    nonzero += other.nonzero;
  }
};

/// ranges[w]: of what warp w has looked at.
struct SampleRangeKernel {
  static constexpr unsigned threads = 256;
  static constexpr unsigned blocks_per_multiprocessor = 2;
  const Scaled* samples;
  std::uint64_t count;
  SampleRange* ranges;

  template <class Block>
  COUNTPM_HD void operator()(Block& block) const {
    block.each_warp([&](auto& warp) {
      using Warp = std::remove_reference_t<decltype(warp)>;
      typename Warp::template PerLane<SampleRange> own;
      warp.each([&](unsigned lane) {
        for (std::uint64_t k = warp.index() * 32 + lane; k < count; k += warp.count() * 32) {
          if (samples[k].is_zero()) continue;
          const ScaledInteger value = to_integer(samples[k]);
          own[lane].join({1, value.exponent, value});
        }
      });
      const SampleRange all = warp.reduce(own, [](SampleRange a, const SampleRange& b) {
        a.join(b);
        return a;
      });
      warp.once([&] { ranges[warp.index()] = all; });
    });
  }
};

/// Where the words of a block's sums and counts are: those of X, X^2, X^3, then the histogram's.
struct MomentWindow {
  static constexpr unsigned digit_bits = 16;
  std::int64_t low = 0;
  std::uint32_t octaves = 0;  // of exponents, from low

  /// Digits of the sum of k-th powers, with those that a term at the top reaches.
  COUNTPM_HD std::uint32_t digits(unsigned k) const {
    return (k * (octaves + ScaledInteger::bits)) / digit_bits + 2;
  }
  COUNTPM_HD std::uint32_t begin(unsigned k) const {
    return k == 1 ? 0 : k == 2 ? digits(1) : digits(1) + digits(2);
  }
  COUNTPM_HD std::uint32_t histogram() const { return begin(3) + digits(3); }
  COUNTPM_HD std::uint32_t words() const {
    return histogram() + octaves * static_cast<std::uint32_t>(SampleMoments::bins_an_octave);
  }
};

struct MomentsKernel {
  static constexpr unsigned threads = 512;
  static constexpr unsigned blocks_per_multiprocessor = 1;
  static constexpr std::uint64_t most_samples_a_block = std::uint64_t{1} << 16;
  const Scaled* samples;
  std::uint64_t count;
  MomentWindow window;
  std::uint64_t* words;  // window.words(), to which the samples' are added

  /// Adds a number of `limbs` 64-bit limbs times 2^shift.
  template <unsigned limbs>
  static COUNTPM_HD void add(std::uint32_t* digits, const std::uint64_t (&number)[limbs],
                             std::uint32_t shift) {
    digits += shift / MomentWindow::digit_bits;
    shift %= MomentWindow::digit_bits;
    std::uint64_t carried = 0;
    COUNTPM_UNROLL
    for (unsigned k = 0; k < limbs; ++k) {
      const std::uint64_t limb = number[k] << shift | carried;
      carried = shift == 0 ? 0 : number[k] >> (64 - shift);
      COUNTPM_UNROLL
      for (unsigned d = 0; d < 4; ++d) add_digit(digits + 4 * k + d, limb >> (16 * d));
    }
    add_digit(digits + std::size_t{4} * limbs, carried);
  }
  static COUNTPM_HD void add_digit(std::uint32_t* digit, std::uint64_t value) {
    if ((value & 0xffff) != 0) add_atomically(digit, static_cast<std::uint32_t>(value & 0xffff));
  }
  static COUNTPM_HD std::uint64_t high_product(std::uint64_t a, std::uint64_t b) {
#ifdef __CUDA_ARCH__
    return __umul64hi(a, b);
#else
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>((static_cast<Wide>(a) * b) >> 64);
#endif
  }

  template <class Block>
  COUNTPM_HD void operator()(Block& block) const {
    auto* own = block.template shared<std::uint32_t>();
    const std::uint32_t all = window.words();
    block.each([&](unsigned t) {
      for (std::uint32_t w = t; w < all; w += threads) own[w] = 0;
    });
    block.sync();
    block.each([&](unsigned t) {
      const auto all_threads = static_cast<std::uint64_t>(block.count()) * threads;
      const auto own_first = static_cast<std::uint64_t>(block.index()) * threads + t;
      for (std::uint64_t k = own_first; k < count; k += all_threads) {
        if (samples[k].is_zero()) continue;
        const ScaledInteger value = to_integer(samples[k]);
        const auto at = static_cast<std::uint32_t>(value.exponent - window.low);
        const std::uint64_t x = value.integer;
        const std::uint64_t square[2] = {x * x, high_product(x, x)};  // of 106 bits
        const std::uint64_t middle = high_product(square[0], x);
        const std::uint64_t upper = square[1] * x;
        const std::uint64_t cube[3] = {square[0] * x, middle + upper,
                                       high_product(square[1], x) + (middle + upper < upper ? 1 : 0)};
        const std::uint64_t single[1] = {x};
        add(own + window.begin(1), single, at);
        add(own + window.begin(2), square, 2 * at);
        add(own + window.begin(3), cube, 3 * at);
        add_atomically(own + window.histogram() + at * 16 +
                           static_cast<std::uint32_t>(x >> (ScaledInteger::bits - 5) & 15),
                       1);
      }
    });
    block.sync();
    block.each([&](unsigned t) {
      for (std::uint32_t w = t; w < all; w += threads) {
        if (own[w] != 0) add_atomically(words + w, std::uint64_t{own[w]});
      }
    });
  }
};

}  // namespace countpm
