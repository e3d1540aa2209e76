#include "bench/gpu_sort/gpu_sort.hpp"
#include "graph/errors.hpp"

namespace countpm::bench {

double sort_seconds(const GpuInfo& /*gpu*/, std::uint64_t /*records*/, unsigned /*key_bits*/,
                    unsigned /*value_bytes*/) {
  throw UnableError("built without CUDA", "the preset cuda");
}

}  // namespace countpm::bench
