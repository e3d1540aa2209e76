// Samples by populations on the emulated GPU.
#include "kernels/estimate/population/gpu/job.hpp"
#include "kernels/gpu/cpu_executor.hpp"
#include "kernels/gpu/launch.hpp"

namespace countpm {

template struct PopulationForm<CpuDevice>;

namespace {
const EmulatedForm<PopulationForm> emulated;
}  // namespace

}  // namespace countpm
