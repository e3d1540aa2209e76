#include "src/count/orbit_count.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <string>
#include <utility>

#include "graph/automorphisms.hpp"
#include "graph/stop_poll.hpp"
#include "src/count/planned_count.hpp"
#include "src/input/with_graph.hpp"
#include "src/number/number.hpp"
#include "src/text/format_number.hpp"

namespace countpm {
namespace {

// Conjugates by so many symmetries find most classes together; what they miss costs a count more.
constexpr std::size_t conjugating = 16;

mpq_class exact_value_of(const Value& value) {
  if (const auto* integer = std::get_if<mpz_class>(&value)) return *integer;
  return std::get<mpq_class>(value);
}

std::vector<mpq_class> exact_weights(const Graph& graph) {
  return std::visit(
      [&](const auto& values) {
        using List = std::decay_t<decltype(values)>;
        std::vector<mpq_class> weights(graph.edges.size(), mpq_class(1));
        if constexpr (std::is_same_v<List, std::vector<std::int64_t>>) {
          for (std::size_t e = 0; e < weights.size(); ++e) weights[e] = static_cast<std::int64_t>(values[e]);
        } else if constexpr (std::is_same_v<List, std::vector<mpq_class>>) {
          weights = values;
        }
        return weights;
      },
      graph.values);
}

mpq_class power(const mpq_class& base, std::uint64_t exponent) {
  if (base == 1) return base;
  mpq_class result;
  mpz_pow_ui(result.get_num_mpz_t(), base.get_num_mpz_t(), exponent);
  mpz_pow_ui(result.get_den_mpz_t(), base.get_den_mpz_t(), exponent);
  return result;
}

/// The graph's edges, to look up.
class EdgeTable {
 public:
  explicit EdgeTable(const Graph& graph)
      : graph_(graph), offset_(graph.kind == GraphKind::bipartite ? Index{graph.left_labels.size()} : 0) {
    for (std::size_t e = 0; e < graph.edges.size(); ++e)
      edge_[ends(graph.edges[e].from, graph.edges[e].to + offset_)] = e;
  }
  std::size_t image(std::size_t edge, const Automorphism& g) const {
    const Edge& at = graph_.edges[edge];
    return edge_.at(ends(g[at.from], g[at.to + offset_]));
  }
  Index offset() const { return offset_; }

 private:
  std::pair<Index, Index> ends(Index from, Index to) const {
    if (graph_.kind == GraphKind::undirected && to < from) std::swap(from, to);
    return {from, to};
  }

  const Graph& graph_;
  Index offset_;
  std::map<std::pair<Index, Index>, std::size_t> edge_;
};

/// Cycles of a permutation, numbered in order of their first elements.
struct Cycles {
  std::vector<Index> of;
  std::vector<std::uint64_t> size;

  template <class Image>
  Cycles(std::size_t elements, const Image& image) : of(elements, no_index) {
    for (std::size_t first = 0; first < elements; ++first) {
      if (of[first] != no_index) continue;
      size.push_back(0);
      for (std::size_t at = first; of[at] == no_index; at = image(at)) {
        of[at] = static_cast<Index>(size.size() - 1);
        ++size.back();
      }
    }
  }
};

/// In the narrowest type that holds them.
void set_values(Graph& graph, std::vector<mpq_class> values) {
  const auto all = [&](const auto& is_so) { return std::all_of(values.begin(), values.end(), is_so); };
  if (all([](const mpq_class& value) { return value == 1; })) return;
  graph.weight_kind = WeightKind::rational;
  if (!all([](const mpq_class& value) { return value.get_den() == 1 && value.get_num().fits_slong_p(); })) {
    graph.values = std::move(values);
    return;
  }
  graph.weight_kind = WeightKind::integer;
  std::vector<std::int64_t> integers;
  integers.reserve(values.size());
  for (const mpq_class& value : values) integers.push_back(value.get_num().get_si());
  graph.values = std::move(integers);
}

/// Whose matchings are those that g leaves as they are.
Graph graph_of_cycles(const Graph& graph, const EdgeTable& table, const std::vector<mpq_class>& weights,
                      const Automorphism& g) {
  const Cycles vertices(g.size(), [&](std::size_t v) { return g[v]; });
  const Cycles edges(graph.edges.size(), [&](std::size_t e) { return table.image(e, g); });
  const Index offset = table.offset();
  // Those of the right side come behind those of the left.
  const auto left = static_cast<Index>(
      offset == 0 ? vertices.size.size()
                  : 1 + *std::max_element(vertices.of.begin(), vertices.of.begin() + offset));
  std::map<std::pair<Index, Index>, mpq_class> sums;
  std::vector<bool> seen(edges.size.size(), false);
  for (std::size_t e = 0; e < graph.edges.size(); ++e) {
    const Index cycle = edges.of[e];
    if (seen[cycle]) continue;
    seen[cycle] = true;
    Index from = vertices.of[graph.edges[e].from];
    Index to = vertices.of[graph.edges[e].to + offset];
    const std::uint64_t size = edges.size[cycle];
    const bool alone = graph.kind == GraphKind::undirected && from == to;
    const bool covers =
        alone ? 2 * size == vertices.size[from] : size == vertices.size[from] && size == vertices.size[to];
    if (!covers) continue;
    if (graph.kind == GraphKind::undirected && to < from) std::swap(from, to);
    sums[{from, to}] += power(weights[e], size);
  }
  Graph result;
  result.kind = graph.kind;
  result.left_labels = LabelTable::numbered(left);
  const bool bipartite = graph.kind == GraphKind::bipartite;
  if (bipartite) result.right_labels = LabelTable::numbered(static_cast<Index>(vertices.size.size()) - left);
  std::vector<mpq_class> values;
  for (auto& [ends, sum] : sums) {
    if (sum == 0) continue;
    result.edges.push_back({ends.first, ends.second - (bipartite ? left : 0)});
    result.monomers = result.monomers || (graph.kind == GraphKind::undirected && ends.first == ends.second);
    values.push_back(std::move(sum));
  }
  set_values(result, std::move(values));
  return result;
}

/// Numbers of symmetries that stand for their conjugates, and how many these are.
std::vector<std::pair<std::size_t, std::uint64_t>> conjugacy_classes(const std::vector<Automorphism>& group) {
  std::map<Automorphism, std::size_t> number;
  for (std::size_t k = 0; k < group.size(); ++k) number[group[k]] = k;
  std::vector<std::size_t> parent(group.size());
  std::iota(parent.begin(), parent.end(), std::size_t{0});
  const auto root = [&](std::size_t k) {
    while (parent[k] != k) k = parent[k] = parent[parent[k]];
    return k;
  };
  const std::size_t step = std::max<std::size_t>(group.size() / conjugating, 1);
  const std::size_t vertices = group.front().size();
  Automorphism image(vertices);
  for (std::size_t k = 0; k < group.size(); ++k) {
    check_stop();
    // Its inverse leaves the same matchings as they are.
    for (std::size_t v = 0; v < vertices; ++v) image[group[k][v]] = static_cast<Index>(v);
    parent[root(k)] = root(number.at(image));
    for (std::size_t s = step / 2; s < group.size(); s += step) {
      const Automorphism& by = group[s];
      for (std::size_t v = 0; v < vertices; ++v) image[by[v]] = by[group[k][v]];
      parent[root(k)] = root(number.at(image));
    }
  }
  std::map<std::size_t, std::uint64_t> size;
  for (std::size_t k = 0; k < group.size(); ++k) ++size[root(k)];
  return {size.begin(), size.end()};
}

void refuse_orbits_of(const Graph& graph) {
  if (graph.weight_kind == WeightKind::real)
    throw UnableError("orbits are of graphs without decimal weights, which may be equal but for a rounding",
                      "integers and fractions, or no --weights");
  if (graph.weight_kind == WeightKind::none && !std::holds_alternative<std::monostate>(graph.values))
    throw UnableError("orbits are of graphs without parallel edges", "without --multi sum");
}

OrbitCount count_orbits_of(Monitor& monitor, const ReadResult& read, const CountOptions& options) {
  const Graph& graph = read.graph;
  refuse_orbits_of(graph);
  OrbitCount result;
  summarise_input(graph, read.info, result);
  result.problem = graph.kind == GraphKind::directed ? Problem::cycle_covers : Problem::perfect_matchings;
  monitor.enter("looking for the graph's symmetries");
  const std::vector<Automorphism> group = automorphisms(graph, most_symmetries);
  result.symmetries = group.size();
  const auto classes = conjugacy_classes(group);
  const EdgeTable table(graph);
  const std::vector<mpq_class> weights = exact_weights(graph);
  mpq_class sum = 0;
  mpq_class matchings = 0;
  CountOptions own = options;
  for (const auto& [representative, size] : classes) {
    monitor.throw_if_stopped();
    constexpr double least_seconds = 1e-3;
    own.time_limit_seconds = std::max(options.time_limit_seconds - monitor.elapsed(), least_seconds);
    const Automorphism& g = group[representative];
    const mpq_class fixed =
        exact_value_of(count(in_memory(graph_of_cycles(graph, table, weights, g)), own).value);
    sum += fixed * mpq_class(mpz_class(static_cast<std::uint64_t>(size)));
    const bool identity = std::is_sorted(g.begin(), g.end());
    if (identity) matchings = fixed;
    ++result.counts;
  }
  const mpq_class orbits = sum / mpq_class(mpz_class(static_cast<std::uint64_t>(group.size())));
  if (!result.weighted && orbits.get_den() != 1)
    throw CheckError(
        fmt::format("check 'multiple of the group's order' failed: expected a multiple of {}, found {}",
                    group.size(), sum.get_str()));
  result.orbits = to_value(Number(orbits), WeightKind::rational, 0);
  result.matchings = to_string(Number(matchings));
  result.count = to_string(Number(orbits));
  result.seconds = monitor.elapsed();
  return result;
}

}  // namespace

OrbitCount count_orbits(const Source& source, const ReadOptions& read_options, const CountOptions& options) {
  return with_graph(
      GraphQuestion::orbits, source, read_options, options,
      [&](Monitor& monitor, const ReadResult& read) { return count_orbits_of(monitor, read, options); });
}

OrbitCount count_orbits(ReadResult read, const CountOptions& options) {
  return with_graph(GraphQuestion::orbits, std::move(read), options,
                    [&](Monitor& monitor, const ReadResult& checked) {
                      return count_orbits_of(monitor, checked, options);
                    });
}

}  // namespace countpm
