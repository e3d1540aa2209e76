// frontier on the emulated GPU.
#include "kernels/frontier/gpu/job.hpp"
#include "kernels/gpu/cpu_executor.hpp"
#include "kernels/gpu/launch.hpp"

namespace countpm {

template struct FrontierForm<CpuDevice>;

namespace {
const EmulatedForm<FrontierForm> emulated;
}  // namespace

}  // namespace countpm
