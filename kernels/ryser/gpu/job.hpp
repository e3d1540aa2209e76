#pragma once
// Which of ryser's kernels a walk takes: a template over CudaDevice and CpuDevice.
#include <algorithm>
#include <cmath>
#include <memory>
#include <type_traits>

#include "graph/errors.hpp"
#include "kernels/ryser/gpu/exact_walker.hpp"
#include "kernels/ryser/gpu/form.hpp"
#include "kernels/ryser/gpu/walker.hpp"

namespace countpm::gray {

/// Makes one of the two kinds of walkers, and knows which kernels have room.
template <class Device, class Base, class Element>
struct WalkerFactory {
  const GpuInfo& gpu;
  const Walk<Element>& walk;
  WhichKernel which;

  /// Nothing where it does not fit, or another one is asked for.
  template <SumsIn sums_in, bool plain = false, class Numbers>
  std::unique_ptr<Base> make(const Numbers& numbers) const {
    using Launch = Launcher<Device, Numbers, sums_in, plain>;
    if (!Launch::fits(gpu, walk.rows, walk.columns)) return nullptr;
    if constexpr (std::is_same_v<Base, IntegerWalker>) {
      return std::make_unique<IntegerWalkerOn<Device, Numbers, sums_in, plain>>(gpu, numbers, walk);
    } else {
      return std::make_unique<FloatingWalkerOn<Launch>>(gpu, numbers, walk);
    }
  }
  /// Row sums in registers.
  template <class Numbers>
  std::unique_ptr<Base> in_registers(const Numbers& numbers) const {
    const bool registers = which == WhichKernel::best || which == WhichKernel::built_in ||
                           which == WhichKernel::at_run_time || which == WhichKernel::registers;
    return registers ? make<SumsIn::registers>(numbers) : nullptr;
  }
  /// Any number of them, in shared memory while they fit.
  template <class Numbers>
  std::unique_ptr<Base> in_memory(const Numbers& numbers) const {
    std::unique_ptr<Base> made = wanted_in_memory(numbers);
    if (!made) throw UnableError("the GPU has no room for these row sums there", "--device cpu has");
    return made;
  }

 private:
  template <class Numbers>
  std::unique_ptr<Base> wanted_in_memory(const Numbers& numbers) const {
    switch (which) {
      case WhichKernel::registers:
        return nullptr;
      case WhichKernel::shared_sums:
        return make<SumsIn::shared>(numbers);
      case WhichKernel::shared_plain:
        return make<SumsIn::shared, true>(numbers);
      case WhichKernel::shared_matrix:
        return make<SumsIn::shared_matrix>(numbers);
      case WhichKernel::shared_apart:
        return make<SumsIn::shared_apart>(numbers);
      case WhichKernel::global_sums:
        return make<SumsIn::global>(numbers);
      case WhichKernel::global_plain:
        return make<SumsIn::global, true>(numbers);
      case WhichKernel::best:
      case WhichKernel::built_in:
      case WhichKernel::at_run_time:
        break;
    }
    std::unique_ptr<Base> made = make<SumsIn::shared>(numbers);
    return made ? std::move(made) : make<SumsIn::global>(numbers);
  }
};

/// What launches a kernel that was compiled at run time: launch.cu says it for CUDA.
template <class Device>
struct RunTimeLaunch {
  using Type = void;
};

/// compiled(the launch), where such a kernel is asked for, or pays; else nothing.
template <class Device, class Walker, class Compiled>
std::unique_ptr<Walker> compiled_walker(WhichKernel which, bool pays, const Compiled& compiled) {
  using Launch = typename RunTimeLaunch<Device>::Type;
  if constexpr (!std::is_void_v<Launch>) {
    if (which == WhichKernel::at_run_time) return compiled(std::type_identity<Launch>());
    if ((which != WhichKernel::best && which != WhichKernel::registers) || !pays) return nullptr;
    try {
      return compiled(std::type_identity<Launch>());
    } catch (const UnableError&) {  // no NVRTC, or one that refuses: the sizes that are built in do the same
    }
  } else if (which == WhichKernel::at_run_time) {
    throw UnableError("kernels that are compiled at run time run on GPUs alone, from CUDA 12.8 on",
                      "there are others");
  }
  return nullptr;
}

template <class Device>
std::unique_ptr<IntegerWalker> IntegerWalkForm<Device>::make(const Walk<std::int64_t>& walk,
                                                             const IntegerLimits& limits, WhichKernel which,
                                                             const GpuInfo& gpu) {
  using Result = std::unique_ptr<IntegerWalker>;
  Result made = compiled_walker<Device, IntegerWalker>(
      which, compiling_pays(gpu, walk, limits), [&](auto launch) -> Result {
        return std::make_unique<ExactWalkerOn<typename decltype(launch)::type>>(
            gpu, walk, exact_size(walk.rows, limits));
      });
  if (made) return made;
  const WalkerFactory<Device, IntegerWalker, std::int64_t> factory{gpu, walk, which};
  constexpr std::int64_t largest_in_registers = RegisterIntegers<1, 1>::largest_sum;
  if (limits.bound <= largest_in_registers) {
    made = with_size<Result>(
        walk.rows,
        [&](auto size) -> Result {
          constexpr unsigned words = words_for(size);
          if (limits.log2_sum + 2 > 64 * words) return nullptr;
          return factory.in_registers(RegisterIntegers<size, words>());
        },
        Sizes());
  }
  if (made) return made;
  Integers numbers;
  const double log2_bound = std::log2(static_cast<double>(std::max<std::int64_t>(limits.bound, 1)) + 1);
  numbers.per_word = std::max(1U, static_cast<unsigned>(62.5 / std::max(log2_bound, 1.0)));
  return factory.in_memory(numbers);
}

template <class Device>
std::unique_ptr<IntegerWalker> PrimeWalkForm<Device>::make(const Walk<std::int64_t>& walk,
                                                           std::uint64_t prime, WhichKernel which,
                                                           const GpuInfo& gpu) {
  return WalkerFactory<Device, IntegerWalker, std::int64_t>{gpu, walk, which}.in_memory(
      Primes{PrimeRing(prime)});
}

template <class Value>
template <class Device>
std::unique_ptr<FloatingWalker<Value>> FloatingWalks<Value>::Form<Device>::make(const Walk<Value>& walk,
                                                                                double spread,
                                                                                WhichKernel which,
                                                                                const GpuInfo& gpu) {
  using Result = std::unique_ptr<FloatingWalker<Value>>;
  return with_form(walk, [&](auto form) {
    using Numbers = decltype(form);
    const bool pays = compiling_pays(gpu, {walk.rows, 1, Numbers::kind}, walk.columns, walk.log2_subsets);
    Result made = compiled_walker<Device, FloatingWalker<Value>>(which, pays, [&](auto launch) -> Result {
      using Launcher = ExactFloatingLauncher<typename decltype(launch)::type, Numbers>;
      return std::make_unique<FloatingWalkerOn<Launcher>>(gpu, typename Launcher::Numbers(spread, walk.rows),
                                                          walk);
    });
    if (made) return made;
    const WalkerFactory<Device, FloatingWalker<Value>, Value> factory{gpu, walk, which};
    made = with_size<Result>(
        walk.rows,
        [&](auto size) -> Result {
          using Registers = typename Numbers::template Numbers<decltype(size)::value>;
          return factory.in_registers(Registers(spread, walk.rows));
        },
        typename Numbers::RegisterSizes());
    if (made) return made;
    return factory.in_memory(typename Numbers::InMemory(spread, walk.rows));
  });
}

}  // namespace countpm::gray
