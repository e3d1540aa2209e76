#include "kernels/frontier/tables/merge_chunk.hpp"

#include "kernels/support/instruction_sets.hpp"

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
const MergeKernel<Words>& merge_kernel([[maybe_unused]] MergeCode code) {
#ifdef __x86_64__
  if (code == MergeCode::best && processor_has(InstructionSet::avx2)) return merge_avx2::kernel<Words>();
#endif
  return merge_portable::kernel<Words>();
}

template const MergeKernel<1>& merge_kernel<1>(MergeCode);
template const MergeKernel<2>& merge_kernel<2>(MergeCode);
template const MergeKernel<4>& merge_kernel<4>(MergeCode);
template const MergeKernel<8>& merge_kernel<8>(MergeCode);
template const MergeKernel<16>& merge_kernel<16>(MergeCode);
template const MergeKernel<32>& merge_kernel<32>(MergeCode);

}  // namespace countpm
