// condensation on one GPU: dense determinants and Pfaffians modulo 64 primes side by side, planar blocks, and
// a matrix of doubles. Goals on one NVIDIA H200: n = 128, 256, 512 in 0.5, 1 and 5 ms. Medians of 3 runs, a
// Markdown table; eight primes of every row are done by the CPU, too, and must have the same residues (exit 4
// where they have not), and the doubles the same logarithm.
//   bench_gpu_condensation
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "bench/blocks.hpp"
#include "bench/clock.hpp"
#include "bench/gpu.hpp"
#include "kernels/arithmetic/bound.hpp"
#include "kernels/gpu/launch.hpp"
#include "kernels/planar/condensation/condensation.hpp"
#include "kernels/planar/condensation/gpu/form.hpp"
#include "kernels/planar/gpu/lane.hpp"
#include "kernels/planar/orientation/embedding.hpp"

namespace {

using namespace countpm;

/// Every entry one of -4 .. 4 but 0; of a skew-symmetric matrix those above the diagonal.
planar::SignedMatrix dense_matrix(Index size, bool skew) {
  std::mt19937_64 random(size);
  planar::SignedMatrix matrix;
  matrix.graph.bipartite = !skew;
  matrix.graph.rows = size;
  matrix.graph.vertices = skew ? size : 2 * size;
  matrix.values = {1, 2, 3, 4};
  for (Index i = 0; i < size; ++i) {
    for (Index j = skew ? i + 1 : 0; j < size; ++j) {
      const std::uint64_t draw = random();
      matrix.graph.edges.push_back({i, skew ? j : size + j, 0});
      matrix.value_of.push_back(static_cast<Index>(draw >> 62));
      matrix.orientation.push_back(static_cast<std::uint8_t>(draw & 1));
    }
  }
  return matrix;
}

planar::SignedMatrix lattice_matrix(const std::string& spec) {
  const AnyBlock block = bench::read_block("lattice:" + spec);
  planar::BlockGraph graph = planar::block_graph(block);
  planar::Orientation orientation =
      planar::kasteleyn_orientation(graph, planar::test_planarity(graph).embedding);
  return planar::signed_matrix(block, std::move(graph), std::move(orientation));
}

template <class Work>
double median_of_3(const Work& work) {
  std::vector<double> seconds;
  for (int turn = 0; turn < 3; ++turn) {
    const double start = bench::wall_seconds();
    work();
    seconds.push_back(bench::wall_seconds() - start);
  }
  return bench::median(seconds);
}

/// Whether the residues are the CPU's.
bool report(const std::string& name, const planar::SignedMatrix& matrix, unsigned primes, const char* goal,
            const GpuInfo& gpu) {
  Arithmetic arithmetic;
  arithmetic.moduli = choose_primes(primes, {}, planar_step::prime_bits);
  CondensationTask task;
  task.form = planar::dense_form(matrix.graph);
  task.entries = {planar::dense_entries(matrix)};
  task.values = &matrix.values;
  task.arithmetic = &arithmetic;
  task.multiplications = planar::condensation_multiplications(matrix.graph);
  task.sum = [](const auto& determinants, const auto& /*primes*/) { return determinants[0]; };
  const std::unique_ptr<DeviceJob> device = on_gpu<CondensationForm>(gpu, task);
  const StopSignal never;
  Partial found = device->run(0, primes, never);  // memory is had
  const double seconds = median_of_3([&] { found = device->run(0, primes, never); });
  constexpr unsigned compared = 8;
  bool same = true;
  const double start = bench::thread_seconds();
  for (unsigned k = 0; k < compared; ++k) {
    const auto expected =
        planar::condensation(matrix, planar::portable_lanes(), {arithmetic.moduli[k].prime}, never);
    same = same && std::get<Residues>(found).residue[k] == expected[0];
  }
  const double cpu = (bench::thread_seconds() - start) / compared;
  fmt::print("| {} | {} | {:.3f} | {} | {:.2e} | {:.2f} | {} |\n", name, primes, seconds * 1e3, goal,
             task.multiplications * primes / seconds, cpu * primes, same ? "same" : "OTHER RESIDUES");
  std::fflush(stdout);
  return same;
}

bool report_doubles(const std::string& spec, const GpuInfo& gpu) {
  const planar::SignedMatrix matrix = lattice_matrix(spec);
  const StopSignal never;
  planar::LogDeterminant found;
  const double seconds = median_of_3([&] { found = planar::log_condensation(matrix, {}, never, &gpu); });
  const double start = bench::wall_seconds();
  const planar::LogDeterminant expected = planar::log_condensation(matrix, {}, never);
  const double cpu = bench::wall_seconds() - start;
  const bool same = found.ln == expected.ln && found.error == expected.error;
  // Memory and copies are part of it; the CPU's threads do no more than it, one.
  fmt::print("| {}, ln in doubles, twice | | {:.3f} | | {:.2e} | {:.2f} | {} |\n", spec, seconds * 1e3,
             2 * planar::condensation_multiplications(matrix.graph) / seconds, cpu,
             same ? "same" : "OTHER LOGARITHM");
  return same;
}

}  // namespace

int main() {
  const std::optional<GpuInfo> gpu = bench::announced_gpu();
  if (!gpu) return bench::exit_without_gpu;
  fmt::print(
      "\nMilliseconds with copies, without set-up; CPU: one core, one prime at a time, from eight primes.\n\n"
      "| matrix | primes | GPU ms | goal ms | multiplications/s | CPU s | residues |\n"
      "|---|---|---|---|---|---|---|\n");
  bool same = true;
  for (const auto& [size, goal] : {std::pair<Index, const char*>{128, "0.5"}, {256, "1"}, {512, "5"}})
    same = report(fmt::format("dense, n = {}", size), dense_matrix(size, false), 64, goal, *gpu) && same;
  same = report("skew-symmetric, n = 512", dense_matrix(512, true), 64, "", *gpu) && same;
  same = report("dense, n = 64", dense_matrix(64, false), 2048, "", *gpu) && same;
  same = report("square 40x40, 800 rows", lattice_matrix("square:40x40"), 24, "", *gpu) && same;
  same = report("triangular 30x30, 900 vertices", lattice_matrix("triangular:30x30"), 20, "", *gpu) && same;
  same = report_doubles("square:50x50", *gpu) && same;
  return same ? 0 : 4;
}
