#include "kernels/subsets/gpu/job.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

#include "kernels/arithmetic/ball.hpp"
#include "kernels/gpu/device_rounds.hpp"
#include "kernels/subsets/prefix_batches.hpp"
#include "kernels/subsets/prefixes.hpp"

namespace countpm {
namespace {

using gray::IntegerLimits;
using gray::IntegerWalker;
using gray::Prefixes;

bool is_power_of_two(const Modulus& modulus) {
  return modulus.prime == 0;
}

/// Of subsets, units being alike.
double rate_of(DeviceJob& job, std::uint64_t units, double log2_work, double seconds) {
  const double work = std::exp2(log2_work) / static_cast<double>(units);
  return rate_of_ranges(job, units, seconds,
                        [work](std::uint64_t count) { return work * static_cast<double>(count); });
}

IntegerLimits limits_of(const IntegerColumns<std::int64_t>& columns, const SubsetPlan& plan) {
  IntegerLimits limits;
  limits.log2_sum = plan.log2_terms;
  for (const std::int64_t bound : columns.row_bound) {
    limits.bound = std::max(limits.bound, bound);
    limits.log2_sum += std::log2(static_cast<double>(std::max<std::int64_t>(bound, 1)));
  }
  return limits;
}

enum class Form { none, words, primes };

Form form_of(const IntegerColumns<std::int64_t>& columns, const SubsetPlan& plan,
             const Arithmetic& arithmetic) {
  if (has_twins(columns.multiplicity)) return Form::none;
  const auto powers = std::count_if(arithmetic.moduli.begin(), arithmetic.moduli.end(), is_power_of_two);
  const auto all = static_cast<std::ptrdiff_t>(arithmetic.moduli.size());
  // Wrapping around modulo 2^512 does no harm modulo a smaller power of two.
  if (powers == all || gray::fits_words(limits_of(columns, plan))) return Form::words;
  return powers == 0 ? Form::primes : Form::none;
}

class ExactDeviceJob : public DeviceJob {
 public:
  ExactDeviceJob(const GpuInfo& gpu, const IntegerColumns<std::int64_t>& columns, const SubsetPlan& plan,
                 const Arithmetic& arithmetic, const gray::ForcedPlaces& places)
      : columns_(columns), plan_(plan) {
    gray::Walk<std::int64_t> walk = gray::walk_over(columns, plan, static_cast<unsigned>(plan.inner.size()));
    walk.log2_subsets = plan.log2_terms;
    if (form_of(columns, plan, arithmetic) == Form::words) {
      walkers_.push_back(make_integer_walker(gpu, walk, limits_of(columns, plan), places));
      moduli_.push_back(arithmetic);
      return;
    }
    for (const Modulus& modulus : arithmetic.moduli) {
      walkers_.push_back(make_prime_walker(gpu, walk, modulus.prime, places));
      moduli_.push_back(arithmetic);
      moduli_.back().moduli = {modulus};
    }
  }

  Partial run(std::uint64_t first, std::uint64_t last, const StopSignal& stop) override {
    std::vector<mpz_class> sums(walkers_.size());
    gray::for_each_batch(columns_, plan_, static_cast<unsigned>(plan_.inner.size()), first, last,
                         [&](const Prefixes<std::int64_t>& prefixes) {
                           for (std::size_t k = 0; k < walkers_.size(); ++k)
                             sums[k] += walkers_[k]->sum(prefixes, stop);
                         });
    Residues result;
    for (std::size_t k = 0; k < walkers_.size(); ++k) {
      const Partial share =
          share_of_permanent(sums[k], columns_.rows, plan_.shift, columns_.scale, moduli_[k]);
      const std::vector<uint128>& residue = std::get<Residues>(share).residue;
      result.residue.insert(result.residue.end(), residue.begin(), residue.end());
    }
    return result;
  }

  double measured_rate(double seconds) override {
    return rate_of(*this, plan_.units, plan_.log2_terms, seconds);
  }
  std::uint64_t device_bytes() const override {
    std::uint64_t bytes = 0;
    for (const auto& walker : walkers_) bytes += walker->bytes();
    return bytes;
  }
  std::string kernel() const override { return walkers_.empty() ? "" : walkers_.front()->kernel(); }

 private:
  const IntegerColumns<std::int64_t>& columns_;
  const SubsetPlan& plan_;
  std::vector<std::unique_ptr<IntegerWalker>> walkers_;
  std::vector<Arithmetic> moduli_;  // beside walkers_: what each one's sum is reduced by
};

template <class Value>
class FloatingDeviceJob : public DeviceJob {
 public:
  FloatingDeviceJob(FloatingDevicePlan<Value> plan, const Arithmetic& arithmetic,
                    std::unique_ptr<gray::FloatingWalker<Value>> walker)
      : plan_(std::move(plan)), bits_(ball_bits(arithmetic)), walker_(std::move(walker)) {}

  Partial run(std::uint64_t first, std::uint64_t last, const StopSignal& stop) override {
    Ball total = zero_ball(bits_);
    const auto sum_up = [&](const Prefixes<Value>& prefixes) {
      add(total, plan_.share(walker_->sum(prefixes, stop)));
    };
    gray::PrefixBatch<Value, decltype(sum_up)> batch(sum_up);
    for (std::uint64_t unit = first; unit < last; ++unit) {
      plan_.for_each_prefix(unit,
                            [&](const std::vector<Value>& start, bool minus) { batch.add(start, minus); });
    }
    batch.flush();
    return total;
  }
  double measured_rate(double seconds) override {
    return rate_of(*this, plan_.units, plan_.log2_terms, seconds);
  }
  std::uint64_t device_bytes() const override { return walker_->bytes(); }
  std::string kernel() const override {
    // What MPFR numbers have become is told here alone.
    constexpr bool triples =
        std::is_same_v<Value, TripleDouble> || std::is_same_v<Value, Complex<TripleDouble>>;
    return walker_->kernel() + (triples ? ", in triple-doubles" : "");
  }

 private:
  FloatingDevicePlan<Value> plan_;
  mpfr_prec_t bits_;
  std::unique_ptr<gray::FloatingWalker<Value>> walker_;
};

}  // namespace

double rate_by_row_sums(const GpuInfo& gpu, Index rows, double sums_a_clock) {
  if (gpu.emulated) return 1e6 / std::max<double>(rows, 1);
  return sums_a_clock * gpu.multiprocessors * gpu.clock_ghz * 1e9 / std::max<double>(rows, 1);
}

std::optional<Refusal> ryser_device_obstacle(const IntegerColumns<std::int64_t>& columns,
                                             const SubsetPlan& plan, const Arithmetic& arithmetic) {
  if (has_twins(columns.multiplicity)) return Refusal{RefusalKind::no_gpu_form_here, no_gpu_form_for_twins};
  if (form_of(columns, plan, arithmetic) == Form::none)
    return Refusal{RefusalKind::no_gpu_form_here,
                   "no form for GPUs where sums beyond 512 bits are wanted modulo primes and a power of two"};
  return {};
}

std::unique_ptr<DeviceJob> make_ryser_device_job(const GpuInfo& gpu,
                                                 const IntegerColumns<std::int64_t>& columns,
                                                 const SubsetPlan& plan, const Arithmetic& arithmetic,
                                                 const gray::ForcedPlaces& places) {
  if (form_of(columns, plan, arithmetic) == Form::none) return nullptr;
  return std::make_unique<ExactDeviceJob>(gpu, columns, plan, arithmetic, places);
}

// NVIDIA H200, n = 24 to 40, 2026-11-21 and -23, bench/results/2026-11-21-gpu-ryser.md and
// -23-gpu-floating.md. Other GPUs have fewer FP64 units; their rates are measured before a long count.
double nominal_sums_a_clock(gray::ExactKind kind) {
  switch (kind) {
    case gray::ExactKind::integers:
      break;
    case gray::ExactKind::doubles:
      return 16;
    case gray::ExactKind::exact_doubles:
      return 26;
    case gray::ExactKind::pairs:
      return 1.3;
    // bench/results/2026-11-23-gpu-quad.md: 5 to 6, 6.5 to 8.4.
    case gray::ExactKind::complex_doubles:
      return 5.5;
    case gray::ExactKind::exact_complex_doubles:
      return 7.5;
    case gray::ExactKind::complex_pairs:
      return 0.25;
    case gray::ExactKind::triples:
      return 0.35;
    case gray::ExactKind::complex_triples:
      return 0.08;
  }
  return 15;
}

double nominal_ryser_device_rate(const GpuInfo& gpu, const IntegerColumns<std::int64_t>& columns,
                                 const SubsetPlan& plan, const Arithmetic& arithmetic) {
  switch (form_of(columns, plan, arithmetic)) {
    case Form::none:
      return 0;
    case Form::primes:
      return rate_by_row_sums(gpu, columns.rows, 1.2 / static_cast<double>(arithmetic.moduli.size()));
    case Form::words:
      break;
  }
  const IntegerLimits limits = limits_of(columns, plan);
  const bool registers = limits.bound <= 64 && columns.rows <= 64;
  return rate_by_row_sums(gpu, columns.rows, registers ? nominal_sums_a_clock(gray::ExactKind::integers) : 2);
}

template <class Value>
std::unique_ptr<DeviceJob> make_floating_device_job(const GpuInfo& gpu, FloatingDevicePlan<Value> plan,
                                                    const Arithmetic& arithmetic,
                                                    const gray::ForcedPlaces& places) {
  gray::Walk<Value> walk = plan.walk;
  walk.log2_subsets = plan.log2_terms;
  auto walker = make_floating_walker(gpu, walk, plan.spread, places);
  return std::make_unique<FloatingDeviceJob<Value>>(std::move(plan), arithmetic, std::move(walker));
}

template <class Value>
std::unique_ptr<DeviceJob> make_floating_device_job(FloatingDevicePlan<Value> plan,
                                                    const Arithmetic& arithmetic,
                                                    std::unique_ptr<gray::FloatingWalker<Value>> walker) {
  return std::make_unique<FloatingDeviceJob<Value>>(std::move(plan), arithmetic, std::move(walker));
}
template std::unique_ptr<DeviceJob> make_floating_device_job(
    FloatingDevicePlan<double> plan, const Arithmetic& arithmetic,
    std::unique_ptr<gray::FloatingWalker<double>> walker);
template std::unique_ptr<DeviceJob> make_floating_device_job(
    FloatingDevicePlan<DoubleDouble> plan, const Arithmetic& arithmetic,
    std::unique_ptr<gray::FloatingWalker<DoubleDouble>> walker);
template std::unique_ptr<DeviceJob> make_floating_device_job(
    FloatingDevicePlan<Complex<double>> plan, const Arithmetic& arithmetic,
    std::unique_ptr<gray::FloatingWalker<Complex<double>>> walker);
template std::unique_ptr<DeviceJob> make_floating_device_job(
    FloatingDevicePlan<Complex<DoubleDouble>> plan, const Arithmetic& arithmetic,
    std::unique_ptr<gray::FloatingWalker<Complex<DoubleDouble>>> walker);

template std::unique_ptr<DeviceJob> make_floating_device_job(const GpuInfo&, FloatingDevicePlan<double>,
                                                             const Arithmetic&, const gray::ForcedPlaces&);
template std::unique_ptr<DeviceJob> make_floating_device_job(const GpuInfo&, FloatingDevicePlan<DoubleDouble>,
                                                             const Arithmetic&, const gray::ForcedPlaces&);
template std::unique_ptr<DeviceJob> make_floating_device_job(const GpuInfo&,
                                                             FloatingDevicePlan<Complex<double>>,
                                                             const Arithmetic&, const gray::ForcedPlaces&);
template std::unique_ptr<DeviceJob> make_floating_device_job(const GpuInfo&,
                                                             FloatingDevicePlan<Complex<DoubleDouble>>,
                                                             const Arithmetic&, const gray::ForcedPlaces&);
template std::unique_ptr<DeviceJob> make_floating_device_job(const GpuInfo&, FloatingDevicePlan<TripleDouble>,
                                                             const Arithmetic&, const gray::ForcedPlaces&);
template std::unique_ptr<DeviceJob> make_floating_device_job(const GpuInfo&,
                                                             FloatingDevicePlan<Complex<TripleDouble>>,
                                                             const Arithmetic&, const gray::ForcedPlaces&);

double nominal_floating_device_rate(const GpuInfo& gpu, Index rows, Precision precision, bool complex,
                                    bool exact_sums) {
  using gray::ExactKind;
  ExactKind kind = exact_sums ? ExactKind::exact_doubles : ExactKind::doubles;
  if (complex) kind = exact_sums ? ExactKind::exact_complex_doubles : ExactKind::complex_doubles;
  if (precision == Precision::double_double) kind = complex ? ExactKind::complex_pairs : ExactKind::pairs;
  if (precision == Precision::mpfr) kind = complex ? ExactKind::complex_triples : ExactKind::triples;
  return rate_by_row_sums(gpu, rows, nominal_sums_a_clock(kind));
}

}  // namespace countpm
