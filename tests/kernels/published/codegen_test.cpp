// codegen: the interpreted program against the permanent by definition and against ryser, every form; the
// generated text, compiled for the CPU, against the interpreter, limb for limb; GPUs, emulated and real.
#include "kernels/published/codegen/codegen.hpp"

#include "kernels/gpu/runtime_compiler.hpp"
#include "kernels/published/codegen/interpreter.hpp"
#include "kernels/published/codegen/source.hpp"
#include "kernels/ryser/ryser.hpp"
#include "kernels/subsets/prefixes.hpp"
#include "tests/kernels/best_rate.hpp"
#include "tests/kernels/gpu/gpu_testing.hpp"
#include "tests/kernels/method_testing.hpp"
#include "tests/kernels/published/codegen_testing.hpp"
#include "tests/repeats.hpp"

namespace countpm {
namespace {

using namespace countpm::testing;
using codegen::Form;
using codegen::Overrides;
using codegen::Program;
using Columns = IntegerColumns<std::int64_t>;

const StopSignal never;

std::vector<Overrides> all_wishes() {
  std::vector<Overrides> result{{}};
  for (unsigned unrolled = 0; unrolled <= codegen::most_unrolled; ++unrolled) {
    result.push_back({{Form::pure_registers}, unrolled, {}});
    result.push_back({{Form::hybrid}, unrolled, {}});
    result.push_back({{Form::hybrid}, unrolled, 0});
    result.push_back({{Form::hybrid}, unrolled, 2});
  }
  return result;
}

/// Entries within +-most.
Block<std::int64_t> random_weights(Random& random, Index n, double density, std::int64_t most, bool plain) {
  return random_block<std::int64_t>(random, n, density, plain, [&] {
    const auto value = static_cast<std::int64_t>(1 + below(random, static_cast<std::uint64_t>(most)));
    return below(random, 2) == 0 ? value : -value;
  });
}

/// Of every kind that codegen takes: 0/1, small, near the largest that fit.
Block<std::int64_t> random_taken(Random& random, Index n, bool plain) {
  const double density = 0.2 + 0.1 * static_cast<double>(below(random, 9));
  switch (below(random, 3)) {
    case 0:
      return random_block<std::int64_t>(random, n, density, plain, [] { return std::int64_t{1}; });
    case 1:
      return random_weights(random, n, density, 9, plain);
    default:
      return random_weights(random, n, density, codegen::largest_bound / std::max<std::int64_t>(n, 1), plain);
  }
}

TEST(Codegen, InterpretedIsThePermanent) {
  Random random(41);
  for (int round = 0; round < testing::repeats(150); ++round) {
    const auto block = random_taken(random, static_cast<Index>(below(random, 10)), below(random, 2) == 0);
    const mpq_class expected = permanent_by_states(block);
    const Arithmetic arithmetic = some_residues(random());
    ASSERT_EQ(codegen_method().obstacle(block, arithmetic), std::nullopt) << text_of(block);
    for (const Overrides& wishes : all_wishes()) {
      const auto job = make_codegen_job(block, arithmetic, wishes);
      ASSERT_EQ(run_residues(*job, arithmetic), residues_of(expected, arithmetic))
          << "round " << round << ", " << job->describe() << "\n"
          << text_of(block);
    }
  }
}

TEST(Codegen, LargerBlocksAsRyser) {
  Random random(42);
  const Arithmetic two_primes = residues_modulo({first_prime, second_prime});
  for (const Index n : {13, 16, 17, 20}) {
    if (sanitized && n > 16) break;
    for (const double density : {0.2, 0.5, 0.95}) {
      const auto block = random_pattern(random, n, density);
      const Residues expected = run_residues(*ryser_method().make_job(block, two_primes, {}), two_primes);
      for (const Overrides& wishes : {Overrides{}, Overrides{{Form::hybrid}, {}, {}}}) {
        const auto job = make_codegen_job(block, two_primes, wishes);
        ASSERT_EQ(run_residues(*job, two_primes), expected) << n << ", " << density << job->describe();
      }
    }
  }
}

TEST(Codegen, UnitsAgainOverFewerModuli) {
  Random random(43);
  const Arithmetic arithmetic = residues_modulo({first_prime, second_prime, 10007});
  auto block = random_weights(random, 9, 0.7, 5, true);
  expect_units_again(*codegen_method().make_job(block, arithmetic, {}), arithmetic);
  EXPECT_GT(best_rate(*codegen_method().make_job(block, arithmetic, {}), 1e3), 1e3);
}

TEST(Codegen, WhatItDoesNotTake) {
  Random random(44);
  const Arithmetic prime = residues_modulo({first_prime});
  const auto large = random_block<std::int64_t>(random, 3, 1, true, [] { return std::int64_t{1} << 29; });
  EXPECT_NE(codegen_method().obstacle(large, prime), std::nullopt);
  // Ordering so many columns alone takes too long: 40 s and more for 100,000.
  Block<std::int64_t> many;
  many.matrix.rows = many.matrix.columns = 4097;
  many.matrix.row_start.assign(4098, 0);
  EXPECT_NE(codegen_method().obstacle(many, prime), std::nullopt);
  // Twin columns: the CPU only.
  auto twins = random_pattern(random, 3, 1);
  twins.multiplicity = {1, 2};
  twins.matrix = random_block<std::int64_t>(random, 3, 1, true, [] { return std::int64_t{1}; }).matrix;
  twins.multiplicity = {1, 1, 1};
  EXPECT_NE(codegen_method().make_job(twins, prime, {})->on_device(emulated_gpu(0)), nullptr);
  EXPECT_GT(codegen_method().make_job(twins, prime, {})->nominal_device_rate(emulated_gpu(0)), 0);
  // Beyond 512 bits.
  const auto wide = random_weights(random, 20, 1, codegen::largest_bound / 20, true);
  EXPECT_EQ(codegen_method().make_job(wide, prime, {})->on_device(emulated_gpu(0)), nullptr);
  EXPECT_EQ(codegen_method().make_job(wide, prime, {})->nominal_device_rate(emulated_gpu(0)), 0);
}

struct Example {
  Columns columns;
  SubsetPlan plan;
  Program program;
};

Example example_of(const Block<std::int64_t>& block, RyserForm form, unsigned inner_limit,
                   const Overrides& wishes) {
  Example example;
  example.columns = std::get<Columns>(integer_columns(block));
  example.plan = plan_subsets(codegen::permanent_order(example.columns), example.columns.multiplicity, form,
                              inner_limit, inner_limit);
  example.program = codegen::make_program(example.columns, example.plan, 0, wishes);
  return example;
}

TEST(CodegenProgram, GroupsAndLimbsHoldWhatTheyMust) {
  Random random(45);
  for (int round = 0; round < 200; ++round) {
    const auto block = random_taken(random, static_cast<Index>(1 + below(random, 24)), true);
    for (const Overrides& wishes : all_wishes()) {
      const Program program = example_of(block, RyserForm::halved, 40, wishes).program;
      std::vector<int> times(program.rows, 0);
      mpz_class all = 1;
      for (const auto* groups : {&program.register_groups, &program.global_groups}) {
        for (const codegen::Group& group : *groups) {
          mpz_class product = 1;
          for (const unsigned place : group) {
            ++times[place];
            product *= program.bound[place];
            EXPECT_EQ(place >= program.registers, groups == &program.global_groups);
          }
          EXPECT_LT(product, mpz_class(1) << 31);
          all *= product;
        }
      }
      mpz_class together = mpz_class(1) << program.unrolled.size();
      for (const unsigned place : program.unrolled_rows) {
        ++times[place];
        together *= program.bound[place];
        EXPECT_LT(place, program.registers);
      }
      EXPECT_LT(together, mpz_class(1) << 63);
      all *= together >> program.unrolled.size();
      EXPECT_EQ(times, std::vector<int>(program.rows, 1));
      // All terms, and a sign.
      all <<= block.matrix.rows;
      EXPECT_GE(32 * program.limbs, mpz_sizeinbase(all.get_mpz_t(), 2) + 1 - (block.matrix.rows > 0 ? 1 : 0));
      if (wishes.form == Form::pure_registers) {
        EXPECT_EQ(program.registers, program.rows);
      }
      EXPECT_GE(program.launch_shape().blocks_per_multiprocessor, 1U);
      EXPECT_LE(program.launch_shape().blocks_per_multiprocessor * program.launch_shape().threads *
                    program.launch_shape().registers,
                65536U);
    }
  }
}

TEST(CodegenProgram, TheOrderTouchesFewRowsFirst) {
  Random random(46);
  for (int round = 0; round < 100; ++round) {
    const auto block = random_pattern(random, 12, 0.3);
    const auto columns = std::get<Columns>(integer_columns(block));
    const std::vector<Index> order = codegen::permanent_order(columns);
    std::vector<bool> seen(12, false);
    std::vector<bool> used(12, false);
    const auto fresh = [&](Index column) {
      std::size_t count = 0;
      for (std::uint64_t k = columns.start[column]; k < columns.start[column + std::uint64_t{1}]; ++k)
        count += seen[columns.row[k]] ? 0 : 1;
      return count;
    };
    ASSERT_EQ(order.size(), 12U);
    for (const Index column : order) {
      for (Index other = 0; other < 12; ++other) {
        if (used[other]) continue;
        EXPECT_LE(fresh(column), fresh(other));
      }
      EXPECT_FALSE(used[column]);
      used[column] = true;
      for (std::uint64_t k = columns.start[column]; k < columns.start[column + std::uint64_t{1}]; ++k)
        seen[columns.row[k]] = true;
    }
  }
}

TEST(CodegenProgram, ManyRowsAreHybridByTheScore) {
  Random random(47);
  const auto few = example_of(random_pattern(random, 40, 0.3), RyserForm::halved, 23, {}).program;
  EXPECT_EQ(few.form, Form::pure_registers);
  EXPECT_FALSE(few.unrolled.empty());
  // Sparse enough that some columns leave rows alone.
  const auto many = example_of(random_pattern(random, 150, 0.02), RyserForm::halved, 23, {}).program;
  EXPECT_EQ(many.form, Form::hybrid);
  EXPECT_LT(many.registers, many.rows);
  Overrides wishes{{Form::hybrid}, {}, {}};
  for (unsigned kept = 1; kept < 20; ++kept) {
    wishes.register_columns = kept;
    const auto other = example_of(random_pattern(random, 150, 0.02), RyserForm::halved, 23, wishes).program;
    EXPECT_LT(other.registers, other.rows + 1);
  }
}

using KernelFunction = void(const int*, const unsigned char*, int*, unsigned long long, unsigned long long,
                            unsigned*);

// The text itself, run on the CPU.
TEST(CodegenSource, CompiledForTheCpuAsInterpreted) {
#ifndef COUNTPM_HOST_COMPILER
  GTEST_SKIP() << "no C++ compiler was named when this was built";
#else
  Random random(48);
  std::vector<Example> examples;
  std::string text = cuda_on_the_cpu;
  const auto take = [&](const Block<std::int64_t>& block, RyserForm form, unsigned inner,
                        const Overrides& wishes) {
    examples.push_back(example_of(block, form, inner, wishes));
    text += codegen::cuda_source(examples.back().program, "kernel" + std::to_string(examples.size() - 1));
  };
  for (const Overrides& wishes : all_wishes()) {
    take(random_pattern(random, 12, 0.4), RyserForm::halved, 12, wishes);
    take(random_weights(random, 9, 0.6, 40, true), RyserForm::classic, 9, wishes);
    take(random_weights(random, 8, 0.9, codegen::largest_bound / 8, true), RyserForm::halved, 7, wishes);
  }
  for (const Index n : {0, 1, 2, 3}) take(random_pattern(random, n, 1), RyserForm::halved, 3, {});
  take(random_pattern(random, 31, 0.2), RyserForm::halved, 11, {});
  take(random_pattern(random, 33, 0.9), RyserForm::halved, 10, {});
  take(random_pattern(random, 64, 0.1), RyserForm::halved, 9, Overrides{{Form::hybrid}, 2, {}});
  const HostLibrary library(text, COUNTPM_HOST_COMPILER);
  if (library.without_compiler()) GTEST_SKIP() << "no compiler " << COUNTPM_HOST_COMPILER << " here";
  ASSERT_TRUE(library.loaded()) << library.error();
  auto* const set_grid = library.function<void(unsigned, unsigned)>("set_grid");
  auto* const set_thread = library.function<void(unsigned, unsigned)>("set_thread");
  constexpr unsigned blocks = 2;
  constexpr unsigned threads = 3;
  for (std::size_t k = 0; k < examples.size(); ++k) {
    const Program& program = examples[k].program;
    auto* const kernel = library.function<KernelFunction>("kernel" + std::to_string(k));
    ASSERT_NE(kernel, nullptr);
    std::vector<std::int32_t> starts;
    std::vector<unsigned char> minuses;
    for (std::uint64_t unit = 0; unit < std::min<std::uint64_t>(examples[k].plan.units, 3); ++unit) {
      for_each_prefix(examples[k].columns, examples[k].plan, unit,
                      [&](const std::vector<std::int64_t>& sums, const mpz_class& weight) {
                        const std::vector<std::int32_t> row = codegen::placed(program, sums);
                        starts.insert(starts.end(), row.begin(), row.end());
                        minuses.push_back(weight < 0 ? 1 : 0);
                        return minuses.size() < 4;
                      });
    }
    const std::uint64_t items = minuses.size() << program.chosen();
    const std::size_t outside = program.rows - program.registers;
    const std::size_t stride = program.launch_shape().threads;
    std::vector<int> globals(outside * blocks * stride, 12345);
    std::vector<unsigned> totals(std::size_t{program.limbs} * blocks * threads, 0);
    // What is there is added to.
    for (unsigned& total : totals) total = static_cast<unsigned>(random());
    std::vector<unsigned> expected = totals;
    set_grid(blocks, threads);
    codegen::Interpreter interpreter(program);
    for (unsigned t = 0; t < blocks * threads; ++t) {
      set_thread(t / threads, t % threads);
      kernel(starts.data(), minuses.data(), globals.data(), 1, items, totals.data());
      std::vector<std::uint32_t> total;
      for (unsigned i = 0; i < program.limbs; ++i) total.push_back(expected[i * blocks * threads + t]);
      for (std::uint64_t item = 1 + t; item < items; item += blocks * threads) {
        const std::uint64_t prefix = item >> program.chosen();
        interpreter.add_item(
            starts.data() + prefix * program.rows, item & ((std::uint64_t{1} << program.chosen()) - 1),
            minuses[prefix] != 0,
            {outside == 0 ? nullptr : globals.data() + t / threads * outside * stride + t % threads, stride},
            total.data());
      }
      for (unsigned i = 0; i < program.limbs; ++i) expected[i * blocks * threads + t] = total[i];
    }
    EXPECT_EQ(totals, expected) << "example " << k << ": " << program.describe();
  }
#endif
}

/// The emulated one, and those that are there with NVRTC to compile for them.
std::vector<GpuInfo> gpus_with_compiler() {
  if (const auto obstacle = runtime_compiler_obstacle()) return {emulated_gpu(0)};
  return all_gpus();
}

// On a real GPU every block is compiled: few of them.
TEST(CodegenDevice, RangesAreTheCpusBitForBit) {
  Random random(49);
  const std::vector<Overrides> wishes = all_wishes();
  for (int round = 0; round < 60; ++round) {
    const auto block = random_taken(random, static_cast<Index>(below(random, 13)), true);
    const Arithmetic arithmetic = some_residues(random());
    const auto job = make_codegen_job(block, arithmetic, wishes[random() % wishes.size()]);
    for (const GpuInfo& gpu : gpus_with_compiler()) {
      if (!gpu.emulated && round % 4 != 0) continue;
      const auto device = job->on_device(gpu);
      EXPECT_EQ(device != nullptr, job->nominal_device_rate(gpu) > 0);
      if (!device) continue;  // beyond 512 bits
      for (int time = 0; time < 2; ++time) {
        ASSERT_EQ(std::get<Residues>(device->run(0, job->units(), never)),
                  cpu_sum(*job, 0, job->units(), arithmetic))
            << gpu.name << ", round " << round << ", " << job->describe() << "\n"
            << text_of(block);
      }
    }
  }
}

// Several units, and every form, at the size of a count.
TEST(CodegenDevice, RangesOfUnits) {
  Random random(50);
  const Arithmetic arithmetic = residues_modulo({first_prime, second_prime});
  for (const GpuInfo& gpu : gpus_with_compiler()) {
    const Index n = gpu.emulated ? 17 : 27;
    const auto block = random_pattern(random, n, 0.4);
    const Residues expected = run_residues(*ryser_method().make_job(block, arithmetic, {}), arithmetic);
    for (const Overrides& wishes : all_wishes()) {
      const auto job = make_codegen_job(block, arithmetic, wishes);
      const auto device = job->on_device(gpu);
      EXPECT_EQ(std::get<Residues>(device->run(0, job->units(), never)), expected)
          << gpu.name << ": " << job->describe();
      const std::uint64_t last = job->units();
      Partial parts = device->run(0, last / 2, never);
      add(parts, device->run(last / 2, last, never), arithmetic);
      EXPECT_EQ(std::get<Residues>(parts), expected);
      EXPECT_GT(device->device_bytes(), 0U);
      // Under sanitizers a unit may take too long to be measured.
      if (!sanitized) {
        EXPECT_GT(best_rate(*device, 1e3), 1e3);
      }
    }
  }
}

}  // namespace
}  // namespace countpm
