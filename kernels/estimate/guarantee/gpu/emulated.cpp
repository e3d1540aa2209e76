// Trials on the emulated GPU.
#include "kernels/estimate/guarantee/gpu/job.hpp"
#include "kernels/gpu/cpu_executor.hpp"
#include "kernels/gpu/launch.hpp"

namespace countpm {

template struct TrialsForm<CpuDevice>;

namespace {
const EmulatedForm<TrialsForm> emulated;
}  // namespace

}  // namespace countpm
