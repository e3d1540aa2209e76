#pragma once
// condensation on a GPU, or on the CPU in the GPU's steps: templates over CudaDevice and CpuDevice.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "graph/clock.hpp"
#include "graph/errors.hpp"
#include "kernels/arithmetic/prime_ring.hpp"
#include "kernels/planar/condensation/gpu/form.hpp"
#include "kernels/planar/condensation/gpu/kernel.hpp"
#include "kernels/planar/condensation/gpu/layout.hpp"

namespace countpm {

/// The dense matrices of one form side by side on a device.
template <class Device, class Field>
class DeviceMatrices {
 public:
  using Word = typename Field::Word;
  using Parameters = typename Field::Parameters;

  DeviceMatrices(const GpuInfo& gpu, const DenseForm& form, std::uint64_t value_count)
      : device_(gpu), form_(form), value_count_(value_count) {
    tables_.size = form.size;
    tables_.stride = Layout::stride(form);
    tables_.pivot_count = Layout::pivot_count(form);
  }

  const Device& device() const { return device_; }
  const CondensationTables<Field>& tables() const { return tables_; }
  std::size_t problems() const { return problems_; }

  /// Condenses a matrix for each of `parameters`, all with these entries; values:
  /// [parameters.size()][value_count]. Throws Stopped.
  void condense(const typename Device::template Buffer<CondensationEntry>& entries,
                const std::vector<Parameters>& parameters, const std::vector<Word>& values,
                const StopSignal& stop) {
    problems_ = parameters.size();
    reserve();
    std::vector<Parameters> all_parameters = parameters;
    std::vector<Word> all_values = values;
    all_parameters.resize(parameters_.size(), parameters.back());
    all_values.resize(values_.size());
    device_.write(parameters_, all_parameters);
    device_.write(values_, all_values);
    device_.clear(matrix_);
    device_.clear(state_);
    const FillDenseKernel<Field> fill{tables_,        entries.data(), values_.data(),
                                      entries.size(), value_count_,   problems_};
    const std::uint64_t threads = FillDenseKernel<Field>::threads;
    if (form_.size > 0) launch(fill, (fill.tasks() + threads - 1) / threads, 0, 0, stop);
    if (form_.skew) {
      condense_panels<2>(stop);
    } else {
      condense_panels<1>(stop);
    }
  }

  /// steps: of entries. The device is never more than some 30 ms behind.
  template <class Kernel>
  void launch(const Kernel& kernel, std::uint64_t blocks, std::size_t shared_bytes, double steps,
              const StopSignal& stop) {
    stop.check();
    device_.launch(kernel, static_cast<unsigned>(blocks), shared_bytes);
    const GpuInfo& gpu = device_.gpu();
    pending_ +=
        2 * steps * static_cast<double>(problems_) /
        (condensation_tuning::nominal_multiplications_a_cycle * gpu.clock_ghz * 1e9 * gpu.multiprocessors);
    if (pending_ < condensation_tuning::launch_seconds) return;
    device_.wait();
    pending_ = 0;
  }

  /// Of each matrix, all of them; and its state.
  std::vector<Word> pivots() const { return device_.download(pivots_, problems_ * tables_.pivot_count); }
  std::vector<std::uint32_t> state() const { return device_.download(state_, problems_); }

 private:
  using Layout = MatrixLayout<Field>;

  template <unsigned lines>
  void condense_panels(const StopSignal& stop) {
    constexpr std::uint32_t panel = condensation_tuning::panel;
    for (std::uint32_t first = 0; first < form_.size; first += panel) {
      using Panel = CondensationPanelKernel<Field, lines>;
      const auto left = static_cast<double>(form_.size - first);
      launch(Panel{tables_, first}, problems_, Panel::shared_bytes, left * panel * panel, stop);
      if (form_.size - first <= panel) break;
      const CondenseKernel<Field, lines> kernel{tables_, first + panel};
      launch(kernel, std::uint64_t{kernel.tiles()} * problems_, 0, left * left * panel, stop);
    }
  }

  /// Memory for `problems_` matrices; what was there before is given back first.
  void reserve() {
    if (problems_ <= reserved_) return;
    reserved_ = 0;
    matrix_ = {};
    rights_ = {};
    lefts_ = {};
    constexpr std::size_t panel = condensation_tuning::panel;
    const std::size_t lines = problems_ * tables_.size;
    matrix_ = device_.template allocate<Word>(lines * tables_.stride);
    rights_ = device_.template allocate<Word>(lines * panel);
    lefts_ = device_.template allocate<Word>(lines * panel);
    order_ = device_.template allocate<std::uint32_t>(lines);
    scales_ = device_.template allocate<Word>(problems_ * panel);
    pivots_ = device_.template allocate<Word>(problems_ * tables_.pivot_count);
    state_ = device_.template allocate<std::uint32_t>(problems_);
    parameters_ = device_.template allocate<Parameters>(problems_);
    values_ = device_.template allocate<Word>(problems_ * value_count_);
    tables_.matrix = matrix_.data();
    tables_.rights = rights_.data();
    tables_.lefts = lefts_.data();
    tables_.order = order_.data();
    tables_.scales = scales_.data();
    tables_.pivots = pivots_.data();
    tables_.state = state_.data();
    tables_.parameters = parameters_.data();
    reserved_ = problems_;
  }

  template <class T>
  using Buffer = typename Device::template Buffer<T>;

  Device device_;
  DenseForm form_;
  std::uint64_t value_count_;
  CondensationTables<Field> tables_;
  Buffer<Word> matrix_;
  Buffer<Word> rights_;
  Buffer<Word> lefts_;
  Buffer<std::uint32_t> order_;
  Buffer<Word> scales_;
  Buffer<Word> pivots_;
  Buffer<std::uint32_t> state_;
  Buffer<Parameters> parameters_;
  Buffer<Word> values_;
  std::size_t problems_ = 0;  // of the matrices at hand
  std::size_t reserved_ = 0;
  double pending_ = 0;  // nominal seconds of what has been launched since the last wait
};

template <class Device>
class CondensationDeviceJob : public DeviceJob {
 public:
  CondensationDeviceJob(CondensationTask task, const GpuInfo& gpu)
      : task_(std::move(task)),
        most_problems_(Layout::most_that_fit(task_.form, task_.values->size(), gpu)),
        matrices_(gpu, task_.form, task_.values->size()) {
    if (most_problems_ == 0) {
      throw UnableError("the GPU has too little memory for this block's dense matrix modulo one prime",
                        "--method planar needs less, --device cpu none of it");
    }
    for (const std::vector<CondensationEntry>& entries : task_.entries)
      entries_.push_back(matrices_.device().upload(entries));
  }

  Partial run(std::uint64_t first, std::uint64_t last, const StopSignal& stop) override {
    Partial result = zero(*task_.arithmetic);
    std::vector<uint128>& residues = std::get<Residues>(result).residue;
    const std::size_t begin = std::min<std::size_t>(first * task_.primes_a_unit, residues.size());
    const std::size_t end = std::min<std::size_t>(last * task_.primes_a_unit, residues.size());
    for (std::size_t k = begin; k < end;) {
      const std::size_t primes = next_batch(end - k);
      std::vector<std::vector<std::uint64_t>> determinants;
      for (std::size_t term = 0; term < entries_.size(); ++term)
        determinants.push_back(condense(term, k, primes, stop));
      const std::vector<std::uint64_t> sums = task_.sum(determinants, primes_from(k, primes));
      std::copy(sums.begin(), sums.end(), residues.begin() + static_cast<std::ptrdiff_t>(k));
      k += primes;
    }
    return result;
  }

  double measured_rate(double seconds) override {
    const StopSignal never;
    double spent = 0;
    std::size_t primes = 0;
    std::size_t next = 8;
    do {
      primes = std::min({next, most_problems_, task_.arithmetic->moduli.size()});
      const double start = seconds_now();
      condense(0, 0, primes, never);
      spent = seconds_now() - start;
      next *= 4;
    } while (spent < seconds / 4 && primes == next / 4);
    return std::max(task_.multiplications * static_cast<double>(primes) / std::max(spent, 1e-6), 1.0);
  }

  std::uint64_t device_bytes() const override {
    std::uint64_t entries = 0;
    for (const auto& buffer : entries_) entries += buffer.size() * sizeof(CondensationEntry);
    return entries + std::min(task_.arithmetic->moduli.size(), most_problems_) *
                         Layout::bytes(task_.form, task_.values->size());
  }

 private:
  using Field = condensation_step::ResidueField;
  using Layout = MatrixLayout<Field>;
  using Matrices = DeviceMatrices<Device, Field>;

  /// So many of the primes that are left, so that all batches are about as large.
  std::size_t next_batch(std::size_t left) const {
    const std::size_t batches = (left + most_problems_ - 1) / most_problems_;
    return (left + batches - 1) / batches;
  }

  std::vector<std::uint64_t> primes_from(std::size_t first, std::size_t count) const {
    std::vector<std::uint64_t> primes(count);
    for (std::size_t k = 0; k < count; ++k) primes[k] = task_.arithmetic->moduli[first + k].prime;
    return primes;
  }

  /// A term's determinant modulo each of the primes.
  std::vector<std::uint64_t> condense(std::size_t term, std::size_t first, std::size_t count,
                                      const StopSignal& stop) {
    std::vector<planar_step::LanePrime> parameters;
    std::vector<std::uint32_t> values;
    values.reserve(count * task_.values->size());
    for (const std::uint64_t prime : primes_from(first, count)) {
      parameters.push_back(planar_step::lane_prime(static_cast<std::uint32_t>(prime)));
      const PrimeRing ring(prime);
      for (const mpq_class& value : *task_.values) {
        const auto residue = static_cast<std::uint64_t>(ring.to_residue(ring.from_mpq(value)));
        values.push_back(static_cast<std::uint32_t>((residue << 32) % prime));
      }
    }
    matrices_.condense(entries_[term], parameters, values, stop);
    const Device& device = matrices_.device();
    if (results_.size() < count) results_ = device.template allocate<std::uint32_t>(count);
    constexpr unsigned threads = DivideByPowersKernel::threads;
    matrices_.launch(
        DivideByPowersKernel{matrices_.tables(), results_.data(), static_cast<std::uint32_t>(count)},
        (count + threads - 1) / threads, 0, 0, stop);
    const std::vector<std::uint32_t> found = device.download(results_, count);
    return {found.begin(), found.end()};
  }

  CondensationTask task_;
  std::size_t most_problems_;
  Matrices matrices_;
  std::vector<typename Device::template Buffer<CondensationEntry>> entries_;  // of each term
  typename Device::template Buffer<std::uint32_t> results_;
};

template <class Device>
std::unique_ptr<DeviceJob> CondensationForm<Device>::make(const CondensationTask& task, const GpuInfo& gpu) {
  return std::make_unique<CondensationDeviceJob<Device>>(task, gpu);
}

template <class Device>
std::vector<double> PivotsForm<Device>::make(const DenseForm& form,
                                             const std::vector<CondensationEntry>& entries,
                                             const std::vector<double>& values, const StopSignal& stop,
                                             const GpuInfo& gpu) {
  using Field = condensation_step::DoubleField;
  if (MatrixLayout<Field>::most_that_fit(form, values.size(), gpu) == 0) {
    throw UnableError("the GPU has too little memory for this block's dense matrix of doubles",
                      "--device cpu needs none of it");
  }
  DeviceMatrices<Device, Field> matrices(gpu, form, values.size());
  matrices.condense(matrices.device().upload(entries), {{}}, values, stop);
  std::vector<double> pivots = matrices.pivots();
  constexpr std::uint32_t no_pivot = CondensationProblem<Field, 1>::no_pivot;
  if ((matrices.state().front() & no_pivot) != 0) pivots.clear();
  return pivots;
}

}  // namespace countpm
