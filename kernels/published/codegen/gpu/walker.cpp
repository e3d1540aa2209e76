#include "kernels/published/codegen/gpu/walker.hpp"

#include "kernels/published/codegen/gpu/interpreter_launcher.hpp"
#include "kernels/published/codegen/gpu/walker_on.hpp"
#include "kernels/published/codegen/interpreter.hpp"

namespace countpm::codegen {
namespace {

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

}  // namespace

std::unique_ptr<Walker> make_walker(const GpuInfo& gpu, const Program& program) {
  using Launcher = InterpreterLauncher<InterpretedKernel, Program>;
  if (gpu.emulated) return std::make_unique<WalkerOn<Launcher>>(gpu, program);
  return on_cuda::make_walker(gpu, program);
}

}  // namespace countpm::codegen
