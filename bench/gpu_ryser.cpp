// Goals (one H200): dense real double, n = 40, Kahan, in 3 s and over 85 % of the FP64 issue peak of 2 n
// instructions a subset (64 a cycle and multiprocessor); exact counts with registers no slower than any other
// place for the row sums. Decimals of three digits have exact row sums; those of 53 bits need a bound. Prints
// whole counts (set-up included, median of TURNS), and the rates of every place at one size; a unit of each
// count is compared with the CPU's: residues, or balls and their radii.
//   bench_gpu_ryser [TURNS [LARGEST_N]]
#include <fmt/core.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <random>
#include <string>

#include "bench/clock.hpp"
#include "bench/gpu.hpp"
#include "kernels/ryser/gpu/form.hpp"
#include "kernels/ryser/ryser.hpp"

namespace {

using namespace countpm;

template <class Value, class Make>
Block<Value> random_block(Index n, double density, const Make& make) {
  std::mt19937_64 random(n);
  Block<Value> block;
  block.matrix.rows = block.matrix.columns = n;
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      if (static_cast<double>(random() >> 11) * 0x1p-53 >= density) continue;
      block.matrix.column.push_back(j);
      block.matrix.value.push_back(make(random));
    }
    block.matrix.row_start.push_back(block.matrix.column.size());
  }
  return block;
}

Arithmetic residues() {
  Arithmetic arithmetic;
  arithmetic.moduli = choose_primes(3);
  return arithmetic;
}

Arithmetic floating(Precision precision) {
  Arithmetic arithmetic;
  arithmetic.kind = Arithmetic::Kind::floating;
  arithmetic.precision = precision;
  return arithmetic;
}

/// On a GPU in triple-doubles.
Arithmetic quadruple() {
  Arithmetic arithmetic = floating(Precision::mpfr);
  arithmetic.bits = 113;
  return arithmetic;
}

/// Of 2 n FP64 instructions a subset.
double fp64_share(const GpuInfo& gpu, Index n, double rate) {
  return 2 * n * rate / (64.0 * gpu.multiprocessors * gpu.clock_ghz * 1e9);
}

/// Whether unit 0 is the CPU's: its residues, or a ball that meets the CPU's, with the ratio of the radii.
std::string unit_as_on_the_cpu(const Partial& device, const Partial& cpu) {
  if (std::holds_alternative<Residues>(device))
    return std::get<Residues>(device) == std::get<Residues>(cpu) ? "yes" : "NO";
  const Ball& ball = std::get<Ball>(device);
  const Ball& other = std::get<Ball>(cpu);
  BigFloat distance(mpfr_prec_t{256});
  BigFloat im(mpfr_prec_t{256});
  mpfr_sub(distance.get(), ball.re.get(), other.re.get(), MPFR_RNDA);
  mpfr_sub(im.get(), ball.im.get(), other.im.get(), MPFR_RNDA);
  mpfr_hypot(distance.get(), distance.get(), im.get(), MPFR_RNDU);
  BigFloat ratio(mpfr_prec_t{53});
  mpfr_div(ratio.get(), ball.error.get(), other.error.get(), MPFR_RNDN);
  BigFloat both(mpfr_prec_t{256});
  mpfr_add(both.get(), ball.error.get(), other.error.get(), MPFR_RNDU);
  return fmt::format("{}, radius {:.3f} of the CPU's",
                     mpfr_lessequal_p(distance.get(), both.get()) != 0 ? "yes" : "NO", ratio.to_double());
}

/// A ball's radius over its value.
std::string relative_radius(const Partial& sum) {
  if (!std::holds_alternative<Ball>(sum)) return "";
  const Ball& ball = std::get<Ball>(sum);
  BigFloat share(mpfr_prec_t{53});
  mpfr_hypot(share.get(), ball.re.get(), ball.im.get(), MPFR_RNDN);
  mpfr_div(share.get(), ball.error.get(), share.get(), MPFR_RNDN);
  return fmt::format("{:.2e}", std::fabs(share.to_double()));
}

void print_whole(const GpuInfo& gpu, const char* what, const AnyBlock& block, const Arithmetic& arithmetic,
                 int turns) {
  const StopSignal never;
  const auto job = ryser_method().make_job(block, arithmetic, {});
  const auto n = std::visit([](const auto& any) { return any.matrix.rows; }, block);
  std::vector<double> seconds;
  double rate = 0;
  std::string radius;
  for (int turn = 0; turn < turns; ++turn) {
    const double start = bench::wall_seconds();
    const auto device = job->on_device(gpu);
    const Partial sum = device->run(0, job->units(), never);
    seconds.push_back(bench::wall_seconds() - start);
    rate = std::exp2(job->log2_work()) / bench::median(seconds);
    radius = relative_radius(sum);
  }
  const std::string same = unit_as_on_the_cpu(job->on_device(gpu)->run(0, 1, never), job->run(0, never));
  fmt::print("| {} | {} | {} | {:.4f} | {:.3e} | {:.1f} | {:.1f} % | {} | {} |\n", what, n, arithmetic.name(),
             bench::median(seconds), rate, n * rate / (gpu.multiprocessors * gpu.clock_ghz * 1e9),
             100 * fp64_share(gpu, n, rate), radius, same);
}

const char* name_of(gray::WhichKernel which) {
  return which == gray::WhichKernel::built_in      ? "registers"
         : which == gray::WhichKernel::shared_sums ? "shared"
                                                   : "global";
}

/// Subsets a second over prefixes of one walk, with the row sums in one place.
template <class Walker, class Value>
double rate_of(Walker& walker, const gray::Walk<Value>& walk, const Value& start, std::uint64_t count) {
  gray::Prefixes<Value> prefixes{std::vector<Value>(count * walk.rows, start),
                                 std::vector<std::uint8_t>(count, 0)};
  const StopSignal never;
  walker.sum(prefixes, never);
  std::vector<double> seconds;
  for (int turn = 0; turn < 3; ++turn) {
    const double before = bench::wall_seconds();
    walker.sum(prefixes, never);
    seconds.push_back(bench::wall_seconds() - before);
  }
  return std::ldexp(static_cast<double>(count), static_cast<int>(walk.columns)) / bench::median(seconds);
}

void print_places(const GpuInfo& gpu, unsigned log2_prefixes) {
  constexpr unsigned rows = 40;
  gray::Walk<std::int64_t> integers{rows, 20, {}};
  gray::Walk<double> doubles{rows, 20, {}};
  for (unsigned k = 0; k < rows * 20; ++k) {
    integers.deltas.push_back(k * 7 % 3 == 0 ? 1 : 0);
    doubles.deltas.push_back(static_cast<double>(1 + k * 7 % 31) / 2000);
  }
  const std::uint64_t count = std::uint64_t{1} << log2_prefixes;
  fmt::print(
      "\n| row sums in | exact, subsets/s | Kahan, subsets/s | double-double, subsets/s |\n"
      "|---|---|---|---|\n");
  for (const gray::WhichKernel which :
       {gray::WhichKernel::built_in, gray::WhichKernel::shared_sums, gray::WhichKernel::global_sums}) {
    const std::uint64_t few =
        std::max<std::uint64_t>(which == gray::WhichKernel::built_in ? count : count / 8, 1);
    gray::Walk<DoubleDouble> pairs{rows, 20, {}};
    for (const double delta : doubles.deltas) pairs.deltas.push_back({delta, 0});
    const double exact =
        rate_of(*make_integer_walker(gpu, integers, {40, 250}, which), integers, std::int64_t{-10}, few);
    const double kahan = rate_of(*make_floating_walker(gpu, doubles, 0x1p-24, which), doubles, -0.1, few);
    const double dd = rate_of(*make_floating_walker(gpu, pairs, 0x1p-24, which), pairs, DoubleDouble{-0.1, 0},
                              std::max<std::uint64_t>(few / 8, 1));
    fmt::print("| {} | {:.3e} | {:.3e} | {:.3e} |\n", name_of(which), exact, kahan, dd);
    std::fflush(stdout);
  }
}

int run(int argc, char** argv) {
  const int turns = argc > 1 ? std::max(std::atoi(argv[1]), 1) : 3;
  const Index largest = argc > 2 ? static_cast<Index>(std::atoi(argv[2])) : 40;
  const std::optional<GpuInfo> found = bench::announced_gpu();
  if (!found) return bench::exit_without_gpu;
  const GpuInfo& gpu = *found;
  fmt::print(
      "\n| block | n | arithmetic | seconds | subsets/s | n subsets/cycle/SM | of 2n FP64 issue slots | "
      "relative "
      "radius | unit 0 as on the CPU |\n"
      "|---|---|---|---|---|---|---|---|---|\n");
  const auto one = [](auto&) { return std::int64_t{1}; };
  const auto canonical = [](mpq_class value) {
    value.canonicalize();
    return value;
  };
  const auto real = [&](auto& random) {
    return canonical(mpq_class(static_cast<long>(1 + random() % 1000), 1000));
  };
  // No common unit: sums round.
  const auto fine = [&](auto& random) {
    return canonical(mpq_class(static_cast<unsigned long>(1 + (random() >> 11)), 1UL << 53));
  };
  const auto complex = [&](auto& random) { return ComplexRational{real(random), real(random)}; };
  const auto fine_complex = [&](auto& random) { return ComplexRational{fine(random), fine(random)}; };
  // Row sums are often 0, or all but 0, and such subsets go to the doubles.
  const auto traces = [](auto& random) {
    mpq_class value(random() % 2 == 0 ? 1 : -1, 3);
    if (random() % 20 == 0) value += mpq_class(1, mpz_class(1) << 60);
    return value;
  };
  const auto signs = [](auto& random) { return mpq_class(random() % 2 == 0 ? 1 : -1, 3); };
  for (const Index n : {Index{24}, Index{32}, Index{36}, Index{40}}) {
    if (n > largest) continue;
    const int repeats = n < 40 ? turns : 1;
    print_whole(gpu, "0/1, density 0.5", random_block<std::int64_t>(n, 0.5, one), residues(), repeats);
    print_whole(gpu, "0/1, density 0.95", random_block<std::int64_t>(n, 0.95, one), residues(), repeats);
    print_whole(gpu, "real, dense", random_block<mpq_class>(n, 1, real), floating(Precision::kahan), repeats);
    print_whole(gpu, "real, 53 bits, dense", random_block<mpq_class>(n, 1, fine), floating(Precision::kahan),
                repeats);
    if (n == 36) {
      print_whole(gpu, "real, 1/3 and -1/3: zero rows", random_block<mpq_class>(n, 1, signs),
                  floating(Precision::kahan), repeats);
      print_whole(gpu, "real, likewise with traces: small rows", random_block<mpq_class>(n, 1, traces),
                  floating(Precision::kahan), 1);
    }
    if (n < 40) {
      print_whole(gpu, "real, dense", random_block<mpq_class>(n, 1, real), floating(Precision::double_double),
                  1);
    }
    print_whole(gpu, "complex, dense", random_block<ComplexRational>(n, 1, complex),
                floating(Precision::kahan), n < 36 ? turns : 1);
    print_whole(gpu, "complex, 53 bits, dense", random_block<ComplexRational>(n, 1, fine_complex),
                floating(Precision::kahan), n < 36 ? turns : 1);
    if (n == 24)
      print_whole(gpu, "complex, dense", random_block<ComplexRational>(n, 1, complex),
                  floating(Precision::double_double), 1);
    if (n < 40) print_whole(gpu, "real, dense", random_block<mpq_class>(n, 1, real), quadruple(), 1);
    if (n < 36)
      print_whole(gpu, "complex, dense", random_block<ComplexRational>(n, 1, complex), quadruple(), 1);
    std::fflush(stdout);
  }
  for (const Index n : {Index{28}}) {
    const auto large = [](auto& random) { return static_cast<std::int64_t>(1 + random() % 1000000); };
    const auto larger = [](auto& random) {
      return static_cast<std::int64_t>(1 + random() % (std::uint64_t{1} << 40));
    };
    print_whole(gpu, "1..10^6", random_block<std::int64_t>(n, 0.9, large), residues(), turns);
    print_whole(gpu, "1..2^40: modulo primes", random_block<std::int64_t>(n, 0.9, larger), residues(), turns);
  }
  print_places(gpu, largest >= 40 ? 14 : 8);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
