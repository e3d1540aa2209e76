// codegen on the emulated GPU: its programs are interpreted there.
#include <string>
#include <vector>

#include "kernels/gpu/cpu_executor.hpp"
#include "kernels/gpu/launch.hpp"
#include "kernels/published/codegen/floating_interpreter.hpp"
#include "kernels/published/codegen/gpu/floating_job.hpp"
#include "kernels/published/codegen/gpu/job.hpp"
#include "kernels/published/codegen/interpreter.hpp"

namespace countpm::codegen {
namespace {

/// What stands in for a compiled kernel. Kernel: made of the program's address and what it is
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

/// The generated kernel's frame around the interpreter: the same items to the same threads.
struct InterpretedKernel {
  static constexpr unsigned threads = 32;
  const Program* program = nullptr;
  KernelArguments arguments;

  void operator()(const CpuBlock& block) const {
    const std::uint64_t all = std::uint64_t{block.count()} * threads;
    const unsigned limbs = program->limbs;
    const std::size_t outside = program->rows - program->registers;
    Interpreter interpreter(*program);
    std::vector<std::uint32_t> total(limbs);
    block.each([&](unsigned thread) {
      const std::uint64_t number = std::uint64_t{block.index()} * threads + thread;
      const GlobalRows globals{arguments.globals + block.index() * outside * threads + thread, threads};
      for (unsigned i = 0; i < limbs; ++i) total[i] = arguments.totals[i * all + number];
      for (std::uint64_t item = arguments.first + number; item < arguments.last; item += all) {
        const std::uint64_t prefix = item >> program->chosen();
        const std::uint64_t choice = item & ((std::uint64_t{1} << program->chosen()) - 1);
        interpreter.add_item(arguments.starts + prefix * program->rows, choice,
                             arguments.minuses[prefix] != 0, globals, total.data());
      }
      for (unsigned i = 0; i < limbs; ++i) arguments.totals[i * all + number] = total[i];
    });
  }
};

/// The same in floating point.
template <class Product>
struct InterpretedFloatingKernel {
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

template <>
struct ProgramLaunchers<CpuDevice> {
  using Integers = InterpreterLauncher<InterpretedKernel, Program>;
  template <class Product>
  using Floating = InterpreterLauncher<InterpretedFloatingKernel<Product>, FloatingProgram>;
};

template struct ProgramForm<CpuDevice>;
template struct FloatingPrograms<double>::Form<CpuDevice>;
template struct FloatingPrograms<DoubleDouble>::Form<CpuDevice>;
template struct FloatingPrograms<Complex<double>>::Form<CpuDevice>;
template struct FloatingPrograms<Complex<DoubleDouble>>::Form<CpuDevice>;

namespace {
const EmulatedForm<ProgramForm> integers;
const EmulatedForm<FloatingPrograms<double>::Form> doubles;
const EmulatedForm<FloatingPrograms<DoubleDouble>::Form> pairs;
const EmulatedForm<FloatingPrograms<Complex<double>>::Form> complex_doubles;
const EmulatedForm<FloatingPrograms<Complex<DoubleDouble>>::Form> complex_pairs;
}  // namespace

}  // namespace countpm::codegen
