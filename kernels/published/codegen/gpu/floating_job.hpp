#pragma once
// job.hpp in floating point.
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/gpu/device_rounds.hpp"
#include "kernels/published/codegen/floating_interpreter.hpp"
#include "kernels/published/codegen/gpu/form.hpp"
#include "kernels/published/codegen/gpu/job.hpp"
#include "kernels/subsets/gpu/floating_parts.hpp"

namespace countpm::codegen {

/// What a kernel is launched with beside its numbers (published/codegen/floating_source.hpp).
template <class KernelNumbers>
struct FloatingArguments {
  using Numbers = KernelNumbers;
  const typename Numbers::Value* starts = nullptr;
  const std::uint8_t* minuses = nullptr;
  typename Numbers::Value* globals = nullptr;
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  typename Numbers::Total* totals = nullptr;
};

template <class Launcher, class Product>
class FloatingProgramWalker
    : public LaunchedWalker<FloatingWalker<typename Product::Numbers::Value>, FloatingProgram, Launcher> {
  using Base = LaunchedWalker<FloatingWalker<typename Product::Numbers::Value>, FloatingProgram, Launcher>;
  using Base::grid_threads, Base::launcher_, Base::pace_, Base::program_;

 public:
  using Numbers = typename Product::Numbers;
  using Value = typename Numbers::Value;
  using Total = typename Numbers::Total;

  FloatingProgramWalker(const GpuInfo& gpu, const FloatingProgram& program, double spread)
      : Base(gpu, program), coarse_(all_coarse(program)), numbers_(spread, program.rows) {
    const std::size_t threads = grid_threads();
    totals_ = launcher_.device().template allocate<Total>(threads);
    globals_ = launcher_.device().template allocate<Value>(threads * (program_.rows - program_.registers));
  }

  gray::FloatingParts<Value> sum(const gray::Prefixes<Value>& prefixes, const StopSignal& stop) override {
    if constexpr (gray::asks_for_coarse<Value>)
      numbers_.allow_reciprocals(coarse_ && gray::all_coarse(prefixes.starts));
    const auto& device = launcher_.device();
    std::vector<Value> placed;
    placed.reserve(prefixes.starts.size());
    for (std::uint64_t p = 0; p < prefixes.size(); ++p)
      append_placed(program_, prefixes.starts.data() + p * program_.rows, placed);
    const auto starts = device.upload(placed);
    const auto minuses = device.upload(prefixes.minuses);
    device.clear(totals_);
    FloatingArguments<Numbers> arguments;
    arguments.starts = starts.data();
    arguments.minuses = minuses.data();
    arguments.globals = globals_.data();
    arguments.totals = totals_.data();
    std::uint64_t launches = 0;
    const std::uint64_t items = prefixes.size() << program_.chosen();
    launch_in_rounds(arguments, items, grid_threads(), std::ldexp(1.0, static_cast<int>(program_.walked)),
                     pace_, stop, [&] {
                       launcher_.launch(arguments, numbers_);
                       device.wait();
                       ++launches;
                     });
    // Threads that had nothing to do have added nothing.
    Total all{};
    for (const Total& total : device.download(totals_, totals_.size())) numbers_.join(all, total);
    // A thread's own, then all threads' one after another; a launch's last round may be a short one.
    const std::uint64_t rounds = items / grid_threads() + 1 + launches;
    return gray::floating_parts(numbers_, {all}, prefixes.size() << program_.columns.size(),
                                (rounds << program_.walked) + grid_threads());
  }

  std::uint64_t bytes() const override {
    return totals_.size() * sizeof(Total) + globals_.size() * sizeof(Value) +
           gray::most_prefixes * (program_.rows * sizeof(Value) + 1);
  }

 private:
  bool coarse_;
  Numbers numbers_;
  typename Base::template Buffer<Total> totals_;
  typename Base::template Buffer<Value> globals_;
};

template <class Value>
template <class Device>
std::unique_ptr<FloatingWalker<Value>> FloatingPrograms<Value>::Form<Device>::make(
    const FloatingProgram& program, double spread, const GpuInfo& gpu) {
  if constexpr (std::is_void_v<typename ProgramLaunchers<Device>::Integers>) {
    refuse_to_load();
  } else {
    return with_product<Value>(program, [&](auto one) -> std::unique_ptr<FloatingWalker<Value>> {
      using Product = decltype(one);
      using Launcher = typename ProgramLaunchers<Device>::template Floating<Product>;
      return std::make_unique<FloatingProgramWalker<Launcher, Product>>(gpu, program, spread);
    });
  }
}

}  // namespace countpm::codegen
