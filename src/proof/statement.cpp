#include "src/proof/statement.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>
#include <utility>

#include "graph/errors.hpp"
#include "graph/kinds/monomers.hpp"
#include "graph/kinds/tiles.hpp"
#include "graph/letters.hpp"
#include "graph/stop_poll.hpp"
#include "graph/weight_values.hpp"
#include "matching/general_matching.hpp"
#include "matching/general_structure.hpp"

namespace countpm {
namespace {

[[noreturn]] void refuse_proof(const std::string& reason) {
  throw UnableError("there is no proof of this: " + reason, "count without --proof");
}

/// The weight of an edge as the graph has it.
class WeightTerms {
 public:
  explicit WeightTerms(const Graph& graph) : graph_(graph) {}

  ProofTerm of(std::size_t edge) const {
    ProofTerm term;
    if (graph_.letters) {
      const Monomial& own =
          graph_.letters
              ->weight[static_cast<std::size_t>(std::get<std::vector<std::int64_t>>(graph_.values)[edge])];
      term.coefficient = own.coefficient;
      std::size_t used = 0;
      for (std::size_t l = 0; l < graph_.letters->letters.size(); ++l)
        if (own.exponent[l] != 0) term.powers[used++] = {graph_.letters->letters[l], own.exponent[l]};
    } else {
      term.coefficient = exact_value(graph_.values, edge);
    }
    return term;
  }

 private:
  const Graph& graph_;
};

/// Sets with their weights, equal ones added up.
class SetList {
 public:
  void add(std::vector<Index> vertices, ProofTerm weight) {
    std::sort(vertices.begin(), vertices.end());
    sets_.push_back({std::move(vertices), std::move(weight)});
  }
  /// Edges first, both kinds ascending.
  void into(ProofStatement& statement) {
    std::sort(sets_.begin(), sets_.end(), [](const Set& a, const Set& b) {
      const bool a_is_edge = a.vertices.size() == 2;
      const bool b_is_edge = b.vertices.size() == 2;
      return a_is_edge != b_is_edge ? a_is_edge : a.vertices < b.vertices;
    });
    std::size_t kept = 0;
    for (std::size_t i = 0; i < sets_.size(); ++i) {
      if (kept > 0 && sets_[kept - 1].vertices == sets_[i].vertices) {
        if (sets_[kept - 1].weight.powers != sets_[i].weight.powers)
          refuse_proof("parallel edges with different letters, whose sum is no term");
        sets_[kept - 1].weight.coefficient += sets_[i].weight.coefficient;
      } else {
        if (kept != i) sets_[kept] = std::move(sets_[i]);
        ++kept;
      }
    }
    sets_.resize(kept);
    std::erase_if(sets_, [](const Set& set) { return set.weight.coefficient == 0; });
    bool weighted = false;
    for (Set& set : sets_) {
      if (set.vertices.size() == 2) ++statement.edges;
      statement.shape.member.insert(statement.shape.member.end(), set.vertices.begin(), set.vertices.end());
      statement.shape.start.push_back(statement.shape.member.size());
      weighted = weighted || set.weight.coefficient != 1 || set.weight.powers != LetterPowers{};
    }
    if (!weighted) return;
    for (Set& set : sets_) statement.weight.push_back(std::move(set.weight));
  }

 private:
  struct Set {
    std::vector<Index> vertices;
    ProofTerm weight;
  };
  std::vector<Set> sets_;
};

void refuse_what_has_none(const Graph& graph, const InputInfo& input) {
  if (graph.digit || input.ground_states)
    refuse_proof("of ground states another graph is counted, with weights of its own");
  if (graph.copies) refuse_proof("of factors with other degrees than 1 another graph is counted");
  if (graph.weight_kind == WeightKind::complex ||
      std::holds_alternative<std::vector<ComplexRational>>(graph.values))
    refuse_proof("weights are complex");
  if (graph.weight_kind == WeightKind::real)
    refuse_proof("weights are in floating point; --exact takes decimals for the numbers that they spell");
}

void read_undirected(const Graph& graph, ProofStatement& statement) {
  const WeightTerms weights(graph);
  const Index vertices = graph.left_labels.size() - graph.tiles;
  statement.shape.vertices = vertices;
  std::vector<std::vector<Index>> tile(graph.tiles);
  std::vector<ProofTerm> tile_weight(graph.tiles);
  SetList sets;
  StopPoll poll;
  for (std::size_t k = 0; k < graph.edges.size(); ++k) {
    poll.step();
    const Index from = std::min(graph.edges[k].from, graph.edges[k].to);
    const Index to = std::max(graph.edges[k].from, graph.edges[k].to);
    ProofTerm weight = weights.of(k);
    if (to >= vertices) {
      tile[to - vertices].push_back(from);
      tile_weight[to - vertices] = std::move(weight);
    } else if (from == to) {
      if (statement.monomer_weight.empty()) {
        ProofTerm none;
        none.coefficient = 0;
        statement.monomer_weight.assign(vertices, none);
      }
      if (graph.letter_bits != 0 && !graph.covers) weight = {1, {LetterPower{*monomer_letter, 1}}};
      statement.monomer_weight[from] = std::move(weight);
    } else {
      sets.add({from, to}, std::move(weight));
    }
  }
  for (Index i = 0; i < graph.tiles; ++i) {
    if (graph.letter_bits != 0) tile_weight[i] = {1, {LetterPower{*ring_letter, 1}}};
    sets.add(std::move(tile[i]), std::move(tile_weight[i]));
  }
  sets.into(statement);
}

void read_matrix(const Graph& graph, ProofStatement& statement) {
  const WeightTerms weights(graph);
  const Index rows = graph.left_labels.size();
  const Index columns = graph.kind == GraphKind::directed ? rows : graph.right_labels.size();
  if (columns > no_index - 1 - rows) refuse_proof("there are too many vertices");
  statement.rows = rows;
  statement.shape.vertices = rows + columns;
  SetList sets;
  StopPoll poll;
  for (std::size_t k = 0; k < graph.edges.size(); ++k) {
    poll.step();
    sets.add({graph.edges[k].from, rows + graph.edges[k].to}, weights.of(k));
  }
  sets.into(statement);
}

/// The names of one side, unless they are numbers from 1, or not all different, or no UTF-8.
bool take_labels(const LabelTable& table, Index size, std::vector<std::string>& labels, bool& other) {
  std::set<std::string> seen;
  for (Index i = 0; i < size; ++i) {
    std::string label = table.label(i);
    if (!seen.insert(label).second) return false;
    other = other || label != std::to_string(i + std::uint64_t{1});
    labels.push_back(std::move(label));
  }
  return true;
}

void name_vertices(const Graph& graph, ProofStatement& statement) {
  std::vector<std::string> labels;
  bool other = false;
  const Index left = statement.rows ? *statement.rows : statement.shape.vertices;
  bool good = take_labels(graph.left_labels, left, labels, other);
  if (statement.rows) {
    const LabelTable& right = graph.kind == GraphKind::directed ? graph.left_labels : graph.right_labels;
    good = good && take_labels(right, statement.shape.vertices - left, labels, other);
  }
  if (good && other) statement.labels = std::move(labels);
}

SparsePattern pattern_of_edges(const ProofStatement& statement) {
  const CoverShape& shape = statement.shape;
  SparsePattern pattern;
  pattern.rows = pattern.columns = shape.vertices;
  std::vector<std::vector<Index>> neighbours(shape.vertices);
  for (std::uint64_t set = 0; set < statement.edges; ++set) {
    const Index u = shape.member[shape.start[set]];
    const Index v = shape.member[shape.start[set] + 1];
    neighbours[u].push_back(v);
    neighbours[v].push_back(u);
  }
  for (std::vector<Index>& own : neighbours) {
    std::sort(own.begin(), own.end());
    pattern.column.insert(pattern.column.end(), own.begin(), own.end());
    pattern.row_start.push_back(pattern.column.size());
  }
  return pattern;
}

/// Makes all matchings of the largest size of them: the vertices of the larger side may stay alone, component
/// by component, where the other side is covered by all of them.
void free_larger_sides(ProofStatement& statement, MatchingSize matchings) {
  const SparsePattern pattern = pattern_of_edges(statement);
  const Index vertices = statement.shape.vertices;
  std::vector<std::uint8_t> side;
  std::vector<Index> component;
  Index components = 1;
  if (statement.rows) {
    // A matrix has its sides as a whole, as a rectangle's permanent has.
    component.assign(vertices, 0);
    for (Index v = 0; v < vertices; ++v) side.push_back(v < *statement.rows ? 0 : 1);
  } else {
    Sides sides = two_colour(pattern, {});
    side = std::move(sides.side);
    component = std::move(sides.component);
    components = sides.components;
  }
  std::vector<std::array<Index, 2>> size(components);
  std::vector<char> odd(components);
  for (Index v = 0; v < vertices; ++v) {
    if (side[v] == Sides::odd) {
      odd[component[v]] = 1;
    } else {
      ++size[component[v]][side[v]];
    }
  }
  const GeneralMatching matching = general_maximum_matching(pattern);
  std::vector<Index> matched(components);
  for (Index v = 0; v < vertices; ++v)
    if (matching.mate[v] != no_index) ++matched[component[v]];
  std::vector<std::uint8_t> larger(components, Sides::odd);
  std::vector<Index> vertices_of(components);
  for (Index v = 0; v < vertices; ++v) ++vertices_of[component[v]];
  for (Index c = 0; c < components; ++c) {
    if (matched[c] == vertices_of[c]) continue;
    // Where none covers the smaller side, there are no matchings that do, or the largest are smaller.
    if (odd[c] != 0 ||
        (matchings == MatchingSize::maximum && matched[c] != 2 * std::min(size[c][0], size[c][1])))
      refuse_proof("the maximum matchings leave vertices free on both sides, or where there are odd cycles");
    if (size[c][0] != size[c][1]) larger[c] = size[c][0] > size[c][1] ? 0 : 1;
  }
  ProofTerm none;
  none.coefficient = 0;
  for (Index v = 0; v < vertices; ++v) {
    if (larger[component[v]] == Sides::odd || side[v] != larger[component[v]]) continue;
    if (statement.monomer_weight.empty()) statement.monomer_weight.assign(vertices, none);
    statement.monomer_weight[v].coefficient = 1;
  }
}

}  // namespace

std::string text_of(const ProofTerm& term) {
  std::string text = term.coefficient.get_str();
  if (term.coefficient == 0) return text;
  for (const LetterPower& power : term.powers) {
    if (power.letter == 0 || power.exponent == 0) continue;
    text += std::string("*") + power.letter;
    if (power.exponent != 1) text += "^" + std::to_string(power.exponent);
  }
  return text;
}

std::string text_of(const std::vector<ProofTerm>& sum) {
  if (sum.empty()) return "0";
  std::string text;
  for (const ProofTerm& term : sum) {
    if (!text.empty()) text += "+";
    text += text_of(term);
  }
  return text;
}

ProofStatement statement_of(const Graph& graph, const InputInfo& input, MatchingSize matchings) {
  refuse_what_has_none(graph, input);
  ProofStatement statement;
  if (graph.letters) statement.letters = graph.letters->letters;
  if (graph.letter_bits != 0) {
    statement.power_letter = graph.covers ? *ring_letter : *monomer_letter;
    statement.letters = statement.power_letter;
  }
  if (graph.kind == GraphKind::undirected) {
    read_undirected(graph, statement);
  } else {
    read_matrix(graph, statement);
  }
  name_vertices(graph, statement);
  if (matchings != MatchingSize::perfect && !graph.monomers && !graph.covers)
    free_larger_sides(statement, matchings);
  if (!statement.monomer_weight.empty()) {
    for (const ProofTerm& weight : statement.monomer_weight)
      statement.shape.monomer.push_back(weight.coefficient != 0 ? 1 : 0);
  }
  return statement;
}

std::vector<ProofTerm> claim_of(const ProofStatement& statement, const CountResult& result) {
  std::vector<ProofTerm> claim;
  const auto add = [&claim](const mpq_class& coefficient, const LetterPowers& powers) {
    if (coefficient != 0) claim.push_back({coefficient, powers});
  };
  if (result.polynomial) {
    for (const PolynomialTerm& term : result.polynomial->terms) {
      LetterPowers powers{};
      std::size_t used = 0;
      for (std::size_t l = 0; l < term.exponents.size(); ++l)
        if (term.exponents[l] != 0)
          powers[used++] = {result.polynomial->variables[l], static_cast<std::int32_t>(term.exponents[l])};
      add(term.coefficient, powers);
    }
  } else if (statement.power_letter != 0) {
    for (std::size_t k = result.coefficients.size(); k-- > 0;) {
      const auto own = static_cast<std::int32_t>(k);
      const std::int32_t exponent = statement.power_letter == *ring_letter
                                        ? own
                                        : static_cast<std::int32_t>(statement.shape.vertices) - 2 * own;
      LetterPowers powers{};
      if (exponent != 0) powers[0] = {statement.power_letter, exponent};
      add(result.coefficients[k], powers);
    }
  } else if (const auto* integer = std::get_if<mpz_class>(&result.value)) {
    add(mpq_class(*integer), {});
  } else if (const auto* fraction = std::get_if<mpq_class>(&result.value)) {
    add(*fraction, {});
  } else {
    refuse_proof("the count is in floating point");
  }
  return claim;
}

std::string hashed_text(const ProofStatement& statement, const std::vector<Index>& order,
                        const std::string& claim) {
  const CoverShape& shape = statement.shape;
  const std::uint64_t larger = shape.sets() - statement.edges;
  std::string text = "countpm-proof 2\nvertices " + std::to_string(shape.vertices) + " edges " +
                     std::to_string(statement.edges) + "\n";
  for (std::uint64_t set = 0; set < shape.sets(); ++set) {
    if (set == statement.edges) text += "sets " + std::to_string(larger) + "\n";
    if (set >= statement.edges) text += std::to_string(shape.start[set + 1] - shape.start[set]) + " ";
    for (std::uint64_t k = shape.start[set]; k < shape.start[set + 1]; ++k)
      text += std::to_string(shape.member[k]) + " ";
    text += (statement.weight.empty() ? "1" : text_of(statement.weight[set])) + "\n";
  }
  if (!statement.monomer_weight.empty()) {
    bool any = false;
    std::string line = "monomers";
    for (const ProofTerm& weight : statement.monomer_weight) {
      line += " " + text_of(weight);
      any = any || weight.coefficient != 0;
    }
    if (any) text += line + "\n";
  }
  text += "order";
  for (const Index v : order) text += " " + std::to_string(v);
  return text + "\ncount " + claim + "\n";
}

ProofResidues::ProofResidues(const PrimeField& field, const HashBytes& hash, const std::string& letters)
    : field_(field) {
  for (const char letter : letters) {
    value_.emplace_back(letter, letter_value(field, hash, letter));
    if (value_.back().second == field.zero()) throw NoResidue();
  }
}

FieldElement ProofResidues::of(const ProofTerm& term) const {
  if (mpz_divisible_p(term.coefficient.get_den_mpz_t(), field_.prime().get_mpz_t()) != 0) throw NoResidue();
  FieldElement result = field_.element(term.coefficient);
  for (const LetterPower& power : term.powers) {
    if (power.letter == 0 || power.exponent == 0) continue;
    FieldElement base;
    for (const auto& [letter, value] : value_)
      if (letter == power.letter) base = value;
    if (power.exponent < 0) base = field_.inverse(base);
    for (std::int64_t left = std::abs(std::int64_t{power.exponent}); left > 0; left /= 2) {
      if (left % 2 != 0) result = field_.multiply(result, base);
      base = field_.multiply(base, base);
    }
  }
  return result;
}

FieldElement ProofResidues::of(const std::vector<ProofTerm>& sum) const {
  FieldElement result;
  for (const ProofTerm& term : sum) result = field_.add(result, of(term));
  return result;
}

}  // namespace countpm
