// Goal: to know whether `grouped` would gain by skipping zeros. A zero row sum needs an integer shift, which
// takes 2^n subsets where the half-integer one takes 2^(n-1); a node with c columns left is dead where a row
// that has no entry in them sums to zero. Prints, of random n x n blocks, the share of grouped's
// multiplications that would be left (both effects; below 1 it would gain), and beside it the CPU seconds of
// grouped and pruned as they are.
//   bench_grouped_zeros [N=26]
#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <vector>

#include "bench/blocks.hpp"
#include "bench/clock.hpp"
#include "kernels/grouped/grouped.hpp"
#include "kernels/pruned/pruned.hpp"

namespace {

using namespace countpm;

constexpr Index grouped_columns = 5;

/// Multiplications a subset spent with c columns left, and with all merged ones left on the build.
double multiplications(Index c, Index rows) {
  const double terms = static_cast<double>(c) / 2 + 1;
  return c < grouped_columns ? terms : static_cast<double>(rows) * terms / (1U << grouped_columns);
}

/// Of the nodes with c columns left, c = 0 .. grouped_columns, how many no complete row kills; by sampling.
std::vector<double> survivors(const Block<std::int64_t>& block) {
  const Index n = block.matrix.rows;
  // The columns with the fewest entries last: most rows are complete before them.
  std::vector<Index> entries(n, 0);
  for (const Index j : block.matrix.column) ++entries[j];
  std::vector<Index> order(n);
  for (Index j = 0; j < n; ++j) order[j] = j;
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return entries[a] > entries[b]; });
  std::vector<Index> place(n);
  for (Index k = 0; k < n; ++k) place[order[k]] = k;

  constexpr int samples = 100'000;
  std::mt19937_64 random(1);
  std::vector<double> alive(grouped_columns + 1);
  for (int s = 0; s < samples; ++s) {
    const std::uint64_t subset = random();
    Index dead_from = 0;  // dead with fewer columns left than this
    for (Index i = 0; i < n; ++i) {
      std::int64_t sum = -static_cast<std::int64_t>(block.matrix.row_degree(i) / 2);
      Index last = 0;
      for (std::uint64_t k = block.matrix.row_start[i]; k < block.matrix.row_start[i + std::uint64_t{1}];
           ++k) {
        const Index at = place[block.matrix.column[k]];
        sum += static_cast<std::int64_t>(subset >> at & 1);
        last = std::max(last, at + 1);
      }
      if (sum == 0) dead_from = std::max(dead_from, n - last + 1);
    }
    for (Index c = dead_from; c <= grouped_columns; ++c) alive[c] += 1.0 / samples;
  }
  return alive;
}

double cpu_seconds(const Job& job, const Arithmetic& arithmetic) {
  const StopSignal never;
  const double start = bench::thread_seconds();
  Partial sum = zero(arithmetic);
  for (std::uint64_t unit = 0; unit < job.units(); ++unit) add(sum, job.run(unit, never), arithmetic);
  return bench::thread_seconds() - start;
}

}  // namespace

int main(int argc, char** argv) {
  const Index n = argc > 1 ? static_cast<Index>(std::atoi(argv[1])) : 26;
  Arithmetic primes;
  primes.moduli = choose_primes(2);
  Arithmetic wrap;
  wrap.moduli = {Modulus{0, 128}};
  const StopSignal never;
  fmt::print(
      "| n | density | alive with 0, 1, .., 5 columns left | multiplications left | merged s | shift s |\n");
  fmt::print("|---|---|---|---|---|---|\n");
  for (const double density : {0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9}) {
    const auto block = bench::random_block(n, density);
    const auto alive = survivors(block);
    double all = 0;
    double left = 0;
    std::string text;
    for (Index c = 0; c <= grouped_columns; ++c) {
      all += multiplications(c, n);
      left += 2 * alive[c] * multiplications(c, n);
      text += fmt::format("{}{:.3f}", c == 0 ? "" : ", ", alive[c]);
    }
    const auto merged = make_grouped_job(block, primes, LaneChoice::automatic);
    const auto shift = make_pruned_job(block, wrap, 1, {});
    shift->improve(0.3, never);
    fmt::print("| {} | {} | {} | {:.2f} | {:.3f} | {:.3f} |\n", n, density, text, left / all,
               cpu_seconds(*merged, primes), cpu_seconds(*shift, wrap));
  }
  return 0;
}
