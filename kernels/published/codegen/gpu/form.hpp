#pragma once
// What of `codegen` runs on a GPU, as the CPU side sees it: programs, compiled by NVRTC where the GPU is
// real, interpreted where it is emulated.
#include <memory>

#include "kernels/gpu/launch.hpp"
#include "kernels/published/codegen/floating_program.hpp"
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
/// Sums over prefixes: starts in the walk's rows.
template <class Value>
class FloatingWalker : public gray::FloatingWalker<Value>, public Compiled {};

/// Most limbs that a kernel is generated for: 512 bits, as ryser's words.
inline constexpr unsigned most_device_limbs = 16;

// Both throw UnableError where the kernel does not compile.
template <class Device>
struct ProgramForm {
  /// Precondition: program.limbs <= most_device_limbs.
  static std::unique_ptr<Walker> make(const Program& program, const GpuInfo& gpu);
};
/// Value: double, DoubleDouble, Complex<double> or Complex<DoubleDouble>.
template <class Value>
struct FloatingPrograms {
  template <class Device>
  struct Form {
    /// spread: RunningSum's.
    static std::unique_ptr<FloatingWalker<Value>> make(const FloatingProgram& program, double spread,
                                                       const GpuInfo& gpu);
  };
};

inline std::unique_ptr<Walker> make_walker(const GpuInfo& gpu, const Program& program) {
  return on_gpu<ProgramForm>(gpu, program);
}
template <class Value>
std::unique_ptr<FloatingWalker<Value>> make_floating_walker(const GpuInfo& gpu,
                                                            const FloatingProgram& program, double spread) {
  return on_gpu<FloatingPrograms<Value>::template Form>(gpu, program, spread);
}

}  // namespace countpm::codegen
