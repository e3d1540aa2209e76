#pragma once
// The walks of subsets/gpu/walker.hpp as templates over the device: ryser/gpu/launch.cu makes them for CUDA,
// ryser_emulated.cpp for the CPU executor.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>

#include "graph/errors.hpp"
#include "kernels/gpu/device_rounds.hpp"
#include "kernels/ryser/gpu/primes.hpp"
#include "kernels/ryser/gpu/sizes.hpp"
#include "kernels/subsets/gpu/complex_numbers.hpp"
#include "kernels/subsets/gpu/generated_source.hpp"
#include "kernels/subsets/gpu/numbers.hpp"
#include "kernels/subsets/gpu/walker.hpp"
#include "kernels/subsets/words_value.hpp"

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
template <class Device, class KernelNumbers, SumsIn sums_in, ColumnsIn columns_in>
class Launcher {
 public:
  using Numbers = KernelNumbers;
  using Kernel = RyserKernel<Numbers, sums_in, columns_in>;
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

  /// Whether A and x fit where they are to be.
  static bool fits(const GpuInfo& gpu, unsigned rows, unsigned columns) {
    const unsigned padded = Kernel::stride(rows);
    if (columns_in == ColumnsIn::constant && std::size_t{padded} * columns * sizeof(Value) > constant_bytes)
      return false;
    return Kernel::shared_bytes(padded, columns) <= gpu.shared_bytes;
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
    if constexpr (columns_in == ColumnsIn::constant) std::copy(table_.begin(), table_.end(), kernel.constant);
    const std::uint64_t items = prefixes.size() << kernel.chosen;
    const std::uint64_t round = std::uint64_t{blocks_} * Kernel::threads;
    longest_ = longest_in_launch(items, round, kernel.walked);
    launch_in_rounds(kernel, items, round, std::ldexp(1.0, static_cast<int>(kernel.walked)), pace_, stop,
                     [&] {
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
    return Numbers::rows > 0 ? "built in, for " + std::to_string(Numbers::rows) + " rows"
                             : "built in, for any number of rows";
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

template <class Device, class Numbers, SumsIn sums_in, ColumnsIn columns_in>
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
      return mpz_class(static_cast<unsigned long>(numbers_.ring.to_residue(total)));
    } else {
      return value_of(total);
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
  Launcher<Device, Numbers, sums_in, columns_in> launcher_;
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

/// Whether it is a multiple of 2^-125: so are sums of such doubles, rounded or not, which are 0 or not
/// smaller then.
inline bool is_coarse(double value) {
  if (value == 0 || std::fabs(value) >= 0x1p-73) return true;  // 53 bits reach 2^-125
  const double units = std::ldexp(value, 125);
  return units == std::nearbyint(units);
}
inline bool is_coarse(const Complex<double>& value) {
  return is_coarse(value.re) && is_coarse(value.im);
}

/// Of double-doubles and triple-doubles, too small a row sum is seen where it is, or does no harm.
template <class Value>
inline constexpr bool asks_for_coarse =
    std::is_same_v<Value, double> || std::is_same_v<Value, Complex<double>>;
template <class Value>
bool all_coarse(const std::vector<Value>& values) {
  if constexpr (asks_for_coarse<Value>) {
    return std::all_of(values.begin(), values.end(), [](const Value& value) { return is_coarse(value); });
  } else {
    return false;
  }
}

/// A total as values that add up to it.
inline void append_parts(std::vector<double>& parts, const NeumaierSum& sum) {
  parts.push_back(sum.sum);
  parts.push_back(sum.correction);
}
inline void append_parts(std::vector<Complex<double>>& parts, const ComplexNeumaierSum& sum) {
  parts.push_back({sum.re.sum, sum.im.sum});
  parts.push_back({sum.re.correction, sum.im.correction});
}
template <class Value>
void append_parts(std::vector<Value>& parts, const Value& sum) {
  parts.push_back(sum);
}

/// Threads' or blocks' totals of so many terms.
template <class Numbers>
FloatingParts<typename Numbers::Value> floating_parts(const Numbers& numbers,
                                                      const std::vector<typename Numbers::Total>& totals,
                                                      std::uint64_t terms, std::uint64_t longest) {
  FloatingParts<typename Numbers::Value> result;
  for (const auto& total : totals) {
    if (total.products == 0 && total.errors == 0) continue;  // nobody's, and no addition that could round
    append_parts(result.parts, total.sum);
    result.products += total.products;
    result.wides += numbers.wides(total);
  }
  result.terms = terms;
  result.longest = std::min(longest, 2 * terms);  // nothing is rounded where there is no term
  return result;
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

/// Other places than the best for columns beside registers are for comparisons, at one size.
template <class Numbers>
inline constexpr bool is_compared =
    std::is_same_v<Numbers, RegisterIntegers<40, words_for(40)>> || std::is_same_v<Numbers, Doubles<40>> ||
    std::is_same_v<Numbers, Pairs<40>>;

/// Which of the two walkers a kind of numbers is for, and what it is made from.
template <class Base, class Given>
struct Making {
  const GpuInfo& gpu;
  const Walk<Given>& walk;

  template <class Numbers, SumsIn sums_in, ColumnsIn columns_in, class Device>
  std::unique_ptr<Base> make(const Numbers& numbers) const {
    using Launch = Launcher<Device, Numbers, sums_in, columns_in>;
    if (!Launch::fits(gpu, walk.rows, walk.columns)) return nullptr;
    if constexpr (std::is_same_v<Base, IntegerWalker>) {
      return std::make_unique<IntegerWalkerOn<Device, Numbers, sums_in, columns_in>>(gpu, numbers, walk);
    } else {
      return std::make_unique<FloatingWalkerOn<Launch>>(gpu, numbers, walk);
    }
  }

  /// Row sums in shared or global memory.
  template <class Device, class Numbers>
  std::unique_ptr<Base> in_memory(const Numbers& numbers, const ForcedPlaces& places) const {
    std::unique_ptr<Base> made;
    const auto try_place = [&](auto sums, auto columns) {
      if (made || (places && (places->sums != sums || places->columns != columns))) return;
      made = make<Numbers, decltype(sums)::value, decltype(columns)::value, Device>(numbers);
    };
    using SharedSums = std::integral_constant<SumsIn, SumsIn::shared>;
    using GlobalSums = std::integral_constant<SumsIn, SumsIn::global>;
    using SharedColumns = std::integral_constant<ColumnsIn, ColumnsIn::shared>;
    using GlobalColumns = std::integral_constant<ColumnsIn, ColumnsIn::global>;
    try_place(SharedSums{}, SharedColumns{});
    try_place(SharedSums{}, GlobalColumns{});
    try_place(GlobalSums{}, SharedColumns{});
    try_place(GlobalSums{}, GlobalColumns{});
    return made;
  }
  /// Row sums in registers.
  template <class Device, class Numbers>
  std::unique_ptr<Base> in_registers(const Numbers& numbers, const ForcedPlaces& places) const {
    const ColumnsIn columns = places ? places->columns : ColumnsIn::shared;
    if (columns == ColumnsIn::shared)
      return make<Numbers, SumsIn::registers, ColumnsIn::shared, Device>(numbers);
    if constexpr (is_compared<Numbers>) {
      if (columns == ColumnsIn::global)
        return make<Numbers, SumsIn::registers, ColumnsIn::global, Device>(numbers);
      return make<Numbers, SumsIn::registers, ColumnsIn::constant, Device>(numbers);
    }
    return nullptr;
  }
};

template <class Pointer>
Pointer required(Pointer made) {
  if (!made) throw UnableError("the GPU has no room for these columns in these places", "--device cpu has");
  return made;
}

inline bool registers_allowed(const ForcedPlaces& places) {
  return !places || places->sums == SumsIn::registers;
}

template <class Device>
std::unique_ptr<IntegerWalker> integer_walker_on(const GpuInfo& gpu, const Walk<std::int64_t>& walk,
                                                 const IntegerLimits& limits, const ForcedPlaces& places) {
  using Result = std::unique_ptr<IntegerWalker>;
  const Making<IntegerWalker, std::int64_t> making{gpu, walk};
  constexpr std::int64_t largest_in_registers = RegisterIntegers<1, 1>::largest_sum;
  Result made;
  if (registers_allowed(places) && limits.bound <= largest_in_registers) {
    made = with_size<Result>(
        walk.rows,
        [&](auto size) -> Result {
          constexpr unsigned words = words_for(size);
          if (limits.log2_sum + 2 > 64 * words) return nullptr;
          return making.in_registers<Device>(RegisterIntegers<size, words>(), places);
        },
        Sizes());
  }
  if (!made) {
    Integers numbers;
    const double log2_bound = std::log2(static_cast<double>(std::max<std::int64_t>(limits.bound, 1)) + 1);
    numbers.per_word = std::max(1U, static_cast<unsigned>(62.5 / std::max(log2_bound, 1.0)));
    made = making.in_memory<Device>(numbers, places);
  }
  return required(std::move(made));
}

template <class Device>
std::unique_ptr<IntegerWalker> prime_walker_on(const GpuInfo& gpu, const Walk<std::int64_t>& walk,
                                               std::uint64_t prime, const ForcedPlaces& places) {
  return required(
      Making<IntegerWalker, std::int64_t>{gpu, walk}.in_memory<Device>(Primes{PrimeRing(prime)}, places));
}

template <class Device, class Value>
std::unique_ptr<FloatingWalker<Value>> floating_walker_on(const GpuInfo& gpu, const Walk<Value>& walk,
                                                          double spread, const ForcedPlaces& places) {
  using Result = std::unique_ptr<FloatingWalker<Value>>;
  const Making<FloatingWalker<Value>, Value> making{gpu, walk};
  return with_form(walk, [&](auto form) {
    using Form = decltype(form);
    Result made;
    if (registers_allowed(places)) {
      made = with_size<Result>(
          walk.rows,
          [&](auto size) -> Result {
            using Numbers = typename Form::template Numbers<decltype(size)::value>;
            return making.template in_registers<Device>(Numbers(spread, walk.rows), places);
          },
          typename Form::RegisterSizes());
    }
    using InMemory = typename Form::InMemory;
    if (!made) made = making.template in_memory<Device>(InMemory(spread, walk.rows), places);
    return required(std::move(made));
  });
}

}  // namespace countpm::gray
