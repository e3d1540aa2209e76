#include "kernels/planar/crossings/branch_plan.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "kernels/planar/crossings/disjoint_sets.hpp"
#include "kernels/support/nested_dissection.hpp"

namespace countpm::planar {
namespace {

std::vector<std::size_t> largest_first(const Curves& curves) {
  std::vector<std::size_t> order(curves.crossed.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
    return curves.crossed[i].size() > curves.crossed[j].size();
  });
  return order;
}

/// METIS' order of what is not open, as if all else were not there; then the open ones.
std::vector<Index> elimination_order(const PlanarPart& part, const BranchPlan& plan, std::uint64_t seed) {
  BlockGraph rest = part.graph;
  std::erase_if(rest.edges, [&](const BlockGraph::Edge& edge) {
    return plan.level[edge.a] != 0 || plan.level[edge.b] != 0;
  });
  const Adjacency adjacent = adjacency(rest);
  std::vector<Index> order = nested_dissection(adjacent.start, adjacent.neighbour, seed);
  if (order.size() != rest.vertices)
    throw std::runtime_error("nearly-planar: METIS found no nested dissection");
  std::erase_if(order, [&](Index v) { return plan.level[v] != 0; });
  order.insert(order.end(), plan.open.begin(), plan.open.end());
  return order;
}

/// Rows and columns; where not bipartite, vertices and none.
struct Sides {
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;

  void add(const BlockGraph& graph, Index v) { ++(graph.bipartite && !graph.is_row(v) ? columns : rows); }
};

/// The nodes' eliminations where no pivot is zero by accident and nothing is taken.
void forecast(const BlockGraph& whole, BranchPlan& plan) {
  const std::size_t decisions = plan.order.size();
  std::vector<Sides> complete(decisions + 1);
  Sides left;
  for (const Index v : plan.open) {
    complete[plan.level[v]].add(whole, v);
    left.add(whole, v);
  }
  Sides late;
  plan.multiplications.assign(decisions + 1, 0);
  for (std::size_t i = 1; i <= decisions; ++i) {
    const std::uint64_t rows = late.rows + left.rows;
    const std::uint64_t columns = whole.bipartite ? late.columns + left.columns : rows;
    plan.words += rows * (columns | 1);
    late.rows += complete[i].rows;
    late.columns += complete[i].columns;
    left.rows -= complete[i].rows;
    left.columns -= complete[i].columns;
    const std::uint64_t pivots =
        whole.bipartite ? std::min(late.rows, late.columns) : late.rows - late.rows % 2;
    plan.multiplications[i] = front_multiplications(static_cast<double>(rows), static_cast<double>(columns),
                                                    static_cast<double>(pivots), whole.bipartite);
    late.rows -= pivots;
    if (whole.bipartite) late.columns -= pivots;
  }
}

}  // namespace

std::vector<Index> BranchPlan::edges(const PlanarPart& part) const {
  std::vector<Index> result;
  result.reserve(order.size());
  for (const std::size_t i : order) result.push_back(part.crossing[i]);
  return result;
}

double BranchPlan::work_after(std::size_t decisions) const {
  double sum = 0;
  for (std::size_t i = decisions + 1; i < nodes.size(); ++i)
    sum += static_cast<double>(nodes[i]) * multiplications[i];
  return sum;
}

BranchPlan branch_plan(const BlockGraph& whole, const PlanarPart& part, const Curves& curves,
                       std::vector<std::size_t> order, std::uint64_t seed) {
  BranchPlan plan;
  plan.order = order.empty() ? largest_first(curves) : std::move(order);
  plan.level.assign(whole.vertices, 0);
  for (std::size_t i = 0; i < plan.order.size(); ++i) {
    for (const Index v : concerned(whole, part, curves, plan.order[i]))
      plan.level[v] = static_cast<Index>(i + 1);
  }
  for (Index v = 0; v < whole.vertices; ++v) {
    if (plan.level[v] != 0) plan.open.push_back(v);
  }
  std::stable_sort(plan.open.begin(), plan.open.end(),
                   [&](Index v, Index w) { return plan.level[v] < plan.level[w]; });
  plan.nodes = disjoint_sets(whole, plan.edges(part), most_sets);
  const auto open = static_cast<Index>(plan.open.size());
  plan.tree = front_tree(whole, elimination_order(part, plan, seed), open);
  if (open == 0) {
    plan.multiplications.assign(1, 0);
    return plan;
  }
  Front& root = plan.tree.fronts.back();
  root.border = std::move(root.own);
  root.own.clear();
  std::erase_if(root.edges,
                [&](Index e) { return std::binary_search(part.crossing.begin(), part.crossing.end(), e); });
  FrontWork& work = plan.tree.work.back();
  plan.tree.total.multiplications -= work.multiplications;
  work.multiplications =
      front_multiplications(static_cast<double>(open) / (whole.bipartite ? 2 : 1),
                            static_cast<double>(open) / (whole.bipartite ? 2 : 1), 0, whole.bipartite);
  plan.tree.total.multiplications += work.multiplications;
  forecast(whole, plan);
  return plan;
}

}  // namespace countpm::planar
