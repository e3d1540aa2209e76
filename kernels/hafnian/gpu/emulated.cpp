// hafnian on the emulated GPU.
#include "kernels/gpu/cpu_executor.hpp"
#include "kernels/gpu/launch.hpp"
#include "kernels/hafnian/gpu/job.hpp"

namespace countpm::pair_sets {

template struct PairSetForm<CpuDevice>;
template struct FloatingPairSetForm<CpuDevice>;

namespace {
const EmulatedForm<PairSetForm> emulated;
const EmulatedForm<FloatingPairSetForm> emulated_floating;
}  // namespace

}  // namespace countpm::pair_sets
