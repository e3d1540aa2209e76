#include "src/count/small_value.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "graph/errors.hpp"
#include "kernels/arithmetic/ball.hpp"
#include "src/count/dense_complex_sum.hpp"
#include "src/count/direct_count.hpp"
#include "src/count/over_sets.hpp"
#include "src/input/sound_options.hpp"
#include "src/number/number.hpp"

namespace countpm {
namespace {

constexpr std::size_t most_exact_rows = 10;
constexpr std::size_t most_exact_vertices = 12;
constexpr std::size_t most_bits_of_sums = 4096;
/// What balls of double-doubles have: ball_bits().
constexpr mpfr_prec_t bits_of_complex = 192;

/// Row-major; entries are to be divided by `denominator`.
template <class Element>
struct ExactMatrix {
  std::size_t size = 0;
  std::vector<Element> entry;
  mpz_class denominator = 1;
  Element& at(std::size_t row, std::size_t column) { return entry[row * size + column]; }
  const Element& at(std::size_t row, std::size_t column) const { return entry[row * size + column]; }
};

std::size_t bits_in(const mpz_class& value) {
  return mpz_sizeinbase(value.get_mpz_t(), 2);
}

/// A denominator of all values, or 0 where it has more bits than are of use.
mpz_class denominator_of(const Values& values) {
  mpz_class common = 1;
  const auto join = [&](const mpq_class& value) {
    if (common == 0 || mpz_divisible_p(common.get_mpz_t(), value.get_den_mpz_t()) != 0) return;
    common = lcm(common, value.get_den());
    if (bits_in(common) > most_bits_of_sums) common = 0;
  };
  if (const auto* rational = std::get_if<std::vector<mpq_class>>(&values)) {
    for (const mpq_class& value : *rational) join(value);
  } else if (const auto* complex = std::get_if<std::vector<ComplexRational>>(&values)) {
    for (const ComplexRational& value : *complex) {
      join(value.re);
      join(value.im);
    }
  }
  return common;
}

mpz_class times_denominator(const mpq_class& value, const mpz_class& denominator) {
  mpz_class whole;
  mpz_divexact(whole.get_mpz_t(), denominator.get_mpz_t(), value.get_den_mpz_t());
  return whole * value.get_num();
}

/// The k-th edge's weight, times the denominator.
template <class Element>
Element entry_of(const Values& values, std::size_t k, const mpz_class& denominator) {
  if constexpr (std::is_same_v<Element, WholeComplex>) {
    if (const auto* complex = std::get_if<std::vector<ComplexRational>>(&values))
      return {times_denominator((*complex)[k].re, denominator),
              times_denominator((*complex)[k].im, denominator)};
    return {entry_of<mpz_class>(values, k, denominator), 0};
  } else {
    if (const auto* whole = std::get_if<std::vector<std::int64_t>>(&values))
      return mpz_class(static_cast<std::int64_t>((*whole)[k])) * denominator;
    if (const auto* rational = std::get_if<std::vector<mpq_class>>(&values))
      return times_denominator((*rational)[k], denominator);
    return denominator;  // every edge counts 1
  }
}

std::size_t width_of(const mpz_class& value) {
  return bits_in(value);
}
std::size_t width_of(const WholeComplex& value) {
  return std::max(bits_in(value.re), bits_in(value.im)) + 1;
}

template <class Element>
Element one() {
  if constexpr (std::is_same_v<Element, WholeComplex>) {
    return {1, 0};
  } else {
    return 1;
  }
}

/// Of a bipartite graph; of others both are all vertices. A rectangle has rows of ones added, so that its sum
/// over the injections of the smaller side is the permanent over the factorial of their number.
struct SideSizes {
  explicit SideSizes(const Graph& graph) : smaller(graph.left_labels.size()), larger(smaller) {
    if (graph.kind != GraphKind::bipartite) return;
    larger = graph.right_labels.size();
    turned = smaller > larger;
    if (turned) std::swap(smaller, larger);
  }
  std::size_t smaller;
  std::size_t larger;
  bool turned = false;  // the rows are the graph's right side
};

template <class Element>
std::optional<ExactMatrix<Element>> exact_matrix(const Graph& graph, bool symmetric) {
  ExactMatrix<Element> matrix;
  matrix.denominator = denominator_of(graph.values);
  if (matrix.denominator == 0) return std::nullopt;
  const SideSizes sides(graph);
  matrix.size = sides.larger;
  matrix.entry.resize(matrix.size * matrix.size);
  std::size_t most_bits = bits_in(matrix.denominator);
  for (std::size_t i = sides.smaller; i < sides.larger; ++i) {
    for (std::size_t j = 0; j < sides.larger; ++j) matrix.at(i, j) = one<Element>();
  }
  for (std::size_t k = 0; k < graph.edges.size(); ++k) {
    Edge edge = graph.edges[k];
    if (sides.turned) std::swap(edge.from, edge.to);
    Element value = entry_of<Element>(graph.values, k, matrix.denominator);
    most_bits = std::max(most_bits, width_of(value));
    if (symmetric) matrix.at(edge.to, edge.from) = value;
    matrix.at(edge.from, edge.to) = std::move(value);
  }
  // A sum of at most 12 products gains 4 bits.
  if (matrix.size * (most_bits + 4) > most_bits_of_sums) return std::nullopt;
  return matrix;
}

template <class Element>
Element exact_sum(const ExactMatrix<Element>& matrix, bool symmetric) {
  std::vector<Element> places(std::size_t{1} << matrix.size);
  const std::span<Element> sum(places);
  sum[0] = one<Element>();
  return symmetric ? hafnian_over_sets(matrix, sum) : permanent_over_sets(matrix, sum);
}

std::string shown_sum(const mpz_class& value) {
  return value.get_str();
}
std::string shown_sum(const WholeComplex& value) {
  return "(" + value.re.get_str() + "," + value.im.get_str() + ")";
}

mpq_class quotient(const mpz_class& numerator, const mpz_class& denominator) {
  mpq_class value(numerator, denominator);
  value.canonicalize();
  return value;
}
Number number_over(const mpz_class& sum, const mpz_class& denominator) {
  return quotient(sum, denominator);
}
Number number_over(const WholeComplex& sum, const mpz_class& denominator) {
  return ball_from(ComplexRational{quotient(sum.re, denominator), quotient(sum.im, denominator)},
                   bits_of_complex);
}

template <class Element>
std::optional<Value> exact_value(const Graph& graph) {
  const bool symmetric = graph.kind == GraphKind::undirected;
  const std::optional<ExactMatrix<Element>> matrix = exact_matrix<Element>(graph, symmetric);
  if (!matrix) return std::nullopt;
  const Element sum = exact_sum(*matrix, symmetric);
  const Element again = exact_sum(other_way(*matrix, symmetric), symmetric);
  if (!(sum == again))
    throw CheckError("counted twice, by rows and by columns: " + shown_sum(sum) + " and " + shown_sum(again));
  // Whether there is no perfect matching, or the weights cancel, is for count() to say.
  if (graph.weight_kind >= WeightKind::real && sum == Element{}) return std::nullopt;
  const SideSizes sides(graph);
  mpz_class denominator;
  mpz_pow_ui(denominator.get_mpz_t(), matrix->denominator.get_mpz_t(),
             symmetric ? matrix->size / 2 : sides.smaller);
  mpz_class orders;
  mpz_fac_ui(orders.get_mpz_t(), sides.larger - sides.smaller);
  denominator *= orders;
  return to_value(number_over(sum, denominator), graph.weight_kind, 0);
}

}  // namespace

std::optional<Value> small_value(const Graph& graph, const Options& options) {
  if (asks_how(options) || graph.digit || graph.copies || graph.letters) return std::nullopt;
  // Of maximum matchings count() has more to say than their number.
  if (graph.weight_kind <= WeightKind::integer && options.matchings != MatchingSize::maximum) {
    if (std::optional<DirectSum> sum = direct_sum(graph, options)) return std::move(sum->value);
  }
  // Whoever asks for floating point wants its arithmetic.
  const bool asks_for_floats = options.arithmetic != Options{}.arithmetic;
  if (graph.weight_kind >= WeightKind::real && asks_for_floats) return std::nullopt;
  const SideSizes sides(graph);
  // Of other matchings, and of sides that differ, count() has more to say.
  const bool rectangle = sides.smaller != sides.larger;
  if (rectangle ? options.matchings != MatchingSize::smaller_side : !asks_for_perfect(graph, options))
    return std::nullopt;
  const std::size_t few = graph.kind == GraphKind::undirected ? most_exact_vertices : most_exact_rows;
  if (graph.monomers || sides.larger > few) {
    if (graph.weight_kind != WeightKind::complex) return std::nullopt;
    const std::optional<Number> sum = dense_complex_sum(graph, options);
    if (!sum) return std::nullopt;
    return to_value(*sum, graph.weight_kind, 0);
  }
  return graph.weight_kind == WeightKind::complex ? exact_value<WholeComplex>(graph)
                                                  : exact_value<mpz_class>(graph);
}

}  // namespace countpm
