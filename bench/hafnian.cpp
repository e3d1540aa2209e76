// Goals: dense 0/1 graphs of n = 30, 40 and 46 exactly in 0.1, 5 and 60 s on 2 cores; complex hafnians and
// loop hafnians of n = 24 and 30 ten times as fast as The Walrus (bench/python/compare.py). Prints sets of
// pairs a second on one core, and CPU seconds of a whole count in as many primes as it needs, for each
// instruction set, which take turns.
//   bench_hafnian [TURNS]
#include "kernels/hafnian/hafnian.hpp"

#include <fmt/core.h>

#include <cmath>
#include <cstdlib>
#include <iterator>
#include <random>

#include "bench/blocks.hpp"
#include "bench/clock.hpp"
#include "kernels/arithmetic/bound.hpp"

namespace {

using namespace countpm;

/// Symmetric, with loops where vertices may stay alone.
Block<std::int64_t> graph_of(Index n, double density, bool monomers) {
  std::mt19937_64 random(n);
  std::vector<bool> present(std::size_t{n} * n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < i; ++j)
      present[std::size_t{i} * n + j] = present[std::size_t{j} * n + i] = bench::drawn(random, density);
    present[std::size_t{i} * n + i] = monomers;
  }
  Block<std::int64_t> block = bench::block_of_cells(
      n, [&](Index i, Index j) { return std::int64_t{present[std::size_t{i} * n + j]}; });
  block.general = true;
  block.monomers = monomers;
  return block;
}

Block<ComplexRational> complex_graph(Index n, bool monomers) {
  const Block<std::int64_t> pattern = graph_of(n, 1, monomers);
  Block<ComplexRational> block;
  static_cast<SparsePattern&>(block.matrix) = static_cast<const SparsePattern&>(pattern.matrix);
  block.general = true;
  block.monomers = monomers;
  for (Index i = 0; i < n; ++i) {
    for (std::uint64_t k = pattern.matrix.row_start[i]; k < pattern.matrix.row_start[i + std::uint64_t{1}];
         ++k) {
      const Index j = pattern.matrix.column[k];
      std::mt19937_64 random(std::uint64_t{std::min(i, j)} * n + std::max(i, j));
      const auto part = [&] { return mpq_class(std::ldexp(static_cast<double>(random() >> 11), -52) - 1); };
      const mpq_class re = part();
      block.matrix.value.push_back({re, part()});
    }
  }
  return block;
}

void measure(const std::string& name, const AnyBlock& block, const Arithmetic& arithmetic, int turns) {
  const std::pair<LaneChoice, const char*> variants[] = {{LaneChoice::avx512, "avx512"},
                                                         {LaneChoice::avx2, "avx2"},
                                                         {LaneChoice::baseline, "baseline"},
                                                         {LaneChoice::scalar, "one set at a time"}};
  std::vector<std::vector<double>> rates(std::size(variants));
  double log2_work = 0;
  for (int turn = 0; turn < turns; ++turn) {
    for (std::size_t v = 0; v < std::size(variants); ++v) {
      if (!lanes_supported(variants[v].first)) continue;
      const auto job = make_hafnian_job(block, arithmetic, variants[v].first);
      log2_work = job->log2_work();
      const double start = bench::thread_seconds();
      const double wall = bench::wall_seconds();
      const double rate = job->measured_rate(0.1);
      // measured_rate uses the wall clock; scaled to CPU seconds
      rates[v].push_back(rate * (bench::wall_seconds() - wall) / (bench::thread_seconds() - start));
    }
  }
  for (std::size_t v = 0; v < std::size(variants); ++v) {
    if (rates[v].empty()) continue;
    const double rate = bench::median(rates[v]);
    fmt::print("{:<28} {:<18} {:>9.3g} sets/s, {:>9.3g} s\n", name, variants[v].second, rate,
               std::exp2(log2_work) / rate);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int turns = argc > 1 ? std::max(std::atoi(argv[1]), 1) : 5;
  for (const Index n : {30U, 40U, 46U, 56U}) {
    for (const bool monomers : {false, true}) {
      const AnyBlock block = graph_of(n, 0.9, monomers);  // without twins
      Arithmetic arithmetic;
      constexpr unsigned prime_bits = 29;
      arithmetic.moduli = choose_primes(
          static_cast<unsigned>(log2_upper_bound(block) / (prime_bits - 0.01)) + 1, {}, prime_bits);
      measure(
          fmt::format("0/1, n = {}{}, {} primes", n, monomers ? " with loops" : "", arithmetic.moduli.size()),
          block, arithmetic, turns);
    }
  }
  for (const Precision precision : {Precision::plain, Precision::double_double}) {
    for (const Index n : {24U, 30U}) {
      for (const bool monomers : {false, true}) {
        Arithmetic arithmetic;
        arithmetic.kind = Arithmetic::Kind::floating;
        arithmetic.precision = precision;
        measure(fmt::format("complex, n = {}{}, {}", n, monomers ? " with loops" : "",
                            precision == Precision::plain ? "doubles" : "pairs"),
                complex_graph(n, monomers), arithmetic, turns);
      }
    }
  }
  return 0;
}
