// pruned on the emulated GPU.
#include "kernels/gpu/cpu_executor.hpp"
#include "kernels/gpu/launch.hpp"
#include "kernels/pruned/gpu/job.hpp"

namespace countpm {

template struct PrunedForm<CpuDevice>;

namespace {
const EmulatedForm<PrunedForm> emulated;
}  // namespace

}  // namespace countpm
