// merged_launch.cu's stand-in: part of the build exactly where that is not.
#include "graph/errors.hpp"
#include "kernels/dense/merged_walker.hpp"

namespace countpm::merged::on_cuda {

std::unique_ptr<gray::IntegerWalker> make_walker(const GpuInfo&, const DeviceWalk&) {
  throw UnableError("built without CUDA", "--device cpu counts without");
}

}  // namespace countpm::merged::on_cuda
