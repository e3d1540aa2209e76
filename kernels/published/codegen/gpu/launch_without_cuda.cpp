// published/codegen/gpu/launch.cu's stand-in: part of the build exactly where that is not.
#include "graph/errors.hpp"
#include "kernels/published/codegen/gpu/floating_walker.hpp"

namespace countpm::codegen::on_cuda {

namespace {

[[noreturn]] void refuse() {
  throw UnableError("built without CUDA", "--device cpu counts without");
}

}  // namespace

std::unique_ptr<Walker> make_walker(const GpuInfo&, const Program&) {
  refuse();
}

template <class Value>
std::unique_ptr<FloatingWalker<Value>> make_floating_walker(const GpuInfo&, const FloatingProgram&, double) {
  refuse();
}
#include "kernels/published/codegen/gpu/walker_instances.inc"

}  // namespace countpm::codegen::on_cuda
