#include "src/proof/planar_form.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "graph/stop_poll.hpp"
#include "kernels/planar/orientation/embedding.hpp"
#include "kernels/planar/orientation/kasteleyn.hpp"
#include "kernels/support/nested_dissection.hpp"
#include "matching/general_matching.hpp"

namespace countpm {
namespace {

bool has_form(const ProofStatement& statement) {
  if (statement.edges != statement.shape.sets() || !statement.letters.empty()) return false;
  if (std::find(statement.shape.monomer.begin(), statement.shape.monomer.end(), 1) !=
      statement.shape.monomer.end())
    return false;
  return std::all_of(statement.weight.begin(), statement.weight.end(),
                     [](const ProofTerm& weight) { return weight.coefficient > 0; });
}

planar::BlockGraph plain_graph(const ProofStatement& statement) {
  planar::BlockGraph graph;
  graph.bipartite = false;
  graph.rows = graph.vertices = statement.shape.vertices;
  for (std::uint64_t edge = 0; edge < statement.edges; ++edge)
    graph.edges.push_back({statement.shape.member[2 * edge], statement.shape.member[2 * edge + 1], edge});
  return graph;
}

/// The pairs of a matching along a nested dissection of the graph in which each pair is one vertex.
std::vector<Index> order_of_pairs(const planar::BlockGraph& graph) {
  SparsePattern pattern;
  pattern.rows = pattern.columns = graph.vertices;
  std::vector<std::vector<Index>> neighbours(graph.vertices);
  for (const auto& edge : graph.edges) {
    neighbours[edge.a].push_back(edge.b);
    neighbours[edge.b].push_back(edge.a);
  }
  for (std::vector<Index>& own : neighbours) {
    std::sort(own.begin(), own.end());
    pattern.column.insert(pattern.column.end(), own.begin(), own.end());
    pattern.row_start.push_back(pattern.column.size());
  }
  const GeneralMatching matching = general_maximum_matching(pattern);
  std::vector<Index> pair_of(graph.vertices, no_index);
  std::vector<std::pair<Index, Index>> pairs;
  for (Index v = 0; v < graph.vertices; ++v) {
    if (pair_of[v] != no_index) continue;
    const Index mate = matching.mate[v];
    pair_of[v] = static_cast<Index>(pairs.size());
    if (mate != no_index) pair_of[mate] = pair_of[v];
    pairs.emplace_back(v, mate);
  }
  std::vector<std::uint64_t> start{0};
  std::vector<Index> neighbour;
  for (const auto& [v, mate] : pairs) {
    const std::size_t first = neighbour.size();
    for (const Index member : {v, mate}) {
      if (member == no_index) continue;
      for (const Index w : neighbours[member])
        if (pair_of[w] != pair_of[v]) neighbour.push_back(pair_of[w]);
    }
    std::sort(neighbour.begin() + static_cast<std::ptrdiff_t>(first), neighbour.end());
    neighbour.erase(std::unique(neighbour.begin() + static_cast<std::ptrdiff_t>(first), neighbour.end()),
                    neighbour.end());
    start.push_back(neighbour.size());
  }
  std::vector<Index> order_of_nodes = nested_dissection(start, neighbour, 1);
  if (order_of_nodes.size() != pairs.size()) {
    order_of_nodes.resize(pairs.size());
    for (std::size_t i = 0; i < pairs.size(); ++i) order_of_nodes[i] = static_cast<Index>(i);
  }
  std::vector<Index> order;
  for (const Index node : order_of_nodes) {
    order.push_back(pairs[node].first);
    if (pairs[node].second != no_index) order.push_back(pairs[node].second);
  }
  return order;
}

}  // namespace

std::optional<EmbeddingProof> planar_form(const ProofStatement& statement) {
  if (!has_form(statement)) return std::nullopt;
  const planar::BlockGraph graph = plain_graph(statement);
  if (planar::too_many_edges(graph.vertices, graph.edges.size(), false)) return std::nullopt;
  const planar::Planarity planarity = planar::test_planarity(graph);
  if (!planarity.planar) return std::nullopt;
  EmbeddingProof form;
  form.rotation.resize(graph.vertices);
  const planar::Embedding& embedding = planarity.embedding;
  for (Index v = 0; v < graph.vertices; ++v) {
    for (std::uint64_t k = embedding.start[v]; k < embedding.start[v + std::uint64_t{1}]; ++k) {
      const auto& edge = graph.edges[embedding.around[k]];
      form.rotation[v].push_back(edge.a == v ? edge.b : edge.a);
    }
  }
  for (const std::uint8_t forward : planar::kasteleyn_orientation(graph, embedding))
    form.orientation += forward != 0 ? '0' : '1';
  form.order = order_of_pairs(graph);
  return form;
}

FieldElement pfaffian(const PrimeField& field, const ProofStatement& statement, const EmbeddingProof& form,
                      const std::vector<FieldElement>& weight) {
  const Index vertices = statement.shape.vertices;
  std::vector<Index> place(vertices);
  for (Index k = 0; k < vertices; ++k) place[form.order[k]] = k;
  // Rows by places in the order; entry (j, i) is that of (i, j) with the other sign.
  std::vector<std::map<Index, FieldElement>> row(vertices);
  for (std::uint64_t edge = 0; edge < statement.edges; ++edge) {
    Index u = place[statement.shape.member[2 * edge]];
    Index v = place[statement.shape.member[2 * edge + 1]];
    if (form.orientation[edge] == '1') std::swap(u, v);
    row[u][v] = weight[edge];
    row[v][u] = field.negate(weight[edge]);
  }
  FieldElement result = field.one();
  std::vector<char> gone(vertices);
  StopPoll poll;
  for (Index v = 0; v < vertices; ++v) {
    if (gone[v] != 0) continue;
    while (!row[v].empty() && row[v].begin()->second == field.zero()) {
      const Index w = row[v].begin()->first;
      row[v].erase(w);
      row[w].erase(v);
    }
    if (row[v].empty()) return field.zero();
    const Index w = row[v].begin()->first;
    const FieldElement pivot = row[v].begin()->second;
    result = field.multiply(result, pivot);
    const FieldElement inverse = field.inverse(pivot);
    gone[v] = gone[w] = 1;
    const std::map<Index, FieldElement> of_v = std::move(row[v]);
    const std::map<Index, FieldElement> of_w = std::move(row[w]);
    row[v].clear();
    row[w].clear();
    for (const auto& [i, entry] : of_v) row[i].erase(v);
    for (const auto& [i, entry] : of_w) row[i].erase(w);
    row[v].clear();
    row[w].clear();
    // A_ij + (A_iv A_wj - A_iw A_vj) / A_vw, with A_iv = -A_vi: only where i is a neighbour of one, j of the
    // other.
    for (const auto& [i, at_v] : of_v) {
      if (i == w) continue;
      const FieldElement factor = field.multiply(field.negate(at_v), inverse);
      for (const auto& [j, at_w] : of_w) {
        if (j == v || i == j) continue;
        poll.step();
        const FieldElement change = field.multiply(factor, at_w);
        row[i][j] = field.add(row[i][j], change);
        row[j][i] = field.subtract(row[j][i], change);
      }
    }
  }
  return result;
}

}  // namespace countpm
