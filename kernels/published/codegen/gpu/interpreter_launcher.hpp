#pragma once
// What stands in for published/codegen/gpu/launch.cu's compiled kernel on an emulated GPU: an interpreter's
// kernel.
#include <string>

#include "kernels/gpu/cpu_executor.hpp"

namespace countpm::codegen {

/// A Launcher of published/codegen/gpu/walker_on.hpp. Kernel: made of the program's address and what it is
/// launched with.
template <class Kernel, class AnyProgram>
class InterpreterLauncher {
 public:
  using Device = CpuDevice;
  InterpreterLauncher(const GpuInfo& gpu, const AnyProgram& program) : device_(gpu), program_(program) {}

  const Device& device() const { return device_; }
  unsigned blocks() const { return device_.blocks<Kernel>(0); }
  unsigned threads() const { return Kernel::threads; }
  template <class... Arguments>
  void launch(const Arguments&... arguments) const {
    device_.launch(Kernel{&program_, arguments...}, blocks(), 0);
  }
  double compile_seconds() const { return 0; }
  bool from_cache() const { return false; }
  unsigned registers() const { return 0; }
  unsigned spilled_bytes() const { return 0; }
  static std::string kernel() { return "interpreted"; }

 private:
  Device device_;
  const AnyProgram& program_;
};

}  // namespace countpm::codegen
