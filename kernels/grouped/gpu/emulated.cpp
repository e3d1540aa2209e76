// grouped on the emulated GPU.
#include "kernels/gpu/cpu_executor.hpp"
#include "kernels/gpu/launch.hpp"
#include "kernels/grouped/gpu/job.hpp"

namespace countpm::grouped {

template struct GroupedForm<CpuDevice>;

namespace {
const EmulatedForm<GroupedForm> emulated;
}  // namespace

}  // namespace countpm::grouped
