#include "kernels/estimate/boundary/choose.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "graph/errors.hpp"
#include "kernels/estimate/walks/pilot_spread.hpp"
#include "kernels/estimate/walks/walk_random.hpp"

namespace countpm {
namespace {

constexpr std::uint32_t first_bond = 8;
constexpr std::uint32_t largest_bond = 128;
// Bonds grow until samples are spread by no more than this, in ln; unasked, samples that are spread further
// than that are another sampler's.
constexpr double steady_boundary_spread = 0.06;
constexpr double most_boundary_spread = 1;
// Of the matrices, in all.
constexpr std::uint64_t most_matrix_bytes = std::uint64_t{1} << 30;
// Multiplications, of the states of one bond: some 5 s on a core.
constexpr double most_preparation = 8e9;
// Of twice the bond they are so many times as many.
constexpr double growth_of_work = 9;
// Of the first bond, where another sampler would do as well: less than a second, ...
constexpr double most_first_preparation = 2e6;
// ... or some seconds where neighbours stand near one another on the line, as those of lattices do, so that
// little is cut.
constexpr double most_first_local_preparation = 2.5e7;
constexpr std::uint64_t local_span = 12;

// A later order is taken for less than this share of what an earlier one, of shorter lines, cuts.
constexpr double negligible_gain = 0.9;

/// What the time of states of such a bond is in proportion to: the sites that steps touch, and the cube.
double sites_and_cube(const BoundarySweep& sweep, std::uint32_t bond) {
  return static_cast<double>(sweep.total_span) * bond * bond * bond;
}

}  // namespace

std::optional<ChosenBoundary> choose_boundary(const SampleGraph& graph, bool asked, std::uint64_t seed,
                                              std::uint64_t stream) {
  std::vector<BoundarySweep> sweeps = make_sweeps(graph, asked ? most_boundary_width : narrow_boundary_width);
  if (!asked) {
    std::erase_if(sweeps, [](const BoundarySweep& sweep) {
      const bool local = sweep.total_span <= local_span * sweep.steps.size();
      return sites_and_cube(sweep, first_bond) >
             (local ? most_first_local_preparation : most_first_preparation);
    });
  }
  if (sweeps.empty()) {
    if (!asked) return std::nullopt;
    throw UnableError(
        fmt::format("the boundary has at most {} vertices at a time, and here more stand side by side",
                    most_boundary_width),
        "another --sampler has no such limit");
  }
  std::optional<ChosenBoundary> best;
  for (BoundarySweep& sweep : sweeps) {
    std::optional<BoundaryStates> states = BoundaryStates::make(graph, sweep, first_bond, most_matrix_bytes);
    if (!states) continue;
    // What is cut is what spreads samples.
    const bool better = !best || states->total_lost() < negligible_gain * best->states.total_lost();
    if (better) best = ChosenBoundary{std::move(sweep), std::move(*states)};
  }
  if (!best) {
    if (!asked) return std::nullopt;
    throw UnableError("the states of the boundary take more memory than a sampler may have",
                      "another --sampler needs less");
  }
  const auto spread = [&] {
    BoundaryWalk walk(graph, best->sweep, best->states);
    return pilot_spread<WalkRandom>(seed, stream, [&](WalkRandom& random) { return walk.draw(random); });
  };
  double now = spread();
  for (std::uint32_t bond = 2 * first_bond; bond <= largest_bond; bond *= 2) {
    const bool whole = best->states.bond() < bond / 2;
    if (whole || now <= steady_boundary_spread || growth_of_work * best->states.work() > most_preparation)
      break;
    std::optional<BoundaryStates> states = BoundaryStates::make(graph, best->sweep, bond, most_matrix_bytes);
    if (!states) break;
    best->states = std::move(*states);
    now = spread();
  }
  if (!asked && !(now <= most_boundary_spread)) return std::nullopt;
  return best;
}

double boundary_work(const ChosenBoundary& boundary) {
  const double bond = boundary.states.bond();
  return 3.0 * static_cast<double>(boundary.sweep.steps.size()) * (bond * bond + 8 * bond);
}

}  // namespace countpm
