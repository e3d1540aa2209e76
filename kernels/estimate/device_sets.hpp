#pragma once
// The walks on bit sets that a DeviceSampler launches: templates over CudaDevice and CpuDevice.
#include <cstdint>
#include <vector>

#include "kernels/estimate/bit_rows.hpp"
#include "kernels/estimate/bit_walk_kernel.hpp"
#include "kernels/estimate/pruned_bits_kernel.hpp"
#include "kernels/estimate/pruning.hpp"
#include "kernels/estimate/scaled_bits_kernel.hpp"
#include "kernels/estimate/walk_task.hpp"
#include "kernels/method.hpp"

namespace countpm {

template <class Device, unsigned Words>
class DeviceBitWalks {
 public:
  DeviceBitWalks(const Device& device, const WalkTask& task)
      : device_(device),
        rows_(device.upload(bit_rows<Words>(task.matrix->rows))),
        columns_(device.upload(bit_rows<Words>(task.matrix->columns))) {
    kernel_.matrix = {rows_.data(), columns_.data(), degree_planes<Words>(task.matrix->rows),
                      task.matrix->rows.rows};
    kernel_.least_degree = task.settings.least_degree;
    shared_bytes_ = Kernel::shared_bytes(kernel_.matrix.size);
    blocks_ = device.template blocks<Kernel>(shared_bytes_);
  }

  /// At least so many samples keep the device busy.
  std::uint64_t few() const { return std::uint64_t{blocks_} * Kernel::threads; }

  /// Puts the samples into `samples`; returns before that is done, perhaps.
  void draw(const SampleNumbers& numbers, Scaled* samples, const StopSignal& /*stop*/) {
    kernel_.numbers = numbers;
    kernel_.samples = samples;
    device_.launch(kernel_, blocks_, shared_bytes_);
  }

 private:
  using Kernel = BitWalkKernel<Words>;
  const Device& device_;
  typename Device::template Buffer<BitSet<Words>> rows_;
  typename Device::template Buffer<BitSet<Words>> columns_;
  Kernel kernel_{};
  std::size_t shared_bytes_ = 0;
  unsigned blocks_ = 1;
};

template <class Device, unsigned Slots>
class DeviceScaledBits {
 public:
  DeviceScaledBits(const Device& device, const WalkTask& task)
      : device_(device),
        rows_(device.upload(words(task.matrix->rows))),
        columns_(device.upload(words(task.matrix->columns))),
        row_factor_(device.upload(task.start_rows)),
        column_factor_(device.upload(task.start_columns)),
        blocks_(device.template blocks<Kernel>(Kernel::shared_bytes())) {
    kernel_.task = {rows_.data(),          columns_.data(),        row_factor_.data(),
                    column_factor_.data(), task.matrix->rows.rows, task.settings};
  }

  std::uint64_t few() const { return std::uint64_t{blocks_} * (Kernel::threads / 32); }

  void draw(const SampleNumbers& numbers, Scaled* samples, const StopSignal& /*stop*/) {
    kernel_.numbers = numbers;
    kernel_.samples = samples;
    device_.launch(kernel_, blocks_, Kernel::shared_bytes());
  }

 private:
  using Kernel = ScaledBitsKernel<Slots>;
  static std::vector<std::uint64_t> words(const SparsePattern& pattern) {
    std::vector<std::uint64_t> result;
    for (const BitSet<1>& row : bit_rows<1>(pattern)) result.push_back(row.word[0]);
    return result;
  }

  const Device& device_;
  typename Device::template Buffer<std::uint64_t> rows_;
  typename Device::template Buffer<std::uint64_t> columns_;
  typename Device::template Buffer<double> row_factor_;
  typename Device::template Buffer<double> column_factor_;
  unsigned blocks_;
  Kernel kernel_{};
};

template <class Device, unsigned Slots, bool Weighted>
class DevicePrunedBits {
 public:
  DevicePrunedBits(const Device& device, const WalkTask& task)
      : device_(device), blocks_(device.template blocks<Kernel>(Kernel::shared_bytes())) {
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
    kernel_.task = {rows_.data(),   columns_.data(),    row_mate_.data(),   column_mate_.data(),
                    weight_.data(), transposed_.data(), row_factor_.data(), column_factor_.data(),
                    pattern.rows,   task.settings};
  }

  std::uint64_t few() const { return std::uint64_t{blocks_} * (Kernel::threads / 32); }

  void draw(const SampleNumbers& numbers, Scaled* samples, const StopSignal& /*stop*/) {
    kernel_.numbers = numbers;
    kernel_.samples = samples;
    device_.launch(kernel_, blocks_, Kernel::shared_bytes());
  }

 private:
  using Kernel = PrunedBitsKernel<Slots, Weighted>;
  using Set = BitSet<Kernel::words>;
  template <class T>
  using Buffer = typename Device::template Buffer<T>;

  const Device& device_;
  unsigned blocks_;
  Buffer<Set> rows_;
  Buffer<Set> columns_;
  Buffer<std::uint32_t> row_mate_;
  Buffer<std::uint32_t> column_mate_;
  Buffer<double> weight_;
  Buffer<double> transposed_;
  Buffer<double> row_factor_;
  Buffer<double> column_factor_;
  Kernel kernel_{};
};

}  // namespace countpm
