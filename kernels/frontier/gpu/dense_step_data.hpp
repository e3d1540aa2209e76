#pragma once
// What a GPU has of a DenseProgram's steps beside the values: a template over CudaDevice and CpuDevice.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/frontier/gpu/dense_column.hpp"
#include "kernels/frontier/gpu/dense_kernel.hpp"
#include "kernels/frontier/gpu/dense_layout.hpp"
#include "kernels/gpu/device_tables.hpp"

namespace countpm {

template <class Device>
class DenseStepData {
 public:
  DenseStepData(const Device& device, std::uint32_t low_bits) : device_(device), memory_(device) {
    const DenseLowSets low = dense_low_sets(low_bits);
    tables_.binomials = memory_.upload(dense_binomials());
    tables_.low_sets = memory_.upload(low.sets);
    tables_.low_ranks = memory_.upload(low.rank);
    std::copy(low.first.begin(), low.first.end(), tables_.low_first);
    tables_.low_bits = low_bits;
  }

  void begin(const DenseProgram& program) {
    std::vector<DensePull> pulls;
    std::vector<std::uint8_t> removed;
    first_pull_.clear();
    first_removed_.clear();
    for (const DenseStep& step : program.steps) {
      first_pull_.push_back(pulls.size());
      first_removed_.push_back(removed.size());
      pulls.insert(pulls.end(), step.pulls.begin(), step.pulls.end());
      removed.insert(removed.end(), step.removed.begin(), step.removed.end());
    }
    pulls_ = device_.upload(pulls);
    removed_ = device_.upload(removed);
  }
  /// Of a step of that program, without classes, sources and target.
  DenseLaunch launch(const DenseProgram& program, std::size_t number) const {
    const DenseStep& step = program.steps[number];
    DenseLaunch launch;
    launch.tables = tables_;
    launch.round.shape = step.shape;
    launch.round.pulls = pulls_.data() + first_pull_[number];
    launch.round.pull_count = static_cast<std::uint32_t>(step.pulls.size());
    launch.round.removed = removed_.data() + first_removed_[number];
    launch.round.removed_count = static_cast<std::uint32_t>(step.removed.size());
    return launch;
  }
  const DenseTables& tables() const { return tables_; }
  std::uint64_t bytes() const { return pulls_.size() * sizeof(DensePull); }

 private:
  const Device& device_;
  DenseTables tables_;
  DeviceTables<Device> memory_;
  typename Device::template Buffer<DensePull> pulls_;
  typename Device::template Buffer<std::uint8_t> removed_;
  std::vector<std::size_t> first_pull_;  // of every step
  std::vector<std::size_t> first_removed_;
};

}  // namespace countpm
