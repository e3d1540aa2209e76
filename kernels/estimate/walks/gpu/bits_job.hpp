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
      : device_(device),
        shared_bytes_(shared_bytes),
        threads_a_sample_(threads_a_sample),
        blocks_(device.template blocks<Kernel>(shared_bytes)) {}
  ~DeviceWalks() = default;

  Kernel kernel_{};

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
      : Base(device, Kernel::shared_bytes(task.matrix->rows.rows), 1),
        rows_(device.upload(bit_rows<Words>(task.matrix->rows))),
        columns_(device.upload(bit_rows<Words>(task.matrix->columns))) {
    this->kernel_.matrix = {rows_.data(), columns_.data(), degree_planes<Words>(task.matrix->rows),
                            task.matrix->rows.rows};
    this->kernel_.least_degree = task.settings.least_degree;
  }

 private:
  using Kernel = BitWalkKernel<Words>;
  using Base = DeviceWalks<Device, Kernel>;

  typename Device::template Buffer<BitSet<Words>> rows_;
  typename Device::template Buffer<BitSet<Words>> columns_;
};

template <class Device, unsigned Slots>
class DeviceScaledBits : public DeviceWalks<Device, ScaledBitsKernel<Slots>> {
 public:
  DeviceScaledBits(const Device& device, const WalkTask& task)
      : Base(device, Kernel::shared_bytes(), 32),
        rows_(device.upload(words(task.matrix->rows))),
        columns_(device.upload(words(task.matrix->columns))),
        row_factor_(device.upload(task.start_rows)),
        column_factor_(device.upload(task.start_columns)) {
    this->kernel_.task = {rows_.data(),          columns_.data(),        row_factor_.data(),
                          column_factor_.data(), task.matrix->rows.rows, task.settings};
  }

 private:
  using Kernel = ScaledBitsKernel<Slots>;
  using Base = DeviceWalks<Device, Kernel>;

  static std::vector<std::uint64_t> words(const SparsePattern& pattern) {
    std::vector<std::uint64_t> result;
    for (const BitSet<1>& row : bit_rows<1>(pattern)) result.push_back(row.word[0]);
    return result;
  }

  typename Device::template Buffer<std::uint64_t> rows_;
  typename Device::template Buffer<std::uint64_t> columns_;
  typename Device::template Buffer<double> row_factor_;
  typename Device::template Buffer<double> column_factor_;
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
    rows_ = device.upload(rows);
    columns_ = device.upload(columns);
    row_mate_ = device.upload(pruning.row_mate());
    column_mate_ = device.upload(pruning.column_mate());
    weight_ = device.upload(weight);
    transposed_ = device.upload(transposed);
    row_factor_ = device.upload(task.start_rows);
    column_factor_ = device.upload(task.start_columns);
    this->kernel_.task = {rows_.data(),   columns_.data(),    row_mate_.data(),   column_mate_.data(),
                          weight_.data(), transposed_.data(), row_factor_.data(), column_factor_.data(),
                          pattern.rows,   task.settings};
  }

 private:
  using Kernel = PrunedBitsKernel<Slots, Weighted>;
  using Base = DeviceWalks<Device, Kernel>;
  using Set = BitSet<Kernel::words>;
  template <class T>
  using Buffer = typename Device::template Buffer<T>;

  Buffer<Set> rows_;
  Buffer<Set> columns_;
  Buffer<std::uint32_t> row_mate_;
  Buffer<std::uint32_t> column_mate_;
  Buffer<double> weight_;
  Buffer<double> transposed_;
  Buffer<double> row_factor_;
  Buffer<double> column_factor_;
};

}  // namespace countpm
