#pragma once
// Programs on one GPU: compiled by NVRTC where it is there, interpreted where it is emulated. Compiles
// without nvcc.
#include <memory>

#include "kernels/gpu/device_info.hpp"
#include "kernels/published/codegen/program.hpp"
#include "kernels/subsets/gpu/walker.hpp"

namespace countpm::codegen {

/// A kernel that was generated, or what interprets it.
class Compiled {
 public:
  virtual ~Compiled() = default;
  /// Until the code was there, loading left out; and whether the disk had it.
  virtual double compile_seconds() const = 0;
  virtual bool from_cache() const = 0;
  /// Of a thread, as the compiler gave them out, and the bytes for which it had none; 0 where interpreted.
  virtual unsigned registers() const = 0;
  virtual unsigned spilled_bytes() const = 0;
};

/// Exact sums over prefixes, as of gray::IntegerWalker: starts in the block's rows.
class Walker : public gray::IntegerWalker, public Compiled {};

/// Most limbs that a kernel is generated for: 512 bits, as ryser's words.
inline constexpr unsigned most_device_limbs = 16;

/// Precondition: program.limbs <= most_device_limbs. Throws UnableError where the kernel does not compile.
std::unique_ptr<Walker> make_walker(const GpuInfo& gpu, const Program& program);

/// published/codegen/gpu/launch.cu; without CUDA published/codegen/gpu/launch_without_cuda.cpp, which throws
/// UnableError.
namespace on_cuda {
std::unique_ptr<Walker> make_walker(const GpuInfo& gpu, const Program& program);
}

}  // namespace countpm::codegen
