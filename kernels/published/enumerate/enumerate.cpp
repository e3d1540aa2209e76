#include "kernels/published/enumerate/enumerate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <numeric>
#include <utility>

#include "graph/stop_poll.hpp"
#include "kernels/arithmetic/dispatch.hpp"
#include "kernels/arithmetic/prime_ring.hpp"
#include "kernels/arithmetic/ring_values.hpp"
#include "kernels/gpu/launch.hpp"
#include "kernels/published/enumerate/gpu/form.hpp"
#include "kernels/published/enumerate/gpu/kernel.hpp"
#include "kernels/support/pass_rates.hpp"
#include "kernels/support/work_meter.hpp"
#include "matching/pattern_of.hpp"

namespace countpm {

std::vector<Index> unrank_permutation(mpz_class rank, Index n) {
  // rank = sum_k digit_k k!, 0 <= digit_k <= k; digit_k says which of the k + 1 columns left, in order, comes
  // next.
  std::vector<Index> digit(n, 0);
  for (std::uint64_t k = 1; k < n; ++k)
    digit[k] = static_cast<Index>(mpz_fdiv_q_ui(rank.get_mpz_t(), rank.get_mpz_t(), k + 1));
  std::vector<Index> left(n);
  std::iota(left.begin(), left.end(), Index{0});
  std::vector<Index> permutation;
  permutation.reserve(n);
  for (Index k = n; k-- > 0;) {
    permutation.push_back(left[digit[k]]);
    left.erase(left.begin() + digit[k]);
  }
  return permutation;
}

namespace {

constexpr std::uint64_t most_ranges = 4096;
constexpr Index least_unit_rows = 6;  // 720 permutations: smaller blocks are one unit

class EnumerateJob : public Job, public GpuForm, public Repeatable {
 public:
  /// steps: of next_permutation after a permutation that comes from its rank; empty: as many as a unit has.
  EnumerateJob(const AnyBlock& block, Arithmetic arithmetic, std::optional<std::uint64_t> steps)
      : block_(std::visit([](const auto& given) { return AnyBlock(expanded(given)); }, block)),
        arithmetic_(std::move(arithmetic)),
        steps_(steps) {
    double factorial = 1;
    for (Index k = 2; k <= rows() && factorial <= 1000.0 * most_ranges; ++k) factorial *= k;
    if (rows() > least_unit_rows)
      units_ =
          static_cast<std::uint64_t>(std::clamp(factorial / 1000, 1.0, static_cast<double>(most_ranges)));
  }

  std::uint64_t units() const override { return units_; }
  double log2_work() const override {
    return std::lgamma(static_cast<double>(rows()) + 1) / std::numbers::ln2;
  }

  Partial run(std::uint64_t unit, const StopSignal& stop) const override {
    return sum_in_rings(arithmetic_, is_complex(block_), [&](const auto& ring, auto& sum) {
      WorkMeter meter(stop);
      walk(unit, ring, sum, meter);
    });
  }

  double nominal_rate() const override {
    // Permutations a second on one core of a 2-core AMD EPYC (Zen 4), 2026-11-21, n = 10 dense; measured a
    // third of this with three other builds running, and scaled for that.
    return nominal_rate_of(arithmetic_, {7e7, 4e7, 5e6});
  }

  double measured_rate(double seconds) const override {
    const StopSignal& stop = stop_signal_here();
    WorkMeter meter(stop, seconds);
    sum_in_rings(arithmetic_, is_complex(block_), [&](const auto& ring, auto& sum) {
      for (std::uint64_t unit = 0; walk(unit, ring, sum, meter) && meter.look(); unit = (unit + 1) % units_) {
      }
    });
    return measured_rate_of(arithmetic_, meter);
  }

  std::optional<Refusal> device_obstacle(const GpuInfo& /*gpu*/) const override {
    if (arithmetic_.kind != Arithmetic::Kind::residues)
      return Refusal{RefusalKind::no_gpu_form_here, "no form for GPUs where numbers are floating"};
    if (is_complex(block_))
      return Refusal{RefusalKind::no_gpu_form_here, "no form for GPUs where weights are complex"};
    if (rows() > EnumerateKernel<PrimeRing>::most_rows)
      return Refusal{RefusalKind::no_gpu_form_here,
                     fmt::format("it takes up to {} rows there", EnumerateKernel<PrimeRing>::most_rows)};
    return {};
  }
  std::unique_ptr<DeviceJob> on_device(const GpuInfo& gpu) const override {
    if (device_obstacle(gpu)) return nullptr;
    EnumerateTask task;
    task.rows = rows();
    task.moduli = arithmetic_.moduli;
    task.units = units_;
    task.steps = steps_;
    for (const Modulus& modulus : arithmetic_.moduli) {
      with_exact_ring(modulus, [&](const auto& ring) {
        const auto entry = dense(ring, ring_values(ring, block_).value);
        task.entries.emplace_back(entry.begin(), entry.end());
      });
    }
    return on_gpu<EnumerateForm>(gpu, std::move(task));
  }
  double nominal_device_rate(const GpuInfo& gpu) const override {
    if (device_obstacle(gpu)) return 0;
    if (gpu.emulated) return 1e6 / passes_of(arithmetic_);
    // An eighth of what an NVIDIA H200 does modulo 2^64; primes were not measured
    // (bench/results/counting-gpu.md).
    return 0.1 * gpu.multiprocessors * gpu.clock_ghz * 1e9 / passes_of(arithmetic_);
  }

  std::unique_ptr<Job> with_moduli_subset(const Arithmetic& arithmetic) const override {
    return std::make_unique<EnumerateJob>(block_, arithmetic, steps_);
  }

  std::uint64_t bytes_per_thread() const override {
    return 4096 + element_bytes(arithmetic_) * rows() * rows();
  }

 private:
  Index rows() const {
    return std::visit([](const auto& block) { return block.matrix.rows; }, block_);
  }

  /// visit(row * n + column, number of the entry).
  template <class Visit>
  void for_each_entry(const Visit& visit) const {
    const SparsePattern& matrix = pattern_of(block_);
    for (Index i = 0; i < matrix.rows; ++i) {
      for (std::uint64_t k = matrix.row_start[i]; k < matrix.row_start[i + std::uint64_t{1}]; ++k)
        visit(std::size_t{i} * matrix.rows + matrix.column[k], k);
    }
  }
  /// The whole matrix, zeros too.
  template <Ring R>
  std::vector<typename R::Element> dense(const R& ring,
                                         const std::vector<typename R::Element>& values) const {
    std::vector<typename R::Element> entry(std::size_t{rows()} * rows(), ring.zero());
    for_each_entry([&](std::size_t place, std::uint64_t k) { entry[place] = values[k]; });
    return entry;
  }

  /// Adds the terms of the unit's ranks. False where the meter called time.
  template <Ring R>
  bool walk(std::uint64_t unit, const R& ring, RunningSum<R>& sum, WorkMeter& meter) const {
    const Index n = rows();
    const auto values = ring_values(ring, block_);
    sum.expect_entries(n);
    sum.scale(values.exponent);
    const std::vector<typename R::Element> entry = dense(ring, values.value);
    std::vector<bool> present(std::size_t{n} * n, false);
    for_each_entry([&](std::size_t place, std::uint64_t) { present[place] = true; });

    mpz_class ranks;
    mpz_fac_ui(ranks.get_mpz_t(), n);
    const mpz_class first = ranks * unit / units_;
    mpz_class left = ranks * (unit + 1) / units_ - first;  // ranks still to do
    mpz_class done;
    if (left == 0) return true;
    std::vector<Index> column = unrank_permutation(first, n);
    std::vector<Term<R>> product(n + std::size_t{1},
                                 sum.start());  // of rows 0 .. i - 1, where none of their entries is zero
    Index alive = 0;                            // product[0 .. alive] are up to date
    Index changed = 0;                          // the first row whose column has changed
    const std::uint64_t most_steps = steps_.value_or(std::numeric_limits<std::uint64_t>::max());
    std::uint64_t steps = 0;  // since the last one from its rank
    while (true) {
      const std::uint64_t batch = left > batch_size ? batch_size : left.get_ui();
      for (std::uint64_t step = 0; step < batch; ++step) {
        // Rows up to `alive` count; where the chain broke before `changed` it stays broken.
        if (changed <= alive) {
          alive = changed;
          while (alive < n && present[std::size_t{alive} * n + column[alive]]) {
            product[alive + std::size_t{1}] = product[alive];
            sum.times(product[alive + std::size_t{1}], entry[std::size_t{alive} * n + column[alive]]);
            ++alive;
          }
          if (alive == n) sum.add(product[n]);
        }
        if (steps == most_steps) {
          // The last one of the unit has no next one.
          const mpz_class next = first + (done + step + 1);
          if (next < ranks) column = unrank_permutation(next, n);
          changed = 0;
          steps = 0;
          continue;
        }
        ++steps;
        // What next_permutation is about to change: from the last ascent on.
        changed = n < 2 ? 0 : n - 2;
        while (changed > 0 && column[changed] > column[changed + std::size_t{1}]) --changed;
        std::next_permutation(column.begin(), column.end());
      }
      left -= batch;
      done += batch;
      meter.spend(batch);
      const bool time_left = meter.look();
      if (left == 0) return true;
      if (!time_left) return false;
    }
  }

  static constexpr std::uint64_t batch_size = 1 << 14;

  AnyBlock block_;
  Arithmetic arithmetic_;
  std::optional<std::uint64_t> steps_;
  std::uint64_t units_ = 1;
};

class Enumerate : public Method {
 public:
  std::string_view name() const override { return "enumerate"; }
  std::string_view summary() const override { return "all n! permutations by rank; for checks, n <= 13"; }
  std::string_view complexity() const override { return "O(n!) time, O(n^2) memory"; }
  std::string_view reference() const override {
    return "D. H. Lehmer, Teaching combinatorial tricks to a computer, Proc. Symp. Appl. Math. 10 (1960)";
  }
  std::string_view work_name() const override { return "permutations"; }
  MethodTraits traits() const override {
    MethodTraits traits;
    traits.prefers_wrap_around = true;
    return traits;
  }
  std::optional<Refusal> obstacle(const AnyBlock& block, const Arithmetic& arithmetic) const override {
    return countpm::obstacle(block, arithmetic);
  }
  std::unique_ptr<Job> make_job(const AnyBlock& block, const Arithmetic& arithmetic,
                                const MethodOptions& options) const override {
    return std::make_unique<EnumerateJob>(block, arithmetic, options.settings.number(Setting::steps));
  }
};

}  // namespace

const Method& enumerate_method() {
  static const Enumerate method;
  return method;
}

}  // namespace countpm
