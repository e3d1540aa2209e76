#pragma once
// scaling and scaling+ on 0-1 matrices of up to 64 rows by a GPU's warps, a sample each:
// estimate/walks/walk.hpp's law, numbers and roundings (kernels/gpu/cpu_executor.hpp says how a kernel is
// written).
//
// What is left of the matrix, k x k, is kept without gaps: lane l has row and column l, with two slots also l
// + 32, each as a bit set over the columns and rows that are left, with its factor. A sweep puts the rows'
// factors into shared memory, and each lane adds up those of its column, in ascending order; then the same
// for rows. Taking row p and column q closes the gaps that they leave.
#include <cstddef>
#include <cstdint>

#include "kernels/arithmetic/bit_operations.hpp"
#include "kernels/estimate/walks/gpu/bits_kernel.hpp"
#include "kernels/estimate/walks/gpu/warp_random.hpp"
#include "kernels/estimate/walks/walk.hpp"

namespace countpm {

/// What a launch draws from; arrays of `size`.
struct ScaledBitsTask {
  const std::uint64_t* rows = nullptr;
  const std::uint64_t* columns = nullptr;
  const double* row_factor = nullptr;  // from which every sample begins
  const double* column_factor = nullptr;
  std::uint32_t size = 0;
  WalkSettings settings;
};

/// Shared memory of a warp: an entry beyond the last is read, but not used.
template <unsigned Slots>
struct alignas(16) ScaledBitsShared {
  static constexpr unsigned entries = 32 * Slots + 2;
  double row_factor[entries];
  double column_factor[entries];
  std::uint64_t rows[entries];
  std::uint64_t columns[entries];
};

template <class Warp, unsigned Slots>
class ScaledBitsWarp {
 public:
  template <class T>
  using PerLane = typename Warp::template PerLane<T>;
  using Shared = ScaledBitsShared<Slots>;

  COUNTPM_HD ScaledBitsWarp(Warp& warp, const ScaledBitsTask& task, Shared& shared)
      : warp_(warp), task_(task), shared_(shared) {}

  COUNTPM_HD Scaled sample(WarpRandom<Warp>& random) {
    left_ = task_.size;
    warp_.each([&](unsigned lane) {
      COUNTPM_UNROLL
      for (unsigned s = 0; s < Slots; ++s) {
        const unsigned at = lane + 32 * s;
        const bool there = at < left_;
        row_[s][lane] = there ? task_.rows[at] : 0;
        column_[s][lane] = there ? task_.columns[at] : 0;
        row_factor_[s][lane] = there ? task_.row_factor[at] : 1;
        column_factor_[s][lane] = there ? task_.column_factor[at] : 1;
      }
    });
    publish(shared_.row_factor, row_factor_);
    publish(shared_.column_factor, column_factor_);
    Scaled result;
    for (std::uint32_t front = 0; left_ > 0; ++front) {
      if (front % task_.settings.interval == 0) {
        for (std::uint32_t step = 0; step < task_.settings.steps; ++step) {
          sweep(column_, shared_.row_factor, column_factor_);
          publish(shared_.column_factor, column_factor_);
          sweep(row_, shared_.column_factor, row_factor_);
          publish(shared_.row_factor, row_factor_);
        }
      }
      const unsigned row = task_.settings.least_degree ? sparsest_row(random) : 0;
      const unsigned column = take_column(row, random, result);
      if (column == none) return {0, 0};
      remove(row, column);
      if (task_.settings.least_degree && some_row_is_empty()) return {0, 0};
    }
    return result;
  }

 private:
  static constexpr unsigned none = 64;

  /// Calls f(slot) for the slots that something is left in.
  template <class F>
  COUNTPM_HD void each_slot(const F& f) const {
    f(0U);
    if constexpr (Slots > 1) {
      if (left_ > 32) f(1U);
    }
  }

  template <class T>
  COUNTPM_HD void publish(T* to, const PerLane<T> (&value)[Slots]) {
    warp_.sync();
    each_slot(
        [&](unsigned slot) { warp_.each([&](unsigned lane) { to[lane + 32 * slot] = value[slot][lane]; }); });
    warp_.sync();
  }

  /// A lane's sums of the factors in its sets, in ascending order; 2^-1036 at most where there are none. One
  /// slot after the other: bits of two words at a time are not tested seven in one instruction.
  COUNTPM_HD void add_up(const PerLane<std::uint64_t> (&sets)[Slots], const double* factor,
                         PerLane<double> (&sums)[Slots]) const {
    each_slot([&](unsigned slot) {
      warp_.each([&](unsigned lane) {
        double sum = 0;
        COUNTPM_UNROLL
        for (unsigned half = 0; half < Slots; ++half) {
          auto bits = static_cast<std::uint32_t>(sets[slot][lane] >> (32 * half));
          const unsigned end = left_ < 32 * (half + 1) ? left_ : 32 * (half + 1);
          for (unsigned i = 32 * half; i < end; i += 8) {
            COUNTPM_UNROLL
            for (unsigned u = 0; u < 8; ++u) add_where(bits & (1U << u), sum, factor[i + u]);
            bits >>= 8;
          }
        }
        sums[slot][lane] = sum;
      });
    });
  }

  /// One half of a sweep of Sinkhorn's.
  COUNTPM_HD void sweep(const PerLane<std::uint64_t> (&sets)[Slots], const double* factor,
                        PerLane<double> (&own)[Slots]) {
    add_up(sets, factor, own);
    each_slot([&](unsigned slot) {
      warp_.each([&](unsigned lane) {
        const double sum = own[slot][lane];
        own[slot][lane] = sum > 0 ? clamped_factor(1 / sum) : most_factor;
      });
    });
  }

  /// Of the rows with the fewest columns one at random.
  COUNTPM_HD unsigned sparsest_row(WarpRandom<Warp>& random) {
    PerLane<unsigned> degree;
    warp_.each([&](unsigned lane) {
      degree[lane] = none + 1;
      COUNTPM_UNROLL
      for (unsigned s = 0; s < Slots; ++s) {
        const unsigned own = bit_count(row_[s][lane]);
        if (lane + 32 * s < left_ && own < degree[lane]) degree[lane] = own;
      }
    });
    const unsigned least = warp_.reduce(degree, [](unsigned a, unsigned b) { return a < b ? a : b; });
    std::uint64_t ties = 0;
    each_slot([&](unsigned slot) {
      ties |= std::uint64_t{warp_.ballot([&](unsigned lane) {
                return lane + 32 * slot < left_ && bit_count(row_[slot][lane]) == least;
              })}
              << (32 * slot);
    });
    return nth_bit(ties, next_of(random, bit_count(ties)));
  }

  template <class T>
  COUNTPM_HD T at(const PerLane<T> (&value)[Slots], unsigned place) const {
    if constexpr (Slots > 1) {
      if (place >= 32) return warp_.broadcast(value[1], place - 32);
    }
    return warp_.broadcast(value[0], place);
  }

  COUNTPM_HD unsigned take_column(unsigned row, WarpRandom<Warp>& random, Scaled& result) {
    const std::uint64_t columns = at(row_, row);
    if (columns == 0) return none;
    // Lane l adds up the columns up to l: the sums that adding one after another goes through.
    PerLane<std::uint64_t> up_to[Slots];
    PerLane<double> below[Slots];
    warp_.each([&](unsigned lane) {
      COUNTPM_UNROLL
      for (unsigned s = 0; s < Slots; ++s)
        up_to[s][lane] = columns & (~std::uint64_t{0} >> (63 - (lane + 32 * s)));
    });
    add_up(up_to, shared_.column_factor, below);
    const unsigned last = highest_bit(columns);
    const double total = at(below, last);
    const double wanted = uniform(random) * total;
    std::uint64_t beyond = 0;
    each_slot([&](unsigned slot) {
      beyond |= std::uint64_t{warp_.ballot([&](unsigned lane) { return below[slot][lane] > wanted; })}
                << (32 * slot);
    });
    beyond &= columns;
    const unsigned column = beyond != 0 ? lowest_bit(beyond) : last;
    result.multiply(total / at(column_factor_, column));
    return column;
  }

  /// Without bit `place`, those above one lower.
  static COUNTPM_HD std::uint64_t without(std::uint64_t set, unsigned place) {
    const std::uint64_t below = (std::uint64_t{1} << place) - 1;
    return (set & below) | ((set >> 1) & ~below);
  }

  COUNTPM_HD void remove(unsigned row, unsigned column) {
    publish(shared_.rows, row_);
    publish(shared_.columns, column_);
    --left_;
    warp_.each([&](unsigned lane) {
      COUNTPM_UNROLL
      for (unsigned s = 0; s < Slots; ++s) {
        const unsigned own = lane + 32 * s;
        const bool there = own < left_;
        const unsigned from_row = own + (own >= row ? 1 : 0);
        const unsigned from_column = own + (own >= column ? 1 : 0);
        row_[s][lane] = there ? without(shared_.rows[from_row], column) : 0;
        column_[s][lane] = there ? without(shared_.columns[from_column], row) : 0;
        row_factor_[s][lane] = there ? shared_.row_factor[from_row] : 1;
        column_factor_[s][lane] = there ? shared_.column_factor[from_column] : 1;
      }
    });
    publish(shared_.row_factor, row_factor_);
    publish(shared_.column_factor, column_factor_);
  }

  COUNTPM_HD bool some_row_is_empty() const {
    std::uint32_t some = 0;
    each_slot([&](unsigned slot) {
      some |= warp_.ballot([&](unsigned lane) { return lane + 32 * slot < left_ && row_[slot][lane] == 0; });
    });
    return some != 0;
  }

  Warp& warp_;
  const ScaledBitsTask& task_;
  Shared& shared_;
  std::uint32_t left_ = 0;
  PerLane<std::uint64_t> row_[Slots];
  PerLane<std::uint64_t> column_[Slots];
  PerLane<double> row_factor_[Slots];
  PerLane<double> column_factor_[Slots];
};

template <unsigned Slots>
struct ScaledBitsKernel {
  static constexpr unsigned threads = 128;
  static constexpr unsigned blocks_per_multiprocessor = Slots == 1 ? 10 : 8;

  ScaledBitsTask task;
  SampleNumbers numbers;
  Scaled* samples;

  static constexpr std::size_t shared_bytes() { return threads / 32 * sizeof(ScaledBitsShared<Slots>); }

  template <class Block>
  COUNTPM_HD void operator()(Block& block) const {
    using Walk = ScaledBitsWarp<typename Block::Warp, Slots>;
    auto* shared = block.template shared<ScaledBitsShared<Slots>>();
    block.each_warp([&](auto& warp) {
      Walk walk(warp, task, shared[warp.index() % (threads / 32)]);
      for (std::uint64_t k = warp.index(); k < numbers.count; k += warp.count()) {
        WarpRandom<typename Block::Warp> random(warp, numbers.seed, numbers.stream, numbers.first + k);
        Scaled sample = walk.sample(random);
        sample.exponent += numbers.exponent;
        warp.once([&] { samples[k] = sample; });
      }
    });
  }
};

}  // namespace countpm
