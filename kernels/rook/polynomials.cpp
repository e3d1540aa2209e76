#include "kernels/rook/polynomials.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "graph/clock.hpp"
#include "kernels/arithmetic/dispatch.hpp"
#include "kernels/arithmetic/to_mpz.hpp"
#include "kernels/support/large_buffer.hpp"
#include "kernels/support/parallel_ranges.hpp"

namespace countpm {
namespace {

// One bit for the sign, a little for the bound's own roundings.
constexpr double most_narrow_bits = 62.9;
constexpr double most_wide_bits = 126.9;
// Coefficients of one chunk of a parallel loop: some 10 us, so that the stop signal is seen.
constexpr std::uint64_t chunk_coefficients = 1 << 14;

struct TimeUp {};

/// A step in a ring. In: the input's Element, the ring's own or, where a step widens, a narrower integer.
template <Ring R, class In>
class StepWalk {
 public:
  using Element = typename R::Element;

  StepWalk(const R& ring, const RookStep& step, bool plain) : ring_(ring), step_(step), plain_(plain) {
    for (const RookTerm& term : step.terms) weights_.push_back(ring.from_mpq(mpq_class(term.weight)));
  }

  /// Writes the output's states that keep first .. last - 1. Returns the coefficients added.
  std::uint64_t run(const In* in, Element* out, std::uint64_t first, std::uint64_t last) const {
    const std::uint64_t block = step_.length << step_.fresh_bits;  // of one kept state
    std::uint64_t added = 0;
    for (std::uint64_t kept = first; kept < last; ++kept) {
      Element* const to = out + kept * block;
      std::fill_n(to, block, ring_.zero());
      std::uint64_t base = kept;
      for (const unsigned hole : step_.holes) {
        const std::uint64_t low = (std::uint64_t{1} << hole) - 1;
        base = (base & ~low) << 1 | (base & low);
      }
      for (std::size_t t = 0; t < weights_.size(); ++t) {
        const RookTerm& term = step_.terms[t];
        if ((kept & term.need) != term.need) continue;
        const In* const from = in + ((base & ~term.clear) | term.set) * step_.old_length;
        const std::uint64_t count = std::min(step_.old_length, step_.length - term.shift);
        add(to + term.target * step_.length + term.shift, from, count, weights_[t]);
        added += count;
      }
    }
    return added;
  }

 private:
  void add(Element* to, const In* from, std::uint64_t count, const Element& weight) const {
    if (plain_) {
      for (std::uint64_t q = 0; q < count; ++q) ring_.add_to(to[q], widen(from[q]));
    } else {
      for (std::uint64_t q = 0; q < count; ++q) ring_.add_to(to[q], ring_.mul(widen(from[q]), weight));
    }
  }
  static Element widen(In value) {
    if constexpr (std::is_same_v<In, Element>) {
      return value;
    } else {
      return static_cast<Element>(static_cast<std::make_signed_t<In>>(value));  // extends the sign
    }
  }

  R ring_;
  const RookStep& step_;
  bool plain_;
  std::vector<Element> weights_;
};

/// The bytes of the tables before and after every step: 0 .. steps.
std::vector<double> table_bytes(const RookPlan& plan, bool exact, const Modulus& modulus);

/// Steps one after the other, from one of two buffers into the other. In: what the tables hold so far.
class Runner {
 public:
  /// bytes: of all tables.
  Runner(RookRun& run, const std::vector<double>& bytes)
      : run_(run), buffers_{LargeBuffer(largest(bytes, 0)), LargeBuffer(largest(bytes, 1))} {
    if (run.seconds > 0) {
      deadline_ = seconds_now() + run.seconds;
    }
  }
  ~Runner() { run_.added = added_.load(); }
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  /// Of the even (odd) tables.
  static std::uint64_t largest(const std::vector<double>& bytes, std::size_t parity) {
    double most = 64;
    for (std::size_t k = parity; k < bytes.size(); k += 2) most = std::max(most, bytes[k]);
    return most >= 0x1p61 ? std::uint64_t{1} << 61 : static_cast<std::uint64_t>(most);
  }

  template <class Element>
  Element* table() const {
    return buffers_[steps_ % 2].as<Element>();
  }

  template <Ring R, class In>
  void step(const R& ring, const RookStep& step) {
    const In* in = table<In>();
    ++steps_;
    auto* out = table<typename R::Element>();
    const StepWalk<R, In> walk(ring, step, run_.plain);
    const std::uint64_t kept = std::uint64_t{1} << step.kept_bits;
    const std::uint64_t chunk =
        std::max<std::uint64_t>(chunk_coefficients / (step.length * step.terms.size() + 1), 1);
    parallel_ranges(run_.threads, kept, chunk, [&](std::uint64_t first, std::uint64_t last) {
      if (run_.stop != nullptr) run_.stop->check();
      if (run_.seconds > 0 && seconds_now() > deadline_) throw TimeUp();
      const std::uint64_t added = walk.run(in, out, first, last);
      const std::uint64_t all = added_.fetch_add(added, std::memory_order_relaxed) + added;
      if (run_.predicted > 0 && run_.stop != nullptr)
        run_.stop->report_share(std::min(static_cast<double>(all) / run_.predicted, 1.0));
    });
  }

 private:
  RookRun& run_;
  LargeBuffer buffers_[2];
  std::size_t steps_ = 0;
  double deadline_ = 0;
  std::atomic<std::uint64_t> added_{0};
};

std::size_t narrow_steps(const RookPlan& plan) {
  std::size_t count = 0;
  while (count < plan.steps.size() && plan.steps[count].log2_bound <= most_narrow_bits) ++count;
  return count;
}

std::vector<double> table_bytes(const RookPlan& plan, bool exact, const Modulus& modulus) {
  const std::size_t first_wide = narrow_steps(plan);
  std::vector<double> bytes{16};
  for (std::size_t s = 0; s < plan.steps.size(); ++s) {
    const bool wide = exact ? s >= first_wide : modulus.prime == 0 && modulus.power_of_two == 128;
    bytes.push_back(std::ldexp(static_cast<double>(plan.steps[s].length) * (wide ? 16 : 8),
                               static_cast<int>(plan.steps[s].new_bits())));
  }
  return bytes;
}

double additions_of(const RookStep& step) {
  double sum = 0;
  for (const RookTerm& term : step.terms) {
    sum += std::ldexp(static_cast<double>(std::min(step.old_length, step.length - term.shift)),
                      static_cast<int>(step.kept_bits) - std::popcount(term.need));
  }
  return sum;
}

}  // namespace

bool rook_numbers_fit(const RookPlan& plan) {
  return std::all_of(plan.steps.begin(), plan.steps.end(),
                     [](const RookStep& step) { return step.log2_bound <= most_wide_bits; });
}

std::vector<mpz_class> rook_numbers(const RookPlan& plan, RookRun& run) {
  using Narrow = std::uint64_t;
  std::vector<mpz_class> result;
  const std::uint64_t length = plan.steps.empty() ? 1 : plan.steps.back().length;
  try {
    Runner runner(run, table_bytes(plan, true, {}));
    const WrapRing<Narrow> narrow;
    const WrapRing<uint128> wide;
    const std::size_t first_wide = narrow_steps(plan);
    runner.table<Narrow>()[0] = narrow.one();
    for (std::size_t s = 0; s < plan.steps.size(); ++s) {
      if (s < first_wide) {
        runner.step<WrapRing<Narrow>, Narrow>(narrow, plan.steps[s]);
      } else if (s == first_wide) {
        runner.step<WrapRing<uint128>, Narrow>(wide, plan.steps[s]);
      } else {
        runner.step<WrapRing<uint128>, uint128>(wide, plan.steps[s]);
      }
    }
    for (std::uint64_t k = 0; k < length; ++k) {
      if (first_wide == plan.steps.size()) {
        result.emplace_back(static_cast<std::int64_t>(runner.table<Narrow>()[k]));
      } else {
        result.push_back(to_mpz(static_cast<int128>(runner.table<uint128>()[k])));
      }
    }
  } catch (const TimeUp&) {
    result.clear();
  }
  return result;
}

std::vector<uint128> rook_numbers(const RookPlan& plan, const Modulus& modulus, RookRun& run) {
  return with_exact_ring(modulus, [&](const auto& ring) {
    using R = std::decay_t<decltype(ring)>;
    using Element = typename R::Element;
    std::vector<uint128> result;
    try {
      Runner runner(run, table_bytes(plan, false, modulus));
      runner.table<Element>()[0] = ring.one();
      for (const RookStep& step : plan.steps) runner.step<R, Element>(ring, step);
      const std::uint64_t length = plan.steps.empty() ? 1 : plan.steps.back().length;
      for (std::uint64_t k = 0; k < length; ++k)
        result.push_back(ring.to_residue(runner.table<Element>()[k]));
    } catch (const TimeUp&) {
      result.clear();
    }
    return result;
  });
}

double rook_additions(const RookPlan& plan) {
  double sum = 1;
  for (const RookStep& step : plan.steps) sum += additions_of(step);
  return sum;
}

double rook_seconds(const RookPlan& plan, bool exact, bool plain, double additions) {
  // AMD EPYC (Zen 4), one core, 2026-11-21: fitted to 15 random blocks of 2^18 to 2^31 additions, which they
  // foretell within a factor of 1.5 (bench/results/counting-cpu.md).
  constexpr double vector_seconds = 4e-9;  // to find, clear and start on one state's coefficients
  constexpr double step_seconds = 1e-6;
  constexpr double cache_bytes = 0x1p24;
  const std::size_t first_wide = narrow_steps(plan);
  const std::vector<double> bytes = table_bytes(plan, exact, {});
  // The first touch of a page costs 0.3 s/GB where the host has it at hand, 2.3 s/GB where not.
  constexpr double touch_seconds = 5e-10;  // a byte of large tables
  double touched[2] = {0, 0};
  double seconds = 1e-7;
  for (std::size_t s = 0; s < plan.steps.size() && additions > 0; ++s) {
    const RookStep& step = plan.steps[s];
    const bool wide = exact && s >= first_wide;
    double each = exact ? (wide ? 0.6e-9 : 0.35e-9) : 0.6e-9;
    if (!plain) each += exact ? (wide ? 1.2e-9 : 0.6e-9) : 2e-9;
    if (bytes[s] + bytes[s + 1] > cache_bytes) each += wide ? 0.5e-9 : 0.25e-9;
    each += vector_seconds / static_cast<double>(step.length);
    const double own = additions_of(step);
    double& buffer = touched[(s + 1) % 2];
    if (bytes[s + 1] > cache_bytes) seconds += touch_seconds * std::max(bytes[s + 1] - buffer, 0.0);
    buffer = std::max(buffer, bytes[s + 1]);
    seconds += step_seconds + each * std::min(own, additions);
    additions -= own;
  }
  return seconds;
}

std::uint64_t rook_bytes(const RookPlan& plan, bool exact, const Modulus& modulus) {
  const std::vector<double> bytes = table_bytes(plan, exact, modulus);
  return Runner::largest(bytes, 0) + Runner::largest(bytes, 1);
}

}  // namespace countpm
