// codegen's generated text in floating point, compiled for the CPU, against the interpreter, bit for bit.
#include "kernels/published/codegen/floating_source.hpp"

#include "kernels/published/codegen/floating_interpreter.hpp"
#include "test_paths.hpp"
#include "tests/kernels/published/codegen_floating_testing.hpp"
#include "tests/kernels/published/codegen_testing.hpp"

namespace countpm {
namespace {

using namespace countpm::testing;

#ifdef COUNTPM_HOST_COMPILER

template <class Product>
using KernelFunction = void(const typename Product::Numbers::Value*, const unsigned char*,
                            typename Product::Numbers::Value*, unsigned long long, unsigned long long,
                            typename Product::Numbers, typename Product::Numbers::Total*);

template <class Product>
struct Written {
  using Value = typename Product::Numbers::Value;
  Example<Value> example;
  FloatingProgram program;
  std::string name;
};

template <class Product>
void take(std::vector<Written<Product>>& all, std::string& text,
          const Example<typename Product::Numbers::Value>& example, const FloatingOverrides& wishes,
          const std::string& kind) {
  const FloatingProgram program = codegen::make_floating_program(example.walk, wishes);
  all.push_back({example, program, kind + std::to_string(all.size())});
  text += codegen::cuda_source(program, all.back().name);
}

void expect_same(double a, double b, const std::string& what) {
  EXPECT_EQ(a, b) << what;
}
void expect_same(const NeumaierSum& a, const NeumaierSum& b, const std::string& what) {
  EXPECT_EQ(a.sum, b.sum) << what;
  EXPECT_EQ(a.correction, b.correction) << what;
}
void expect_same(const DoubleDouble& a, const DoubleDouble& b, const std::string& what) {
  EXPECT_EQ(a.high, b.high) << what;
  EXPECT_EQ(a.low, b.low) << what;
}
template <class Sum>
auto expect_same(const Sum& a, const Sum& b, const std::string& what) -> decltype(void(a.im)) {
  expect_same(a.re, b.re, what);
  expect_same(a.im, b.im, what);
}

template <class Product>
void expect_as_interpreted(const HostLibrary& library, const Written<Product>& written) {
  using Numbers = typename Product::Numbers;
  using Value = typename Numbers::Value;
  const FloatingProgram& program = written.program;
  auto* const kernel = library.function<KernelFunction<Product>>(written.name);
  ASSERT_NE(kernel, nullptr);
  const gray::Prefixes<Value>& prefixes = written.example.prefixes;
  std::vector<Value> starts;
  for (std::size_t p = 0; p < prefixes.size(); ++p) {
    for (const unsigned row : program.row_of) starts.push_back(prefixes.starts[p * program.rows + row]);
  }
  constexpr unsigned blocks = 2;
  constexpr unsigned threads = 3;
  library.function<void(unsigned, unsigned)>("set_grid")(blocks, threads);
  auto* const set_thread = library.function<void(unsigned, unsigned)>("set_thread");
  const std::size_t outside = program.rows - program.registers;
  std::vector<Value> globals(outside * blocks * program.launch_shape().threads);
  const std::uint64_t items = prefixes.size() << program.chosen();
  const Numbers numbers(0x1p-24, program.rows);
  // What is there is added to.
  std::vector<typename Numbers::Total> totals(std::size_t{blocks} * threads);
  for (auto& total : totals) total.products = 0.25;
  auto expected = totals;
  codegen::FloatingInterpreter<Product> interpreter(program);
  for (unsigned t = 0; t < blocks * threads; ++t) {
    set_thread(t / threads, t % threads);
    kernel(starts.data(), prefixes.minuses.data(), globals.data(), 1, items, numbers, totals.data());
    typename Numbers::Total total;
    for (std::uint64_t item = 1 + t; item < items; item += blocks * threads) {
      const std::uint64_t prefix = item >> program.chosen();
      interpreter.add_item(numbers, starts.data() + prefix * program.rows,
                           item & ((std::uint64_t{1} << program.chosen()) - 1), prefixes.minuses[prefix] != 0,
                           total);
    }
    numbers.join(expected[t], total);
  }
  for (unsigned t = 0; t < blocks * threads; ++t) {
    const std::string what = written.name + ", thread " + std::to_string(t) + ": " + program.describe();
    expect_same(totals[t].sum, expected[t].sum, what);
    expect_same(totals[t].products, expected[t].products, what);
    expect_same(totals[t].errors, expected[t].errors, what);
  }
}

/// Numbers of few bits; the interpreter of exact sums.
template <class Product>
void write_exact(std::vector<Written<Product>>& all, std::string& text, const std::string& kind) {
  using Value = typename Product::Numbers::Value;
  Random random(70);
  for (const FloatingOverrides& wishes :
       {FloatingOverrides{}, FloatingOverrides{{Form::hybrid}, 2, 1, true}}) {
    Example<Value> example{{12, 7, {}}, {}};
    const auto entry = [&] {
      return drawn_value<Value>(random,
                                [&] { return static_cast<double>(below(random, 2001)) / 8192 - 0.125; });
    };
    for (unsigned k = 0; k < 12 * 7; ++k) example.walk.deltas.push_back(k % 3 == 0 ? entry() : Value{});
    for (unsigned k = 0; k < 12 * 3; ++k) example.prefixes.starts.push_back(entry());
    example.prefixes.minuses = {0, 1, 1};
    example.walk.exact_sums = true;
    take(all, text, example, wishes, kind);
  }
}

template <class Product>
void write_all(std::vector<Written<Product>>& all, std::string& text, const std::string& kind) {
  using Value = typename Product::Numbers::Value;
  Random random(69);
  const std::vector<FloatingOverrides> wishes = all_wishes();
  constexpr bool doubles = std::is_same_v<Value, double>;
  constexpr bool pairs = std::is_same_v<typename Product::Part::Value, DoubleDouble>;
  for (std::size_t k = 0; k < wishes.size(); k += doubles ? 2 : 5)
    take(all, text, random_example<Value>(random, 9, 7, 0.4, all.size() % 2 == 0), wishes[k], kind);
  for (const unsigned rows : {0U, 1U, 2U, 31U, 33U}) {
    if (!pairs || rows < 31) take(all, text, random_example<Value>(random, rows, 7, 0.3, false), {}, kind);
  }
  // Rows that are 0 now and then: the slow way of the bound.
  auto zeros = random_example<Value>(random, 6, 7, 0.5, false);
  for (std::size_t k = 0; k < zeros.walk.deltas.size(); ++k) {
    Value& delta = zeros.walk.deltas[k];
    if (std::abs(as_complex(delta)) > 0) delta = turned<Value>(0.0625, static_cast<unsigned>(k % 6));
  }
  for (std::size_t k = 0; k < zeros.prefixes.starts.size(); ++k)
    zeros.prefixes.starts[k] = turned<Value>(-0.125, static_cast<unsigned>(k % 6));
  take(all, text, zeros, {}, kind);
  zeros.walk.log2_subsets = 40;  // walks of 2^7
  take(all, text, zeros, {{Form::hybrid}, {}, 1, false}, kind);
}

// The text itself, run on the CPU.
TEST(CodegenFloatingSource, CompiledForTheCpuAsInterpreted) {
  std::string text = cuda_on_the_cpu;
  std::vector<Written<codegen::DoubleProduct>> doubles;
  std::vector<Written<codegen::PairProduct>> pairs;
  std::vector<Written<codegen::ComplexDoubleProduct>> complex_doubles;
  std::vector<Written<codegen::ComplexPairProduct>> complex_pairs;
  std::vector<Written<codegen::ExactDoubleProduct>> exacts;
  std::vector<Written<codegen::ExactComplexProduct>> complex_exacts;
  write_exact(exacts, text, "exact");
  write_exact(complex_exacts, text, "complex_exact");
  write_all(doubles, text, "doubles");
  write_all(pairs, text, "pairs");
  write_all(complex_doubles, text, "complex_doubles");
  write_all(complex_pairs, text, "complex_pairs");
  const HostLibrary library(text, COUNTPM_HOST_COMPILER, "-ffp-contract=off -I " COUNTPM_SOURCE_DIR);
  if (library.without_compiler()) GTEST_SKIP() << "no compiler " << COUNTPM_HOST_COMPILER << " here";
  ASSERT_TRUE(library.loaded()) << library.error();
  for (const auto& written : exacts) expect_as_interpreted(library, written);
  for (const auto& written : doubles) expect_as_interpreted(library, written);
  for (const auto& written : pairs) expect_as_interpreted(library, written);
  for (const auto& written : complex_exacts) expect_as_interpreted(library, written);
  for (const auto& written : complex_doubles) expect_as_interpreted(library, written);
  for (const auto& written : complex_pairs) expect_as_interpreted(library, written);
}

#endif

}  // namespace
}  // namespace countpm
