#pragma once
// The walker of a kernel for exactly a block's rows (ryser_source.hpp), as a template over what launches it:
// ryser_launch.cu's compiled one, or in tests the same kernel on the CPU executor.
#include <gmpxx.h>

#include <utility>
#include <vector>

#include "kernels/exact/ryser_source.hpp"
#include "kernels/exact/ryser_walker_on.hpp"

namespace countpm::gray {

/// A Launch is made from the GPU, the size and the columns' number, and has the members that are used here.
template <class Launch>
class ExactWalkerOn : public IntegerWalker {
 public:
  using Value = std::int32_t;

  ExactWalkerOn(const GpuInfo& gpu, const Walk<std::int64_t>& walk, const ExactSize& size)
      : size_(size), columns_(walk.columns), launch_(gpu, size, walk.columns) {
    columns_buffer_ = launch_.device().upload(lines(walk.deltas, columns_));
    totals_ = launch_.device().template allocate<std::uint64_t>(launch_.blocks() * size_.words);
  }

  mpz_class sum(const Prefixes<std::int64_t>& prefixes, const StopSignal& stop) override {
    const auto& device = launch_.device();
    const auto starts = device.upload(lines(prefixes.starts, prefixes.size()));
    const auto minuses = device.upload(prefixes.minuses);
    device.clear(totals_);
    const std::uint64_t round = std::uint64_t{launch_.blocks()} * exact_threads();
    RyserArguments<Value> arguments;
    arguments.rows = size_.rows;
    arguments.walked = walked_columns(prefixes.size(), round, columns_, most_walked_columns);
    arguments.chosen = columns_ - arguments.walked;
    arguments.columns = columns_buffer_.data();
    arguments.starts = starts.data();
    arguments.minuses = minuses.data();
    launch_in_rounds(arguments, prefixes.size() << arguments.chosen, round,
                     std::ldexp(1.0, static_cast<int>(arguments.walked)), pace_, stop, [&] {
                       launch_.launch(arguments, totals_.data());
                       device.wait();
                     });
    return joined(device.download(totals_, totals_.size()));
  }

  std::uint64_t bytes() const override {
    return (columns_buffer_.size() + most_prefixes * stride()) * sizeof(Value) + most_prefixes +
           totals_.size() * sizeof(std::uint64_t);
  }

 private:
  std::size_t stride() const {
    constexpr std::size_t load = 16 / sizeof(Value);
    return (size_.rows + load - 1) / load * load;
  }
  /// Each on whole loads.
  std::vector<Value> lines(const std::vector<std::int64_t>& values, std::uint64_t count) const {
    std::vector<Value> result(count * stride());
    for (std::uint64_t k = 0; k < count; ++k) {
      for (unsigned i = 0; i < size_.rows; ++i)
        result[k * stride() + i] = static_cast<Value>(values[k * size_.rows + i]);
    }
    return result;
  }
  /// [block][word], numbers modulo 2^(64 words): their sum, in two's complement.
  mpz_class joined(const std::vector<std::uint64_t>& totals) const {
    constexpr unsigned word_bits = 64;
    mpz_class sum;
    mpz_class part;
    for (std::size_t at = 0; at < totals.size(); at += size_.words) {
      mpz_import(part.get_mpz_t(), size_.words, -1, sizeof(std::uint64_t), 0, 0, totals.data() + at);
      sum += part;
    }
    mpz_fdiv_r_2exp(sum.get_mpz_t(), sum.get_mpz_t(), word_bits * size_.words);
    return from_twos_complement(std::move(sum), word_bits * size_.words);
  }

  template <class T>
  using Buffer = typename Launch::Device::template Buffer<T>;

  ExactSize size_;
  unsigned columns_;
  Launch launch_;
  Buffer<Value> columns_buffer_;
  Buffer<std::uint64_t> totals_;
  LaunchPace pace_{launch_seconds, 1e8};  // by subsets
};

}  // namespace countpm::gray
