#include "kernels/planar/elimination/matrix_residues.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <utility>

#include "graph/errors.hpp"
#include "graph/stop_poll.hpp"
#include "kernels/arithmetic/hafnian_bound.hpp"
#include "kernels/arithmetic/prime_ring.hpp"
#include "kernels/arithmetic/up_float.hpp"
#include "kernels/planar/elimination/determinant.hpp"
#include "kernels/planar/elimination/determinant_bound.hpp"
#include "kernels/planar/elimination/dissection.hpp"
#include "kernels/planar/orientation/root_of_minus_one.hpp"

namespace countpm::planar {
namespace {

// Where so large a part of a matrix is not 0, an order of elimination saves nothing.
constexpr std::uint64_t dense_part = 4;
constexpr unsigned rows_to_fit_sparse_by = 8;

struct SmallerComplex {
  bool operator()(const ComplexRational& a, const ComplexRational& b) const {
    const int re = cmp(a.re, b.re);
    return re != 0 ? re < 0 : cmp(a.im, b.im) < 0;
  }
};

/// |value| or a little more.
mpq_class modulus_above(const ComplexRational& value) {
  if (value.im == 0) return abs(value.re);
  if (value.re == 0) return abs(value.im);
  constexpr unsigned more_bits = 64;
  // sqrt(n / d) = sqrt(n d) / d
  const mpq_class square = value.re * value.re + value.im * value.im;
  mpz_class root = square.get_num() * square.get_den();
  mpz_mul_2exp(root.get_mpz_t(), root.get_mpz_t(), 2 * more_bits);
  mpz_sqrt(root.get_mpz_t(), root.get_mpz_t());
  mpz_class below = square.get_den();
  mpz_mul_2exp(below.get_mpz_t(), below.get_mpz_t(), more_bits);
  mpq_class result(root + 1, below);
  result.canonicalize();
  return result;
}

BlockGraph graph_of(Index rows, const std::vector<MatrixEntry>& entries, bool skew) {
  BlockGraph graph;
  graph.bipartite = !skew;
  graph.rows = rows;
  graph.vertices = skew ? rows : 2 * rows;
  graph.edges.reserve(entries.size());
  for (const MatrixEntry& entry : entries) {
    const Index column = skew ? entry.column : rows + entry.column;
    graph.edges.push_back({entry.row, column, graph.edges.size()});
  }
  return graph;
}

/// The product of the rows' denominators, or for a Pfaffian about its root.
mpz_class denominator_of(Index rows, const std::vector<MatrixEntry>& entries, bool skew) {
  std::vector<mpz_class> of_row(rows, mpz_class(1));
  const auto take = [&](Index row, const mpq_class& value) {
    if (value.get_den() != 1) of_row[row] = lcm(of_row[row], value.get_den());
  };
  for (const MatrixEntry& entry : entries) {
    take(entry.row, entry.value.re);
    take(entry.row, entry.value.im);
    if (!skew) continue;
    take(entry.column, entry.value.re);
    take(entry.column, entry.value.im);
  }
  std::erase_if(of_row, [](const mpz_class& one) { return one == 1; });
  if (skew) return hafnian_denominator(of_row);
  mpz_class product = 1;
  for (const mpz_class& one : of_row) product *= one;
  return product;
}

FrontTree one_front(const BlockGraph& graph, bool reversed) {
  std::vector<Index> order(graph.vertices);
  std::iota(order.begin(), order.end(), Index{0});
  if (reversed) std::reverse(order.begin(), order.end());
  return front_tree(graph, order, graph.vertices);
}

SignedMatrix transposed(const SignedMatrix& matrix) {
  SignedMatrix result = matrix;
  const Index rows = matrix.graph.rows;
  for (BlockGraph::Edge& edge : result.graph.edges) {
    const Index row = edge.a;
    edge.a = edge.b - rows;
    edge.b = rows + row;
  }
  return result;
}

}  // namespace

MatrixResidues::MatrixResidues(Index rows, const std::vector<MatrixEntry>& entries, bool skew, bool other) {
  if (rows >= most_ordered / 2 || entries.size() + 2 * std::uint64_t{rows} > most_ordered)
    throw UnableError(fmt::format("{} entries are too many to find an order of elimination", entries.size()),
                      "a determinant of a matrix of fewer entries");
  matrix_.graph = graph_of(rows, entries, skew);
  matrix_.orientation.assign(entries.size(), 1);
  denominator_ = denominator_of(rows, entries, skew);
  std::map<ComplexRational, Index, SmallerComplex> numbers;
  for (const MatrixEntry& entry : entries) {
    const auto [at, fresh] = numbers.try_emplace(entry.value, static_cast<Index>(numbers.size()));
    if (fresh) {
      numbers_.push_back(entry.value);
      complex_ = complex_ || entry.value.im != 0;
    }
    matrix_.value_of.push_back(at->second);
  }
  for (const ComplexRational& number : numbers_)
    matrix_.values.push_back(complex_ ? modulus_above(number) : number.re);
  if (!complex_) numbers_.clear();
  const std::uint64_t all = std::uint64_t{rows} * rows;
  dense_ = entries.size() * (skew ? 2 : 1) * dense_part >= all;
  tree_ = dense_  ? one_front(matrix_.graph, other)
          : other ? other_dissection_tree(matrix_.graph)
                  : dissection_tree(matrix_.graph);
}

double MatrixResidues::log2_bound() const {
  const unsigned near = complex_ || dense_ ? 0 : rows_to_fit_sparse_by;
  double bound = log2_determinant_bound(matrix_, near);
  if (matrix_.graph.bipartite) bound = std::min(bound, log2_determinant_bound(transposed(matrix_), near));
  if (denominator_ != 1) bound = UpFloat::up(bound + log2_up(UpFloat::of(denominator_)));
  return std::max(bound, 0.0);
}

double MatrixResidues::multiplications() const {
  return tree_.total.multiplications * (complex_ ? 2 : 1);
}

std::uint64_t MatrixResidues::bytes(unsigned width) const {
  return (tree_.total.front_words + tree_.total.stack_words) * width * sizeof(std::uint64_t) +
         (matrix_.values.size() * 2 * width + std::uint64_t{matrix_.graph.vertices} * 2) *
             sizeof(std::uint64_t) +
         4096;
}

ComplexResidues MatrixResidues::modulo(const LaneCode& code, const std::vector<std::uint64_t>& primes,
                                       const StopSignal& stop, TimeLimit* limit) const {
  ComplexResidues result;
  if (!complex_) {
    result.re = side_by_side(matrix_, code, primes, stop, limit);
    return result;
  }
  std::vector<std::uint64_t> roots;
  std::vector<std::uint64_t> other_roots;
  for (const std::uint64_t prime : primes) {
    roots.push_back(root_of_minus_one(prime));
    other_roots.push_back(prime - roots.back());
  }
  const std::vector<std::uint64_t> one = side_by_side(image(primes, roots), code, primes, stop, limit);
  if (limit != nullptr) return result;
  const std::vector<std::uint64_t> two = side_by_side(image(primes, other_roots), code, primes, stop, limit);
  for (std::size_t k = 0; k < primes.size(); ++k) {
    const PrimeRing ring(primes[k]);
    const PrimeRing::Element a = ring.from_residue(one[k]);
    const PrimeRing::Element b = ring.from_residue(two[k]);
    const PrimeRing::Element half = ring.inverse(ring.from_residue(2));
    const PrimeRing::Element re = ring.mul(ring.add(a, b), half);
    const PrimeRing::Element im =
        ring.mul(ring.mul(ring.sub(a, b), half), ring.inverse(ring.from_residue(roots[k])));
    result.re.push_back(static_cast<std::uint64_t>(ring.to_residue(re)));
    result.im.push_back(static_cast<std::uint64_t>(ring.to_residue(im)));
  }
  return result;
}

std::vector<std::uint64_t> MatrixResidues::side_by_side(const SignedMatrix& matrix, const LaneCode& code,
                                                        const std::vector<std::uint64_t>& primes,
                                                        const StopSignal& stop, TimeLimit* limit) const {
  if (code.width >= primes.size()) {
    try {
      return determinant(matrix, tree_, code, primes, stop, limit);
    } catch (const PivotsDiffer&) {
      // One prime at a time then.
    }
  }
  std::vector<std::uint64_t> result;
  result.reserve(primes.size());
  for (const std::uint64_t prime : primes)
    result.push_back(determinant(matrix, tree_, portable_lanes(), {prime}, stop, limit)[0]);
  return result;
}

/// The matrix whose values are, modulo each prime, those that i -> root gives.
SignedMatrix MatrixResidues::image(const std::vector<std::uint64_t>& primes,
                                   const std::vector<std::uint64_t>& roots) const {
  // basis[k]: 1 modulo primes[k], 0 modulo the others.
  mpz_class product = 1;
  for (const std::uint64_t prime : primes) product *= mpz_class(static_cast<std::uint64_t>(prime));
  std::vector<mpz_class> basis;
  std::vector<PrimeRing> rings;
  for (const std::uint64_t prime : primes) {
    const mpz_class own(static_cast<std::uint64_t>(prime));
    const mpz_class rest = product / own;
    mpz_class inverse;
    mpz_invert(inverse.get_mpz_t(), rest.get_mpz_t(), own.get_mpz_t());
    basis.emplace_back(rest * inverse);
    rings.emplace_back(prime);
  }
  SignedMatrix result = matrix_;
  StopPoll poll;
  for (std::size_t v = 0; v < numbers_.size(); ++v) {
    poll.steps(primes.size());
    mpz_class value = 0;
    for (std::size_t k = 0; k < primes.size(); ++k) {
      const PrimeRing& ring = rings[k];
      const PrimeRing::Element image =
          ring.add(ring.from_mpq(numbers_[v].re),
                   ring.mul(ring.from_mpq(numbers_[v].im), ring.from_residue(roots[k])));
      value += basis[k] * mpz_class(static_cast<std::uint64_t>(ring.to_residue(image)));
    }
    result.values[v] = mpq_class(mpz_class(value % product));
  }
  return result;
}

}  // namespace countpm::planar
