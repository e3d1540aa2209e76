// grouped/gpu/launch.cu's stand-in: part of the build exactly where that is not.
#include "graph/errors.hpp"
#include "kernels/grouped/gpu/walker.hpp"

namespace countpm::grouped::on_cuda {

std::unique_ptr<gray::IntegerWalker> make_walker(const GpuInfo&, const DeviceWalk&) {
  throw UnableError("built without CUDA", "--device cpu counts without");
}

}  // namespace countpm::grouped::on_cuda
