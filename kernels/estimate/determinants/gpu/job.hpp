#pragma once
// The samples by determinants that a DeviceSampler launches: templates over CudaDevice and CpuDevice.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "graph/clock.hpp"
#include "kernels/estimate/determinants/gpu/form.hpp"
#include "kernels/estimate/determinants/gpu/kernel.hpp"
#include "kernels/estimate/samples/gpu/job.hpp"
#include "kernels/method.hpp"

namespace countpm {

/// A DeterminantSource in a device's memory.
template <class Device, unsigned D>
class DeviceDeterminantSource {
 public:
  DeviceDeterminantSource(const Device& device, const DeterminantSamples& samples) {
    const SparsePattern& rows = samples.pattern();
    const std::uint32_t step = DensePlanes<D>::step_of(rows.rows);
    std::vector<std::uint32_t> place;
    place.reserve(rows.entries());
    for (std::uint32_t i = 0; i < rows.rows; ++i)
      for (std::uint64_t k = rows.row_start[i]; k < rows.row_start[i + std::uint64_t{1}]; ++k)
        place.push_back(i * step + rows.column[k]);
    root_ = device.upload(samples.roots());
    place_ = device.upload(place);
    source_ = {root_.data(), place_.data(), static_cast<std::uint32_t>(rows.entries()), rows.rows,
               samples.least_square()};
  }
  const DeterminantSource& get() const { return source_; }

 private:
  typename Device::template Buffer<double> root_;
  typename Device::template Buffer<std::uint32_t> place_;
  DeterminantSource source_;
};

/// In shared memory.
template <class Device, class Kernel>
class DeviceDeterminants {
 public:
  DeviceDeterminants(const Device& device, const DeterminantTask& task)
      : device_(device),
        source_(device, *task.samples),
        shared_bytes_(Kernel::shared_bytes(source_.get().size)),
        blocks_(device.template blocks<Kernel>(shared_bytes_)) {}

  std::uint64_t few() const { return std::uint64_t{blocks_} * Kernel::teams; }

  void draw(const SampleNumbers& numbers, Scaled* samples, const StopSignal& /*stop*/) {
    device_.launch(Kernel{source_.get(), numbers, samples}, blocks_, shared_bytes_);
  }

 private:
  const Device& device_;
  DeviceDeterminantSource<Device, Kernel::components> source_;
  std::size_t shared_bytes_;
  unsigned blocks_;
};

/// In global memory, some columns a launch.
template <class Device, unsigned D>
class DeviceDeterminantSteps {
 public:
  DeviceDeterminantSteps(const Device& device, const DeterminantTask& task)
      : device_(device), source_(device, *task.samples) {
    const std::uint32_t n = source_.get().size;
    const std::uint64_t doubles = std::uint64_t{D} * n * DensePlanes<D>::step_of(n);
    // A quarter of the memory: more samples at a time would not be faster, and others may need some.
    blocks_ = static_cast<unsigned>(
        std::clamp<std::uint64_t>(device.gpu().memory_bytes / 4 / (doubles * sizeof(double) + 1), 1,
                                  device.template blocks<Kernel>(Kernel::shared_bytes())));
    matrices_ = device.template allocate<double>(blocks_ * doubles);
    orders_ = device.template allocate<std::uint32_t>(std::size_t{blocks_} * n);
  }

  std::uint64_t few() const { return blocks_; }

  void draw(const SampleNumbers& numbers, Scaled* samples, const StopSignal& stop) {
    for (std::uint64_t done = 0; done < numbers.count; done += blocks_) {
      SampleNumbers some = numbers;
      some.first += done;
      some.count = std::min<std::uint64_t>(blocks_, numbers.count - done);
      eliminate(some, samples + done, stop);
    }
  }

 private:
  using Kernel = DeterminantStepsKernel<D>;
  // Entries that the first launch takes columns from: some milliseconds.
  static constexpr double few_entries = 1 << 22;

  void eliminate(const SampleNumbers& numbers, Scaled* samples, const StopSignal& stop) {
    const std::uint32_t n = source_.get().size;
    std::uint32_t first = 0;
    do {
      stop.check();
      const double start = seconds_now();
      std::uint32_t end = first;
      double entries = 0;
      do {
        const double left = n - end;
        entries += team_panel<D> * left * left;
        end = std::min(end + team_panel<D>, n);
      } while (end < n && entries < entries_a_launch_);
      device_.launch(Kernel{source_.get(), numbers, samples, matrices_.data(), orders_.data(), first, end},
                     static_cast<unsigned>(numbers.count), Kernel::shared_bytes());
      device_.wait();
      const double seconds = seconds_now() - start;
      entries_a_launch_ = paced(entries, seconds, sampling_launch_seconds, 4);
      first = end;
    } while (first < n);
  }

  const Device& device_;
  DeviceDeterminantSource<Device, D> source_;
  unsigned blocks_ = 1;
  typename Device::template Buffer<double> matrices_;
  typename Device::template Buffer<std::uint32_t> orders_;
  double entries_a_launch_ = few_entries;
};

template <class Device, class Draws>
std::unique_ptr<DeviceSampler> determinants_by(const DeterminantTask& task, const GpuInfo& gpu) {
  return std::make_unique<SamplerOnDevice<Device, Draws>>(task, task.numbers, gpu);
}

/// The nearest memory that so many matrices fit into as keep a multiprocessor busy.
template <class Device, unsigned D>
std::unique_ptr<DeviceSampler> determinants_of(const DeterminantTask& task, const GpuInfo& gpu) {
  constexpr unsigned busy_warps = 8;
  const std::uint32_t n = task.samples->pattern().rows;
  using Warps = DeviceDeterminants<Device, DeterminantWarpKernel<D>>;
  using Blocks = DeviceDeterminants<Device, DeterminantBlockKernel<D>>;
  using Steps = DeviceDeterminantSteps<Device, D>;
  if (busy_warps * DeterminantWarpKernel<D>::Memory::bytes(n) <= gpu.shared_bytes)
    return determinants_by<Device, Warps>(task, gpu);
  if (DeterminantBlockKernel<D>::shared_bytes(n) <= gpu.shared_bytes)
    return determinants_by<Device, Blocks>(task, gpu);
  return determinants_by<Device, Steps>(task, gpu);
}

template <class Device>
std::unique_ptr<DeviceSampler> DeterminantsForm<Device>::make(const DeterminantTask& task,
                                                              const GpuInfo& gpu) {
  switch (task.samples->kind()) {
    case UnitKind::real:
      return determinants_of<Device, 1>(task, gpu);
    case UnitKind::complex:
      return determinants_of<Device, 2>(task, gpu);
    case UnitKind::quaternion:
      break;
  }
  return determinants_of<Device, 4>(task, gpu);
}

}  // namespace countpm
