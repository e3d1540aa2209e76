// The whole pipeline against an oracle that shares no code with it: sizes, densities, weights, methods, rules
// on and off.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "kernels/method.hpp"
#include "tests/pipeline/parse_decimal.hpp"
#include "tests/pipeline/random_instances.hpp"

namespace countpm {
namespace {

using testing::TestMatrix;

struct Case {
  testing::MatrixShape shape;
  CountOptions options;
  std::string text;
};

// The trials of one run differ in everything that a user can choose.
Case random_case(std::mt19937_64& random) {
  const auto pick = [&](int most) { return static_cast<int>(random() % static_cast<unsigned>(most)); };
  Case result;
  result.shape.n = static_cast<Index>(pick(9));
  result.shape.density = 0.15 + 0.1 * pick(9);
  result.shape.kind = static_cast<WeightKind>(pick(5));
  result.shape.negative = result.shape.kind != WeightKind::none && pick(3) == 0;
  if (result.shape.kind == WeightKind::integer && pick(4) == 0) result.shape.largest = (1L << 62) - 1;
  const auto& methods = exact_methods();
  const int method = pick(static_cast<int>(methods.size()) + 3);
  if (method < static_cast<int>(methods.size()))
    result.options.method = methods[static_cast<std::size_t>(method)]->name();
  for (const RuleInfo& info : rules()) {
    if (pick(3) == 0) result.options.rules.drop(info.rule);
  }
  result.options.threads = 1 + pick(2);
  result.options.double_check = result.options.method == "auto" && pick(3) == 0;
  FloatArithmetic& arithmetic = result.options.arithmetic;
  arithmetic.choice = static_cast<FloatChoice>(pick(4));
  if (arithmetic.choice == FloatChoice::mpfr) arithmetic.bits = 64 + 10 * static_cast<unsigned>(pick(20));
  result.text = fmt::format("n {} density {} kind {} method {} floating {} bits {}", result.shape.n,
                            result.shape.density, static_cast<int>(result.shape.kind), result.options.method,
                            static_cast<int>(arithmetic.choice), arithmetic.bits);
  return result;
}

// A real or "(re,im)".
ComplexRational parse_count(const std::string& text) {
  if (text.front() != '(') return {testing::parse_decimal(text), 0};
  const std::size_t comma = text.find(',');
  return {testing::parse_decimal(text.substr(1, comma - 1)),
          testing::parse_decimal(text.substr(comma + 1, text.size() - comma - 2))};
}

// What is wrong with the count of a matrix; "" where nothing is.
std::string fault(const TestMatrix& matrix, const CountOptions& options, int* unable = nullptr) {
  const ComplexRational truth = testing::permanent(matrix);
  CountResult result;
  try {
    result = count(testing::to_graph(matrix), options);
  } catch (const Error& error) {
    // Floating point cannot tell 0 from what rounding leaves, and says so.
    const bool nothing = matrix.kind >= WeightKind::real && truth == ComplexRational{0, 0};
    if (nothing && std::string(error.what()).find("no digit certain") != std::string::npos) return "";
    // A method may have an obstacle, but `auto` never.
    if (options.method != "auto" && dynamic_cast<const UnableError*>(&error) != nullptr) {
      if (unable != nullptr) ++*unable;
      return "";
    }
    return error.what();
  }
  if (matrix.kind < WeightKind::real) {
    if (!result.exact || !result.proved) return "not exact or not proved";
    return result.count == truth.re.get_str()
               ? ""
               : fmt::format("expected {}, found {}", truth.re.get_str(), result.count);
  }
  if (result.violator)
    return truth == ComplexRational{0, 0} ? "" : "a Hall violator, but the permanent is not 0";
  if (result.exact) {
    if (matrix.kind == WeightKind::complex) return "complex weights cannot give an exact count";
    return testing::parse_decimal(result.count) == truth.re
               ? ""
               : fmt::format("expected {}, found {}", truth.re.get_str(), result.count);
  }
  const ComplexRational found = parse_count(result.count);
  const mpq_class re = found.re - truth.re;
  const mpq_class im = found.im - truth.im;
  // The bound is on what is printed.
  const mpq_class error = testing::parse_decimal(result.error_bound);
  if (re * re + im * im <= error * error) return "";
  return fmt::format("expected ({}, {}), found {} +- {}", truth.re.get_d(), truth.im.get_d(), result.count,
                     result.error_bound);
}

void cross_check(std::uint64_t first_seed, int trials) {
  int counted = 0;
  for (int trial = 0; trial < trials; ++trial) {
    const std::uint64_t seed = first_seed + static_cast<std::uint64_t>(trial);
    std::mt19937_64 random(seed);
    const Case test = random_case(random);
    const TestMatrix matrix = testing::random_matrix(test.shape, random);
    const std::string wrong = fault(matrix, test.options);
    counted += testing::permanent(matrix) == ComplexRational{0, 0} ? 0 : 1;
    if (wrong.empty()) continue;
    const TestMatrix small =
        testing::shrunk(matrix, [&](const TestMatrix& m) { return !fault(m, test.options).empty(); });
    FAIL() << "seed " << seed << ": " << test.text << ": " << wrong
           << "\nshrunk: " << fault(small, test.options) << '\n'
           << small.to_text();
  }
  EXPECT_GT(counted, trials / 3) << "too many of the matrices have permanent 0 to say much";
}

TEST(CrossCheck, RandomMatricesAgainstTheOracle) {
  cross_check(1'000'000, testing::repeats(2000));
}

TEST(LongCrossCheck, TwentyThousandRandomMatricesAgainstTheOracle) {
  cross_check(2'000'000, testing::repeats(20'000));
}

std::vector<std::string> values_to_try(const SettingInfo& info) {
  if (!info.values.empty()) return {info.values.begin(), info.values.end()};
  if (info.setting == Setting::gpu_number) return {"0"};
  const std::uint64_t step = info.multiple_of;
  return {std::to_string(info.least), std::to_string(info.least + step),
          std::to_string(info.least + 8 * step)};
}

/// Random matrices of every kind of weight with one setting, what it needs beside it, and on its device.
void check_setting(const SettingInfo& info, const std::string& value, const std::string& method, bool gpu,
                   std::mt19937_64& random) {
  int counted = 0;
  for (const WeightKind kind :
       {WeightKind::none, WeightKind::integer, WeightKind::rational, WeightKind::real, WeightKind::complex}) {
    testing::MatrixShape shape;
    shape.n = 4 + static_cast<Index>(random() % 4);
    shape.density = 0.3 + 0.1 * static_cast<double>(random() % 7);
    shape.kind = kind;
    shape.negative = kind != WeightKind::none && random() % 2 == 0;
    CountOptions options;
    options.method = method;
    options.arithmetic.choice = static_cast<FloatChoice>(random() % 3);
    if (random() % 2 == 0) options.rules.enabled.fill(false);
    options.threads = 1 + static_cast<int>(random() % 2);
    options.settings.set(info.name, value);
    if (!info.needed.empty())
      options.settings.set(settings()[static_cast<std::size_t>(info.needs)].name,
                           info.needed[random() % info.needed.size()]);
    if (gpu) {
      options.device = "gpu";
      options.emulated_gpus = 1;
    }
    const TestMatrix matrix = testing::random_matrix(shape, random);
    int unable = 0;
    const std::string wrong = fault(matrix, options, &unable);
    counted += 1 - unable;
    EXPECT_EQ(wrong, "") << info.name << "=" << value << ", " << method << (gpu ? ", GPU\n" : "\n")
                         << matrix.to_text();
  }
  EXPECT_GT(counted, 0) << info.name << "=" << value << ", " << method << (gpu ? ", GPU" : "");
}

TEST(CrossCheck, SettingsChangeNoCount) {
  std::mt19937_64 random(20261129);
  for (int time = 0; time < testing::repeats(3); ++time) {
    for (const SettingInfo& info : settings()) {
      const std::vector<std::string_view> methods =
          info.methods.empty() ? std::vector<std::string_view>{"ryser"} : info.methods;
      for (const std::string_view method : methods) {
        const bool on_gpus = method != "definition";
        for (const std::string& value : values_to_try(info)) {
          if (!info.of_gpus) check_setting(info, value, std::string(method), false, random);
          if (on_gpus) check_setting(info, value, std::string(method), true, random);
        }
      }
    }
  }
}

}  // namespace
}  // namespace countpm
