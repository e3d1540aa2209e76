#include "kernels/ryser/gpu/form.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "kernels/ryser/gpu/source.hpp"
#include "kernels/subsets/gpu/numbers.hpp"
#include "kernels/subsets/lanes/gpu/form.hpp"
#include "kernels/subsets/prefix_batches.hpp"

namespace countpm {
namespace {

using gray::ExactKind;
using gray::IntegerLimits;

bool is_power_of_two(const Modulus& modulus) {
  return modulus.prime == 0;
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

enum class Form { none, words, primes, classes };

Form form_of(const IntegerColumns<std::int64_t>& columns, const SubsetPlan& plan,
             const Arithmetic& arithmetic) {
  if (has_twins(columns.multiplicity))
    return class_sums::prime_class_obstacle(plan, arithmetic) ? Form::none : Form::classes;
  const auto powers = std::count_if(arithmetic.moduli.begin(), arithmetic.moduli.end(), is_power_of_two);
  const auto all = static_cast<std::ptrdiff_t>(arithmetic.moduli.size());
  // Wrapping around modulo 2^512 does no harm modulo a smaller power of two.
  if (powers == all || gray::fits_words(limits_of(columns, plan))) return Form::words;
  return powers == 0 ? Form::primes : Form::none;
}

std::unique_ptr<DeviceJob> floating_job(const GpuInfo& gpu, AnyFloatingDevicePlan any_plan,
                                        const Arithmetic& arithmetic, const Settings& settings) {
  return std::visit(
      [&](auto&& plan) {
        plan.walk.log2_subsets = plan.log2_terms;
        auto walker = make_floating_walker(gpu, plan.walk, plan.spread, gray::kernel_of(settings));
        return make_floating_device_job(std::forward<decltype(plan)>(plan), arithmetic, std::move(walker));
      },
      std::move(any_plan));
}

ExactKind floating_kind(Precision precision, bool complex, bool exact_sums) {
  if (precision == Precision::double_double) return complex ? ExactKind::complex_pairs : ExactKind::pairs;
  if (precision == Precision::mpfr) return complex ? ExactKind::complex_triples : ExactKind::triples;
  if (complex) return exact_sums ? ExactKind::exact_complex_doubles : ExactKind::complex_doubles;
  return exact_sums ? ExactKind::exact_doubles : ExactKind::doubles;
}

double floating_rate(const GpuInfo& gpu, Index rows, Precision precision, bool complex, bool exact_sums) {
  return rate_by_row_sums(gpu, rows,
                          gray::nominal_sums_a_clock(floating_kind(precision, complex, exact_sums)));
}

/// row-sums=registers, and they do not suffice.
Refusal too_few_registers(const std::string& what) {
  return {RefusalKind::no_gpu_form_here, "row sums in registers: " + what};
}

std::optional<Refusal> floating_obstacle(const Settings& settings, Index rows, Precision precision,
                                         bool complex, bool twins) {
  if (auto why = row_sums_obstacle(settings, twins)) return why;
  if (gray::kernel_of(settings) == gray::WhichKernel::registers &&
      gray::built_in_size(rows, floating_kind(precision, complex, false)).rows == 0)
    return too_few_registers(fmt::format("these {} numbers do not fit there", rows));
  return std::nullopt;
}

}  // namespace

bool gray::fits_words(const IntegerLimits& limits) {
  return limits.log2_sum + 2 <= 64 * Integers::words && limits.bound < std::int64_t{1} << 62;
}

gray::WhichKernel gray::kernel_of(const Settings& settings) {
  const bool plain = settings.is(Setting::chunks, "plain");
  const auto sums = [&](std::string_view where) { return settings.is(Setting::row_sums, where); };
  if (sums("registers")) return WhichKernel::registers;
  if (sums("shared")) return plain ? WhichKernel::shared_plain : WhichKernel::shared_sums;
  if (sums("shared-matrix")) return WhichKernel::shared_matrix;
  if (sums("shared-apart")) return WhichKernel::shared_apart;
  if (sums("global")) return plain ? WhichKernel::global_plain : WhichKernel::global_sums;
  return WhichKernel::best;
}

std::optional<Refusal> row_sums_obstacle(const Settings& settings, bool another) {
  if (!another || gray::kernel_of(settings) == gray::WhichKernel::best) return std::nullopt;
  return Refusal{
      RefusalKind::no_gpu_form_here,
      "row-sums varies the kernel of single columns with weights of up to 64 bits, and another one "
      "counts these (equal columns stay single with --no-rule twins)"};
}

const FloatingGpu ryser_floating_gpu{floating_job, floating_obstacle, floating_rate};

std::optional<Refusal> ryser_device_obstacle(const IntegerColumns<std::int64_t>& columns,
                                             const SubsetPlan& plan, const Arithmetic& arithmetic,
                                             const Settings& settings) {
  const bool twins = has_twins(columns.multiplicity);
  if (auto why = row_sums_obstacle(settings, twins)) return why;
  if (twins) return class_sums::prime_class_obstacle(plan, arithmetic);
  if (form_of(columns, plan, arithmetic) == Form::none)
    return Refusal{RefusalKind::no_gpu_form_here,
                   "no form for GPUs where sums beyond 512 bits are wanted modulo primes and a power of two"};
  if (gray::kernel_of(settings) != gray::WhichKernel::registers) return std::nullopt;
  const IntegerLimits limits = limits_of(columns, plan);
  const gray::ExactSize size = gray::built_in_size(columns.rows, ExactKind::integers);
  if (size.rows == 0) return too_few_registers(fmt::format("these {} do not fit there", columns.rows));
  if (form_of(columns, plan, arithmetic) != Form::words ||
      limits.bound > gray::RegisterIntegers<1, 1>::largest_sum || limits.log2_sum + 2 > 64 * size.words)
    return too_few_registers(
        fmt::format("they are for sums within +-{}", gray::RegisterIntegers<1, 1>::largest_sum));
  return std::nullopt;
}

std::unique_ptr<DeviceJob> make_ryser_device_job(const GpuInfo& gpu,
                                                 const IntegerColumns<std::int64_t>& columns,
                                                 const SubsetPlan& plan, const Arithmetic& arithmetic,
                                                 const Settings& settings) {
  if (ryser_device_obstacle(columns, plan, arithmetic, settings)) return nullptr;
  const gray::WhichKernel which = gray::kernel_of(settings);
  const Form form = form_of(columns, plan, arithmetic);
  if (form == Form::classes) return class_sums::make_prime_class_job(gpu, columns, plan, arithmetic);
  const auto walked = static_cast<unsigned>(plan.inner.size());
  gray::Walk<std::int64_t> walk = gray::walk_over(columns, plan, walked);
  walk.log2_subsets = plan.log2_terms;
  std::vector<IntegerDeviceJob::Share> shares;
  if (form == Form::words) {
    shares.push_back({make_integer_walker(gpu, walk, limits_of(columns, plan), which), arithmetic});
  } else {
    for (const Modulus& modulus : arithmetic.moduli) {
      shares.push_back({make_prime_walker(gpu, walk, modulus.prime, which), arithmetic});
      shares.back().arithmetic.moduli = {modulus};
    }
  }
  return std::make_unique<IntegerDeviceJob>(columns, plan, walked, std::move(shares));
}

double nominal_ryser_device_rate(const GpuInfo& gpu, const IntegerColumns<std::int64_t>& columns,
                                 const SubsetPlan& plan, const Arithmetic& arithmetic) {
  switch (form_of(columns, plan, arithmetic)) {
    case Form::none:
      return 0;
    case Form::primes:
      return rate_by_row_sums(gpu, columns.rows, 1.2 / static_cast<double>(arithmetic.moduli.size()));
    case Form::classes:
      return class_sums::nominal_prime_class_rate(gpu, columns, arithmetic);
    case Form::words:
      break;
  }
  const IntegerLimits limits = limits_of(columns, plan);
  const bool registers = limits.bound <= 64 && columns.rows <= 64;
  return rate_by_row_sums(gpu, columns.rows, registers ? nominal_sums_a_clock(gray::ExactKind::integers) : 2);
}

}  // namespace countpm
