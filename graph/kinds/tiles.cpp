#include "graph/kinds/tiles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <utility>
#include <variant>

#include "graph/errors.hpp"
#include "graph/keep_edges.hpp"
#include "graph/kinds/monomers.hpp"
#include "graph/kinds/rings.hpp"
#include "graph/letters.hpp"
#include "graph/stop_poll.hpp"
#include "graph/text.hpp"
#include "graph/weight_values.hpp"

namespace countpm {
namespace {

constexpr LetterOption ring_option{"--ring-weight", ring_letter, "a ring", "no ring is used", "--rings"};

Weight power_of_two(unsigned bits) {
  Weight weight;
  mpz_class power;
  mpz_ui_pow_ui(power.get_mpz_t(), 2, bits);
  weight.value = mpq_class(power);
  return weight;
}

Weight exact_weight(const mpq_class& value) {
  Weight weight;
  set_value(weight, value);
  return weight;
}

WeightKind kind_of(const mpq_class& value) {
  if (value == 1) return WeightKind::none;
  return value.get_den() == 1 ? WeightKind::integer : WeightKind::rational;
}

double log2_at_least(const mpz_class& value) {
  if (value == 1) return 0;
  std::int64_t exponent = 0;
  const double mantissa = std::fabs(mpz_get_d_2exp(&exponent, value.get_mpz_t()));
  return std::log2(mantissa) + static_cast<double>(exponent) + 0x1p-40;
}

/// The vertices that are no tiles.
Index covered_vertices(const Graph& graph) {
  return graph.left_labels.size() - graph.tiles;
}

/// For x = 1, of integers: every weight times the L_v of all vertices of its piece. `rings` are those that
/// the graph does not have as tiles.
std::vector<CoverPiece> pieces_at_one(const Graph& graph, const std::vector<std::vector<Index>>& rings) {
  const std::vector<mpz_class> scale = denominators(graph);
  const Index vertices = covered_vertices(graph);
  std::vector<CoverPiece> pieces;
  std::vector<CoverPiece> tiles(graph.tiles, CoverPiece{no_index, 0, 0});
  for (std::size_t k = 0; k < graph.edges.size(); ++k) {
    const Index from = std::min(graph.edges[k].from, graph.edges[k].to);
    const Index to = std::max(graph.edges[k].from, graph.edges[k].to);
    if (to >= vertices) {
      CoverPiece& tile = tiles[to - vertices];
      tile.first = std::min(tile.first, from);
      ++tile.size;
      tile.log2_weight += log2_at_least(scale[from]);
      continue;
    }
    mpz_class factor = scale[from];
    if (from != to) factor *= scale[to];
    const mpq_class weight = abs(exact_value(graph.values, k)) * mpq_class(factor);
    pieces.push_back({from, from == to ? 1U : 2U, log2_at_least(weight.get_num())});
  }
  pieces.insert(pieces.end(), tiles.begin(), tiles.end());
  for (const std::vector<Index>& ring : rings) {
    CoverPiece piece{ring.front(), static_cast<Index>(ring.size()), 0};
    for (const Index v : ring) piece.log2_weight += log2_at_least(scale[v]);
    pieces.push_back(piece);
  }
  return pieces;
}

/// Each vertex's place in its component, and the components' pieces with such places: what covers two
/// vertices keeps them together.
struct Component {
  Index vertices = 0;
  std::vector<CoverPiece> pieces;
};

std::vector<Component> components_of(const Graph& graph, const std::vector<std::vector<Index>>& rings) {
  // A union-find forest of vertices and tiles.
  std::vector<Index> parent(graph.left_labels.size());
  std::iota(parent.begin(), parent.end(), Index{0});
  const auto root = [&](Index v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
  };
  for (const Edge& edge : graph.edges) parent[root(edge.from)] = root(edge.to);
  for (const std::vector<Index>& ring : rings) {
    for (const Index v : ring) parent[root(v)] = root(ring.front());
  }
  std::vector<Index> number(parent.size(), no_index);
  std::vector<Index> place(parent.size(), 0);
  std::vector<Component> components;
  for (Index v = 0; v < covered_vertices(graph); ++v) {
    Index& component = number[root(v)];
    if (component == no_index) {
      component = static_cast<Index>(components.size());
      components.emplace_back();
    }
    place[v] = components[component].vertices++;
  }
  for (CoverPiece piece : pieces_at_one(graph, rings)) {
    Component& component = components[number[root(piece.first)]];
    piece.first = place[piece.first];
    component.pieces.push_back(piece);
  }
  return components;
}

/// The least s such that 2^s is more than twice every coefficient times prod L_v, of each component too:
/// where another one has no cover, the whole has none.
unsigned tile_letter_bits(const Graph& graph, const std::vector<std::vector<Index>>& rings) {
  double log2_sum = 0;
  for (const Component& component : components_of(graph, rings))
    log2_sum += log2_cover_bound(component.vertices, component.pieces);
  log2_sum *= 1 + 0x1p-20;  // a sum of at most 2^32 numbers of 0 and above, but for rounding
  // A sum of integers below 2^0 is 0, and at least one bit and a sign are a digit.
  return static_cast<unsigned>(std::min(std::floor(log2_sum), 4e9)) + 2;
}

void refuse_long_polynomial(unsigned bits, Index most_rings) {
  if (std::uint64_t{bits} * (most_rings + std::uint64_t{1}) <= most_polynomial_bits) return;
  throw UnableError(fmt::format("the polynomial has up to {} coefficients of up to {} bits each, and at most "
                                "{} bits are computed in all",
                                most_rings + std::uint64_t{1}, bits, most_polynomial_bits),
                    "--ring-weight with a number counts at one point");
}

void append_labels(Graph& graph, std::size_t tiles) {
  // Labels that are numbers have no room for others.
  LabelTable labels;
  for (Index v = 0; v < graph.left_labels.size(); ++v) labels.append(graph.left_labels.label(v));
  for (std::size_t k = 1; k <= tiles; ++k) labels.append(fmt::format("tile {}", k));
  graph.left_labels = std::move(labels);
}

}  // namespace

void add_tiles(Graph& graph, const std::vector<Tile>& tiles) {
  const Index vertices = graph.left_labels.size();
  if (tiles.size() >= no_index - vertices)
    throw UnableError(fmt::format("at most {} vertices and tiles are counted", no_index - 1), "fewer tiles");
  append_labels(graph, tiles.size());
  graph.positions.clear();
  graph.monomers = graph.covers = true;
  graph.tiles = static_cast<Index>(tiles.size());
  StopPoll poll;
  Index at = vertices;
  for (const Tile& tile : tiles) {
    for (const Index v : tile.vertices) {
      poll.step();
      append_value(graph.values, graph.edges.size(), tile.weight);
      graph.edges.push_back({v, at});
    }
    ++at;
  }
}

void add_rings(Graph& graph, const std::vector<std::uint32_t>& lengths, const std::string& ring_weight,
               const std::string& input) {
  if (lengths.empty()) {
    if (!ring_weight.empty()) throw UsageError("--ring-weight is the weight of --rings; give them, too");
    return;
  }
  graph.rotations = nullptr;
  for (const std::uint32_t length : lengths) {
    if (length < least_ring || length > largest_ring)
      throw UsageError(
          fmt::format("--rings {}: expected lengths from {} to {}", length, least_ring, largest_ring));
  }
  if (graph.covers)
    throw UsageError(
        fmt::format("{}: --rings looks for rings in a graph, and here the sets are given", quoted(input)));
  if (graph.kind == GraphKind::directed)
    throw UsageError(
        fmt::format("{}: --rings is about covers by edges and rings, and of a directed graph cycle "
                    "covers are counted (valid here: graphs that are undirected or bipartite)",
                    quoted(input)));
  refuse_letters_with("rings", graph, input);
  if (graph.letter_bits != 0)
    throw UsageError(fmt::format("--rings and --monomers {}: one letter at a time; give --monomers a weight",
                                 monomer_letter));
  const bool polynomial = ring_weight.empty() || ring_weight == ring_letter;
  if (polynomial && graph.weight_kind >= WeightKind::real)
    throw UsageError(
        "the polynomial of --rings has exact coefficients: of real and complex weights none are known "
        "(weights written as fractions p/q are exact, decimals with --exact, and --ring-weight with a number "
        "counts at one point)");
  const Weight given = polynomial ? Weight{} : weight_of(ring_option, ring_weight);
  if (graph.kind == GraphKind::bipartite) make_undirected(graph);
  const std::vector<std::vector<Index>> rings = rings_of(graph, lengths);
  Weight weight = given;
  if (polynomial) {
    Index smallest = largest_ring + 1;
    for (const std::vector<Index>& ring : rings)
      smallest = std::min(smallest, static_cast<Index>(ring.size()));
    const unsigned bits = tile_letter_bits(graph, rings);
    refuse_long_polynomial(bits, rings.empty() ? 0 : graph.left_labels.size() / smallest);
    graph.letter_bits = bits;
    weight = power_of_two(bits);
  } else if (!weight.is_one() || weight.kind > WeightKind::integer) {
    graph.weight_kind = std::max(graph.weight_kind, weight.kind);
  }
  std::vector<Tile> tiles;
  tiles.reserve(rings.size());
  for (const std::vector<Index>& ring : rings) tiles.push_back({ring, weight});
  add_tiles(graph, tiles);
}

Graph cover_graph(Index vertices, const std::vector<std::vector<Index>>& sets,
                  const std::vector<mpq_class>& weights) {
  const std::string name = "<sets>";
  const auto refuse = [&](std::size_t set, std::string expected, std::string found) {
    throw InputError(name, 0, fmt::format("{} as set {}", expected, set), std::move(found));
  };
  if (!weights.empty() && weights.size() != sets.size())
    throw InputError(name, 0, fmt::format("a weight for each of {} sets", sets.size()),
                     fmt::format("{} weights", weights.size()));
  if (vertices == no_index)
    throw InputError(name, 0, fmt::format("at most {} vertices", no_index - 1), fmt::format("{}", vertices));
  Graph graph;
  graph.left_labels = LabelTable::numbered(vertices, 0);
  std::map<std::pair<Index, Index>, mpq_class> edges;
  std::vector<Tile> tiles;
  StopPoll poll;
  for (std::size_t k = 0; k < sets.size(); ++k) {
    poll.steps(sets[k].size());
    std::vector<Index> set = sets[k];
    std::sort(set.begin(), set.end());
    if (set.empty()) refuse(k, "a vertex or more", "none");
    if (set.back() >= vertices)
      refuse(k, fmt::format("vertices below {}", vertices), fmt::format("{}", set.back()));
    if (std::adjacent_find(set.begin(), set.end()) != set.end())
      refuse(k, "different vertices", fmt::format("{} twice", *std::adjacent_find(set.begin(), set.end())));
    const mpq_class weight = weights.empty() ? mpq_class(1) : weights[k];
    if (weight.get_den() <= 0) refuse(k, "a weight in lowest terms", "a denominator that is not above 0");
    if (weight == 0) continue;
    if (set.size() <= 2) {
      edges[{set.front(), set.back()}] += weight;
    } else {
      tiles.push_back({std::move(set), exact_weight(weight)});
    }
    graph.weight_kind = std::max(graph.weight_kind, kind_of(weight));
  }
  for (const auto& [ends, weight] : edges) {
    if (weight == 0) continue;
    append_value(graph.values, graph.edges.size(), exact_weight(weight));
    graph.edges.push_back({ends.first, ends.second});
    graph.weight_kind = std::max(graph.weight_kind, weight < 0 ? WeightKind::integer : WeightKind::none);
  }
  add_tiles(graph, tiles);
  return graph;
}

bool tile_letter_is_sound(const Graph& graph) {
  if (graph.weight_kind >= WeightKind::real || tile_letter_bits(graph, {}) > graph.letter_bits) return false;
  const mpq_class power = std::get<mpq_class>(power_of_two(graph.letter_bits).value);
  for (std::size_t k = 0; k < graph.edges.size(); ++k) {
    const bool tile = std::max(graph.edges[k].from, graph.edges[k].to) >= covered_vertices(graph);
    if (tile && exact_value(graph.values, k) != power) return false;
  }
  return true;
}

Index smallest_tile(const Graph& graph) {
  const Index vertices = covered_vertices(graph);
  std::vector<Index> size(graph.tiles, 0);
  for (const Edge& edge : graph.edges) {
    const Index to = std::max(edge.from, edge.to);
    if (to >= vertices) ++size[to - vertices];
  }
  Index smallest = vertices + 1;
  for (const Index one : size) smallest = std::min(smallest, one);
  return smallest;
}

Graph without_tiles(Graph graph) {
  const Index vertices = covered_vertices(graph);
  bool loops = false;
  keep_edges(graph.edges, graph.values, [&](std::size_t k) {
    const Edge& edge = graph.edges[k];
    if (std::max(edge.from, edge.to) >= vertices) return false;
    loops = loops || edge.from == edge.to;
    return true;
  });
  LabelTable labels;
  for (Index v = 0; v < vertices; ++v) labels.append(graph.left_labels.label(v));
  graph.left_labels = std::move(labels);
  graph.tiles = 0;
  graph.letter_bits = 0;
  graph.covers = false;
  graph.monomers = loops;
  return graph;
}

}  // namespace countpm
