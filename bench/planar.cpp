// Goals (2 cores): the 8 x 8 board, C60 and circumcoronene in 0.05 s each, the 100 x 100 square lattice in
// 0.5 s, 200 x 200 in 5 s, 500 x 500 in 5 min; ln Z of 2000 x 2000 to 1e-10 in 60 s; a sample of 200 x 200 in
// 10 s. A row for each: medians of whole runs, from the graph to the checked number; how long its
// multiplications alone would take one core at the peak rate, and the share of the CPU time that is. Then
// FLINT's determinants of the same Kasteleyn matrices, dense, on one thread. `steps`: CPU seconds of one core
// for each step of the set-up, a unit of eight primes, and all units.
//   bench_planar [RUNS [THREADS]] [long]       long: 500 x 500, too
//   bench_planar steps TURNS LATTICE...        lattices as in docs/lattices.md: square:100x100
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/blocks.hpp"
#include "bench/clock.hpp"
#include "bench/flint/flint_determinant.hpp"
#include "kernels/arithmetic/arithmetic.hpp"
#include "kernels/gpu/device_info.hpp"
#include "kernels/planar/elimination/determinant.hpp"
#include "kernels/planar/elimination/dissection.hpp"
#include "kernels/planar/elimination/lane_words.hpp"
#include "kernels/planar/gpu/lane.hpp"
#include "kernels/planar/orientation/embedding.hpp"
#include "kernels/planar/planar.hpp"
#include "kernels/polynomial_method.hpp"
#include "kernels/support/instruction_sets.hpp"
#include "src/count/ln_z.hpp"

namespace {

using namespace countpm;
using namespace countpm::planar;

const LaneCode& fastest_lanes() {
  return processor_has(InstructionSet::avx512) ? avx512_lanes() : portable_lanes();
}

std::vector<std::uint64_t> some_primes(const LaneCode& code) {
  std::vector<std::uint64_t> primes;
  for (const Modulus& modulus : choose_primes(code.width, {}, 50)) primes.push_back(modulus.prime);
  return primes;
}

/// Multiplications modulo a prime in a second, of one core: the product of two blocks that stay in the
/// first-level cache.
double peak_rate() {
  constexpr std::size_t rows = 6;
  constexpr std::size_t columns = 8;
  constexpr int turns = 20000;
  const LaneCode& code = fastest_lanes();
  const LanePrimes primes = make_primes(code, some_primes(code));
  LaneWords words;
  const std::size_t width = code.width;
  words.reserve((rows * columns + (rows + columns) * most_depth) * width, 0);
  std::fill_n(words.data(), (rows * columns + (rows + columns) * most_depth) * width, 12345);
  std::uint64_t* const left = words.data() + rows * columns * width;
  std::uint64_t* const right = left + rows * most_depth * width;
  double best = 0;
  for (int slice = 0; slice < 5; ++slice) {
    const double start = bench::thread_seconds();
    for (int turn = 0; turn < turns; ++turn) {
      code.subtract_product(
          primes, {words.data(), columns, left, most_depth, right, columns, rows, columns, most_depth});
    }
    const double products = static_cast<double>(rows * columns * most_depth * width) * turns;
    best = std::max(best, products / (bench::thread_seconds() - start));
  }
  return best;
}

struct Goal {
  std::string name;
  std::string source;
  double seconds;
};

std::string data(const std::string& name) {
  return std::string(COUNTPM_SOURCE_DIR) + "/data/molecules/" + name + ".edgelist";
}

/// Medians.
struct Seconds {
  double wall = 0;
  double cpu = 0;  // of all threads: what other processes take does not count
};

Seconds median_of(int runs, const std::function<void()>& work) {
  constexpr double long_seconds = 20;  // a run that takes longer is the only one of its row
  std::vector<double> wall;
  std::vector<double> cpu;
  for (int run = 0; run < runs; ++run) {
    const Seconds start{bench::wall_seconds(), bench::process_seconds()};
    work();
    wall.push_back(bench::wall_seconds() - start.wall);
    cpu.push_back(bench::process_seconds() - start.cpu);
    if (wall.back() > long_seconds) break;
  }
  return {bench::median(wall), bench::median(cpu)};
}

void print_row(const std::string& name, const Seconds& seconds, double goal, const std::string& rest) {
  fmt::print("| {} | {:.4f} | {} | {} | {:.4f} | {} |\n", name, seconds.wall, goal,
             seconds.wall <= goal ? "yes" : "MISSED", seconds.cpu, rest);
  std::fflush(stdout);
}

void print_count(const Goal& goal, int runs, const CountOptions& options, double peak) {
  CountResult result;
  const Seconds seconds =
      median_of(runs, [&] { result = count(Source::from_argument(goal.source), ReadOptions{}, options); });
  double work = 0;
  for (const BlockReport& block : result.blocks) {
    if (block.method == "planar") work += block.work;
  }
  const double at_peak = work / peak;
  const double other = result.seconds.total - result.seconds.count;
  print_row(goal.name, seconds, goal.seconds,
            fmt::format("{} | {} | {:.3g} | {:.4f} | {:.0f} % | {:.3f}", result.count.size(), result.method,
                        work, at_peak, 100 * at_peak / seconds.cpu, other));
}

void print_table(int runs, int threads, bool also_long) {
  CountOptions options;
  options.threads = threads;
  options.device = "cpu";
  const double peak = peak_rate();
  fmt::print("{}: {:.2f} G multiplications a second and core at the peak; {} threads\n\n",
             fastest_lanes().name, peak * 1e-9, threads);
  fmt::print(
      "| work | seconds | goal | reached | CPU s | digits | method | multiplications | CPU s at the peak | "
      "share of "
      "peak | seconds but for the elimination |\n|---|---|---|---|---|---|---|---|---|---|---|\n");
  std::vector<Goal> goals{{"8 x 8 board", "lattice:square:8x8", 0.05},
                          {"C60", data("C60"), 0.05},
                          {"circumcoronene", data("circumcoronene"), 0.05},
                          {"100 x 100", "lattice:square:100x100", 0.5},
                          {"200 x 200", "lattice:square:200x200", 5}};
  if (also_long) goals.push_back({"500 x 500", "lattice:square:500x500", 300});
  for (const Goal& goal : goals) print_count(goal, runs, options, peak);
  LnZResult log;
  const Seconds log_seconds = median_of(
      runs, [&] { log = ln_z(Source::from_argument("lattice:square:2000x2000"), ReadOptions{}, options); });
  print_row("ln Z of 2000 x 2000", log_seconds, 60,
            fmt::format("{:.1e} relative | doubles | | | |", log.ln_z_error / log.ln_z));
  const Seconds sample_seconds = median_of(runs, [&] {
    sample_matchings(Source::from_argument("lattice:square:200x200"), ReadOptions{}, options, SampleOptions{},
                     [](const auto&) { return true; });
  });
  print_row("sample of 200 x 200", sample_seconds, 10, "| | | | |");
}

SignedMatrix oriented(const AnyBlock& block) {
  BlockGraph graph = block_graph(block);
  Orientation orientation = kasteleyn_orientation(graph, test_planarity(graph).embedding);
  return signed_matrix(block, std::move(graph), std::move(orientation));
}

/// Dense, and skew where not bipartite.
std::vector<bench::DenseEntry> entries_of(const SignedMatrix& matrix) {
  std::vector<bench::DenseEntry> entries;
  for (std::size_t e = 0; e < matrix.graph.edges.size(); ++e) {
    const BlockGraph::Edge& edge = matrix.graph.edges[e];
    const int value = matrix.orientation[e] != 0 ? 1 : -1;
    if (matrix.graph.bipartite) {
      entries.push_back({edge.a, edge.b - matrix.graph.rows, value});
    } else {
      entries.push_back({edge.a, edge.b, value});
      entries.push_back({edge.b, edge.a, -value});
    }
  }
  return entries;
}

/// fmpz_mat_det beside the count of the same graph; false where they differ.
bool compare_with_flint(const std::string& name, const std::string& source, int runs, int threads) {
  const SignedMatrix matrix = oriented(bench::read_block(source));
  const Index size = matrix.graph.bipartite ? matrix.graph.rows : matrix.graph.vertices;
  const std::vector<bench::DenseEntry> entries = entries_of(matrix);
  mpz_class determinant;
  const double flint = median_of(runs, [&] { determinant = bench::flint_determinant(size, entries); }).cpu;
  CountOptions options;
  options.threads = threads;
  options.device = "cpu";
  options.method = "planar";
  CountResult result;
  const double ours =
      median_of(runs, [&] { result = count(Source::from_argument(source), ReadOptions{}, options); }).cpu;
  const mpz_class number(result.count);
  const bool same = matrix.graph.bipartite ? abs(determinant) == number : determinant == number * number;
  fmt::print("| {} | {} | {:.4f} | {:.4f} | {:.1f} | {} |\n", name, size, ours, flint, flint / ours,
             same ? "same" : "DIFFERENT");
  std::fflush(stdout);
  return same;
}

bool print_flint(int runs, int threads) {
  if (!bench::have_flint()) {
    fmt::print("\nFLINT is not installed: its determinants are left out.\n");
    return true;
  }
  fmt::print(
      "\n| graph | dense matrix | countpm, CPU s | FLINT's fmpz_mat_det, CPU s | times | numbers |\n"
      "|---|---|---|---|---|---|\n");
  bool same = compare_with_flint("8 x 8 board", "lattice:square:8x8", runs, threads);
  same &= compare_with_flint("C60", data("C60"), runs, threads);
  same &= compare_with_flint("circumcoronene", data("circumcoronene"), runs, threads);
  for (const int side : {20, 30, 40}) {
    same &= compare_with_flint(fmt::format("{0} x {0}", side), fmt::format("lattice:square:{0}x{0}", side),
                               runs, threads);
  }
  // Beyond: one prime of 61 bits at 50 x 50, and by n^3 what that makes of the goals.
  const SignedMatrix matrix = oriented(bench::read_block("lattice:square:50x50"));
  const std::vector<bench::DenseEntry> entries = entries_of(matrix);
  const std::uint64_t prime = choose_primes(1, {}, 61)[0].prime;
  const double seconds =
      median_of(runs, [&] { bench::flint_determinant_modulo(matrix.graph.rows, entries, prime); }).cpu;
  fmt::print("\nnmod_mat_det, n = {}, one prime of 61 bits: {:.3f} s.", matrix.graph.rows, seconds);
  for (const int side : {100, 200}) {
    const double times = std::pow(side / 50.0, 6);
    const double bits = 0.4210 * side * side;  // 4,210 at 100 x 100
    const double primes = std::ceil(bits / 61);
    fmt::print(" {0} x {0} by n^3: {1:.3g} s a prime, {2:.0f} primes, {3:.2g} h; {4:.2g} GB a matrix.", side,
               seconds * times, primes, seconds * times * primes / 3600, std::pow(side, 4) / 4 * 8 * 1e-9);
  }
  fmt::print("\n");
  return same;
}

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
  const std::vector<std::uint64_t> primes = some_primes(code);
  const StopSignal stop;
  return seconds_of(turns, [&] { determinant(matrix, tree, code, primes, stop); });
}

/// Seconds of what a GPU's count needs of the CPU: the reference elimination and the tables.
double device_plan_seconds(int turns, const AnyBlock& block) {
  std::vector<double> seconds;
  for (int turn = 0; turn < turns; ++turn) {
    const std::unique_ptr<Preparation> prepared = prepare(planar_method(), block);
    Arithmetic arithmetic;
    arithmetic.moduli = choose_primes(most_lanes, {}, planar_step::prime_bits);
    prepared->obstacle(arithmetic);
    const std::unique_ptr<Job> job = prepared->make_job(arithmetic, {});
    const double start = bench::thread_seconds();
    job->nominal_device_rate(emulated_gpu(0));
    seconds.push_back(bench::thread_seconds() - start);
  }
  return bench::median(seconds);
}

void print_steps(const std::string& spec, int turns) {
  const AnyBlock block = bench::read_block("lattice:" + spec);
  BlockGraph graph = block_graph(block);
  Planarity planarity;
  const double embed = seconds_of(turns, [&] { planarity = test_planarity(graph); });
  Orientation orientation;
  const double orient =
      seconds_of(turns, [&] { orientation = kasteleyn_orientation(graph, planarity.embedding); });
  const double match = seconds_of(turns, [&] { one_perfect_matching(graph); });
  std::vector<Index> order;
  const double metis = seconds_of(turns, [&] { order = dissection_order(graph); });
  const FrontTree by_metis = front_tree(graph, order);
  FrontTree tree;
  const double dissect = seconds_of(turns, [&] { tree = dissection_tree(graph); });
  const SignedMatrix matrix = signed_matrix(block, std::move(graph), std::move(orientation));
  const std::unique_ptr<Preparation> prepared = prepare(planar_method(), block);
  prepared->obstacle({});  // embeds
  double bits = 0;
  const double bound = seconds_of(turns, [&] { bits = prepared->log2_bound(1); });
  const auto primes = static_cast<unsigned>(std::ceil(bits / 49.99));
  const double units = std::ceil(static_cast<double>(primes) / most_lanes);
  const double choose = seconds_of(turns, [&] { choose_primes(primes, {}, 50); });
  Residues residues;
  const std::vector<Modulus> moduli = choose_primes(primes, {}, 50);
  for (const Modulus& modulus : moduli) residues.residue.push_back(modulus.prime / 3);
  const double join = seconds_of(turns, [&] { join_residues(residues, moduli, false); });
  fmt::print(
      "{}: {} vertices, bound {:.0f} bits, {} primes, {} fronts, {:.4g} multiplications ({:.4g} by METIS), "
      "{:.1f} MiB\n",
      spec, matrix.graph.vertices, bits, primes, tree.fronts.size(), tree.total.multiplications,
      by_metis.total.multiplications,
      static_cast<double>(tree.total.front_words + tree.total.stack_words) * 64 / (1 << 20));
  fmt::print(
      "  embed {:.4f} s  orient {:.4f}  match {:.4f}  bound {:.4f}  primes {:.4f}  dissection and fronts "
      "{:.4f} (METIS alone {:.4f})  GPU: reference and tables {:.4f}  join {:.4f}\n",
      embed, orient, match, bound, choose, dissect, metis, device_plan_seconds(turns, block), join);
  if (processor_has(InstructionSet::avx512)) {
    const double unit = unit_seconds(turns, matrix, tree, avx512_lanes());
    fmt::print("  avx512: a unit {:.4f} s, {:.2f} G multiplications/s, all units {:.3f} s\n", unit,
               tree.total.multiplications * most_lanes / unit * 1e-9, unit * units);
  }
  const double prime = unit_seconds(turns, matrix, tree, portable_lanes());
  fmt::print("  portable: a prime {:.4f} s, {:.2f} G multiplications/s, all units {:.3f} s\n", prime,
             tree.total.multiplications / prime * 1e-9, prime * most_lanes * units);
  std::fflush(stdout);
}

int run(int argc, char** argv) {
  std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
  const auto number = [&](std::size_t k, int otherwise) {
    return k < arguments.size() ? std::max(std::atoi(arguments[k].c_str()), 1) : otherwise;
  };
  fmt::print("clock {:.2f} GHz\n", bench::clock_hertz() * 1e-9);
  if (!arguments.empty() && arguments[0] == "steps") {
    for (std::size_t k = 2; k < arguments.size(); ++k) print_steps(arguments[k], number(1, 3));
    return 0;
  }
  const bool also_long = !arguments.empty() && arguments.back() == "long";
  if (also_long) arguments.pop_back();
  const int runs = number(0, 5);
  const int threads = number(1, 2);
  print_table(runs, threads, also_long);
  return print_flint(runs, threads) ? 0 : 4;
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
