#include "kernels/frontier/ranked/runs/add_runs.hpp"

#include "kernels/support/instruction_sets.hpp"

namespace countpm {

namespace runs_portable {
RunKernel kernel(std::uint32_t to_words, std::uint32_t from_words, bool is_signed);
}
namespace runs_avx2 {
RunKernel kernel(std::uint32_t to_words, std::uint32_t from_words, bool is_signed);
}
namespace runs_avx512 {
RunKernel kernel(std::uint32_t to_words, std::uint32_t from_words, bool is_signed);
}

RunKernel run_kernel(std::uint32_t to_words, std::uint32_t from_words, bool is_signed,
                     [[maybe_unused]] RunCode code) {
#ifdef __x86_64__
  if (code == RunCode::best && processor_has(InstructionSet::avx512))
    return runs_avx512::kernel(to_words, from_words, is_signed);
  if (code != RunCode::portable && processor_has(InstructionSet::avx2))
    return runs_avx2::kernel(to_words, from_words, is_signed);
#endif
  return runs_portable::kernel(to_words, from_words, is_signed);
}

}  // namespace countpm
