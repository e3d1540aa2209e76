#include "kernels/frontier/merge_chunk.hpp"

namespace countpm {

namespace merge_portable {
template <unsigned Words>
const MergeKernel<Words>& kernel();
}
namespace merge_avx2 {
template <unsigned Words>
const MergeKernel<Words>& kernel();
}

template <unsigned Words>
const MergeKernel<Words>& merge_kernel(MergeCode code) {
  static const bool newer = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("bmi") != 0 &&
                            __builtin_cpu_supports("bmi2") != 0 && __builtin_cpu_supports("popcnt") != 0;
  return code == MergeCode::best && newer ? merge_avx2::kernel<Words>() : merge_portable::kernel<Words>();
}

template const MergeKernel<1>& merge_kernel<1>(MergeCode);
template const MergeKernel<2>& merge_kernel<2>(MergeCode);
template const MergeKernel<4>& merge_kernel<4>(MergeCode);
template const MergeKernel<8>& merge_kernel<8>(MergeCode);
template const MergeKernel<16>& merge_kernel<16>(MergeCode);
template const MergeKernel<32>& merge_kernel<32>(MergeCode);

}  // namespace countpm
