// Goal on one NVIDIA H200: PureReg and Hybrid, exact, under what SUPerman's generated kernels need there in
// floating point (er_n40_p30 2.98 s, er_n40_p50 3.18 s, and 30 s to compile), compilation told apart; beside
// them ryser and pruned on the same GPU. Counts equal to known.tsv where it has them.
//   bench_gpu_codegen REPEATS [MATRIX_MARKET_FILE...]
// In the end random real and complex matrices in compensated doubles and a few in double-doubles, codegen
// beside ryser: ahead of it on all of them; n = 40 once, ryser there at one density, as its time is that of a
// dense matrix. Without files, these alone.
// A file FOLDER/NAME.mtx is looked up as NAME in FOLDER/known.tsv. Kernels are compiled anew in the first
// turn, whatever the cache holds, where COUNTPM_KERNEL_CACHE is off or an empty folder.
#include <fmt/core.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "bench/blocks.hpp"
#include "bench/clock.hpp"
#include "bench/gpu.hpp"
#include "bench/known_counts.hpp"
#include "kernels/arithmetic/ball.hpp"
#include "kernels/pruned/pruned.hpp"
#include "kernels/published/codegen/codegen.hpp"
#include "kernels/published/codegen/floating.hpp"
#include "kernels/ryser/ryser.hpp"

namespace {

using namespace countpm;

struct Row {
  std::string what;
  std::string judged;
  double set_up = 0;  // of these the compilation:
  double compile = 0;
  double run = 0;
  double rate = 0;  // subsets, or visits, a second
  std::string notes;
};

void print(const Row& row) {
  fmt::print("| {} | {:.4f} | {:.4f} | {:.4f} | {:.3e} | {} | {} |\n", row.what, row.run, row.set_up,
             row.compile, row.rate, row.judged, row.notes);
  std::fflush(stdout);
}

/// Medians of `repeats` turns, set-up of the first.
template <class Report>
Row measured(const char* what, const std::string& file, const Job& job, const Arithmetic& arithmetic,
             const GpuInfo& gpu, int repeats, const Report& report) {
  const StopSignal never;
  Row row;
  row.what = what;
  std::vector<double> runs;
  Partial sum;
  for (int turn = 0; turn < repeats; ++turn) {
    const double start = bench::wall_seconds();
    const auto device = job.on_device(gpu);
    const double made = bench::wall_seconds();
    sum = device->run(0, job.units(), never);
    runs.push_back(bench::wall_seconds() - made);
    if (turn == 0) {
      row.set_up = made - start;
      report(*device, row);
    }
  }
  row.run = bench::median(runs);
  row.rate = std::exp2(job.log2_work()) / row.run;
  row.judged = bench::verdict(file, join_residues(std::get<Residues>(sum), arithmetic.moduli, false));
  return row;
}

/// Exact, by as many primes as n! needs.
Arithmetic enough_primes(Index n) {
  Arithmetic arithmetic;
  constexpr double bits_per_prime = 60;
  arithmetic.moduli =
      choose_primes(static_cast<unsigned>(std::lgamma(n + 1.0) / std::log(2.0) / bits_per_prime) + 1);
  return arithmetic;
}

bool run_file(const std::string& file, int repeats, const GpuInfo& gpu) {
  const auto block = bench::read_block(file);
  const Arithmetic primes = enough_primes(block.matrix.rows);
  fmt::print(
      "\n{}: n = {}\n| method | run, s | set-up, s | of it compilation, s | subsets/s | count | kernel |\n"
      "|---|---|---|---|---|---|---|\n",
      file, block.matrix.rows);
  bool right = true;
  const auto show = [&](const Row& row) {
    print(row);
    right = right && row.judged != "WRONG";
  };
  using codegen::Form;
  struct Variant {
    const char* what;
    codegen::Overrides wishes;
  };
  const Variant variants[] = {
      {"codegen", {}},
      {"codegen PureReg, as published", {{Form::pure_registers}, 0, {}}},
      {"codegen PureReg, 1 column unrolled", {{Form::pure_registers}, 1, {}}},
      {"codegen PureReg, 2 columns", {{Form::pure_registers}, 2, {}}},
      {"codegen PureReg, 3 columns", {{Form::pure_registers}, 3, {}}},
      {"codegen Hybrid, as published", {{Form::hybrid}, 0, {}}},
      {"codegen Hybrid, columns unrolled", {{Form::hybrid}, {}, {}}},
  };
  for (const Variant& variant : variants) {
    const auto job = make_codegen_job(block, primes, variant.wishes);
    show(measured(variant.what, file, *job, primes, gpu, repeats, [](DeviceJob& device, Row& row) {
      const CodegenReport report = codegen_report(device);
      row.compile = report.compile_seconds;
      row.notes = fmt::format("{}; {} registers, {} bytes spilled{}", report.program, report.registers,
                              report.spilled_bytes, report.from_cache ? "; from the cache" : "");
    }));
  }
  const auto no_report = [](DeviceJob&, Row&) {};
  show(measured("ryser", file, *ryser_method().make_job(block, primes, {}), primes, gpu, repeats, no_report));
  Arithmetic words;
  words.moduli = {Modulus{0, 128}};
  show(measured("pruned", file, *pruned_method().make_job(block, words, {}), words, gpu, repeats, no_report));
  return right;
}

/// Random weights of both signs. few_digits: k / 997, whose sums are exact, else doubles of 53 bits.
struct Weights {
  Index n;
  double density;
  bool few_digits = false;
  bool complex = false;
  Precision precision = Precision::kahan;
};

template <class Value, class Draw>
Block<Value> block_of(const Block<std::int64_t>& places, const Draw& draw) {
  Block<Value> block;
  const SparsePattern& pattern = places.matrix;
  static_cast<SparsePattern&>(block.matrix) = pattern;
  for (const std::int64_t value : places.matrix.value) block.matrix.value.push_back(draw(value));
  return block;
}

AnyBlock random_weights(const Weights& weights) {
  const auto places = bench::random_block(weights.n, weights.density, 1993);
  std::mt19937_64 random(weights.n);
  const auto real = [&](std::int64_t value) {
    const auto k = static_cast<long>(value % 3 == 0 ? -value : value);
    const double more = static_cast<double>(random() >> 11) * 0x1p-53;
    mpq_class result =
        weights.few_digits ? mpq_class(k, 997) : mpq_class((static_cast<double>(k) + more) / 997);
    result.canonicalize();
    return result;
  };
  if (!weights.complex) return block_of<mpq_class>(places, real);
  return block_of<ComplexRational>(places, [&](std::int64_t value) {
    const mpq_class re = real(value);
    return ComplexRational{re, real(static_cast<std::int64_t>(random() % 1993))};
  });
}

/// Magnitude of a - b, or of a.
BigFloat distance(const Ball& a, const Ball* b) {
  BigFloat re(mpfr_prec_t{512});
  BigFloat im(mpfr_prec_t{512});
  mpfr_set(re.get(), a.re.get(), MPFR_RNDN);
  mpfr_set(im.get(), a.im.get(), MPFR_RNDN);
  if (b != nullptr) {
    mpfr_sub(re.get(), re.get(), b->re.get(), MPFR_RNDN);
    mpfr_sub(im.get(), im.get(), b->im.get(), MPFR_RNDN);
  }
  mpfr_hypot(re.get(), re.get(), im.get(), MPFR_RNDN);
  return re;
}

bool within_both(const Ball& a, const Ball& b) {
  BigFloat radius(mpfr_prec_t{512});
  mpfr_add(radius.get(), a.error.get(), b.error.get(), MPFR_RNDU);
  return mpfr_cmpabs(distance(a, &b).get(), radius.get()) <= 0;
}

double relative_radius(const Ball& ball) {
  BigFloat share(mpfr_prec_t{53});
  mpfr_div(share.get(), ball.error.get(), distance(ball, nullptr).get(), MPFR_RNDU);
  return share.to_double();
}

bool run_weights(const Weights& weights, int repeats, const GpuInfo& gpu) {
  const AnyBlock block = random_weights(weights);
  Arithmetic arithmetic;
  arithmetic.kind = Arithmetic::Kind::floating;
  arithmetic.precision = weights.precision;
  using codegen::Form;
  struct Variant {
    const char* what;
    std::optional<codegen::FloatingOverrides> wishes;  // none: ryser
    bool everywhere = false;                           // at any n and density
  };
  const Variant variants[] = {
      {"codegen", codegen::FloatingOverrides{}, true},
      {"codegen, entries in constant memory", codegen::FloatingOverrides{{}, {}, {}, true}},
      {"codegen Hybrid", codegen::FloatingOverrides{{Form::hybrid}, {}, {}, false}},
      {"codegen PureReg, as published", codegen::FloatingOverrides{{Form::pure_registers}, 0, {}, false}},
      {"ryser", std::nullopt},
  };
  bool right = true;
  std::optional<Ball> first;
  for (const Variant& variant : variants) {
    constexpr Index small = 36;
    constexpr double middle = 0.3;
    const bool main_ones = variant.everywhere || !variant.wishes || variant.wishes->entries_in_memory;
    if ((weights.n > small || weights.few_digits) && !variant.everywhere &&
        !(weights.density == middle && main_ones))
      continue;
    const auto job = variant.wishes ? make_generated_job(block, arithmetic, *variant.wishes)
                                    : ryser_method().make_job(block, arithmetic, {});
    const StopSignal never;
    const double start = bench::wall_seconds();
    const auto device = job->on_device(gpu);
    const double made = bench::wall_seconds();
    std::vector<double> runs;
    std::optional<Ball> ball;
    for (int turn = 0; turn < repeats; ++turn) {
      const double begin = bench::wall_seconds();
      ball = std::get<Ball>(device->run(0, job->units(), never));
      runs.push_back(bench::wall_seconds() - begin);
    }
    const double seconds = bench::median(runs);
    std::string judged = "the first";
    if (first) judged = within_both(*first, *ball) ? "agrees" : "WRONG";
    right = right && judged != "WRONG";
    if (!first) first = ball;
    std::string notes;
    if (variant.wishes) {
      const CodegenReport report = codegen_report(*device);
      notes = fmt::format("{}; {} registers, {} bytes spilled, compiled in {:.2f} s", report.program,
                          report.registers, report.spilled_bytes, report.compile_seconds);
    }
    const double terms = std::exp2(job->log2_work());
    fmt::print("| {}{} | {} | {} | {} | {} | {:.3f} | {:.3f} | {:.3e} | {:.3f} | {:.1e} | {} | {} |\n",
               weights.complex ? "complex" : "real",
               weights.precision == Precision::double_double ? ", double-double" : "", weights.n,
               weights.density, weights.few_digits ? "exact" : "rounded", variant.what, seconds, made - start,
               terms / seconds, terms / job->nominal_device_rate(gpu), relative_radius(*ball), judged, notes);
    std::fflush(stdout);
  }
  return right;
}

bool run_all_weights(int repeats, const GpuInfo& gpu) {
  fmt::print(
      "\nRandom real and complex matrices\n| weights | n | density | sums | method | run, s | set-up, s | "
      "subsets/s | planned, s | relative error bound | ball | kernel "
      "|\n|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  bool right = true;
  for (const bool complex : {false, true}) {
    for (const Index n : {36, 40}) {
      const int turns = n > 36 ? 1 : repeats;
      for (const double density : {0.2, 0.3, 0.5})
        right &= run_weights({n, density, false, complex}, turns, gpu);
      right &= run_weights({n, 0.3, true, complex}, turns, gpu);
    }
    right &= run_weights({30, 0.3, false, complex, Precision::double_double}, repeats, gpu);
  }
  return right;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: bench_gpu_codegen REPEATS [FILE...]\n");
    return 2;
  }
  try {
    const std::optional<GpuInfo> gpu = bench::announced_gpu();
    if (!gpu) return bench::exit_without_gpu;
    bool right = true;
    const int repeats = std::max(std::atoi(argv[1]), 1);
    for (int f = 2; f < argc; ++f) right &= run_file(argv[f], repeats, *gpu);
    right &= run_all_weights(repeats, *gpu);
    constexpr int exit_wrong = 4;
    return right ? 0 : exit_wrong;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
