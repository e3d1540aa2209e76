#include "graph/instance.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <numeric>
#include <utility>

#include "graph/errors.hpp"
#include "graph/rotations.hpp"
#include "graph/stop_poll.hpp"
#include "graph/vertex_memory.hpp"
#include "graph/weight_values.hpp"

namespace countpm {
namespace {

// What a vertex that may be left free is matched to.
constexpr const char* added_label = "(free)";

// Rows and columns of every entry, beside the graph's edges; value_of[k] is the edge whose value entry k has
// (empty: k itself).
struct Entries {
  std::vector<Edge> ends;
  std::vector<std::uint64_t> value_of;
};

template <class Value>
void permute(std::vector<Value>& values, const std::vector<std::uint64_t>& source) {
  std::vector<Value> result;
  result.reserve(source.size());
  StopPoll poll;
  for (const std::uint64_t k : source) {
    poll.step();
    result.push_back(values[k]);
  }
  values = std::move(result);
}

void permute(Values& values, const std::vector<std::uint64_t>& source) {
  std::visit(
      [&](auto& list) {
        if constexpr (!std::is_same_v<std::decay_t<decltype(list)>, std::monostate>) permute(list, source);
      },
      values);
}

// Compressed rows by two stable counting sorts, columns then rows: O(rows + columns + entries).
void compress(Instance& instance, Index rows, Index columns, Entries entries) {
  require_memory(rows, columns);
  const std::vector<Edge>& ends = entries.ends;
  const bool keep_values = !std::holds_alternative<std::monostate>(instance.values);
  SparsePattern& pattern = instance.pattern;
  pattern.rows = rows;
  pattern.columns = columns;

  std::vector<std::uint64_t> column_end(columns + std::uint64_t{1}, 0);
  for (const Edge& e : ends) ++column_end[e.to + std::uint64_t{1}];
  std::partial_sum(column_end.begin(), column_end.end(), column_end.begin());
  std::vector<Index> row_of(ends.size());
  std::vector<std::uint64_t> source(keep_values ? ends.size() : 0);
  StopPoll poll;
  for (std::uint64_t k = 0; k < ends.size(); ++k) {
    poll.step();
    const std::uint64_t at = column_end[ends[k].to]++;
    row_of[at] = ends[k].from;
    if (keep_values) source[at] = entries.value_of.empty() ? k : entries.value_of[k];
  }
  entries = Entries{};

  pattern.row_start.assign(rows + std::uint64_t{1}, 0);
  for (const Index i : row_of) ++pattern.row_start[i + std::uint64_t{1}];
  std::partial_sum(pattern.row_start.begin(), pattern.row_start.end(), pattern.row_start.begin());
  std::vector<std::uint64_t> next(pattern.row_start.begin(), pattern.row_start.end() - 1);
  pattern.column.resize(row_of.size());
  std::vector<std::uint64_t> final_source(source.size());
  std::uint64_t k = 0;
  for (Index j = 0; j < columns; ++j) {
    poll.steps(column_end[j] - k);
    for (; k < column_end[j]; ++k) {
      const std::uint64_t at = next[row_of[k]]++;
      pattern.column[at] = j;
      if (keep_values) final_source[at] = source[k];
    }
  }
  if (keep_values) permute(instance.values, final_source);
}

// Each undirected edge both ways, a loop once.
Entries both_ways(const std::vector<Edge>& edges, bool with_values) {
  Entries entries;
  entries.ends.reserve(2 * edges.size());
  if (with_values) entries.value_of.reserve(2 * edges.size());
  for (std::size_t k = 0; k < edges.size(); ++k) {
    const Edge& e = edges[k];
    entries.ends.push_back(e);
    if (e.from != e.to) entries.ends.push_back(Edge{e.to, e.from});
    if (with_values) entries.value_of.resize(entries.ends.size(), k);
  }
  return entries;
}

// Breadth-first search over all components, which colours each vertex by the parity of its depth.
struct Colouring {
  std::vector<Index> parent;  // no_index: not met, or a root
  std::vector<std::uint32_t> depth;
  bool two_colourable = true;
  Index conflict_a = no_index;  // an edge between equal colours, where there is one
  Index conflict_b = no_index;
};

constexpr std::uint32_t not_met = 0xffffffffU;

Colouring colour(Index vertices, const std::vector<Edge>& edges) {
  std::vector<std::uint64_t> end(vertices + std::uint64_t{1}, 0);
  for (const Edge& e : edges) {
    ++end[e.from + std::uint64_t{1}];
    ++end[e.to + std::uint64_t{1}];
  }
  std::partial_sum(end.begin(), end.end(), end.begin());
  std::vector<Index> neighbour(2 * edges.size());
  StopPoll poll;
  for (const Edge& e : edges) {
    poll.step();
    neighbour[end[e.from]++] = e.to;
    neighbour[end[e.to]++] = e.from;
  }
  Colouring result;
  result.parent.assign(vertices, no_index);
  result.depth.assign(vertices, not_met);
  std::vector<Index> queue;
  for (Index root = 0; root < vertices; ++root) {
    if (result.depth[root] != not_met) continue;
    result.depth[root] = 0;
    queue.assign(1, root);
    for (std::size_t head = 0; head < queue.size(); ++head) {
      const Index v = queue[head];
      poll.steps(end[v] - (v == 0 ? 0 : end[v - 1]));
      for (std::uint64_t k = v == 0 ? 0 : end[v - 1]; k < end[v]; ++k) {
        const Index w = neighbour[k];
        if (result.depth[w] == not_met) {
          result.depth[w] = result.depth[v] + 1;
          result.parent[w] = v;
          queue.push_back(w);
        } else if (((result.depth[w] ^ result.depth[v]) & 1U) == 0) {
          result.two_colourable = false;
          result.conflict_a = v;
          result.conflict_b = w;
          return result;
        }
      }
    }
  }
  return result;
}

// Both ends of the conflicting edge walk up to where they meet: equal parity makes the cycle odd.
std::vector<Index> odd_cycle(const Colouring& colouring) {
  std::vector<Index> up{colouring.conflict_a};
  std::vector<Index> down{colouring.conflict_b};
  while (up.back() != down.back()) {
    std::vector<Index>& deeper = colouring.depth[up.back()] >= colouring.depth[down.back()] ? up : down;
    deeper.push_back(colouring.parent[deeper.back()]);
  }
  down.pop_back();
  up.insert(up.end(), down.rbegin(), down.rend());
  return up;
}

void fill_undirected(Instance& instance, std::vector<Edge> edges) {
  const Index vertices = instance.left_labels.size();
  require_memory(vertices, vertices);
  if (beyond_perfect_matchings(instance.problem)) {
    const bool with_values = !std::holds_alternative<std::monostate>(instance.values);
    return compress(instance, vertices, vertices, both_ways(edges, with_values));
  }
  const Colouring colouring = colour(vertices, edges);
  if (!colouring.two_colourable) {
    instance.problem = Problem::general_perfect_matchings;
    instance.odd_cycle = odd_cycle(colouring);
    const bool with_values = !std::holds_alternative<std::monostate>(instance.values);
    compress(instance, vertices, vertices, both_ways(edges, with_values));
    return;
  }
  std::vector<Index> place(vertices);
  for (Index v = 0; v < vertices; ++v) {
    std::vector<Index>& side = (colouring.depth[v] & 1U) == 0 ? instance.row_vertex : instance.column_vertex;
    place[v] = static_cast<Index>(side.size());
    side.push_back(v);
  }
  StopPoll poll;
  for (Edge& e : edges) {
    poll.step();
    if ((colouring.depth[e.from] & 1U) != 0) std::swap(e.from, e.to);
    e = Edge{place[e.from], place[e.to]};
  }
  if (instance.rotations) {
    std::vector<Index> vertex = instance.row_vertex;
    vertex.insert(vertex.end(), instance.column_vertex.begin(), instance.column_vertex.end());
    std::vector<Index> number(vertices);
    for (Index k = 0; k < vertices; ++k) number[vertex[k]] = k;
    instance.rotations = part_of(*instance.rotations, vertex, number);
  }
  compress(instance, static_cast<Index>(instance.row_vertex.size()),
           static_cast<Index>(instance.column_vertex.size()), Entries{std::move(edges), {}});
}

}  // namespace

const char* name_of(Problem problem) {
  switch (problem) {
    case Problem::perfect_matchings:
      return "perfect matchings";
    case Problem::cycle_covers:
      return "cycle covers";
    case Problem::matchings:
      return "matchings";
    case Problem::exact_covers:
      return "exact covers";
    case Problem::general_perfect_matchings:
      break;
  }
  return "perfect matchings of a general graph";
}

std::string Instance::row_label(Index row) const {
  const Index vertex = row_vertex.empty() ? row : row_vertex.at(row);
  return vertex == no_index ? added_label : left_labels.label(vertex);
}

std::string Instance::column_label(Index column) const {
  const Index vertex = column_vertex.empty() ? column : column_vertex.at(column);
  if (vertex == no_index) return added_label;
  return kind == GraphKind::bipartite ? right_labels.label(vertex) : left_labels.label(vertex);
}

Instance to_instance(Graph graph) {
  // By their kind bounds are rounded, and counts divided: a wrong one gives wrong numbers.
  if (!may_hold(graph.weight_kind, graph.values))
    throw CheckError("weights of a kind that cannot hold their values");
  Instance instance;
  instance.kind = graph.kind;
  instance.values = std::move(graph.values);
  instance.weight_kind = graph.weight_kind;
  if (graph.copies) instance.copies = *graph.copies;
  if (graph.kind != GraphKind::directed && !graph.monomers) instance.rotations = std::move(graph.rotations);
  instance.left_labels = std::move(graph.left_labels);
  instance.right_labels = std::move(graph.right_labels);
  switch (graph.kind) {
    case GraphKind::bipartite:
      compress(instance, instance.left_labels.size(), instance.right_labels.size(),
               Entries{std::move(graph.edges), {}});
      break;
    case GraphKind::directed:
      instance.problem = Problem::cycle_covers;
      compress(instance, instance.left_labels.size(), instance.left_labels.size(),
               Entries{std::move(graph.edges), {}});
      break;
    case GraphKind::undirected:
      if (graph.monomers) instance.problem = graph.covers ? Problem::exact_covers : Problem::matchings;
      instance.tiles = graph.tiles;
      instance.letter_bits = graph.letter_bits;
      fill_undirected(instance, std::move(graph.edges));
      break;
  }
  return instance;
}

}  // namespace countpm
