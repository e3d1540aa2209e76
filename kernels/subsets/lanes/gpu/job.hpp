#pragma once
// Units of a sum over classes on a device: launches of the kernel, one prime after another, or in doubles.
// Templates over CudaDevice and CpuDevice.
#include <gmpxx.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/arithmetic/ball.hpp"
#include "kernels/arithmetic/float_ring.hpp"
#include "kernels/gpu/device_rounds.hpp"
#include "kernels/gpu/device_tables.hpp"
#include "kernels/subsets/lanes/gpu/form.hpp"
#include "kernels/subsets/lanes/gpu/kernel.hpp"
#include "kernels/subsets/lanes/gpu/lane.hpp"
#include "kernels/subsets/prefixes.hpp"

namespace countpm::class_sums {

/// Sums over the items of units in one Lane's numbers.
template <class Device, class Lane>
class ClassWalker {
 public:
  using Kernel = ClassSumKernel<Lane>;
  using Value = typename Lane::Value;
  using Total = typename Lane::Total;

  ClassWalker(const ClassTask& task, const GpuInfo& gpu)
      : device_(gpu),
        items_a_unit_(task.layout.items_a_unit),
        items_(task.layout.units * task.layout.items_a_unit),
        terms_(static_cast<double>(task.layout.steps.size())) {
    std::vector<GivenClass> given;
    std::uint32_t weights = 0;
    for (const Digit& digit : task.layout.given) {
      given.push_back({digit.column, digit.copies + 1, weights});
      weights += digit.copies + 1;
    }
    kernel_.rows = static_cast<std::uint32_t>(task.power.size());
    kernel_.single_rows =
        static_cast<std::uint32_t>(std::count(task.power.begin(), task.power.end(), std::uint32_t{1}));
    kernel_.classes = static_cast<std::uint32_t>(given.size());
    kernel_.steps = static_cast<std::uint32_t>(task.layout.steps.size());
    kernel_.power = upload(task.power);
    kernel_.given = upload(given);
    kernel_.step = upload(task.layout.steps);
    const std::size_t block_bytes = std::size_t{kernel_.rows} * Kernel::threads * sizeof(Value);
    const bool in_shared = block_bytes <= gpu.shared_bytes;
    shared_bytes_ = in_shared ? block_bytes : 0;
    blocks_ = static_cast<unsigned>(std::min<std::uint64_t>(
        device_.template blocks<Kernel>(shared_bytes_), (items_ + Kernel::threads - 1) / Kernel::threads));
    if (!in_shared) kernel_.memory = allocate<Value>(blocks_ * std::size_t{kernel_.rows} * Kernel::threads);
    totals_ = device_.template allocate<Total>(std::size_t{blocks_} * Kernel::threads);
    kernel_.totals = totals_.data();
  }

  template <class T>
  T* upload(const std::vector<T>& values) {
    bytes_ += values.size() * sizeof(T);
    return tables_.upload(values);
  }

  /// `numbers`: a kernel with these numbers set. Adds up to the sum over units first .. last - 1.
  std::vector<Total> totals(const Kernel& numbers, std::uint64_t first, std::uint64_t last,
                            const StopSignal& stop) {
    Kernel kernel = numbers;
    kernel.first = first * items_a_unit_;
    device_.clear(totals_);
    launch_in_rounds(kernel, last * items_a_unit_, std::uint64_t{blocks_} * Kernel::threads, terms_, pace_,
                     stop, [&] {
                       device_.launch(kernel, blocks_, shared_bytes_);
                       device_.wait();
                     });
    return device_.download(totals_, totals_.size());
  }

  /// The most that a thread adds up one after another, an item's terms or their sums.
  double additions() const {
    const double threads = static_cast<double>(blocks_) * Kernel::threads;
    return terms_ + 2 * static_cast<double>(items_) / threads + 64;
  }
  /// Without the numbers.
  const Kernel& kernel() const { return kernel_; }
  std::uint64_t bytes() const { return bytes_ + totals_.size() * sizeof(Total); }

 private:
  template <class T>
  T* allocate(std::size_t size) {
    bytes_ += size * sizeof(T);
    return tables_.template allocate<T>(size);
  }

  Device device_;
  DeviceTables<Device> tables_{device_};
  std::uint64_t items_a_unit_;
  std::uint64_t items_;
  double terms_;  // of an item
  std::size_t shared_bytes_ = 0;
  unsigned blocks_ = 0;
  Kernel kernel_;
  typename Device::template Buffer<Total> totals_;
  std::uint64_t bytes_ = 0;
  // A stop is to be heard within 0.1 s.
  LaunchPace pace_{0.03, 1e6};
};

/// What jobs in all numbers have alike: their rate is one of subsets.
class ClassJobBase : public DeviceJob {
 public:
  explicit ClassJobBase(const ClassTask& task)
      : units_(task.layout.units),
        terms_a_unit_(std::exp2(task.log2_terms) / static_cast<double>(task.layout.units)) {}

  double measured_rate(double seconds) override {
    return rate_of_ranges(*this, units_, seconds,
                          [&](std::uint64_t count) { return static_cast<double>(count) * terms_a_unit_; });
  }

 private:
  std::uint64_t units_;
  double terms_a_unit_;
};

template <class Device>
class PrimeClassJob : public ClassJobBase {
 public:
  PrimeClassJob(const PrimeClassTask& task, const GpuInfo& gpu)
      : ClassJobBase(task), rows_(task.rows), form_(task.form), scale_(task.scale), walker_(task, gpu) {
    for (const PrimeNumbers& given : task.primes) {
      Kernel kernel = walker_.kernel();
      kernel.lane.ring = PrimeRing(given.prime);
      kernel.start = walker_.upload(given.start);
      kernel.columns = walker_.upload(given.columns);
      kernel.weights = walker_.upload(given.weights);
      kernel.step_weights = walker_.upload(given.step_weights);
      primes_.push_back(kernel);
    }
  }

  Partial run(std::uint64_t first, std::uint64_t last, const StopSignal& stop) override {
    Residues result;
    for (const Kernel& kernel : primes_) {
      const PrimeRing& ring = kernel.lane.ring;
      std::uint64_t sum = 0;
      for (const std::uint64_t total : walker_.totals(kernel, first, last, stop)) ring.add_to(sum, total);
      Arithmetic modulo;
      modulo.moduli = {{ring.prime(), 0}};
      const mpz_class residue(static_cast<std::uint64_t>(ring.to_residue(sum)));
      const Partial share = share_of_permanent(residue, rows_, form_, scale_, modulo);
      result.residue.push_back(std::get<Residues>(share).residue.front());
    }
    return result;
  }

  std::uint64_t device_bytes() const override { return walker_.bytes(); }

 private:
  using Kernel = ClassSumKernel<PrimeLane>;

  Index rows_;
  RyserForm form_;
  mpz_class scale_;
  ClassWalker<Device, PrimeLane> walker_;
  std::vector<Kernel> primes_;
};

template <class Device, bool complex>
class FloatingClassJob : public ClassJobBase {
 public:
  FloatingClassJob(const FloatingClassTask& task, const GpuInfo& gpu)
      : ClassJobBase(task),
        scale_(task.scale),
        bits_(task.bits),
        exponent_(task.factors.exponent),
        walker_(task, gpu),
        kernel_(walker_.kernel()) {
    kernel_.start = walker_.upload(values_of(task.factors.start));
    std::vector<Value> columns;
    for (const std::vector<double>& column : task.factors.columns) {
      const std::vector<Value> values = values_of(column);
      columns.insert(columns.end(), values.begin(), values.end());
    }
    columns.resize(columns.size() + task.power.size());
    kernel_.columns = walker_.upload(columns);
    kernel_.weights = walker_.upload(doubles_of(weights_of(task.layout.given)));
    kernel_.step_weights = walker_.upload(doubles_of(step_weights_of(task.layout)));
    // A step's weight, a term, an item's sum; a class's weight when it is multiplied, unless it is 1 or -1,
    // and before, where binomials have more than 53 bits.
    constexpr Index most_exact = 50;
    double rounded = 4;
    for (const Digit& digit : task.layout.given)
      rounded += digit.copies == 1 ? 0 : digit.copies <= most_exact ? 1 : 2;
    const double relative = task.factors.relative(rounded, walker_.additions());
    kernel_.lane.shift = task.factors.shift;
    kernel_.lane.of_product = relative * relative;
    kernel_.lane.of_factors = task.factors.of_factors;
    double copies = 0;
    for (const Digit& digit : task.layout.given) copies += digit.copies;
    for (const Digit& digit : task.layout.walked) copies += digit.copies;
    lost_ = task.factors.lost(std::exp2(copies));
  }

  Partial run(std::uint64_t first, std::uint64_t last, const StopSignal& stop) override {
    Ball ball = zero_ball(bits_);
    double bound = 0;
    for (const auto& total : walker_.totals(kernel_, first, last, stop)) {
      add_exactly(ball.re, total.re.high, ball.error);
      add_exactly(ball.re, total.re.low, ball.error);
      if constexpr (complex) {
        add_exactly(ball.im, total.im.high, ball.error);
        add_exactly(ball.im, total.im.low, ball.error);
      }
      bound += total.bound;
    }
    constexpr double root_of_two = 1.41422;
    const BigFloat error(bound * (1 + walker_.additions() * 0x1p-52) * root_of_two * (1 + 0x1p-20) + lost_);
    mpfr_add(ball.error.get(), ball.error.get(), error.get(), MPFR_RNDU);
    scale_by_power_of_two(ball, exponent_);
    multiply(ball, ball_from(scale_, bits_));
    return ball;
  }

  std::uint64_t device_bytes() const override { return walker_.bytes(); }

 private:
  using Lane = DoubleLane<complex>;
  using Value = typename Lane::Value;

  static std::vector<Value> values_of(const std::vector<double>& parts) {
    if constexpr (complex) {
      std::vector<Value> values;
      values.reserve(parts.size() / 2);
      for (std::size_t k = 0; k < parts.size(); k += 2) values.push_back({parts[k], parts[k + 1]});
      return values;
    } else {
      return parts;
    }
  }
  static std::vector<double> doubles_of(const std::vector<mpz_class>& weights) {
    std::vector<double> result;
    result.reserve(weights.size());
    for (const mpz_class& weight : weights) result.push_back(nearest_double(weight));
    return result;
  }

  mpq_class scale_;
  mpfr_prec_t bits_;
  std::int64_t exponent_;
  double lost_ = 0;
  ClassWalker<Device, Lane> walker_;
  ClassSumKernel<Lane> kernel_;
};

template <class Device>
std::unique_ptr<DeviceJob> FloatingClassForm<Device>::make(const FloatingClassTask& task,
                                                           const GpuInfo& gpu) {
  if (task.factors.complex) return std::make_unique<FloatingClassJob<Device, true>>(task, gpu);
  return std::make_unique<FloatingClassJob<Device, false>>(task, gpu);
}

template <class Device>
std::unique_ptr<DeviceJob> PrimeClassForm<Device>::make(const PrimeClassTask& task, const GpuInfo& gpu) {
  return std::make_unique<PrimeClassJob<Device>>(task, gpu);
}

}  // namespace countpm::class_sums
