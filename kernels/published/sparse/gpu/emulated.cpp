// sparyser and skipper on the emulated GPU.
#include "kernels/gpu/cpu_executor.hpp"
#include "kernels/gpu/launch.hpp"
#include "kernels/published/sparse/gpu/skipper_job.hpp"
#include "kernels/published/sparse/gpu/sparyser_job.hpp"

namespace countpm::gray {

template struct SparyserForm<CpuDevice>;
template struct SkipperForm<CpuDevice>;

namespace {
const EmulatedForm<SparyserForm> sparyser;
const EmulatedForm<SkipperForm> skipper;
}  // namespace

}  // namespace countpm::gray
