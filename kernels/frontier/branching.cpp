#include "kernels/frontier/branching.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "graph/errors.hpp"
#include "kernels/frontier/order/order_search.hpp"

namespace countpm {
namespace {

/// Members left of each class.
std::vector<Index> members_left(const ClassGraph& graph, const BranchPath& path) {
  std::vector<Index> left = graph.multiplicity;
  for (const BranchChoice& choice : path) {
    if (choice.tile != no_index) {
      for (const Index u : graph.members_of(choice.tile)) --left[u];
      continue;
    }
    --left[choice.v];
    if (choice.u != no_index) --left[choice.u];
  }
  return left;
}

/// Whether all that the tile covers is left.
bool whole(const ClassGraph& graph, Index tile, const std::vector<Index>& left) {
  const std::span<const Index> members = graph.members_of(tile);
  return std::all_of(members.begin(), members.end(), [&](Index u) { return left[u] != 0; });
}

/// The tiles that are whole.
void take_tiles(const ClassGraph& from, const std::vector<Index>& left, const std::vector<Index>& new_number,
                ClassGraph& to) {
  to.most_taken = from.most_taken;
  std::vector<std::vector<Index>> at(to.classes());
  for (Index tile = 0; tile < from.tiles(); ++tile) {
    if (!whole(from, tile, left)) continue;
    for (const Index u : from.members_of(tile)) {
      to.tile_member.push_back(new_number[u]);
      at[new_number[u]].push_back(to.tiles());
    }
    to.tile_start.push_back(to.tile_member.size());
    to.tile_entry.push_back(from.tile_entry[tile]);
  }
  to.tiles_at_start.push_back(0);
  for (const std::vector<Index>& tiles : at) {
    to.tile_at.insert(to.tile_at.end(), tiles.begin(), tiles.end());
    to.tiles_at_start.push_back(to.tile_at.size());
  }
}

BranchGraph with_members(const ClassGraph& graph, const Elimination& elimination,
                         const std::vector<Index>& left) {
  BranchGraph result;
  std::vector<Index> new_number(graph.classes(), no_index);
  for (Index v = 0; v < graph.classes(); ++v) {
    if (left[v] == 0) continue;
    new_number[v] = result.graph.classes();
    result.graph.multiplicity.push_back(left[v]);
    result.old_number.push_back(v);
    if (graph.is_row(v)) ++result.graph.row_classes;
  }
  result.graph.general = graph.general;
  result.graph.monomers = graph.monomers;
  for (const Index v : result.old_number) {
    for (std::uint64_t k = graph.start[v]; k < graph.start[v + std::uint64_t{1}]; ++k) {
      const Index u = graph.neighbour[k];
      if (left[u] == 0) continue;
      result.graph.neighbour.push_back(new_number[u]);
      result.graph.entry.push_back(graph.entry[k]);
    }
    result.graph.start.push_back(result.graph.neighbour.size());
    if (!graph.inner.empty())
      result.graph.inner.push_back(left[v] >= 2 ? graph.inner[v] : ClassGraph::no_entry);
    if (!graph.loop.empty()) result.graph.loop.push_back(graph.loop[v]);
  }
  if (graph.tiles() != 0) take_tiles(graph, left, new_number, result.graph);
  for (const EliminationStep& step : elimination.steps) {
    if (step.kind != EliminationStep::Kind::eliminate) {
      result.elimination.steps.push_back(step);
    } else if (left[step.vertex] != 0) {
      result.elimination.steps.push_back({step.kind, new_number[step.vertex]});
    }
  }
  return result;
}

double log2_peak(const ClassGraph& graph, const Elimination& elimination, const std::vector<Index>& left) {
  const BranchGraph branch = with_members(graph, elimination, left);
  return forecast_elimination(branch.graph, branch.elimination).log2_peak_bytes_states;
}

/// The higher of the peaks that the first and the last choice for v leave.
double peak_after_choices(const ClassGraph& graph, const Elimination& elimination, std::vector<Index>& left,
                          Index v) {
  double peak = 0;
  --left[v];
  const auto look = [&](Index u) {
    --left[u];
    peak = std::max(peak, log2_peak(graph, elimination, left));
    ++left[u];
  };
  const auto has_members = [&](Index u) { return left[u] != 0; };
  const auto first = graph.neighbour.begin() + static_cast<std::ptrdiff_t>(graph.start[v]);
  const auto last = graph.neighbour.begin() + static_cast<std::ptrdiff_t>(graph.start[v + std::uint64_t{1}]);
  const auto from_front = std::find_if(first, last, has_members);
  if (from_front != last) {
    look(*from_front);
    const Index from_back =
        *std::find_if(std::make_reverse_iterator(last), std::make_reverse_iterator(first), has_members);
    if (from_back != *from_front) look(from_back);
  }
  if (graph.has_loop(v)) peak = std::max(peak, log2_peak(graph, elimination, left));
  if (graph.has_inner(v) && left[v] != 0) look(v);
  ++left[v];
  return peak;
}

/// Of at most that many paths, spread evenly, the one with the highest peak.
struct HighestPath {
  std::size_t place = 0;
  double log2_peak = -std::numeric_limits<double>::infinity();
};
HighestPath highest_path(const ClassGraph& graph, const Elimination& elimination,
                         const std::vector<BranchPath>& paths, std::size_t most) {
  HighestPath highest;
  for (std::size_t k = 0; k < paths.size(); k += (paths.size() + most - 1) / most) {
    const double peak = log2_peak(graph, elimination, members_left(graph, paths[k]));
    if (peak > highest.log2_peak) highest = {k, peak};
  }
  return highest;
}

/// The class to branch on, out of at most that many candidates spread evenly over those with members left.
Index class_to_branch(const ClassGraph& graph, const Elimination& elimination, std::vector<Index> left,
                      Index candidates) {
  std::vector<Index> classes;
  for (Index v = 0; v < graph.classes(); ++v) {
    if (left[v] != 0 && (graph.degree(v) != 0 || graph.has_own(v))) classes.push_back(v);
  }
  const std::size_t stride = classes.size() / std::max<std::size_t>(candidates, 1) + 1;
  double least = std::numeric_limits<double>::infinity();
  Index best = no_index;
  for (std::size_t k = 0; k < classes.size(); k += stride) {
    const Index v = classes[k];
    double choices = (graph.has_inner(v) && left[v] >= 2 ? 1 : 0) + (graph.has_loop(v) ? 1 : 0);
    for (std::uint64_t e = graph.start[v]; e < graph.start[v + std::uint64_t{1}]; ++e) {
      choices += left[graph.neighbour[e]] != 0 && graph.entry[e] != ClassGraph::no_entry ? 1 : 0;
    }
    for (const Index tile : graph.tiles_at(v)) choices += whole(graph, tile, left) ? 1 : 0;
    const double score = peak_after_choices(graph, elimination, left, v) + std::log2(std::max(choices, 1.0));
    if (score < least) {
      least = score;
      best = v;
    }
  }
  return best;
}

/// All choices of a member of v, after the path; the path itself where v has no member left.
void add_choices(const ClassGraph& graph, const BranchPath& path, Index v, std::vector<BranchPath>& into) {
  const std::vector<Index> left = members_left(graph, path);
  if (left[v] == 0) {
    into.push_back(path);
    return;
  }
  for (std::uint64_t k = graph.start[v]; k < graph.start[v + std::uint64_t{1}]; ++k) {
    const Index u = graph.neighbour[k];
    if (left[u] == 0 || graph.entry[k] == ClassGraph::no_entry) continue;
    into.push_back(path);
    into.back().push_back({v, u, graph.entry[k], left[u]});
  }
  for (const Index tile : graph.tiles_at(v)) {
    if (!whole(graph, tile, left)) continue;
    into.push_back(path);
    into.back().push_back({v, no_index, graph.tile_entry[tile], 1, tile});
  }
  if (graph.has_loop(v)) {
    into.push_back(path);
    into.back().push_back({v, no_index, graph.loop[v], 1});
  }
  if (graph.has_inner(v) && left[v] >= 2) {
    into.push_back(path);
    into.back().push_back({v, v, graph.inner[v], left[v] - 1});
  }
}

/// What a list of equally long paths takes, each an allocation of its own.
std::uint64_t bytes_of(const std::vector<BranchPath>& paths) {
  constexpr std::uint64_t allocation = 32;
  const std::uint64_t choices = paths.empty() ? 0 : paths.back().capacity() * sizeof(BranchChoice);
  return paths.capacity() * sizeof(BranchPath) + paths.size() * (choices + allocation);
}

}  // namespace

BranchGraph branch_graph(const ClassGraph& graph, const Elimination& elimination, const BranchPath& path) {
  return with_members(graph, elimination, members_left(graph, path));
}

std::vector<BranchPath> branch_further(const ClassGraph& graph, const Elimination& elimination,
                                       const BranchPath& path, Index candidates) {
  std::vector<BranchPath> result;
  const Index v = class_to_branch(graph, elimination, members_left(graph, path), candidates);
  if (v != no_index) add_choices(graph, path, v, result);
  return result;
}

std::optional<BranchPlan> branches_over(const ClassGraph& graph, const std::vector<Index>& classes,
                                        std::uint64_t most, std::uint64_t most_bytes) {
  std::vector<Index> members = graph.multiplicity;
  for (const Index v : classes) {
    if (v >= members.size() || members[v]-- == 0) return std::nullopt;
  }
  BranchPlan plan{classes, std::vector<BranchPath>(1)};
  for (const Index v : classes) {
    std::vector<BranchPath> longer;
    for (const BranchPath& path : plan.paths) {
      add_choices(graph, path, v, longer);
      if (longer.size() > most) return std::nullopt;
    }
    plan.paths = std::move(longer);
    if (bytes_of(plan.paths) > most_bytes) {
      throw UnableError("the branches of the plan take more memory than the limit allows",
                        "try a larger --memory-limit");
    }
  }
  // No choice is left anywhere: the count is zero, and any unit finds that.
  if (plan.paths.empty()) plan.paths.emplace_back();
  return plan;
}

std::optional<BranchPlan> plan_branches(const ClassGraph& graph, const Elimination& elimination,
                                        double log2_states, std::uint64_t most, std::uint64_t most_bytes) {
  // The same classes in all paths, those that suit the highest best. Choices differ in what they leave: a
  // bound for all, with the class gone and nobody taken in return, was far too low.
  constexpr Index most_candidates = 96;
  constexpr std::size_t most_looked_at = 32;
  std::vector<BranchPath> paths(1);
  std::vector<Index> classes;
  for (;;) {
    const HighestPath highest = highest_path(graph, elimination, paths, most_looked_at);
    if (highest.log2_peak <= log2_states) break;
    const Index v =
        class_to_branch(graph, elimination, members_left(graph, paths[highest.place]), most_candidates);
    if (v == no_index) return std::nullopt;
    std::vector<BranchPath> longer;
    for (const BranchPath& path : paths) {
      add_choices(graph, path, v, longer);
      if (longer.size() > most || bytes_of(longer) > most_bytes) return std::nullopt;
    }
    paths = std::move(longer);
    classes.push_back(v);
  }
  // As in branches_over().
  if (paths.empty()) paths.emplace_back();
  return BranchPlan{std::move(classes), std::move(paths)};
}

}  // namespace countpm
