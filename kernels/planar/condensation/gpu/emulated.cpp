// condensation on the emulated GPU.
#include "kernels/gpu/cpu_executor.hpp"
#include "kernels/gpu/launch.hpp"
#include "kernels/planar/condensation/gpu/job.hpp"

namespace countpm {

template struct CondensationForm<CpuDevice>;
template struct PivotsForm<CpuDevice>;

namespace {
const EmulatedForm<CondensationForm> emulated_job;
const EmulatedForm<PivotsForm> emulated_pivots;
}  // namespace

}  // namespace countpm
