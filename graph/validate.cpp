#include "graph/validate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <type_traits>
#include <utility>
#include <vector>

#include "graph/errors.hpp"
#include "graph/kinds/ground_states.hpp"
#include "graph/kinds/monomers.hpp"
#include "graph/letters.hpp"
#include "graph/rotations.hpp"

namespace countpm {
namespace {

template <class Enumeration>
bool is_one_of(Enumeration value, Enumeration last) {
  using Number = std::underlying_type_t<Enumeration>;
  return static_cast<Number>(value) >= 0 && static_cast<Number>(value) <= static_cast<Number>(last);
}

/// The narrowest kind that one value needs, and what is wrong with it.
struct ValueCheck {
  WeightKind kind = WeightKind::none;
  const char* fault = nullptr;
};

ValueCheck check_value(std::int64_t value) {
  if (value == 0) return {WeightKind::none, "0"};
  return {value > 0 ? WeightKind::none : WeightKind::integer, nullptr};
}

/// GMP's own functions divide by a denominator of 0, and take fractions for reduced.
const char* fault_of(const mpq_class& value) {
  const int sign = mpz_sgn(value.get_den_mpz_t());
  if (sign == 0) return "a fraction with the denominator 0";
  if (sign < 0) return "a fraction with a negative denominator";
  if (mpz_cmp_ui(value.get_den_mpz_t(), 1) != 0) {
    mpz_class common;
    mpz_gcd(common.get_mpz_t(), value.get_num_mpz_t(), value.get_den_mpz_t());
    if (common != 1) return "a fraction that is not in lowest terms (canonicalize() was not called)";
  }
  return nullptr;
}

ValueCheck check_value(const mpq_class& value) {
  if (const char* fault = fault_of(value)) return {WeightKind::none, fault};
  if (value == 0) return {WeightKind::none, "0"};
  if (value.get_den() != 1) return {WeightKind::rational, nullptr};
  return {value > 0 ? WeightKind::none : WeightKind::integer, nullptr};
}

ValueCheck check_value(const ComplexRational& value) {
  for (const mpq_class* part : {&value.re, &value.im}) {
    if (const char* fault = fault_of(*part)) return {WeightKind::none, fault};
  }
  if (value.re == 0 && value.im == 0) return {WeightKind::none, "0"};
  return {WeightKind::complex, nullptr};
}

const char* name_of_kind(WeightKind kind) {
  switch (kind) {
    case WeightKind::none:
      return "none";
    case WeightKind::integer:
      return "integer";
    case WeightKind::rational:
      return "rational";
    case WeightKind::real:
      return "real";
    case WeightKind::complex:
      break;
  }
  return "complex";
}

class GraphCheck {
 public:
  GraphCheck(const Graph& graph, const std::string& name) : graph_(graph), name_(name) {}

  void run() const {
    check_kinds();
    check_ends();
    check_distinct();
    check_values();
    check_tiles();
    if (graph_.rotations) check_rotations(*graph_.rotations);
    if (graph_.letters) check_letters(*graph_.letters);
    if (!letter_is_sound(graph_))
      refuse("a letter as ReadOptions::monomers gives it to a graph",
             fmt::format("one of {} bits", graph_.letter_bits));
    if (!digit_is_sound(graph_))
      refuse("a digit as ReadOptions::ground_state gives it to a graph", "another one");
    if (graph_.copies && (*graph_.copies < 1 || graph_.monomers || graph_.digit))
      refuse("copies as ReadOptions::degree gives them to a graph", graph_.copies->get_str());
  }

 private:
  [[noreturn]] void refuse(std::string expected, std::string found) const {
    throw InputError(name_, 0, std::move(expected), std::move(found));
  }

  void check_kinds() const {
    if (!is_one_of(graph_.kind, GraphKind::undirected))
      refuse("a kind of graph", fmt::format("the number {}", static_cast<int>(graph_.kind)));
    if (!is_one_of(graph_.weight_kind, WeightKind::complex))
      refuse("a kind of weights", fmt::format("the number {}", static_cast<int>(graph_.weight_kind)));
    if (graph_.monomers && graph_.kind != GraphKind::undirected)
      refuse("an undirected graph, since it has monomers", name_of(graph_.kind));
    if (graph_.kind != GraphKind::bipartite && graph_.right_labels.size() > 0)
      refuse(fmt::format("no right labels, since the graph is {}", name_of(graph_.kind)),
             fmt::format("{}", graph_.right_labels.size()));
    if (!graph_.positions.empty() &&
        (graph_.kind == GraphKind::bipartite || graph_.positions.size() != graph_.left_labels.size())) {
      refuse(graph_.kind == GraphKind::bipartite
                 ? "no positions, since the graph is bipartite"
                 : fmt::format("no positions, or one for each of {} vertices", graph_.left_labels.size()),
             fmt::format("{}", graph_.positions.size()));
    }
    for (const LabelTable* side : {&graph_.left_labels, &graph_.right_labels}) {
      if (side->size() == no_index)
        refuse(fmt::format("at most {} vertices a side", no_index - 1), fmt::format("{}", side->size()));
    }
  }

  std::string edge_text(std::size_t k) const {
    return fmt::format("edge {} ({} to {})", k, graph_.edges[k].from, graph_.edges[k].to);
  }

  void check_ends() const {
    const Index from = graph_.left_labels.size();
    const bool bipartite = graph_.kind == GraphKind::bipartite;
    const Index to = bipartite ? graph_.right_labels.size() : from;
    for (std::size_t k = 0; k < graph_.edges.size(); ++k) {
      const Edge& edge = graph_.edges[k];
      if (edge.from >= from || edge.to >= to) {
        refuse(bipartite ? fmt::format("edges from {} left to {} right vertices, numbered from 0", from, to)
                         : fmt::format("edges between {} vertices, numbered from 0", from),
               edge_text(k));
      }
      if (graph_.kind == GraphKind::undirected && !graph_.monomers && edge.from == edge.to)
        refuse("no loop in an undirected graph", edge_text(k));
    }
  }

  /// Undirected: the smaller one first.
  std::pair<Index, Index> ends(std::size_t k) const {
    const Edge& edge = graph_.edges[k];
    if (graph_.kind == GraphKind::undirected) return std::minmax({edge.from, edge.to});
    return {edge.from, edge.to};
  }

  /// Edges in the order of their ends: by counting, first by the second end; of few edges among many
  /// vertices, whose numbers alone might exceed the memory, by sorting.
  std::vector<std::size_t> in_order() const {
    const std::size_t edges = graph_.edges.size();
    std::vector<std::size_t> place(edges);
    std::iota(place.begin(), place.end(), std::size_t{0});
    const std::size_t vertices = std::max<std::size_t>(graph_.left_labels.size(), graph_.right_labels.size());
    if (vertices / 16 > edges) {
      std::stable_sort(place.begin(), place.end(),
                       [&](std::size_t a, std::size_t b) { return ends(a) < ends(b); });
      return place;
    }
    std::vector<std::size_t> next(edges);
    for (const bool by_first : {false, true}) {
      const auto end_of = [&](std::size_t k) { return by_first ? ends(k).first : ends(k).second; };
      std::vector<std::size_t> start(vertices, 0);
      for (std::size_t k = 0; k < edges; ++k) ++start[end_of(k)];
      std::exclusive_scan(start.begin(), start.end(), start.begin(), std::size_t{0});
      for (const std::size_t k : place) next[start[end_of(k)]++] = k;
      place.swap(next);
    }
    return place;
  }

  void check_distinct() const {
    const std::vector<std::size_t> place = in_order();
    for (std::size_t k = 1; k < place.size(); ++k) {
      if (ends(place[k - 1]) == ends(place[k]))
        refuse("every edge once",
               fmt::format("{} and again {}", edge_text(place[k - 1]), edge_text(place[k])));
    }
  }

  void check_values() const {
    // Of no edge, too: what is made of it has complex factors.
    if (std::holds_alternative<std::vector<ComplexRational>>(graph_.values) &&
        graph_.weight_kind != WeightKind::complex && graph_.edges.empty())
      refuse(fmt::format("weights of the kind '{}', as the graph says", name_of_kind(graph_.weight_kind)),
             "a list of complex ones");
    std::visit(
        [&](const auto& values) {
          if constexpr (!std::is_same_v<std::decay_t<decltype(values)>, std::monostate>) {
            if (values.size() != graph_.edges.size())
              refuse(fmt::format("a value for each of {} edges", graph_.edges.size()),
                     fmt::format("{} values", values.size()));
            for (std::size_t k = 0; k < values.size(); ++k) {
              const ValueCheck check = check_value(values[k]);
              if (check.fault != nullptr)
                refuse("weights other than 0, in lowest terms",
                       fmt::format("{} as the weight of {}", check.fault, edge_text(k)));
              if (check.kind > graph_.weight_kind)
                refuse(
                    fmt::format("weights of the kind '{}', as the graph says",
                                name_of_kind(graph_.weight_kind)),
                    fmt::format("a weight of the kind '{}' of {}", name_of_kind(check.kind), edge_text(k)));
            }
          }
        },
        graph_.values);
  }

  void check_tiles() const {
    if (graph_.covers && !graph_.monomers)
      refuse("a graph with monomers, since exact covers are counted", "one without");
    if (graph_.tiles == 0) return;
    if (!graph_.covers) refuse("a graph of which exact covers are counted, since it has tiles", "another");
    if (graph_.tiles > graph_.left_labels.size())
      refuse(fmt::format("at most {} tiles among the vertices", graph_.left_labels.size()),
             fmt::format("{}", graph_.tiles));
    const Index vertices = graph_.left_labels.size() - graph_.tiles;
    std::vector<std::size_t> first_edge(graph_.tiles, graph_.edges.size());
    std::vector<Index> size(graph_.tiles, 0);
    for (std::size_t k = 0; k < graph_.edges.size(); ++k) {
      const auto [from, to] = ends(k);
      if (to < vertices) continue;
      if (from >= vertices) refuse("edges of a tile to vertices alone", edge_text(k));
      ++size[to - vertices];
      std::size_t& first = first_edge[to - vertices];
      if (first == graph_.edges.size()) first = k;
      const bool same = std::visit(
          [&](const auto& values) {
            if constexpr (std::is_same_v<std::decay_t<decltype(values)>, std::monostate>) {
              return true;
            } else {
              return values[first] == values[k];
            }
          },
          graph_.values);
      if (!same) refuse("one weight on all edges of a tile", edge_text(k));
    }
    if (const auto small = std::find_if(size.begin(), size.end(), [](Index members) { return members < 2; });
        small != size.end())
      refuse("two vertices or more in every tile, since a loop covers one", fmt::format("{}", *small));
  }

  void check_rotations(const Rotations& rotations) const {
    if (graph_.kind == GraphKind::directed || graph_.monomers)
      refuse("rotations of a graph whose perfect matchings are counted", "those of another");
    const std::uint64_t lefts = graph_.left_labels.size();
    bool sound = is_sound(rotations, lefts + graph_.right_labels.size());
    const std::uint64_t right = graph_.kind == GraphKind::bipartite ? lefts : 0;
    for (std::size_t k = 0; k < graph_.edges.size() && sound; ++k) {
      const Edge& edge = graph_.edges[k];
      const auto first = rotations.neighbour.begin();
      const auto last = first + static_cast<std::ptrdiff_t>(rotations.start[edge.from + std::uint64_t{1}]);
      sound = std::find(first + static_cast<std::ptrdiff_t>(rotations.start[edge.from]), last,
                        right + edge.to) != last;
    }
    if (!sound) refuse("rotations as graph/rotations.hpp says, with all edges of the graph", "others");
  }

  void check_letters(const LetterWeights& table) const {
    const std::string& letters = table.letters;
    bool sound = !letters.empty() && letters.size() <= most_letters && table.weight.size() >= 2 &&
                 std::is_sorted(letters.begin(), letters.end()) &&
                 std::adjacent_find(letters.begin(), letters.end()) == letters.end();
    for (std::size_t k = 1; k < table.weight.size() && sound; ++k) {
      const Monomial& one = table.weight[k];
      sound = fault_of(one.coefficient) == nullptr && one.coefficient != 0;
      for (std::size_t l = 0; l < one.exponent.size(); ++l)
        sound =
            sound && std::abs(std::int64_t{one.exponent[l]}) <= (l < letters.size() ? largest_exponent : 0);
    }
    sound = sound && table.weight[1].coefficient == 1 && table.weight[1].exponent == Monomial{}.exponent;
    if (!sound) refuse("a table of weights with letters as graph/letters.hpp says", "another one");
    if (graph_.covers) refuse("numbers as weights where exact covers are counted", "letters");
    if (graph_.weight_kind != WeightKind::rational)
      refuse("weights of the kind 'rational', since they have letters", name_of_kind(graph_.weight_kind));
    if (std::holds_alternative<std::monostate>(graph_.values)) return;
    const auto* places = std::get_if<std::vector<std::int64_t>>(&graph_.values);
    if (places == nullptr || std::any_of(places->begin(), places->end(), [&](std::int64_t place) {
          return place < 1 || static_cast<std::uint64_t>(place) >= table.weight.size();
        }))
      refuse(fmt::format("places in a table of {} weights", table.weight.size()), "others");
  }

  const Graph& graph_;
  const std::string& name_;
};

}  // namespace

void validate(const Graph& graph, const std::string& name) {
  GraphCheck(graph, name).run();
}

void validate(const Source& source, const ReadOptions& options) {
  const auto require = [](bool sound, const char* what, auto value) {
    if (!sound)
      throw UsageError(fmt::format("there is no {} of the number {}", what, static_cast<int>(value)));
  };
  require(is_one_of(source.kind, Source::Kind::memory), "kind of source", source.kind);
  if (options.format) require(is_one_of(*options.format, Format::json), "format", *options.format);
  if (options.kind) require(is_one_of(*options.kind, GraphKind::undirected), "kind of graph", *options.kind);
  require(is_one_of(options.multi, MultiPolicy::first), "policy for parallel edges", options.multi);
  require(is_one_of(options.first_line, FirstLine::header), "reading of the first line", options.first_line);
  if (options.ground_state)
    require(is_one_of(*options.ground_state, Extremum::maximum), "extremum", *options.ground_state);
  require(is_one_of(options.loops, LoopPolicy::monomer), "policy for loops", options.loops);
}

}  // namespace countpm
