#pragma once
// ryser's walks as templates over the device, by the kernels that are built in; exact_walker.hpp has those
// that are compiled for just a block's rows.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "kernels/arithmetic/to_mpz.hpp"
#include "kernels/gpu/device_rounds.hpp"
#include "kernels/ryser/gpu/form.hpp"
#include "kernels/ryser/gpu/kernel.hpp"
#include "kernels/ryser/gpu/lane.hpp"
#include "kernels/ryser/gpu/sizes.hpp"
#include "kernels/ryser/gpu/source.hpp"
#include "kernels/subsets/gpu/complex_numbers.hpp"
#include "kernels/subsets/gpu/floating_parts.hpp"
#include "kernels/subsets/gpu/numbers.hpp"

namespace countpm::gray {

/// How many of the columns a thread walks over, of prefixes that so many threads share.
inline unsigned walked_columns(std::uint64_t prefixes, std::uint64_t threads, unsigned columns,
                               unsigned most_walked) {
  const double spare =
      std::floor(std::log2(static_cast<double>(prefixes) / static_cast<double>(threads))) + columns;
  const double walked = std::clamp(spare, static_cast<double>(std::min(least_walked_columns, most_walked)),
                                   static_cast<double>(most_walked));
  return std::min(static_cast<unsigned>(walked), columns);
}

/// Additions that a term passes in one launch over so many items, at most: its thread's, and those by which a
/// block's threads are joined.
inline std::uint64_t longest_in_launch(std::uint64_t items, std::uint64_t threads, unsigned walked) {
  constexpr std::uint64_t most_halvings = 32;
  return ((items / threads + 1) << walked) + most_halvings;
}

/// Launches one kernel over prefixes.
template <class Device, class KernelNumbers, SumsIn sums_in, bool plain = false>
class Launcher {
 public:
  using Numbers = KernelNumbers;
  using Kernel = RyserKernel<Numbers, sums_in, plain>;
  static constexpr bool by_eight = sums_in == SumsIn::registers && has_eight_terms<Numbers>;
  using Value = typename Numbers::Value;
  using Total = typename Numbers::Total;

  /// deltas: [column][row], rows as given; padded here to what the kernel takes.
  Launcher(const GpuInfo& gpu, const Numbers& numbers, unsigned rows, unsigned columns,
           const std::vector<Value>& deltas, unsigned most_walked)
      : device_(gpu),
        rows_(rows),
        padded_(Kernel::stride(rows)),
        columns_(columns),
        most_walked_(most_walked),
        numbers_(numbers) {
    shared_bytes_ = Kernel::shared_bytes(padded_, columns_);
    blocks_ = device_.template blocks<Kernel>(shared_bytes_);
    table_ = pad(deltas, columns, Value{});
    columns_buffer_ = device_.upload(table_);
    totals_ = device_.template allocate<Total>(blocks_);
    if constexpr (sums_in == SumsIn::global)
      sums_ = device_.template allocate<Value>(std::size_t{padded_} * blocks_ * Kernel::threads);
  }

  /// Whether what is to be in shared memory fits there.
  static bool fits(const GpuInfo& gpu, unsigned rows, unsigned columns) {
    return Kernel::shared_bytes(Kernel::stride(rows), columns) <= gpu.shared_bytes;
  }

  /// One total a block; their join is the sum.
  std::vector<Total> sum(const Prefixes<Value>& prefixes, const StopSignal& stop) {
    const auto starts = device_.upload(pad(prefixes.starts, prefixes.size(), numbers_.one()));
    const auto minuses = device_.upload(prefixes.minuses);
    device_.clear(totals_);
    Kernel kernel{};
    kernel.numbers = numbers_;
    kernel.rows = padded_;
    kernel.walked =
        walked_columns(prefixes.size(), std::uint64_t{blocks_} * Kernel::threads, columns_, most_walked_);
    kernel.chosen = columns_ - kernel.walked;
    kernel.columns = columns_buffer_.data();
    kernel.starts = starts.data();
    kernel.minuses = minuses.data();
    kernel.global_sums = sums_.data();
    kernel.totals = totals_.data();
    std::uint64_t items = prefixes.size() << kernel.chosen;
    double subsets = std::ldexp(1.0, static_cast<int>(kernel.walked));  // of an item
    const std::uint64_t round = std::uint64_t{blocks_} * Kernel::threads;
    longest_ = longest_in_launch(items, round, kernel.walked);
    if constexpr (plain) {
      // As long as the others, but for one: no power of two, so that threads are never in step.
      kernel.length = (std::uint64_t{1} << kernel.walked) - (kernel.walked > 1 ? 1 : 0);
      kernel.walked = columns_;
      kernel.chosen = 0;
      kernel.chunks = ((std::uint64_t{1} << columns_) - 1) / kernel.length + 1;
      items = prefixes.size() * kernel.chunks;
      subsets = static_cast<double>(kernel.length);
      longest_ = (items / round + 1) * kernel.length + longest_in_launch(0, 1, 0);
    }
    launch_in_rounds(kernel, items, round, subsets, pace_, stop, [&] {
      device_.launch(kernel, blocks_, shared_bytes_);
      device_.wait();
      ++longest_;
    });
    return device_.download(totals_, blocks_);
  }

  std::uint64_t bytes() const {
    return table_.size() * sizeof(Value) + most_prefixes * (padded_ * sizeof(Value) + 1) +
           sums_.size() * sizeof(Value) + blocks_ * sizeof(Total);
  }
  static std::string kernel() {
    if (Numbers::rows > 0) return "built in, for " + std::to_string(Numbers::rows) + " rows";
    std::string text = "built in, for any number of rows";
    if (sums_in == SumsIn::shared_apart) text += ", each thread's sums together";
    if (sums_in == SumsIn::shared_matrix) text += ", with the matrix in shared memory";
    if (sums_in == SumsIn::global) text += ", with sums in global memory";
    return text + (plain ? ", plain chunks" : "");
  }
  Numbers& numbers() { return numbers_; }
  /// Additions that a term of the last sum passed, at most.
  std::uint64_t longest() const { return longest_; }

 private:
  std::vector<Value> pad(const std::vector<Value>& values, std::uint64_t count, const Value& filling) const {
    if (padded_ == rows_) return values;
    std::vector<Value> result(count * padded_, filling);
    for (std::uint64_t k = 0; k < count; ++k)
      std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(k * rows_), rows_,
                  result.begin() + static_cast<std::ptrdiff_t>(k * padded_));
    return result;
  }

  template <class T>
  using Buffer = typename Device::template Buffer<T>;

  Device device_;
  unsigned rows_;
  unsigned padded_;
  unsigned columns_;
  unsigned most_walked_;
  Numbers numbers_;
  std::size_t shared_bytes_ = 0;
  unsigned blocks_ = 0;
  std::uint64_t longest_ = 0;
  std::vector<Value> table_;
  Buffer<Value> columns_buffer_;
  Buffer<Value> sums_;
  Buffer<Total> totals_;
  LaunchPace pace_{launch_seconds, 1e8};  // by subsets
};

template <class Device, class Numbers, SumsIn sums_in, bool plain = false>
class IntegerWalkerOn : public IntegerWalker {
 public:
  using Value = typename Numbers::Value;
  IntegerWalkerOn(const GpuInfo& gpu, const Numbers& numbers, const Walk<std::int64_t>& walk)
      : numbers_(numbers),
        launcher_(gpu, numbers, walk.rows, walk.columns, converted(walk.deltas), most_walked_columns) {}

  mpz_class sum(const Prefixes<std::int64_t>& prefixes, const StopSignal& stop) override {
    const Prefixes<Value> own{converted(prefixes.starts), prefixes.minuses};
    typename Numbers::Total total{};
    for (const auto& part : launcher_.sum(own, stop)) numbers_.join(total, part);
    if constexpr (std::is_same_v<Numbers, Primes>) {
      return mpz_class(static_cast<std::uint64_t>(numbers_.ring.to_residue(total)));
    } else {
      return to_mpz(total);
    }
  }
  std::uint64_t bytes() const override { return launcher_.bytes(); }
  std::string kernel() const override { return launcher_.kernel(); }

 private:
  std::vector<Value> converted(const std::vector<std::int64_t>& values) const {
    std::vector<Value> result;
    result.reserve(values.size());
    for (const std::int64_t value : values) {
      if constexpr (std::is_same_v<Numbers, Primes>) {
        result.push_back(numbers_.ring.from_int64(value));
      } else {
        result.push_back(static_cast<Value>(value));
      }
    }
    return result;
  }
  Numbers numbers_;
  Launcher<Device, Numbers, sums_in, plain> launcher_;
};

/// What a kind of row sums is computed in: kernels with Numbers<N> hold N row sums in registers, for N in
/// RegisterSizes, with InMemory any number of them elsewhere.
template <template <unsigned> class NumbersOf, class InMemoryNumbers, class Sizes, ExactKind its_kind>
struct FloatingForm {
  template <unsigned N>
  using Numbers = NumbersOf<N>;
  using InMemory = InMemoryNumbers;
  using RegisterSizes = Sizes;
  static constexpr ExactKind kind = its_kind;
};
template <unsigned N>
using RoundedDoubles = Doubles<N>;
template <unsigned N>
using ExactDoubles = Doubles<N, true>;
using DoublesForm = FloatingForm<RoundedDoubles, Doubles<0>, Sizes, ExactKind::doubles>;
/// Of doubles whose sums are exact; in memory their slopes are no harm.
using ExactDoublesForm = FloatingForm<ExactDoubles, Doubles<0>, Sizes, ExactKind::exact_doubles>;
using PairsForm = FloatingForm<Pairs, Pairs<0>, PairSizes, ExactKind::pairs>;
template <unsigned N>
using RoundedComplexDoubles = ComplexDoubles<N>;
template <unsigned N>
using ExactComplexDoubles = ComplexDoubles<N, true>;
using ComplexDoublesForm =
    FloatingForm<RoundedComplexDoubles, ComplexDoubles<0>, ComplexSizes, ExactKind::complex_doubles>;
using ExactComplexDoublesForm =
    FloatingForm<ExactComplexDoubles, ComplexDoubles<0>, ComplexSizes, ExactKind::exact_complex_doubles>;
using ComplexPairsForm =
    FloatingForm<ComplexPairs, ComplexPairs<0>, ComplexPairSizes, ExactKind::complex_pairs>;
using TriplesForm = FloatingForm<Triples, Triples<0>, TripleSizes, ExactKind::triples>;
using ComplexTriplesForm =
    FloatingForm<ComplexTriples, ComplexTriples<0>, ComplexTripleSizes, ExactKind::complex_triples>;

/// f(the form that such a walk takes).
template <class F>
auto with_form(const Walk<double>& walk, const F& f) {
  return walk.exact_sums ? f(ExactDoublesForm()) : f(DoublesForm());
}
template <class F>
auto with_form(const Walk<DoubleDouble>&, const F& f) {
  return f(PairsForm());
}
template <class F>
auto with_form(const Walk<Complex<double>>& walk, const F& f) {
  return walk.exact_sums ? f(ExactComplexDoublesForm()) : f(ComplexDoublesForm());
}
template <class F>
auto with_form(const Walk<Complex<DoubleDouble>>&, const F& f) {
  return f(ComplexPairsForm());
}
template <class F>
auto with_form(const Walk<TripleDouble>&, const F& f) {
  return f(TriplesForm());
}
template <class F>
auto with_form(const Walk<Complex<TripleDouble>>&, const F& f) {
  return f(ComplexTriplesForm());
}

template <class Launcher>
class FloatingWalkerOn : public FloatingWalker<typename Launcher::Value> {
 public:
  using Value = typename Launcher::Value;
  FloatingWalkerOn(const GpuInfo& gpu, const typename Launcher::Numbers& numbers, const Walk<Value>& walk)
      : columns_(walk.columns),
        coarse_(all_coarse(walk.deltas)),
        launcher_(gpu, numbers, walk.rows, walk.columns, walk.deltas, most_walked_floating + by_eight) {}

  FloatingParts<Value> sum(const Prefixes<Value>& prefixes, const StopSignal& stop) override {
    auto& numbers = launcher_.numbers();
    if constexpr (asks_for_coarse<Value>) numbers.allow_reciprocals(coarse_ && all_coarse(prefixes.starts));
    const auto totals = launcher_.sum(prefixes, stop);
    return floating_parts(numbers, totals, prefixes.size() << columns_, launcher_.longest());
  }
  std::uint64_t bytes() const override { return launcher_.bytes(); }
  std::string kernel() const override { return launcher_.kernel(); }

 private:
  /// Three columns of those that are walked over are not flipped then, but put in and out at each step.
  static constexpr unsigned by_eight = Launcher::by_eight ? 3 : 0;

  unsigned columns_;
  bool coarse_;
  Launcher launcher_;
};

}  // namespace countpm::gray
