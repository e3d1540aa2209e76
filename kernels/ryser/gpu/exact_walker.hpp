#pragma once
// The walkers of kernels for exactly a block's rows (ryser/gpu/source.hpp), as templates over what
// launches them: ryser/gpu/launch.cu's compiled ones, or in tests the same kernels on the CPU executor.
#include <gmpxx.h>

#include <string>
#include <utility>
#include <vector>

#include "kernels/ryser/gpu/source.hpp"
#include "kernels/ryser/gpu/walker.hpp"

namespace countpm::gray {

/// Launcher (ryser/gpu/walker.hpp) of a kernel whose rows are known at run time. KernelNumbers: laid out
/// as the kernel's, whatever its rows; a total is `parts` Parts. A Launch is made from the GPU, the size and
/// the number of columns, and has the members that are used here.
template <class Launch, class KernelNumbers, class Part>
class ExactLauncher {
 public:
  using Numbers = KernelNumbers;
  using Value = typename Numbers::Value;

  ExactLauncher(const GpuInfo& gpu, const Numbers& numbers, const ExactSize& size, unsigned parts,
                unsigned columns, const std::vector<Value>& deltas, unsigned most_walked)
      : size_(size),
        columns_(columns),
        most_walked_(most_walked),
        numbers_(numbers),
        launch_(gpu, size, columns),
        columns_buffer_(launch_.device().upload(lines(deltas, columns))),
        totals_(launch_.device().template allocate<Part>(std::size_t{launch_.blocks()} * parts)) {}

  /// The blocks' totals.
  std::vector<Part> sum(const Prefixes<Value>& prefixes, const StopSignal& stop) {
    const auto& device = launch_.device();
    const auto starts = device.upload(lines(prefixes.starts, prefixes.size()));
    const auto minuses = device.upload(prefixes.minuses);
    device.clear(totals_);
    const std::uint64_t round = std::uint64_t{launch_.blocks()} * exact_threads(size_);
    RyserArguments<Value> arguments;
    arguments.rows = size_.rows;
    arguments.walked = walked_columns(prefixes.size(), round, columns_, most_walked_);
    arguments.chosen = columns_ - arguments.walked;
    arguments.columns = columns_buffer_.data();
    arguments.starts = starts.data();
    arguments.minuses = minuses.data();
    const std::uint64_t items = prefixes.size() << arguments.chosen;
    longest_ = longest_in_launch(items, round, arguments.walked);
    launch_in_rounds(arguments, items, round, std::ldexp(1.0, static_cast<int>(arguments.walked)), pace_,
                     stop, [&] {
                       launch_.launch(arguments, numbers_, totals_.data());
                       device.wait();
                       ++longest_;
                     });
    return device.download(totals_, totals_.size());
  }

  std::uint64_t bytes() const {
    return (columns_buffer_.size() + most_prefixes * stride()) * sizeof(Value) + most_prefixes +
           totals_.size() * sizeof(Part);
  }
  std::string kernel() const { return launch_.kernel(); }
  Numbers& numbers() { return numbers_; }
  /// Additions that a term of the last sum passed, at most.
  std::uint64_t longest() const { return longest_; }

 private:
  std::size_t stride() const {
    constexpr std::size_t load = sizeof(Value) < 16 ? 16 / sizeof(Value) : 1;
    return (size_.rows + load - 1) / load * load;
  }
  /// Each on whole loads.
  std::vector<Value> lines(const std::vector<Value>& values, std::uint64_t count) const {
    std::vector<Value> result(count * stride());
    for (std::uint64_t k = 0; k < count; ++k) {
      for (unsigned i = 0; i < size_.rows; ++i) result[k * stride() + i] = values[k * size_.rows + i];
    }
    return result;
  }

  template <class T>
  using Buffer = typename Launch::Device::template Buffer<T>;

  ExactSize size_;
  unsigned columns_;
  unsigned most_walked_;
  std::uint64_t longest_ = 0;
  Numbers numbers_;
  Launch launch_;
  Buffer<Value> columns_buffer_;
  Buffer<Part> totals_;
  LaunchPace pace_{launch_seconds, 1e8};  // by subsets
};

template <class Launch>
class ExactWalkerOn : public IntegerWalker {
 public:
  ExactWalkerOn(const GpuInfo& gpu, const Walk<std::int64_t>& walk, const ExactSize& size)
      : words_(size.words),
        launcher_(gpu, {}, size, size.words, walk.columns, narrowed(walk.deltas), most_walked_columns) {}

  mpz_class sum(const Prefixes<std::int64_t>& prefixes, const StopSignal& stop) override {
    return joined(launcher_.sum({narrowed(prefixes.starts), prefixes.minuses}, stop));
  }
  std::uint64_t bytes() const override { return launcher_.bytes(); }
  std::string kernel() const override { return launcher_.kernel(); }

 private:
  static std::vector<std::int32_t> narrowed(const std::vector<std::int64_t>& values) {
    std::vector<std::int32_t> result;
    result.reserve(values.size());
    for (const std::int64_t value : values) result.push_back(static_cast<std::int32_t>(value));
    return result;
  }
  /// [block][word], numbers modulo 2^(64 words): their sum, in two's complement.
  mpz_class joined(const std::vector<std::uint64_t>& totals) const {
    constexpr unsigned word_bits = 64;
    mpz_class sum;
    mpz_class part;
    for (std::size_t at = 0; at < totals.size(); at += words_) {
      mpz_import(part.get_mpz_t(), words_, -1, sizeof(std::uint64_t), 0, 0, totals.data() + at);
      sum += part;
    }
    mpz_fdiv_r_2exp(sum.get_mpz_t(), sum.get_mpz_t(), word_bits * words_);
    return from_twos_complement(std::move(sum), word_bits * words_);
  }

  unsigned words_;
  ExactLauncher<Launch, RegisterIntegers<1, 1>, std::uint64_t> launcher_;
};

/// Launcher of FloatingWalkerOn, in the numbers of a form.
template <class Launch, class Form>
class ExactFloatingLauncher : public ExactLauncher<Launch, typename Form::template Numbers<0>,
                                                   typename Form::template Numbers<0>::Total> {
 public:
  using Numbers = typename Form::template Numbers<0>;
  using Base = ExactLauncher<Launch, Numbers, typename Numbers::Total>;
  using Value = typename Base::Value;
  static constexpr ExactKind kind = Form::kind;
  static constexpr bool by_eight = has_eight_terms<Numbers>;

  ExactFloatingLauncher(const GpuInfo& gpu, const Numbers& numbers, unsigned rows, unsigned columns,
                        const std::vector<Value>& deltas, unsigned most_walked)
      : Base(gpu, numbers, {rows, 1, kind}, 1, columns, deltas, most_walked) {}
};

}  // namespace countpm::gray
