#include "src/count/matching_polynomial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <type_traits>
#include <utility>
#include <variant>

#include "graph/errors.hpp"
#include "graph/kinds/balanced_digits.hpp"
#include "graph/kinds/monomers.hpp"
#include "graph/kinds/tiles.hpp"
#include "graph/stop_poll.hpp"
#include "graph/weight_values.hpp"
#include "matching/general_matching.hpp"

namespace countpm {
namespace {

/// The graph without its loops.
SparsePattern without_loops(const Graph& graph) {
  SparsePattern pattern;
  pattern.rows = pattern.columns = graph.left_labels.size();
  pattern.row_start.assign(pattern.rows + std::uint64_t{1}, 0);
  for (const Edge& edge : graph.edges) {
    if (edge.from == edge.to) continue;
    ++pattern.row_start[edge.from + std::uint64_t{1}];
    ++pattern.row_start[edge.to + std::uint64_t{1}];
  }
  std::partial_sum(pattern.row_start.begin(), pattern.row_start.end(), pattern.row_start.begin());
  pattern.column.resize(pattern.row_start.back());
  std::vector<std::uint64_t> next(pattern.row_start.begin(), pattern.row_start.end() - 1);
  for (const Edge& edge : graph.edges) {
    if (edge.from == edge.to) continue;
    pattern.column[next[edge.from]++] = edge.to;
    pattern.column[next[edge.to]++] = edge.from;
  }
  for (Index v = 0; v < pattern.rows; ++v)
    std::sort(pattern.column.begin() + static_cast<std::ptrdiff_t>(pattern.row_start[v]),
              pattern.column.begin() + static_cast<std::ptrdiff_t>(pattern.row_start[v + std::uint64_t{1}]));
  return pattern;
}

/// `most` digits of so many bits, the lowest first.
std::vector<mpz_class> digits_of(const mpz_class& packed, std::uint64_t width, std::size_t most) {
  std::optional<std::vector<mpz_class>> digits = balanced_digits(packed, width, most);
  if (!digits) throw CheckError("the polynomial has more coefficients than the graph has room for");
  return *std::move(digits);
}

Graph with_sizes_of_weights(Graph graph) {
  std::visit(
      [](auto& values) {
        using List = std::decay_t<decltype(values)>;
        if constexpr (std::is_same_v<List, std::vector<std::int64_t>> ||
                      std::is_same_v<List, std::vector<mpq_class>>) {
          for (auto& value : values) value = value < 0 ? typename List::value_type(-value) : value;
        }
      },
      graph.values);
  return graph;
}

Letter ring_letter_of(const Graph& graph) {
  Letter letter;
  letter.rings = true;
  letter.bits = graph.letter_bits;
  letter.vertices = graph.left_labels.size() - graph.tiles;
  letter.smallest_ring = smallest_tile(graph);
  letter.scale = vertex_denominators(graph);
  for (std::size_t k = 0; k < graph.edges.size(); ++k)
    letter.negative = letter.negative || exact_value(graph.values, k) < 0;
  letter.without_rings = std::make_shared<const Graph>(without_tiles(graph));
  if (letter.negative) letter.of_sizes = std::make_shared<const Graph>(with_sizes_of_weights(graph));
  return letter;
}

/// The digits of `packed` as coefficients, each over the scale.
std::vector<mpq_class> ring_coefficients(const mpz_class& packed, const Letter& letter) {
  std::vector<mpq_class> result;
  for (const mpz_class& digit : digits_of(packed, letter.bits, letter.most())) {
    result.emplace_back(digit, letter.scale);
    result.back().canonicalize();
  }
  while (!result.empty() && result.back() == 0) result.pop_back();
  if (result.empty()) result.emplace_back(0);
  return result;
}

void expect(const mpq_class& expected, const mpq_class& found, const std::string& name) {
  if (expected != found) Checks::failed(name, expected.get_str(), found.get_str());
}

}  // namespace

std::optional<Letter> letter_of(const Graph& graph) {
  if (graph.letter_bits == 0) return std::nullopt;
  if (graph.covers) return ring_letter_of(graph);
  Letter letter;
  letter.bits = graph.letter_bits;
  letter.vertices = graph.left_labels.size();
  letter.scale = vertex_denominators(graph);
  std::vector<mpq_class> at_vertex(letter.vertices);
  mpq_class squares;
  StopPoll poll;
  for (std::size_t k = 0; k < graph.edges.size(); ++k) {
    poll.step();
    const Edge& edge = graph.edges[k];
    if (edge.from == edge.to) continue;
    const mpq_class weight = exact_value(graph.values, k);
    letter.negative = letter.negative || weight < 0;
    letter.first += weight;
    squares += weight * weight;
    at_vertex[edge.from] += weight;
    at_vertex[edge.to] += weight;
  }
  // All ordered pairs of edges, less those that meet; an edge meets itself at both ends.
  letter.second = letter.first * letter.first + squares;
  for (const mpq_class& sum : at_vertex) letter.second -= sum * sum;
  letter.second /= 2;
  letter.largest = general_maximum_matching(without_loops(graph)).size;
  return letter;
}

std::vector<mpq_class> coefficients(const mpq_class& packed, const Letter& letter) {
  mpq_class scaled = packed * letter.scale;
  // n - 2k monomers with k edges: an odd n leaves one factor of the letter over.
  if (!letter.rings && letter.vertices % 2 != 0)
    mpq_div_2exp(scaled.get_mpq_t(), scaled.get_mpq_t(), letter.bits);
  if (scaled.get_den() != 1)
    throw CheckError("the polynomial's coefficients are not what their denominators allow");
  if (letter.rings) return ring_coefficients(scaled.get_num(), letter);
  const std::size_t most = letter.most();
  const std::vector<mpz_class> digits = digits_of(scaled.get_num(), 2 * std::uint64_t{letter.bits}, most);
  std::vector<mpq_class> result;
  result.reserve(most);
  for (std::size_t k = most; k-- > 0;) {
    mpq_class one(digits[k], letter.scale);
    one.canonicalize();
    result.push_back(std::move(one));
  }
  while (result.size() > letter.largest + std::size_t{1} && result.back() == 0) result.pop_back();
  return result;
}

void fill_up(std::vector<mpq_class>& coefficients, const std::vector<mpq_class>& of_sizes) {
  if (coefficients.size() > of_sizes.size())
    throw CheckError("weights that cancel leave more coefficients than their sizes have");
  coefficients.resize(of_sizes.size());
}

mpq_class sum_of(const std::vector<mpq_class>& coefficients) {
  mpq_class sum;
  for (const mpq_class& one : coefficients) sum += one;
  return sum;
}

void verify_coefficients(const std::vector<mpq_class>& coefficients, const Letter& letter, Checks& checks) {
  if (letter.rings) {
    const std::string name = "coefficients";
    if (letter.negative) return checks.not_applicable(name, "weights of both signs can cancel");
    for (const mpq_class& one : coefficients) {
      if (one < 0) Checks::failed(name, "coefficients of 0 and above", one.get_str());
    }
    return checks.passed(name,
                         fmt::format("none is below 0, and covers have at most {} rings", letter.most() - 1));
  }
  const std::string few = "small matchings";
  const auto at = [&](std::size_t k) { return k < coefficients.size() ? coefficients[k] : mpq_class(0); };
  expect(1, at(0), few);
  expect(letter.first, at(1), few);
  expect(letter.second, at(2), few);
  checks.passed(few, "those of 0, 1 and 2 edges, from the weights and the vertices' sums of weights");
  const std::string largest = "largest matching";
  expect(mpq_class(static_cast<std::uint64_t>(letter.largest)),
         mpq_class(static_cast<std::uint64_t>(coefficients.size() - 1)), largest);
  for (const mpq_class& one : coefficients) {
    if (one <= 0 && !letter.negative) Checks::failed(largest, "coefficients above 0", one.get_str());
  }
  checks.passed(largest, fmt::format("the last coefficient is that of {} {}, the most that a matching has",
                                     letter.largest, letter.largest == 1 ? "edge" : "edges"));
}

void verify_without_rings(const std::vector<mpq_class>& coefficients, const mpq_class& matchings,
                          Checks& checks) {
  const std::string name = "covers without rings";
  expect(matchings, coefficients.front(), name);
  checks.passed(name, "as many as there are perfect matchings, counted by themselves");
}

}  // namespace countpm
