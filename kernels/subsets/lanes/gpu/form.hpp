#pragma once
// Permanents with classes of equal lines on GPUs, as the CPU side sees them: the sum of lane_sums.hpp modulo
// primes, for `ryser` where columns are alike or weights are integers of any size, and in doubles.
#include <gmpxx.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "graph/refusal.hpp"
#include "kernels/arithmetic/arithmetic.hpp"
#include "kernels/gpu/device_info.hpp"
#include "kernels/gpu/device_job.hpp"
#include "kernels/subsets/integer_columns.hpp"
#include "kernels/subsets/lanes/gpu/layout.hpp"
#include "kernels/subsets/lanes/lane_sums.hpp"
#include "kernels/subsets/subset_plan.hpp"

namespace countpm::class_sums {

/// The numbers of ClassSumKernel, in Montgomery form.
struct PrimeNumbers {
  std::uint64_t prime;
  std::vector<std::uint64_t> start;
  std::vector<std::uint64_t> columns;
  std::vector<std::uint64_t> weights;  // of the given classes: one after the other, copies + 1 each
  std::vector<std::uint64_t> step_weights;
};

/// What all numbers have alike.
struct ClassTask {
  ClassLayout layout;
  std::vector<std::uint32_t> power;  // of the rows that differ: ones first
  double log2_terms = 0;
};

struct PrimeClassTask : ClassTask {
  // share_of_permanent()
  Index rows = 0;
  RyserForm form = RyserForm::halved;
  mpz_class scale = 1;
  std::vector<PrimeNumbers> primes;
};

struct FloatingClassTask : ClassTask {
  ScaledFactors factors;
  mpq_class scale = 1;   // the permanent is this times the sum
  mpfr_prec_t bits = 0;  // of the balls
};

/// Residues in the order of the task's primes.
template <class Device>
struct PrimeClassForm {
  static std::unique_ptr<DeviceJob> make(const PrimeClassTask& task, const GpuInfo& gpu);
};

/// Balls, by the bound of lane_sums.hpp.
template <class Device>
struct FloatingClassForm {
  static std::unique_ptr<DeviceJob> make(const FloatingClassTask& task, const GpuInfo& gpu);
};

/// Why there is no such job in residues: moduli that are powers of two, or more terms or copies than it has
/// numbers for.
std::optional<Refusal> prime_class_obstacle(const SubsetPlan& plan, const Arithmetic& arithmetic);
/// Precondition: no obstacle.
template <class Int>
std::unique_ptr<DeviceJob> make_prime_class_job(const GpuInfo& gpu, const IntegerColumns<Int>& columns,
                                                const SubsetPlan& plan, const Arithmetic& arithmetic);
/// Subsets a second.
template <class Int>
double nominal_prime_class_rate(const GpuInfo& gpu, const IntegerColumns<Int>& columns,
                                const Arithmetic& arithmetic);

/// In doubles.
std::optional<Refusal> floating_class_obstacle(const SubsetPlan& plan);
std::unique_ptr<DeviceJob> make_floating_class_job(const GpuInfo& gpu, const SubsetPlan& plan,
                                                   ScaledFactors factors, const mpq_class& scale,
                                                   mpfr_prec_t bits);
double nominal_floating_class_rate(const GpuInfo& gpu, const LaneSums& sums, bool complex);

}  // namespace countpm::class_sums
