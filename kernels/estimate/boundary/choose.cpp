#include "kernels/estimate/boundary/choose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "graph/errors.hpp"
#include "graph/stop_poll.hpp"
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
constexpr double most_multiplications = 2.5e10;
// Of twice the bond they are so many times as many.
constexpr double growth_of_work = 9;
// Of the first bond, where another sampler would do as well: less than a second, ...
constexpr double most_first_preparation = 2e6;
// ... or some seconds where neighbours stand near one another on the line, as those of lattices do, so that
// little is cut.
constexpr double most_first_local_preparation = 2.5e7;
constexpr std::uint64_t local_span = 12;
// What few samples meet spreads them more than pilots show: by 1 to 7 times (squares, hexagons and cubic
// lattices, 10^3 to 10^4 samples, 2026-11-27).
constexpr double rare_spread = 4;
// How long walks take of which 32 go together (EPYC, Zen 4, 2026-11-27, squares of 14x14 to 100x100,
// triangular and cubic lattices, bonds of 8 to 64: within a factor of 1.5), and a multiplication of their
// states (squares of 60x60 and 100x100, bonds of 8 to 32, within a factor of 1.2, with AVX-512). The
// multiplications themselves are foretold within a factor of 3.
constexpr double nanoseconds_a_site = 70;
constexpr double nanoseconds_an_element = 0.2;
constexpr double nanoseconds_a_multiplication = 0.17;
constexpr double more_over_square_of_bond = 70;
constexpr double multiplications_a_site = 20;

// The states of the first bond of all orders but one may take so much of what those of one bond may.
constexpr double share_of_orders = 0.25;
constexpr double least_of_orders = 1.25e7;  // nanoseconds
// An order whose states take so many times as long as those of the best one, because neighbours stand that
// much further apart, is not tried beside it: such orders cut far more.
constexpr double far_dearer = 4;
// A later order is taken for less than this share of what an earlier one, of shorter lines, cuts; none is
// looked at where an earlier one cuts less than that.
constexpr double negligible_gain = 0.9;
constexpr double negligible_loss = 1e-3;

/// What the time of states of such a bond is in proportion to: the sites that steps touch, and the cube.
double sites_and_cube(const BoundarySweep& sweep, std::uint32_t bond) {
  return static_cast<double>(sweep.total_span) * bond * bond * bond;
}

/// Nanoseconds of states that take so many multiplications: small matrices are slower, each of them.
double preparation(double multiplications, std::uint32_t bond) {
  return multiplications *
         (nanoseconds_a_multiplication + more_over_square_of_bond / (static_cast<double>(bond) * bond));
}
/// Of those of the first bond, before they are made.
double first_preparation(const BoundarySweep& sweep) {
  return preparation(multiplications_a_site * sites_and_cube(sweep, first_bond), first_bond);
}

/// Nanoseconds of a walk: of every step, of which about half find their vertex taken, the products of the
/// matrices among its neighbours on the line.
double walk_work(const SampleGraph& graph, const BoundarySweep& sweep, const BoundaryStates& states) {
  double sites = 0;
  double elements = 0;
  for (std::uint32_t t = 0; t < sweep.steps.size(); ++t) {
    const BoundaryStates::Line line = states.after(t);
    const std::uint32_t v = sweep.steps[t].vertex;
    std::uint32_t first = line.size;
    std::uint32_t last = 0;
    for (std::uint32_t p = 0; p < line.size; ++p) {
      const std::uint32_t w = states.matrices(line.number[p]).vertex;
      const bool reached =
          std::any_of(graph.begin(v), graph.end(v), [w](const auto& edge) { return edge.vertex == w; });
      if (!reached) continue;
      first = std::min(first, p);
      last = std::max(last, p);
    }
    for (std::uint32_t p = first; p <= last && p < line.size; ++p) {
      const BoundaryStates::Matrices& matrices = states.matrices(line.number[p]);
      ++sites;
      elements += static_cast<double>(matrices.left) * matrices.right;
    }
  }
  return nanoseconds_a_site * sites + nanoseconds_an_element * elements;
}

}  // namespace

std::optional<ChosenBoundary> choose_boundary(const SampleGraph& graph, bool asked, double most_preparation,
                                              std::uint64_t seed, std::uint64_t stream) {
  std::vector<BoundarySweep> sweeps = make_sweeps(graph, asked ? most_boundary_width : narrow_boundary_width);
  if (!asked) {
    std::erase_if(sweeps, [](const BoundarySweep& sweep) {
      const bool local = sweep.total_span <= local_span * sweep.steps.size();
      return sites_and_cube(sweep, first_bond) >
             (local ? most_first_local_preparation : most_first_preparation);
    });
    std::erase_if(sweeps,
                  [&](const BoundarySweep& sweep) { return first_preparation(sweep) > most_preparation; });
  }
  if (sweeps.empty()) {
    if (!asked) return std::nullopt;
    throw UnableError(
        fmt::format("the boundary has at most {} vertices at a time, and here more stand side by side",
                    most_boundary_width),
        "another --sampler has no such limit");
  }
  const RestGraph messages(graph);
  std::optional<ChosenBoundary> best;
  const double of_orders = std::max(share_of_orders * most_preparation, least_of_orders);
  double spent = 0;
  double dearest = 0;
  for (BoundarySweep& sweep : sweeps) {
    if (!asked && best && spent + dearest > of_orders) break;
    if (best && first_preparation(sweep) > far_dearer * first_preparation(best->sweep)) continue;
    std::optional<BoundaryStates> states =
        BoundaryStates::make(graph, messages, sweep, first_bond, most_matrix_bytes);
    if (!states) continue;
    const double own = preparation(states->work(), first_bond);
    spent += own;
    dearest = std::max(dearest, own);
    // What is cut is what spreads samples.
    const bool better = !best || states->total_lost() < negligible_gain * best->states.total_lost();
    if (better) best = ChosenBoundary{std::move(sweep), std::move(*states), 0, 0};
    if (best->states.total_lost() < negligible_loss) break;
  }
  if (!best) {
    if (!asked) return std::nullopt;
    throw UnableError("the states of the boundary take more memory than a sampler may have",
                      "another --sampler needs less");
  }
  const auto look = [&] {
    BoundaryWalks walks(graph, best->sweep, best->states);
    best->work = walk_work(graph, best->sweep, best->states);
    std::vector<WalkRandom> random;
    for (std::uint64_t k = 0; k < few_pilots; ++k) random.emplace_back(seed, stream, pilot_substream + k);
    walks.draw(random.data(), random.size(), stop_signal_here());
    best->spread = spread_of(few_pilots, [&walks](std::uint64_t k) { return walks[k].sample(); });
  };
  look();
  for (std::uint32_t bond = 2 * first_bond; bond <= largest_bond; bond *= 2) {
    const bool whole = best->states.bond() < bond / 2;
    const double next = growth_of_work * best->states.work();
    if (whole || best->spread <= steady_boundary_spread || next > most_multiplications) break;
    if (preparation(next, bond) > std::min(most_preparation, work_to_goal(*best))) break;
    std::optional<BoundaryStates> states =
        BoundaryStates::make(graph, messages, best->sweep, bond, most_matrix_bytes);
    if (!states) break;
    best->states = std::move(*states);
    look();
  }
  if (!asked && !(best->spread <= most_boundary_spread)) return std::nullopt;
  return best;
}

double work_to_goal(const ChosenBoundary& boundary) {
  return work_to_goal(rare_spread * boundary.spread, boundary.work, 1);
}

}  // namespace countpm
