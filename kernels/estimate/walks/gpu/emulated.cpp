// Walks on the emulated GPU.
#include "kernels/estimate/walks/gpu/job.hpp"
#include "kernels/gpu/cpu_executor.hpp"
#include "kernels/gpu/launch.hpp"

namespace countpm {

template struct WalksForm<CpuDevice>;

namespace {
const EmulatedForm<WalksForm> emulated;
}  // namespace

}  // namespace countpm
