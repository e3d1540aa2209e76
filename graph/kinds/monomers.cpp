#include "graph/kinds/monomers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "graph/errors.hpp"
#include "graph/keep_edges.hpp"
#include "graph/kinds/tiles.hpp"
#include "graph/letters.hpp"
#include "graph/parse_weight.hpp"
#include "graph/stop_poll.hpp"
#include "graph/text.hpp"
#include "graph/vertex_memory.hpp"
#include "graph/weight_values.hpp"

namespace countpm {
namespace {

constexpr LetterOption monomers_option{"--monomers", monomer_letter, "a vertex that stays alone",
                                       "no vertex stays alone", "this option"};

}  // namespace

namespace {

Weight parse_option(const LetterOption& option, const std::string& text) {
  try {
    return parse_weight(text, option.name, 0);
  } catch (const InputError&) {
    throw UsageError(
        fmt::format("{} {}: expected the weight of {} (1, 2/3, 0.25), or {} for the whole polynomial",
                    option.name, quoted(text), option.whose, option.letter));
  }
}

}  // namespace

Weight weight_of(const LetterOption& option, const std::string& text) {
  Weight weight = parse_option(option, text);
  if (weight.is_zero())
    throw UsageError(
        fmt::format("{} 0: {}, so that perfect matchings are what is left; they are counted without {}",
                    option.name, option.at_zero, option.without));
  return weight;
}

std::vector<mpz_class> denominators(const Graph& graph) {
  std::vector<mpz_class> result(graph.left_labels.size() - graph.tiles, mpz_class(1));
  if (!std::holds_alternative<std::vector<mpq_class>>(graph.values)) return result;
  for (std::size_t k = 0; k < graph.edges.size(); ++k) {
    const mpz_class denominator = exact_value(graph.values, k).get_den();
    if (denominator == 1) continue;
    for (const Index v : {graph.edges[k].from, graph.edges[k].to}) {
      if (v < result.size()) result[v] = lcm(result[v], denominator);
    }
  }
  return result;
}

namespace {

mpz_class product_of(std::vector<mpz_class> factors) {
  if (factors.empty()) return 1;
  while (factors.size() > 1) {
    check_stop();
    const std::size_t half = factors.size() / 2;
    for (std::size_t i = 0; i < half; ++i) factors[i] = factors[2 * i] * factors[2 * i + 1];
    if (factors.size() % 2 == 1) factors[half] = std::move(factors.back());
    factors.resize((factors.size() + 1) / 2);
  }
  return std::move(factors.front());
}

/// Of the graph without its loops, the least s such that 4^s is more than twice every |prod L_v m_k|.
unsigned letter_bits(const Graph& graph) {
  const std::vector<mpz_class> scale = denominators(graph);
  std::vector<mpq_class> sum(scale.size(), mpq_class(1));
  for (std::size_t k = 0; k < graph.edges.size(); ++k) {
    if (graph.edges[k].from == graph.edges[k].to) continue;
    const mpq_class size = abs(exact_value(graph.values, k));
    sum[graph.edges[k].from] += size;
    sum[graph.edges[k].to] += size;
  }
  std::vector<mpz_class> squares;
  squares.reserve(sum.size());
  for (std::size_t v = 0; v < sum.size(); ++v)
    squares.push_back(mpq_class(sum[v] * scale[v] * scale[v]).get_num());
  const std::uint64_t bits = mpz_sizeinbase(product_of(std::move(squares)).get_mpz_t(), 2);
  const std::uint64_t digit = (bits + 1) / 2 + 1;
  const std::uint64_t letter = (digit + 1) / 2;
  if (letter * scale.size() > most_polynomial_bits)
    throw UnableError(
        fmt::format("the matching polynomial has {} coefficients of up to {} bits each, and at most {} bits "
                    "are computed in all",
                    scale.size() / 2 + 1, digit, most_polynomial_bits),
        "--monomers with a number for the letter counts at one point");
  return static_cast<unsigned>(letter);
}

/// A loop at every vertex that has none.
class Loops {
 public:
  explicit Loops(Graph& graph) : graph_(graph), alone_(graph.left_labels.size(), true) {
    for (const Edge& edge : graph.edges) {
      if (edge.from == edge.to) alone_[edge.from] = false;
    }
  }

  bool any() const { return std::find(alone_.begin(), alone_.end(), false) != alone_.end(); }

  void add(const Weight& weight) {
    StopPoll poll;
    for (Index v = 0; v < alone_.size(); ++v) {
      poll.step();
      if (!alone_[v]) continue;
      append_value(graph_.values, graph_.edges.size(), weight);
      graph_.edges.push_back({v, v});
    }
  }

 private:
  Graph& graph_;
  std::vector<bool> alone_;
};

/// Where weights have letters: values are places in their table.
void add_to_letters(Graph& graph, const Weight& weight) {
  if (weight.kind > WeightKind::rational)
    throw UsageError(
        "--monomers: where weights have letters, that of a vertex that stays alone is an integer or a "
        "fraction");
  LetterTable table(*graph.letters);
  Weight place;
  place.value = table.number_of(weight, "--monomers", 0);
  graph.letters = table.finished();
  Loops(graph).add(place);
}

void add_letter(Graph& graph, const std::string& input) {
  Loops loops(graph);
  if (loops.any())
    throw UsageError(fmt::format(
        "{}: --monomers {} gives every vertex the weight {}, and here loops have weights of their own "
        "(--loops drop leaves them out)",
        quoted(input), monomer_letter, monomer_letter));
  if (graph.weight_kind >= WeightKind::real)
    throw UsageError(
        "the matching polynomial has exact coefficients: of real and complex weights none are known (weights "
        "written as fractions p/q are exact, and decimals with --exact)");
  graph.letter_bits = letter_bits(graph);
  Weight weight;
  mpz_class power;
  mpz_ui_pow_ui(power.get_mpz_t(), 2, graph.letter_bits);
  weight.value = mpq_class(power);
  loops.add(weight);
}

}  // namespace

void make_undirected(Graph& graph) {
  const Index left = graph.left_labels.size();
  if (graph.right_labels.size() >= no_index - left)
    throw UnableError("monomers and rings need both sides in one list of at most 4294967294 vertices",
                      "count perfect matchings, without --monomers or --rings");
  LabelTable labels;
  StopPoll poll;
  for (const LabelTable* side : {&graph.left_labels, &graph.right_labels}) {
    for (Index v = 0; v < side->size(); ++v) {
      poll.step();
      labels.append(side->label(v));
    }
  }
  for (Edge& edge : graph.edges) edge.to += left;
  graph.kind = GraphKind::undirected;
  graph.left_labels = std::move(labels);
  graph.right_labels = LabelTable();
}

void add_monomers(Graph& graph, const std::string& text, bool from_loops, const std::string& input) {
  if (text.empty() && !from_loops) return;
  if (graph.covers)
    throw UsageError(fmt::format(
        "{}: --monomers and --loops are of graphs; in a list of sets a vertex that may stay alone is a set "
        "by itself",
        quoted(input)));
  if (graph.kind == GraphKind::directed)
    throw UsageError(fmt::format(
        "{}: {} is about matchings, and of a directed graph cycle covers are counted (valid here: graphs "
        "that are undirected or bipartite)",
        quoted(input), text.empty() ? "--loops monomer" : "--monomers"));
  if (text.empty() && graph.kind == GraphKind::bipartite)
    throw UsageError(fmt::format(
        "{}: --loops monomer does not fit a bipartite graph, which has no loops (a symmetric matrix is a "
        "graph --kind undirected)",
        quoted(input)));
  if (graph.kind == GraphKind::bipartite) make_undirected(graph);
  require_memory(graph.left_labels.size(), 0);  // before a loop is made for each of them
  graph.monomers = true;
  graph.rotations = nullptr;
  if (text.empty()) return;
  if (text == monomer_letter) {
    refuse_letters_with("--monomers t", graph, input);
    return add_letter(graph, input);
  }
  // Where loops say which vertices may stay alone, 0 says that no other may, as nothing does.
  if (from_loops && parse_option(monomers_option, text).is_zero()) return;
  const Weight weight = weight_of(monomers_option, text);
  if (graph.letters) return add_to_letters(graph, weight);
  Loops(graph).add(weight);
  if (!weight.is_one() || weight.kind > WeightKind::integer)
    graph.weight_kind = std::max(graph.weight_kind, weight.kind);
}

Graph without_monomers(const Graph& graph) {
  Graph rest = graph;
  if (!graph.monomers) return rest;
  rest.monomers = false;
  rest.letter_bits = 0;
  keep_edges(rest.edges, rest.values, [&](std::size_t k) { return rest.edges[k].from != rest.edges[k].to; });
  return rest;
}

bool letter_is_sound(const Graph& graph) {
  if (graph.letter_bits == 0) return true;
  if (graph.covers) return tile_letter_is_sound(graph);
  if (!graph.monomers || graph.weight_kind >= WeightKind::real || letter_bits(graph) > graph.letter_bits)
    return false;
  mpz_class power;
  mpz_ui_pow_ui(power.get_mpz_t(), 2, graph.letter_bits);
  Index loops = 0;
  for (std::size_t k = 0; k < graph.edges.size(); ++k) {
    if (graph.edges[k].from != graph.edges[k].to) continue;
    if (exact_value(graph.values, k) != mpq_class(power)) return false;
    ++loops;
  }
  return loops == graph.left_labels.size();
}

mpz_class vertex_denominators(const Graph& graph) {
  return product_of(denominators(graph));
}

}  // namespace countpm
