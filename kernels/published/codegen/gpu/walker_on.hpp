#pragma once
// The walker of published/codegen/gpu/walker.hpp as a template over what launches:
// published/codegen/gpu/launch.cu's compiled kernel, or published/codegen/gpu/walker.cpp's interpreter on the
// CPU executor.
#include <gmpxx.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "kernels/gpu/device_rounds.hpp"
#include "kernels/published/codegen/gpu/walker.hpp"
#include "kernels/subsets/gpu/tuning.hpp"
#include "kernels/subsets/words_value.hpp"

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

/// totals: [limb][thread], each thread's a number modulo 2^(32 limbs). Their sum, in two's complement.
/// threads < 2^32.
inline mpz_class sum_of_totals(const std::vector<std::uint32_t>& totals, unsigned limbs) {
  constexpr unsigned limb_bits = 32;
  const std::size_t threads = totals.size() / limbs;
  mpz_class sum;
  for (unsigned limb = limbs; limb-- > 0;) {
    std::uint64_t column = 0;
    for (std::size_t t = 0; t < threads; ++t) column += totals[limb * threads + t];
    sum <<= limb_bits;
    sum += static_cast<unsigned long>(column);
  }
  mpz_fdiv_r_2exp(sum.get_mpz_t(), sum.get_mpz_t(), limb_bits * limbs);
  return gray::from_twos_complement(std::move(sum), limb_bits * limbs);
}

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
class WalkerOn : public LaunchedWalker<Walker, Program, Launcher> {
  using Base = LaunchedWalker<Walker, Program, Launcher>;
  using Base::grid_threads, Base::launcher_, Base::pace_, Base::program_;

 public:
  WalkerOn(const GpuInfo& gpu, const Program& program) : Base(gpu, program) {
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

}  // namespace countpm::codegen
