#include "kernels/planar/condensation/gpu/launch.hpp"

#include "kernels/gpu/cpu_executor.hpp"
#include "kernels/planar/condensation/gpu/job.hpp"

namespace countpm {

bool fits_device(const DenseForm& form, std::uint64_t values, const GpuInfo& gpu) {
  return DeviceMatrices<CpuDevice, condensation_step::ResidueField>::most_that_fit(form, values, gpu) > 0;
}

std::unique_ptr<DeviceJob> condensation_on_device(const CondensationTask& task, const GpuInfo& gpu) {
  return gpu.emulated ? make_condensation_device_job<CpuDevice>(task, gpu) : condensation_on_gpu(task, gpu);
}

std::vector<double> device_pivots(const DenseForm& form, const std::vector<CondensationEntry>& entries,
                                  const std::vector<double>& values, const GpuInfo& gpu,
                                  const StopSignal& stop) {
  return gpu.emulated ? make_device_pivots<CpuDevice>(form, entries, values, gpu, stop)
                      : gpu_pivots(form, entries, values, gpu, stop);
}

}  // namespace countpm
