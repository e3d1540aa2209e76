#include "kernels/estimate/bounds/certified_bounds.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>

#include "graph/errors.hpp"
#include "graph/stop_poll.hpp"
#include "kernels/arithmetic/big_float.hpp"
#include "kernels/arithmetic/bound.hpp"
#include "kernels/arithmetic/log2_interval.hpp"
#include "kernels/estimate/bethe/marginals.hpp"
#include "kernels/estimate/bounds/bipartite_part.hpp"
#include "kernels/support/mpfr_caches.hpp"
#include "kernels/support/parallel_ranges.hpp"
#include "matching/loop_matching.hpp"
#include "matching/reduce.hpp"

namespace countpm {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr mpfr_prec_t bits = 80;
// Potentials of the dual are brought near the best by so many sweeps; any are valid.
constexpr int potential_sweeps = 50;
// Entries whose terms one thread adds up.
constexpr std::uint64_t entries_a_chunk = 512;

double up(double value) {
  return std::nextafter(value, infinity);
}

double down(double value) {
  return std::nextafter(value, -infinity);
}

/// A sum rounded in one direction.
class DirectedSum {
 public:
  explicit DirectedSum(mpfr_rnd_t round) : sum_(bits), term_(bits), round_(round) {}

  /// + weight * log2(value), weight >= 0, value > 0, both exact.
  void add_log2(const mpq_class& value, const mpq_class& weight) {
    if (value == 1 || weight == 0) return;
    mpfr_set_q(term_.get(), value.get_mpq_t(), round_);
    mpfr_log2(term_.get(), term_.get(), round_);
    mpfr_mul_q(term_.get(), term_.get(), weight.get_mpq_t(), round_);
    mpfr_add(sum_.get(), sum_.get(), term_.get(), round_);
  }
  /// + weight / marginal_one * value.
  void add_product(std::int64_t weight, double value) {
    mpfr_set_si_2exp(term_.get(), weight, -marginal_bits, MPFR_RNDN);  // exact
    mpfr_mul_d(term_.get(), term_.get(), value, round_);
    mpfr_add(sum_.get(), sum_.get(), term_.get(), round_);
  }
  void add(const DirectedSum& other) { mpfr_add(sum_.get(), sum_.get(), other.sum_.get(), round_); }
  void add(double value) { mpfr_add_d(sum_.get(), sum_.get(), value, round_); }
  double value() const { return sum_.to_double(round_); }

 private:
  BigFloat sum_;
  BigFloat term_;
  mpfr_rnd_t round_;
};

/// The sum of what add_terms(sum, first, last) adds for the entries first .. last - 1 of all chunks: chunk by
/// chunk, whatever the threads.
template <class AddTerms>
DirectedSum sum_of_chunks(std::uint64_t entries, mpfr_rnd_t round, int threads, const AddTerms& add_terms) {
  std::vector<DirectedSum> sums((entries + entries_a_chunk - 1) / entries_a_chunk, DirectedSum(round));
  parallel_ranges(threads, entries, entries_a_chunk, [&](std::uint64_t first, std::uint64_t last) {
    free_mpfr_caches_with_this_thread();
    add_terms(sums[first / entries_a_chunk], first, last);
  });
  DirectedSum total(round);
  for (const DirectedSum& sum : sums) total.add(sum);
  return total;
}

mpq_class exact(std::int64_t value) {
  return value;
}
mpq_class exact(const mpq_class& value) {
  return value;
}
mpq_class exact(const ComplexRational& value) {
  return value.re;
}

mpq_class share(std::int64_t part) {
  mpq_class result(mpz_class(static_cast<std::int64_t>(part)),
                   mpz_class(static_cast<std::int64_t>(marginal_one)));
  result.canonicalize();
  return result;
}

/// sum over lines, by falling degree, of log2 G(min(position, degree)), rounded down.
double log2_degree_factors(const SparsePattern& lines) {
  std::vector<Index> degree(lines.rows);
  for (Index i = 0; i < lines.rows; ++i) degree[i] = lines.row_degree(i);
  std::sort(degree.begin(), degree.end(), std::greater<>());
  int128 sum = 0;  // less than 3 / 2 for each line, in units of 2^-60
  Index known = 0;
  int128 factor = 0;  // log2 G(known)
  StopPoll poll;
  for (Index i = 0; i < lines.rows; ++i) {
    poll.step();
    const Index k = std::min(i + 1, degree[i]);
    if (k <= 1) continue;
    if (k != known) factor = (k - 1) * (log2_fixed(k - 1) - log2_fixed(k) - 2);
    known = k;
    sum += factor;
  }
  return fixed_below(sum);
}

/// What Bethe and Gurvits bounds need of a block and its marginals.
template <class Value>
class MarginalBounds {
 public:
  MarginalBounds(const SparseMatrix<Value>& weights, const SampleMatrix& matrix,
                 const std::vector<std::int64_t>& marginal, int threads)
      : weights_(weights),
        matrix_(matrix),
        marginal_(marginal),
        threads_(threads),
        own_(marginal.size()),
        other_(marginal.size()) {
    parallel_ranges(threads, marginal.size(), entries_a_chunk, [&](std::uint64_t first, std::uint64_t last) {
      for (std::uint64_t k = first; k < last; ++k) {
        own_[k] = log2_interval(static_cast<std::uint64_t>(marginal[k]), marginal_bits);
        other_[k] = log2_interval(static_cast<std::uint64_t>(marginal_one - marginal[k]), marginal_bits);
      }
    });
  }

  /// sum p log2(a/p), rounded down: a lower bound on the capacity.
  double log2_capacity() const {
    return add_up(MPFR_RNDD,
                  [this](DirectedSum& sum, std::uint64_t k) {
                    const std::int64_t p = marginal_[k];
                    if (p == 0) return;
                    if (exact(weights_.value[k]) != 1) sum.add_log2(exact(weights_.value[k]), share(p));
                    sum.add_product(p, -own_[k].above);
                  })
        .value();
  }
  /// sum (1-p) log2(1-p), rounded down.
  double log2_others() const {
    return add_up(MPFR_RNDD,
                  [this](DirectedSum& sum, std::uint64_t k) {
                    const std::int64_t other = marginal_one - marginal_[k];
                    if (other != 0) sum.add_product(other, other_[k].below);
                  })
        .value();
  }
  /// n/2 + sum log2(1-p) + sum u + sum v, rounded up. Precondition: no p is 0 or 1.
  double log2_above() const {
    std::vector<double> cost(marginal_.size());  // log2 a - log2 p - log2(1-p), rounded up
    DirectedSum total = add_up(MPFR_RNDU, [&](DirectedSum& sum, std::uint64_t k) {
      DirectedSum one(MPFR_RNDU);
      if (exact(weights_.value[k]) != 1) one.add_log2(exact(weights_.value[k]), 1);
      one.add(-own_[k].below);
      one.add(-other_[k].below);
      cost[k] = one.value();
      sum.add(other_[k].above);
    });
    const SparsePattern& rows = matrix_.rows;
    std::vector<double> u(rows.rows, 0.0);
    std::vector<double> v(rows.rows, 0.0);
    improve_potentials(cost, u, v);
    std::fill(v.begin(), v.end(), -infinity);
    for (Index i = 0; i < rows.rows; ++i) {
      for (std::uint64_t k = rows.row_start[i]; k < rows.row_start[i + std::uint64_t{1}]; ++k) {
        double& potential = v[rows.column[k]];
        potential = std::max(potential, std::nextafter(cost[k] - u[i], infinity));
      }
    }
    for (Index i = 0; i < rows.rows; ++i) {
      total.add(u[i]);
      total.add(v[i]);
      total.add(0.5);
    }
    return total.value();
  }

 private:
  /// add(sum, k) of every entry k.
  template <class Add>
  DirectedSum add_up(mpfr_rnd_t round, const Add& add) const {
    return sum_of_chunks(marginal_.size(), round, threads_,
                         [&add](DirectedSum& sum, std::uint64_t first, std::uint64_t last) {
                           for (std::uint64_t k = first; k < last; ++k) add(sum, k);
                         });
  }

  // Weighted least squares for u_i + v_j = cost, row by row and column by column.
  void improve_potentials(const std::vector<double>& cost, std::vector<double>& u,
                          std::vector<double>& v) const {
    const SparsePattern& rows = matrix_.rows;
    const auto p = [&](std::uint64_t k) {
      return static_cast<double>(marginal_[k]) / static_cast<double>(marginal_one);
    };
    for (int sweep = 0; sweep < potential_sweeps; ++sweep) {
      std::vector<double> next(v.size(), 0.0);
      StopPoll poll;
      for (Index i = 0; i < rows.rows; ++i) {
        poll.steps(rows.row_degree(i));
        const std::uint64_t end = rows.row_start[i + std::uint64_t{1}];
        u[i] = 0;
        for (std::uint64_t k = rows.row_start[i]; k < end; ++k) u[i] += p(k) * (cost[k] - v[rows.column[k]]);
        for (std::uint64_t k = rows.row_start[i]; k < end; ++k)
          next[rows.column[k]] += p(k) * (cost[k] - u[i]);
      }
      v = std::move(next);
    }
  }

  const SparseMatrix<Value>& weights_;
  const SampleMatrix& matrix_;
  const std::vector<std::int64_t>& marginal_;
  int threads_;
  std::vector<Log2Interval> own_;    // of each entry's p
  std::vector<Log2Interval> other_;  // of 1 - p
};

void take_lower(CertifiedBounds& bounds, double log2, const char* by) {
  if (log2 <= bounds.log2_lower) return;
  bounds.log2_lower = log2;
  bounds.lower_by = by;
}

template <class Value>
void improve(const Block<Value>& compact, int threads, CertifiedBounds& bounds) {
  const Block<Value> block = expanded(compact);
  SampleMatrix matrix;
  try {
    matrix = make_sample_matrix(block);
  } catch (const UnableError&) {
    return;  // weights of a row too far apart for doubles
  }
  const auto marginal = bethe_marginals(matrix);
  if (!marginal) return;
  const MarginalBounds<Value> terms(block.matrix, matrix, *marginal, threads);
  const double capacity = terms.log2_capacity();
  take_lower(bounds, down(capacity + terms.log2_others()), "Bethe");
  const double factors = std::max(log2_degree_factors(matrix.rows), log2_degree_factors(matrix.columns));
  take_lower(bounds, down(capacity + factors), "Gurvits");
  const bool inside = std::all_of(marginal->begin(), marginal->end(),
                                  [](std::int64_t p) { return p > 0 && p < marginal_one; });
  if (!inside) return;
  const double above = terms.log2_above();
  if (above < bounds.log2_upper) {
    bounds.log2_upper = above;
    bounds.upper_by = "Bethe";
  }
}

/// Of a graph with odd cycles: below by a bipartite part of it, above by haf(A)^2 <= per(A)
/// (kernels/arithmetic/hafnian_bound.hpp).
template <class Value>
void improve_general(const Block<Value>& graph, int threads, CertifiedBounds& bounds) {
  const Reduced<Value> part = reduce(bipartite_part(graph.matrix), RuleSet(), true, [] { check_stop(); });
  DirectedSum below(MPFR_RNDD);
  below.add_log2(part.factor, 1);
  for (const Block<Value>& block : part.blocks)
    below.add(certified_bounds(AnyBlock(block), threads).log2_lower);
  take_lower(bounds, below.value(), "bipartite part");

  Block<Value> matrix;
  matrix.matrix = graph.matrix;
  CertifiedBounds permanent;
  permanent.log2_upper = infinity;
  improve(matrix, threads, permanent);
  if (permanent.log2_upper / 2 >= bounds.log2_upper) return;
  bounds.log2_upper = permanent.log2_upper / 2;
  bounds.upper_by = "Bethe of the permanent";
}

// A positive permanent of integers is at least 1; of rationals at least 1 over the denominator.
double log2_denominator(const mpz_class& value) {
  if (value == 1) return 0;
  DirectedSum sum(MPFR_RNDU);
  sum.add_log2(mpq_class(value), 1);
  return sum.value();
}

}  // namespace

CertifiedBounds bounds_at_once(const AnyBlock& any_block) {
  CertifiedBounds bounds;
  const mpz_class scale = denominator(any_block);
  const bool none = has_monomers(any_block) && tiles_of(any_block) == 0 && !has_loop_matching(any_block);
  bounds.log2_lower = none ? -infinity : -log2_denominator(scale);
  bounds.lower_by = none ? "zero" : "integer";
  bounds.upper_by = has_monomers(any_block) ? "degrees and loops"
                    : is_general(any_block) ? "Alon-Friedland"
                                            : "Bregman-Minc";
  bounds.log2_upper = log2_upper_bound(any_block);
  if (scale != 1) {
    DirectedSum below(MPFR_RNDD);
    below.add_log2(mpq_class(scale), 1);
    bounds.log2_upper = up(bounds.log2_upper - below.value());
  }
  return bounds;
}

CertifiedBounds certified_bounds(const AnyBlock& any_block, int threads) {
  CertifiedBounds bounds = bounds_at_once(any_block);
  if (has_monomers(any_block)) return bounds;
  if (const auto* const exact = std::get_if<Block<mpq_class>>(&any_block);
      exact != nullptr && exact->general) {
    improve_general(*exact, threads, bounds);
  } else if (const auto* const small = std::get_if<Block<std::int64_t>>(&any_block);
             small != nullptr && small->general) {
    improve_general(*small, threads, bounds);
  } else if (!is_general(any_block)) {
    std::visit([&](const auto& block) { improve(block, threads, bounds); }, any_block);
  }
  return bounds;
}

}  // namespace countpm
