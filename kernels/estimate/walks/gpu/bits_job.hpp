#pragma once
// The walks on bit sets that a DeviceSampler launches: templates over CudaDevice and CpuDevice.
#include <cstdint>
#include <vector>

#include "kernels/estimate/walks/bit_rows.hpp"
#include "kernels/estimate/walks/gpu/bits_kernel.hpp"
#include "kernels/estimate/walks/gpu/pruned_bits_kernel.hpp"
#include "kernels/estimate/walks/gpu/scaled_bits_kernel.hpp"
#include "kernels/estimate/walks/pruning.hpp"
#include "kernels/estimate/walks/walk_task.hpp"
#include "kernels/gpu/device_tables.hpp"
#include "kernels/method.hpp"

namespace countpm {

/// Launches a kernel that has `numbers` and `samples`.
template <class Device, class Kernel>
class DeviceWalks {
 public:
  /// At least so many samples keep the device busy.
  std::uint64_t few() const { return std::uint64_t{blocks_} * (Kernel::threads / threads_a_sample_); }

  /// Puts the samples into `samples`; returns before that is done, perhaps.
  void draw(const SampleNumbers& numbers, Scaled* samples, const StopSignal& /*stop*/) {
    kernel_.numbers = numbers;
    kernel_.samples = samples;
    device_.launch(kernel_, blocks_, shared_bytes_);
  }

 protected:
  DeviceWalks(const Device& device, std::size_t shared_bytes, unsigned threads_a_sample)
      : memory_(device),
        device_(device),
        shared_bytes_(shared_bytes),
        threads_a_sample_(threads_a_sample),
        blocks_(device.template blocks<Kernel>(shared_bytes)) {}
  ~DeviceWalks() = default;

  Kernel kernel_{};
  DeviceTables<Device> memory_;

 private:
  const Device& device_;
  std::size_t shared_bytes_;
  unsigned threads_a_sample_;
  unsigned blocks_;
};

template <class Device, unsigned Words>
class DeviceBitWalks : public DeviceWalks<Device, BitWalkKernel<Words>> {
 public:
  DeviceBitWalks(const Device& device, const WalkTask& task)
      : Base(device, Kernel::shared_bytes(task.matrix->rows.rows), 1) {
    const SampleMatrix& matrix = *task.matrix;
    this->kernel_.matrix = {this->memory_.upload(bit_rows<Words>(matrix.rows)),
                            this->memory_.upload(bit_rows<Words>(matrix.columns)),
                            degree_planes<Words>(matrix.rows), matrix.rows.rows};
    this->kernel_.least_degree = task.settings.least_degree;
  }

 private:
  using Kernel = BitWalkKernel<Words>;
  using Base = DeviceWalks<Device, Kernel>;
};

template <class Device, unsigned Words>
class DeviceBitTails : public DeviceWalks<Device, BitTailKernel<Words>> {
 public:
  DeviceBitTails(const Device& device, const WalkTask& task) : Base(device, 0, 32) {
    const SampleMatrix& matrix = *task.matrix;
    this->kernel_.matrix = {this->memory_.upload(bit_rows<Words>(matrix.rows)),
                            this->memory_.upload(bit_rows<Words>(matrix.columns)),
                            degree_planes<Words>(matrix.rows), matrix.rows.rows};
    this->kernel_.least_degree = task.settings.least_degree;
    this->kernel_.tail = task.tail;
    this->kernel_.tails = this->memory_.template allocate<std::byte>(this->few() * task.tail.bytes);
  }

 private:
  using Kernel = BitTailKernel<Words>;
  using Base = DeviceWalks<Device, Kernel>;
};

template <class Device, unsigned Slots>
class DeviceScaledBits : public DeviceWalks<Device, ScaledBitsKernel<Slots>> {
 public:
  DeviceScaledBits(const Device& device, const WalkTask& task) : Base(device, Kernel::shared_bytes(), 32) {
    auto& memory = this->memory_;
    this->kernel_.task = {memory.upload(words(task.matrix->rows)),
                          memory.upload(words(task.matrix->columns)),
                          memory.upload(task.start_rows),
                          memory.upload(task.start_columns),
                          task.matrix->rows.rows,
                          task.settings};
  }

 private:
  using Kernel = ScaledBitsKernel<Slots>;
  using Base = DeviceWalks<Device, Kernel>;

  static std::vector<std::uint64_t> words(const SparsePattern& pattern) {
    std::vector<std::uint64_t> result;
    for (const BitSet<1>& row : bit_rows<1>(pattern)) result.push_back(row.word[0]);
    return result;
  }
};

template <class Device, unsigned Slots, bool Weighted>
class DevicePrunedBits : public DeviceWalks<Device, PrunedBitsKernel<Slots, Weighted>> {
 public:
  DevicePrunedBits(const Device& device, const WalkTask& task) : Base(device, Kernel::shared_bytes(), 32) {
    const SparsePattern& pattern = task.matrix->rows;
    const Pruning pruning(*task.matrix);
    const std::size_t n = pattern.rows;
    std::vector<double> weight(Weighted ? n * n : 0);
    std::vector<double> transposed(weight.size());
    std::vector<Set> rows(pattern.rows);
    std::vector<Set> columns(pattern.rows);
    for (Index i = 0; i < pattern.rows; ++i) {
      for (std::uint64_t k = pattern.row_start[i]; k < pattern.row_start[i + std::uint64_t{1}]; ++k) {
        if (!pruning.alive(k)) continue;
        rows[i].flip(pattern.column[k]);
        columns[pattern.column[k]].flip(i);
        if constexpr (Weighted)
          weight[i * n + pattern.column[k]] = transposed[pattern.column[k] * n + i] = task.matrix->weight[k];
      }
    }
    auto& memory = this->memory_;
    this->kernel_.task = {memory.upload(rows),
                          memory.upload(columns),
                          memory.upload(pruning.row_mate()),
                          memory.upload(pruning.column_mate()),
                          memory.upload(weight),
                          memory.upload(transposed),
                          memory.upload(task.start_rows),
                          memory.upload(task.start_columns),
                          pattern.rows,
                          task.settings};
  }

 private:
  using Kernel = PrunedBitsKernel<Slots, Weighted>;
  using Base = DeviceWalks<Device, Kernel>;
  using Set = BitSet<Kernel::words>;
};

}  // namespace countpm
