// codegen_launch.cu's stand-in: part of the build exactly where that is not.
#include "graph/errors.hpp"
#include "kernels/exact/codegen_walker.hpp"

namespace countpm::codegen::on_cuda {

std::unique_ptr<Walker> make_walker(const GpuInfo&, const Program&) {
  throw UnableError("built without CUDA", "--device cpu counts without");
}

}  // namespace countpm::codegen::on_cuda
