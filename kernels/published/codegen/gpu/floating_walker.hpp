#pragma once
// Floating programs on one GPU, compiled by NVRTC where it is there, interpreted where it is emulated; and
// interpreted on the CPU. Compiles without nvcc.
#include <memory>
#include <vector>

#include "kernels/published/codegen/floating_interpreter.hpp"
#include "kernels/published/codegen/gpu/walker.hpp"
#include "kernels/support/work_meter.hpp"

namespace countpm::codegen {

/// f(a product of such a program's row sums).
template <class Value, class F>
auto with_product(const FloatingProgram& program, const F& f) {
  if constexpr (std::is_same_v<Value, double>) {
    return program.exact_sums ? f(ExactDoubleProduct()) : f(DoubleProduct());
  } else if constexpr (std::is_same_v<Value, Complex<double>>) {
    return program.exact_sums ? f(ExactComplexProduct()) : f(ComplexDoubleProduct());
  } else if constexpr (std::is_same_v<Value, DoubleDouble>) {
    return f(PairProduct());
  } else {
    return f(ComplexPairProduct());
  }
}

/// Sums over prefixes: starts in the walk's rows.
template <class Value>
class FloatingWalker : public gray::FloatingWalker<Value>, public Compiled {};

/// Value: double, DoubleDouble, Complex<double> or Complex<DoubleDouble>. spread: RunningSum's. Throws
/// UnableError where the kernel does not compile.
template <class Value>
std::unique_ptr<FloatingWalker<Value>> make_floating_walker(const GpuInfo& gpu,
                                                            const FloatingProgram& program, double spread);

/// On the CPU, from one start after another. Product: as with_product() has it.
template <class Product>
class InterpretedWalk {
 public:
  using Value = typename Product::Numbers::Value;
  /// The program must outlive it.
  InterpretedWalk(const FloatingProgram& program, double spread);
  /// start: the row sums without any of the walk's columns. Ends early where the meter calls time. Throws
  /// Stopped.
  gray::FloatingParts<Value> sum(const std::vector<Value>& start, WorkMeter& meter);

 private:
  const FloatingProgram& program_;
  typename Product::Numbers numbers_;
  FloatingInterpreter<Product> interpreter_;
};

/// published/codegen/gpu/launch.cu; without CUDA published/codegen/gpu/launch_without_cuda.cpp, which throws
/// UnableError.
namespace on_cuda {
template <class Value>
std::unique_ptr<FloatingWalker<Value>> make_floating_walker(const GpuInfo& gpu,
                                                            const FloatingProgram& program, double spread);
}  // namespace on_cuda

}  // namespace countpm::codegen
