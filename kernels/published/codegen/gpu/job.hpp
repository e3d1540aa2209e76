#pragma once
// Programs on a GPU, as templates over what launches them: launch.cu's compiled kernels, or emulated.cpp's
// interpreter.
#include <gmpxx.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "graph/errors.hpp"
#include "kernels/gpu/device_rounds.hpp"
#include "kernels/published/codegen/gpu/form.hpp"
#include "kernels/published/codegen/interpreter.hpp"
#include "kernels/subsets/gpu/tuning.hpp"

namespace countpm::codegen {

/// What a kernel is launched with (published/codegen/source.hpp).
struct KernelArguments {
  const std::int32_t* starts = nullptr;
  const std::uint8_t* minuses = nullptr;
  std::int32_t* globals = nullptr;
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  std::uint32_t* totals = nullptr;
};

/// A walker of this Base by a Launcher, which is made from the GPU and the program, that outlives it, and has
/// the members that are used here and by those who derive.
template <class Base, class AnyProgram, class Launcher>
class LaunchedWalker : public Base {
 public:
  double compile_seconds() const override { return launcher_.compile_seconds(); }
  bool from_cache() const override { return launcher_.from_cache(); }
  unsigned registers() const override { return launcher_.registers(); }
  unsigned spilled_bytes() const override { return launcher_.spilled_bytes(); }
  std::string kernel() const override { return launcher_.kernel(); }

 protected:
  template <class T>
  using Buffer = typename Launcher::Device::template Buffer<T>;

  LaunchedWalker(const GpuInfo& gpu, const AnyProgram& program)
      : program_(program), launcher_(gpu, program_) {}

  std::size_t grid_threads() const { return std::size_t{launcher_.blocks()} * launcher_.threads(); }

  AnyProgram program_;
  Launcher launcher_;
  LaunchPace pace_{gray::launch_seconds, 1e8};
};

template <class Launcher>
class ProgramWalker : public LaunchedWalker<Walker, Program, Launcher> {
  using Base = LaunchedWalker<Walker, Program, Launcher>;
  using Base::grid_threads, Base::launcher_, Base::pace_, Base::program_;

 public:
  ProgramWalker(const GpuInfo& gpu, const Program& program) : Base(gpu, program) {
    const std::size_t threads = grid_threads();
    totals_ = launcher_.device().template allocate<std::uint32_t>(threads * program_.limbs);
    globals_ =
        launcher_.device().template allocate<std::int32_t>(threads * (program_.rows - program_.registers));
  }

  mpz_class sum(const gray::Prefixes<std::int64_t>& prefixes, const StopSignal& stop) override {
    const auto& device = launcher_.device();
    const auto starts = device.upload(placed_starts(prefixes));
    const auto minuses = device.upload(prefixes.minuses);
    device.clear(totals_);
    KernelArguments arguments;
    arguments.starts = starts.data();
    arguments.minuses = minuses.data();
    arguments.globals = globals_.data();
    arguments.totals = totals_.data();
    const std::uint64_t items = prefixes.size() << program_.chosen();
    const std::uint64_t round = grid_threads();
    const double terms = std::ldexp(1.0, static_cast<int>(program_.log2_item_terms()));
    launch_in_rounds(arguments, items, round, terms, pace_, stop, [&] {
      launcher_.launch(arguments);
      device.wait();
    });
    mpz_class sum = sum_of_totals(device.download(totals_, totals_.size()), program_.limbs);
    sum <<= program_.halvings;
    return sum;
  }

  std::uint64_t bytes() const override {
    return (totals_.size() + globals_.size()) * sizeof(std::uint32_t) +
           gray::most_prefixes * (program_.rows * sizeof(std::int32_t) + 1);
  }

 private:
  std::vector<std::int32_t> placed_starts(const gray::Prefixes<std::int64_t>& prefixes) const {
    std::vector<std::int32_t> result;
    result.reserve(prefixes.starts.size());
    for (std::uint64_t p = 0; p < prefixes.size(); ++p) {
      const std::int64_t* const sums = prefixes.starts.data() + p * program_.rows;
      for (unsigned place = 0; place < program_.rows; ++place)
        result.push_back(static_cast<std::int32_t>(sums[program_.row_of[place]] / program_.divisor[place]));
    }
    return result;
  }

  typename Base::template Buffer<std::uint32_t> totals_;
  typename Base::template Buffer<std::int32_t> globals_;
};

/// What launches programs on a device: Integers, and Floating<Product>. void where nothing does.
template <class Device>
struct ProgramLaunchers {
  using Integers = void;
};
/// UnableError: CUDA is too old for generated kernels.
[[noreturn]] inline void refuse_to_load() {
  throw UnableError("kernels are loaded at run time from CUDA 12.8 on, and this was built with an older one",
                    "--method ryser needs no compiler");
}

template <class Device>
std::unique_ptr<Walker> ProgramForm<Device>::make(const Program& program, const GpuInfo& gpu) {
  using Launcher = typename ProgramLaunchers<Device>::Integers;
  if constexpr (std::is_void_v<Launcher>) {
    refuse_to_load();
  } else {
    return std::make_unique<ProgramWalker<Launcher>>(gpu, program);
  }
}

}  // namespace countpm::codegen
