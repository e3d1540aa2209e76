// What --set takes: names, values, and what goes with what; and jobs, which sum up to the same whatever is
// set.
#include "kernels/settings.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "graph/errors.hpp"
#include "kernels/arithmetic/ball.hpp"
#include "kernels/gpu/device_job.hpp"
#include "kernels/method.hpp"
#include "tests/kernels/gpu/gpu_testing.hpp"
#include "tests/kernels/method_testing.hpp"
#include "tests/repeats.hpp"

namespace countpm::settings_test {
namespace {

using namespace countpm::testing;

template <class Work>
std::string refusal(const Work& work) {
  try {
    work();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

Settings made(std::initializer_list<const char*> texts) {
  Settings settings;
  for (const char* text : texts) settings.set(text);
  return settings;
}

TEST(Settings, TheTableIsInOrderAndOfMethodsThatThereAre) {
  for (std::size_t k = 0; k < settings().size(); ++k) {
    const SettingInfo& info = settings()[k];
    EXPECT_EQ(static_cast<std::size_t>(info.setting), k);
    for (const std::string_view method : info.methods) EXPECT_NO_THROW(method_named(method));
    for (const std::string_view text : {info.usual, info.help, info.source}) EXPECT_FALSE(text.empty());
    EXPECT_EQ(info.values.empty(), info.most > 0) << info.name;
  }
  EXPECT_EQ(settings().size(), setting_count);
}

TEST(Settings, WhatIsSetIsThere) {
  EXPECT_TRUE(Settings().empty());
  const Settings set = made({"block=64", "order=off"});
  EXPECT_FALSE(set.empty());
  EXPECT_TRUE(set.is(Setting::order, "off"));
  EXPECT_FALSE(set.is(Setting::order, "on"));
  EXPECT_FALSE(set.is(Setting::structure, "off"));
  EXPECT_EQ(set.number(Setting::block), 64U);
  EXPECT_EQ(set.number(Setting::grid), std::nullopt);
  const std::vector<std::pair<std::string, std::string>> list{{"order", "off"}, {"block", "64"}};
  EXPECT_EQ(set.list(), list);
}

TEST(Settings, WhatIsNoSettingIsRefused) {
  const auto of = [](const char* text) { return refusal([&] { made({text}); }); };
  EXPECT_NE(of("order").find("expected NAME=VALUE"), std::string::npos);
  EXPECT_NE(of("chunk=plain").find("unknown setting 'chunk'; the settings are: structure, order"),
            std::string::npos);
  EXPECT_EQ(of("order=none"), "the setting order is on, off, and not 'none'");
  for (const char* text : {"block=33", "block=0", "block=2048", "block=", "block=-32", "block=64.0",
                           "block= 64", "block=18446744073709551648"})
    EXPECT_NE(of(text).find("a whole number from 32 to 1024, a multiple of 32"), std::string::npos) << text;
  EXPECT_EQ(refusal([] { made({"order=on", "order=on"}); }), "the setting order is given twice");
}

TEST(Settings, WhatDoesNotGoTogetherIsRefused) {
  const auto of = [](std::initializer_list<const char*> texts, const char* method, const char* device) {
    return refusal([&] { made(texts).check(method, device); });
  };
  EXPECT_EQ(of({}, "auto", "auto"), "");
  EXPECT_EQ(of({"order=off"}, "skipper", "cpu"), "");
  EXPECT_NE(of({"order=off"}, "auto", "cpu").find("none of them is chosen: name it by --method"),
            std::string::npos);
  EXPECT_NE(of({"order=off"}, "ryser", "cpu").find("and not to ryser"), std::string::npos);
  EXPECT_NE(of({"row-sums=global"}, "ryser", "auto").find("it takes --device gpu"), std::string::npos);
  EXPECT_EQ(of({"row-sums=global"}, "ryser", "gpu"), "");
  EXPECT_NE(of({"chunks=plain"}, "ryser", "gpu").find("takes row-sums=shared or global beside it"),
            std::string::npos);
  EXPECT_EQ(of({"chunks=ceg"}, "ryser", "gpu"), "");
  EXPECT_EQ(of({"chunks=plain", "row-sums=global"}, "ryser", "gpu"), "");
  EXPECT_NE(of({"ratio=16"}, "codegen", "cpu").find("takes form=hybrid beside it"), std::string::npos);
  EXPECT_EQ(of({"gpu-number=1"}, "auto", "gpu"), "");
}

const StopSignal never;

mpq_class exact(const BigFloat& value) {
  mpq_class result;
  mpfr_get_q(result.get_mpq_t(), value.get());
  return result;
}
ComplexRational as_complex(const mpq_class& value) {
  return {value, 0};
}
const ComplexRational& as_complex(const ComplexRational& value) {
  return value;
}

/// Empty where the sum is the permanent.
template <class Truth>
std::string fault(const Partial& sum, const Truth& truth, const Arithmetic& arithmetic) {
  if (const auto* ball = std::get_if<Ball>(&sum)) {
    const ComplexRational complex = as_complex(truth);
    const mpq_class re = exact(ball->re) - complex.re;
    const mpq_class im = exact(ball->im) - complex.im;
    const mpq_class error = exact(ball->error);
    return re * re + im * im <= error * error ? "" : "outside of the ball";
  }
  if constexpr (std::is_same_v<Truth, mpq_class>)
    return std::get<Residues>(sum) == residues_of(truth, arithmetic) ? "" : "other residues";
  return "no ball";
}

struct Tried {
  int on_cpu = 0;
  int on_gpu = 0;
};

template <class Value>
void try_block(const Block<Value>& block, const Method& method, const Settings& set, bool cpu,
               const Arithmetic& arithmetic, Tried& tried) {
  if (method.obstacle(block, arithmetic)) return;
  const auto truth = permanent_by_states(block);
  MethodOptions options;
  options.settings = set;
  const std::unique_ptr<Job> job = method.make_job(block, arithmetic, options);
  const auto what = [&] {
    std::string text(method.name());
    for (const auto& [name, value] : set.list()) text += fmt::format(" {}={}", name, value);
    return text + "\n" + text_of(block);
  };
  if (cpu) {
    ++tried.on_cpu;
    EXPECT_EQ(fault(sum_of_units(*job, arithmetic), truth, arithmetic), "") << what();
  }
  for (GpuInfo gpu : all_gpus()) {
    gpu.grid = static_cast<unsigned>(set.number(Setting::grid).value_or(0));
    EXPECT_EQ(job->nominal_device_rate(gpu) == 0, job->device_obstacle(gpu).has_value()) << what();
    if (job->device_obstacle(gpu)) continue;
    ++tried.on_gpu;
    const Partial sum = job->on_device(gpu)->run(0, job->units(), never);
    EXPECT_EQ(fault(sum, truth, arithmetic), "") << gpu.name << ", " << what();
  }
}

/// Integers of every size, fractions, decimals and complex numbers, with equal columns and without.
void try_blocks(Random& random, const Method& method, const Settings& set, bool cpu, Tried& tried) {
  const auto rows = [&] { return static_cast<Index>(1 + below(random, 7)); };
  const bool plain = below(random, 2) == 0;
  const Arithmetic residues = some_residues(random());
  try_block(random_pattern(random, rows(), 0.7), method, set, cpu, residues, tried);
  try_block(random_integers(random, rows(), plain), method, set, cpu, residues, tried);
  const auto fraction = [&] { return random_rational(random); };
  const Arithmetic primes = residues_modulo({first_prime, second_prime});
  try_block(random_block<mpq_class>(random, rows(), 0.6, plain, fraction), method, set, cpu, primes, tried);
  Arithmetic floating;
  floating.kind = Arithmetic::Kind::floating;
  floating.precision = static_cast<Precision>(below(random, 4));
  floating.bits = floating.precision == Precision::mpfr ? 120 : 0;
  try_block(random_block<mpq_class>(random, rows(), 0.6, plain, fraction), method, set, cpu, floating, tried);
  const auto complex = [&] { return ComplexRational{random_rational(random), random_rational(random)}; };
  try_block(random_block<ComplexRational>(random, rows(), 0.6, plain, complex), method, set, cpu, floating,
            tried);
}

TEST(Settings, JobsSumUpToTheSame) {
  Random random(20261129);
  for (const SettingInfo& info : settings()) {
    if (info.setting == Setting::structure || info.methods.empty()) continue;  // of no job
    std::vector<std::string> values(info.values.begin(), info.values.end());
    for (const std::uint64_t times : {0, 1, 8}) {
      if (info.values.empty()) values.push_back(std::to_string(info.least + times * info.multiple_of));
    }
    for (const std::string& value : values) {
      for (const std::string_view name : info.methods) {
        Tried tried;
        for (int round = 0; round < testing::repeats(12); ++round) {
          Settings set;
          set.set(info.name, value);
          if (!info.needed.empty())
            set.set(settings()[static_cast<std::size_t>(info.needs)].name,
                    info.needed[below(random, info.needed.size())]);
          try_blocks(random, method_named(name), set, !info.of_gpus, tried);
        }
        EXPECT_TRUE(info.of_gpus || tried.on_cpu > 0) << name << ", " << info.name << "=" << value;
        EXPECT_GT(tried.on_gpu, 0) << name << ", " << info.name << "=" << value;
      }
    }
  }
}

}  // namespace
}  // namespace countpm::settings_test
