// planar on the emulated GPU.
#include "kernels/gpu/cpu_executor.hpp"
#include "kernels/gpu/launch.hpp"
#include "kernels/planar/gpu/job.hpp"

namespace countpm {

template struct PlanarForm<CpuDevice>;

namespace {
const EmulatedForm<PlanarForm> emulated;
}  // namespace

}  // namespace countpm
