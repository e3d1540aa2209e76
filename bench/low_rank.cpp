// Goal: low-rank is predicted within a factor of 2 by its nominal rates, and counts a random integer matrix
// of 30 rows and rank up to 6, and a graph of 40 vertices and rank up to 4, at least 10 times sooner than the
// next best method is predicted to. Prints, for one prime of 29 bits and for all that the count takes.
//   bench_low_rank [TURNS]
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <random>
#include <vector>

#include "bench/blocks.hpp"
#include "bench/clock.hpp"
#include "graph/stop_poll.hpp"
#include "kernels/low_rank/low_rank.hpp"

namespace {

using namespace countpm;

/// A sum of `rank` products of entries 1 to 9, and `beside` rows of entries below 1000; of a graph symmetric.
AnyBlock block_of_rank(Index n, Index rank, Index beside, bool general) {
  std::mt19937_64 random(n * 100 + rank);
  std::vector<std::vector<std::int64_t>> value(n, std::vector<std::int64_t>(n, 0));
  for (Index a = 0; a < rank; ++a) {
    std::vector<std::int64_t> left(n), right(n);
    for (Index i = 0; i < n; ++i) {
      left[i] = static_cast<std::int64_t>(random() % 9 + 1);
      right[i] = general ? left[i] : static_cast<std::int64_t>(random() % 9 + 1);
    }
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < n; ++j) value[i][j] += left[i] * right[j];
    }
  }
  for (Index s = 0; s < beside; ++s) {
    for (Index j = 0; j < n; ++j) {
      value[s][j] = static_cast<std::int64_t>(random() % 999 + 1);
      if (general) value[j][s] = value[s][j];
    }
  }
  Block<std::int64_t> block;
  block.general = general;
  block.matrix.rows = block.matrix.columns = n;
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      if (general && i == j) continue;
      block.matrix.column.push_back(j);
      block.matrix.value.push_back(value[i][j]);
    }
    block.matrix.row_start.push_back(block.matrix.column.size());
  }
  return block;
}

/// Of all other methods the least predicted time modulo as many primes, by nominal rates.
std::pair<double, std::string_view> next_best(const AnyBlock& block, const Arithmetic& arithmetic) {
  std::pair<double, std::string_view> best{1e300, "-"};
  for (const Method* method : exact_methods()) {
    if (method == &low_rank_method() || (is_general(block) && !method->counts_general_graphs())) continue;
    if (method->obstacle(block, arithmetic) || method->nothing_to_do(block, {})) continue;
    const auto job = method->make_job(block, arithmetic, {});
    best = std::min(best, {std::exp2(job->log2_work()) / job->nominal_rate(), method->name()});
  }
  return best;
}

void measure(int turns) {
  fmt::print(
      "| rows | rank | beside | graph | terms | made in s | one prime, s | predicted | by rate measured | "
      "next "
      "best, predicted s |\n|---|---|---|---|---|---|---|---|---|---|\n");
  struct Size {
    Index n, rank, beside;
    bool general;
  };
  for (const Size size : {Size{30, 1, 0, false},
                          {30, 2, 0, false},
                          {30, 4, 0, false},
                          {30, 6, 0, false},
                          {30, 8, 0, false},
                          {30, 3, 4, false},
                          {30, 3, 8, false},
                          {100, 2, 0, false},
                          {100, 3, 0, false},
                          {400, 2, 0, false},
                          {40, 2, 0, true},
                          {40, 4, 0, true},
                          {40, 6, 0, true},
                          {40, 3, 4, true},
                          {100, 3, 0, true}}) {
    const AnyBlock block = block_of_rank(size.n, size.rank, size.beside, size.general);
    Arithmetic arithmetic;
    arithmetic.moduli = choose_primes(1, {}, 29);
    const double start = bench::wall_seconds();
    if (low_rank_method().obstacle(block, arithmetic)) continue;
    const auto job = low_rank_method().make_job(block, arithmetic, {});
    const double made = bench::wall_seconds() - start;
    const double work = std::exp2(job->log2_work());
    std::vector<double> seconds;
    std::vector<double> measured;
    for (int turn = 0; turn < turns; ++turn) {
      const double before = bench::thread_seconds();
      job->run(0, stop_signal_here());
      seconds.push_back(bench::thread_seconds() - before);
      measured.push_back(work / job->measured_rate(0.02));
    }
    const auto [other, name] = next_best(block, arithmetic);
    fmt::print("| {} | {} | {} | {} | {} | {:.5f} | {:.5f} | {:.5f} | {:.5f} | {:.3g} ({}) |\n", size.n,
               size.rank, size.beside, size.general ? "yes" : "no", job->describe(), made,
               bench::median(seconds), work / job->nominal_rate(), bench::median(measured), other, name);
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    measure(argc > 1 ? std::max(std::atoi(argv[1]), 1) : 5);
  } catch (const std::exception& error) {
    std::fputs(error.what(), stderr);
    return 1;
  }
  return 0;
}
