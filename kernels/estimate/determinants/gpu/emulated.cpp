// Samples by determinants on the emulated GPU.
#include "kernels/estimate/determinants/gpu/job.hpp"
#include "kernels/gpu/cpu_executor.hpp"
#include "kernels/gpu/launch.hpp"

namespace countpm {

template struct DeterminantsForm<CpuDevice>;

namespace {
const EmulatedForm<DeterminantsForm> emulated;
}  // namespace

}  // namespace countpm
