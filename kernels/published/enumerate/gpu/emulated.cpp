// enumerate on the emulated GPU.
#include "kernels/gpu/cpu_executor.hpp"
#include "kernels/gpu/launch.hpp"
#include "kernels/published/enumerate/gpu/job.hpp"

namespace countpm {

template struct EnumerateForm<CpuDevice>;

namespace {
const EmulatedForm<EnumerateForm> emulated;
}  // namespace

}  // namespace countpm
