#include "graph/kinds/ground_states.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>
#include <variant>
#include <vector>

#include "graph/errors.hpp"
#include "graph/instance.hpp"
#include "graph/keep_edges.hpp"
#include "graph/kinds/assignment.hpp"
#include "graph/kinds/weighted_matching.hpp"
#include "graph/stop_poll.hpp"

namespace countpm {
namespace {

// Of the common denominator of all weights, and of the sum that holds the number as a digit.
constexpr std::size_t most_denominator_bits = std::size_t{1} << 16U;
constexpr std::uint64_t most_sum_bits = std::uint64_t{1} << 20U;

/// The weights as integers, negated where the largest sum is asked for.
struct Costs {
  std::vector<mpz_class> cost;
  mpz_class denominator = 1;
};

Costs scaled(const std::vector<mpq_class>& weights) {
  Costs costs;
  StopPoll poll;
  for (const mpq_class& weight : weights) {
    poll.step();
    if (weight.get_den() == 1) continue;
    costs.denominator = lcm(costs.denominator, weight.get_den());
    if (mpz_sizeinbase(costs.denominator.get_mpz_t(), 2) > most_denominator_bits)
      throw UnableError(
          fmt::format("the weights' common denominator has more than {} bits, and sums are compared exactly",
                      most_denominator_bits),
          "weights with fewer digits");
  }
  costs.cost.reserve(weights.size());
  for (const mpq_class& weight : weights) {
    poll.step();
    costs.cost.emplace_back(weight.get_num() * (costs.denominator / weight.get_den()));
  }
  return costs;
}

Costs costs_of(const Graph& graph, Extremum which) {
  Costs costs;
  if (const auto* integers = std::get_if<std::vector<std::int64_t>>(&graph.values)) {
    costs.cost.reserve(integers->size());
    for (const std::int64_t value : *integers) costs.cost.emplace_back(static_cast<std::int64_t>(value));
  } else if (const auto* rationals = std::get_if<std::vector<mpq_class>>(&graph.values)) {
    costs = scaled(*rationals);
  } else {
    costs.cost.assign(graph.edges.size(), mpz_class(1));
  }
  if (which == Extremum::maximum) {
    for (mpz_class& cost : costs.cost) mpz_neg(cost.get_mpz_t(), cost.get_mpz_t());
  }
  return costs;
}

/// The sides of a graph that has two, as rows and columns.
struct TwoSides {
  Index rows = 0;
  Index columns = 0;
  std::vector<Index> row_of;  // of vertices of an undirected graph; no_index on the other side
  std::vector<Index> column_of;

  std::pair<Index, Index> ends(Edge edge) const {
    if (row_of.empty()) return {edge.from, edge.to};
    if (row_of[edge.from] == no_index) std::swap(edge.from, edge.to);
    return {row_of[edge.from], column_of[edge.to]};
  }
};

/// Empty where the graph has an odd cycle.
std::optional<TwoSides> two_sides(const Graph& graph) {
  TwoSides sides;
  sides.rows = sides.columns = graph.left_labels.size();
  if (graph.kind == GraphKind::bipartite) sides.columns = graph.right_labels.size();
  if (graph.kind != GraphKind::undirected) return sides;
  Graph plain;
  plain.left_labels = graph.left_labels;
  plain.edges = graph.edges;
  const Instance instance = to_instance(std::move(plain));
  if (instance.problem != Problem::perfect_matchings) return std::nullopt;
  sides.row_of.assign(sides.rows, no_index);
  sides.column_of = sides.row_of;
  sides.rows = instance.pattern.rows;
  sides.columns = instance.pattern.columns;
  for (Index i = 0; i < sides.rows; ++i) sides.row_of[instance.row_vertex[i]] = i;
  for (Index j = 0; j < sides.columns; ++j) sides.column_of[instance.column_vertex[j]] = j;
  return sides;
}

/// The sum of costs, and which edges are tight; empty where there is no perfect matching.
struct Optimum {
  mpz_class cost;
  std::vector<bool> tight;
  std::vector<std::vector<Index>> odd_sets;
};

std::optional<Optimum> optimum_of(const Graph& graph, const TwoSides& sides,
                                  const std::vector<mpz_class>& cost) {
  SparsePattern pattern;
  pattern.rows = sides.rows;
  pattern.columns = sides.columns;
  pattern.row_start.assign(sides.rows + std::uint64_t{1}, 0);
  for (const Edge& edge : graph.edges) ++pattern.row_start[sides.ends(edge).first + std::uint64_t{1}];
  for (Index i = 0; i < sides.rows; ++i) pattern.row_start[i + std::uint64_t{1}] += pattern.row_start[i];
  pattern.column.resize(graph.edges.size());
  std::vector<mpz_class> entry_cost(graph.edges.size());
  std::vector<std::uint64_t> entry_of(graph.edges.size());
  std::vector<std::uint64_t> next(pattern.row_start.begin(), pattern.row_start.end() - 1);
  StopPoll poll;
  for (std::size_t k = 0; k < graph.edges.size(); ++k) {
    poll.step();
    const auto [row, column] = sides.ends(graph.edges[k]);
    entry_of[k] = next[row]++;
    pattern.column[entry_of[k]] = column;
    entry_cost[entry_of[k]] = cost[k];
  }
  std::optional<LeastAssignment> assignment = least_assignment(pattern, entry_cost);
  if (!assignment) return std::nullopt;
  Optimum optimum{std::move(assignment->weight), std::vector<bool>(graph.edges.size()), {}};
  for (std::size_t k = 0; k < graph.edges.size(); ++k) optimum.tight[k] = assignment->tight[entry_of[k]];
  return optimum;
}

std::optional<Optimum> optimum_of(const Graph& graph, const std::vector<mpz_class>& cost) {
  std::optional<WeightedMatching> matching =
      least_perfect_matching(graph.left_labels.size(), graph.edges, cost);
  if (!matching) return std::nullopt;
  return Optimum{std::move(matching->weight), std::move(matching->tight), std::move(matching->odd_sets)};
}

/// Takes edges away that are in no perfect matching, because one of their ends is that of a vertex without
/// another edge. O(edges).
void drop_beside_forced(const Graph& graph, std::vector<bool>& kept) {
  const Index vertices = graph.left_labels.size();
  std::vector<std::vector<std::size_t>> incident(vertices);
  for (std::size_t k = 0; k < graph.edges.size(); ++k) {
    if (!kept[k]) continue;
    incident[graph.edges[k].from].push_back(k);
    incident[graph.edges[k].to].push_back(k);
  }
  std::vector<std::size_t> degree(vertices);
  std::vector<Index> queue;
  for (Index v = 0; v < vertices; ++v) {
    degree[v] = incident[v].size();
    if (degree[v] == 1) queue.push_back(v);
  }
  std::vector<bool> matched(vertices, false);
  StopPoll poll;
  while (!queue.empty()) {
    const Index v = queue.back();
    queue.pop_back();
    if (matched[v] || degree[v] != 1) continue;
    const std::size_t forced =
        *std::find_if(incident[v].begin(), incident[v].end(), [&](std::size_t k) { return kept[k]; });
    const auto other_end = [&](std::size_t k, Index end) {
      return graph.edges[k].from == end ? graph.edges[k].to : graph.edges[k].from;
    };
    const Index mate = other_end(forced, v);
    matched[v] = matched[mate] = true;
    poll.steps(incident[mate].size());
    for (const std::size_t k : incident[mate]) {
      if (!kept[k] || k == forced) continue;
      kept[k] = false;
      --degree[mate];
      const Index end = other_end(k, mate);
      if (--degree[end] == 1) queue.push_back(end);
    }
  }
}

/// Weights that make the number of ground states a digit. Precondition: there are odd sets.
void weigh_crossings(Graph& graph, const std::vector<std::vector<Index>>& odd_sets) {
  const Index vertices = graph.left_labels.size();
  std::vector<std::vector<std::uint32_t>> sets_of(vertices);  // ascending
  for (std::uint32_t s = 0; s < odd_sets.size(); ++s) {
    for (const Index v : odd_sets[s]) sets_of[v].push_back(s);
  }
  std::vector<std::uint64_t> crossed;
  crossed.reserve(graph.edges.size());
  std::vector<std::uint64_t> most(vertices, 0);
  std::vector<std::uint64_t> degree(vertices, 0);
  for (const Edge& edge : graph.edges) {
    check_stop();
    std::vector<std::uint32_t> apart;
    std::set_symmetric_difference(sets_of[edge.from].begin(), sets_of[edge.from].end(),
                                  sets_of[edge.to].begin(), sets_of[edge.to].end(),
                                  std::back_inserter(apart));
    crossed.push_back(apart.size());
    for (const Index v : {edge.from, edge.to}) {
      most[v] = std::max<std::uint64_t>(most[v], apart.size());
      ++degree[v];
    }
  }
  // Perfect matchings squared are at most the product of the degrees.
  std::uint64_t bits = 0;
  std::uint64_t exponents = 0;
  mpz_class product = 1;
  for (Index v = 0; v < vertices; ++v) {
    product *= degree[v];
    exponents += most[v];
    constexpr std::size_t long_product = 4096;
    if (const std::size_t size = mpz_sizeinbase(product.get_mpz_t(), 2); size > long_product) {
      // At least 2^(size - 1), less than 2^size.
      bits += size;
      product = 1;
    }
  }
  bits += mpz_sizeinbase(product.get_mpz_t(), 2);
  const std::uint64_t step = ((bits + 1) / 2 + 2) / 2;
  if (step * (exponents / 2 + 1) > most_sum_bits)
    throw UnableError(fmt::format("the ground states leave each of {} odd sets of vertices by one edge, "
                                  "which takes sums of up to {} "
                                  "bits to count; {} are the limit",
                                  odd_sets.size(), step * (exponents / 2 + 1), most_sum_bits),
                      "a bipartite graph has no odd sets");
  std::vector<mpq_class> weights;
  weights.reserve(crossed.size());
  for (const std::uint64_t sets : crossed) {
    mpz_class weight;
    mpz_ui_pow_ui(weight.get_mpz_t(), 2, step * sets);
    weights.emplace_back(weight);
  }
  graph.values = std::move(weights);
  graph.weight_kind = WeightKind::integer;
  graph.digit = SumBits{step * odd_sets.size(), 2 * step};
}

}  // namespace

const char* name_of(Extremum extremum) {
  return extremum == Extremum::minimum ? "minimum" : "maximum";
}

GroundStates keep_ground_states(Graph& graph, Extremum which) {
  if (graph.covers)
    throw UsageError("ground states are perfect matchings of a graph, and here exact covers are counted");
  if (graph.monomers)
    throw UsageError(
        "ground states are perfect matchings, and with monomers vertices may stay alone: leave one out");
  if (graph.letters)
    throw UsageError(
        "ground states have the least or the largest weight, and here weights have letters (--at x=1 gives a "
        "letter a number)");
  if (graph.weight_kind == WeightKind::complex)
    throw UnableError("complex weights have no order, so that no sum of them is the least or the largest",
                      "ground states of real weights");
  GroundStates found;
  found.which = which;
  found.decimal = graph.weight_kind == WeightKind::real;
  const Costs costs = costs_of(graph, which);
  const std::optional<TwoSides> sides = two_sides(graph);
  std::optional<Optimum> optimum =
      sides ? optimum_of(graph, *sides, costs.cost) : optimum_of(graph, costs.cost);
  graph.values = std::monostate();
  graph.weight_kind = WeightKind::none;
  if (!optimum) return found;
  found.weight =
      mpq_class(which == Extremum::maximum ? mpz_class(-optimum->cost) : optimum->cost, costs.denominator);
  found.weight->canonicalize();
  const std::size_t edges = graph.edges.size();
  if (!optimum->odd_sets.empty()) drop_beside_forced(graph, optimum->tight);
  keep_edges(graph.edges, graph.values, [&](std::size_t k) -> bool { return optimum->tight[k]; });
  found.edges_dropped = edges - graph.edges.size();
  found.odd_sets = optimum->odd_sets.size();
  if (!optimum->odd_sets.empty()) weigh_crossings(graph, optimum->odd_sets);
  return found;
}

bool digit_is_sound(const Graph& graph) {
  if (!graph.digit) return true;
  if (graph.monomers || graph.weight_kind != WeightKind::integer || graph.digit->width == 0 ||
      graph.digit->width > most_sum_bits || graph.digit->lowest > most_sum_bits)
    return false;
  const auto* weights = std::get_if<std::vector<mpq_class>>(&graph.values);
  return weights != nullptr &&
         std::all_of(weights->begin(), weights->end(), [](const mpq_class& weight) { return weight > 0; });
}

}  // namespace countpm
