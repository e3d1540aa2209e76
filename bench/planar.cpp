// Goal (2 cores): the 8 x 8 board, C60 and circumcoronene in 0.05 s each, the 100 x 100 square lattice in 0.5
// s, 200 x 200 in 5 s, 500 x 500 in 5 min. Says where the time goes: CPU seconds of one core for each step of
// the set-up, for one unit of eight primes, and for all units.
//   bench_planar [TURNS [LATTICE ...]]        lattices as in docs/lattices.md: square:100x100
#include <fmt/core.h>

#include <cmath>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "bench/blocks.hpp"
#include "bench/clock.hpp"
#include "kernels/arithmetic/bound.hpp"
#include "kernels/instruction_sets.hpp"
#include "kernels/planar/determinant.hpp"
#include "kernels/planar/dissection.hpp"
#include "kernels/planar/embedding.hpp"

namespace {

using namespace countpm;
using namespace countpm::planar;

double seconds_of(int turns, const std::function<void()>& work) {
  std::vector<double> seconds;
  for (int turn = 0; turn < turns; ++turn) {
    const double start = bench::thread_seconds();
    work();
    seconds.push_back(bench::thread_seconds() - start);
  }
  return bench::median(seconds);
}

double unit_seconds(int turns, const SignedMatrix& matrix, const FrontTree& tree, const LaneCode& code) {
  std::vector<std::uint64_t> primes;
  for (const Modulus& modulus : choose_primes(code.width, {}, 50)) primes.push_back(modulus.prime);
  const StopSignal stop;
  return seconds_of(turns, [&] { determinant(matrix, tree, code, primes, stop); });
}

void report(const std::string& spec, int turns) {
  const AnyBlock block = bench::read_block("lattice:" + spec);
  BlockGraph graph = block_graph(block);
  Planarity planarity;
  const double embed = seconds_of(turns, [&] { planarity = test_planarity(graph); });
  Orientation orientation;
  const double orient =
      seconds_of(turns, [&] { orientation = kasteleyn_orientation(graph, planarity.embedding); });
  const double match = seconds_of(turns, [&] { one_perfect_matching(graph); });
  std::vector<Index> order;
  const double dissect = seconds_of(turns, [&] { order = dissection_order(graph); });
  FrontTree tree;
  const double analyse = seconds_of(turns, [&] { tree = front_tree(graph, order); });
  const std::size_t vertices = graph.vertices;
  const SignedMatrix matrix = signed_matrix(block, std::move(graph), std::move(orientation));
  const double bits = log2_upper_bound(block);
  const double units = std::ceil(bits / 50 / most_lanes);
  fmt::print("{}: {} vertices, bound {:.0f} bits, {} units, {} fronts, {:.3g} multiplications, {:.1f} MiB\n",
             spec, vertices, bits, units, tree.fronts.size(), tree.total.multiplications,
             static_cast<double>(tree.total.front_words + tree.total.stack_words) * 64 / (1 << 20));
  fmt::print("  embed {:.4f} s  orient {:.4f}  match {:.4f}  dissect {:.4f}  analyse {:.4f}\n", embed, orient,
             match, dissect, analyse);
  if (processor_has(InstructionSet::avx512)) {
    const double unit = unit_seconds(turns, matrix, tree, avx512_lanes());
    fmt::print("  avx512: a unit {:.4f} s, {:.2f} G multiplications/s, all units {:.3f} s\n", unit,
               tree.total.multiplications * most_lanes / unit * 1e-9, unit * units);
  }
  const double prime = unit_seconds(turns, matrix, tree, portable_lanes());
  fmt::print("  portable: a prime {:.4f} s, {:.2f} G multiplications/s, all units {:.3f} s\n", prime,
             tree.total.multiplications / prime * 1e-9, prime * most_lanes * units);
}

}  // namespace

int main(int argc, char** argv) {
  const int turns = argc > 1 ? std::max(std::atoi(argv[1]), 1) : 3;
  std::vector<std::string> specs(argv + std::min(argc, 2), argv + argc);
  if (specs.empty())
    specs = {"square:8x8", "square:50x50", "square:100x100", "square:200x200", "triangular:100x100"};
  fmt::print("clock {:.2f} GHz\n", bench::clock_hertz() * 1e-9);
  for (const std::string& spec : specs) report(spec, turns);
}
