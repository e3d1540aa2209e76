#include "kernels/published/codegen/gpu/floating_walker.hpp"

#include "kernels/published/codegen/gpu/floating_walker_on.hpp"
#include "kernels/published/codegen/gpu/interpreter_launcher.hpp"

namespace countpm::codegen {
namespace {

/// The generated kernel's frame around the interpreter: the same items to the same threads.
template <class Product>
struct InterpretedKernel {
  using Numbers = typename Product::Numbers;
  static constexpr unsigned threads = 32;
  const FloatingProgram* program = nullptr;
  FloatingArguments<Numbers> arguments;
  Numbers numbers;

  void operator()(const CpuBlock& block) const {
    const std::uint64_t all = std::uint64_t{block.count()} * threads;
    FloatingInterpreter<Product> interpreter(*program);
    block.each([&](unsigned thread) {
      const std::uint64_t number = std::uint64_t{block.index()} * threads + thread;
      typename Numbers::Total total;
      for (std::uint64_t item = arguments.first + number; item < arguments.last; item += all) {
        const std::uint64_t prefix = item >> program->chosen();
        const std::uint64_t choice = item & ((std::uint64_t{1} << program->chosen()) - 1);
        interpreter.add_item(numbers, arguments.starts + prefix * program->rows, choice,
                             arguments.minuses[prefix] != 0, total);
      }
      numbers.join(arguments.totals[number], total);
    });
  }
};

}  // namespace

template <class Value>
std::unique_ptr<FloatingWalker<Value>> make_floating_walker(const GpuInfo& gpu,
                                                            const FloatingProgram& program, double spread) {
  if (gpu.emulated) {
    using Result = std::unique_ptr<FloatingWalker<Value>>;
    return with_product<Value>(program, [&](auto one) -> Result {
      using Product = decltype(one);
      using Launcher = InterpreterLauncher<InterpretedKernel<Product>, FloatingProgram>;
      return std::make_unique<FloatingWalkerOn<Launcher, Product>>(gpu, program, spread);
    });
  }
  return on_cuda::make_floating_walker<Value>(gpu, program, spread);
}
#include "kernels/published/codegen/gpu/walker_instances.inc"

template <class Product>
InterpretedWalk<Product>::InterpretedWalk(const FloatingProgram& program, double spread)
    : program_(program), numbers_(spread, program.rows), interpreter_(program) {}

template <class Product>
gray::FloatingParts<typename InterpretedWalk<Product>::Value> InterpretedWalk<Product>::sum(
    const std::vector<Value>& start, WorkMeter& meter) {
  if constexpr (gray::asks_for_coarse<Value>)
    numbers_.allow_reciprocals(all_coarse(program_) && gray::all_coarse(start));
  std::vector<Value> placed;
  append_placed(program_, start.data(), placed);
  typename Product::Numbers::Total total;
  const std::uint64_t choices = std::uint64_t{1} << program_.chosen();
  std::uint64_t done = 0;
  while (done < choices) {
    interpreter_.add_item(numbers_, placed.data(), done, false, total);
    ++done;
    if (meter.spend(std::uint64_t{1} << program_.walked) && !meter.look()) break;
  }
  return gray::floating_parts(numbers_, {total}, done << program_.walked, done << program_.walked);
}
template class InterpretedWalk<DoubleProduct>;
template class InterpretedWalk<ExactDoubleProduct>;
template class InterpretedWalk<PairProduct>;
template class InterpretedWalk<ComplexDoubleProduct>;
template class InterpretedWalk<ExactComplexProduct>;
template class InterpretedWalk<ComplexPairProduct>;

}  // namespace countpm::codegen
