#include "src/checks/checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>

#include "kernels/arithmetic/bound.hpp"
#include "kernels/estimate/bounds/certified_bounds.hpp"
#include "src/checks/power_of_two.hpp"

namespace countpm {
namespace {

constexpr std::uint64_t parity_rows_limit = 8192;
// Certified bounds of so many entries are cheap beside reading and planning; more take their share of the
// count.
constexpr std::uint64_t cheap_entries = 250;
// A graph with odd cycles: its matrix, and a bipartite part of it.
constexpr std::uint64_t general_entries = 3;
constexpr double largest_bounds_share = 0.1;

/// Modulo 2^64, where all entries are integers; else nothing.
std::optional<SparseMatrix<std::int64_t>> modulo_two_words(const SparseMatrix<mpq_class>& matrix) {
  SparseMatrix<std::int64_t> result;
  result.rows = matrix.rows;
  result.columns = matrix.columns;
  result.row_start = matrix.row_start;
  result.column = matrix.column;
  for (const mpq_class& value : matrix.value) {
    if (value.get_den() != 1) return std::nullopt;
    const std::uint64_t low = mpz_get_ui(value.get_num_mpz_t());  // of the absolute value
    result.value.push_back(static_cast<std::int64_t>(value < 0 ? 0 - low : low));
  }
  return result;
}

// Whether the ball reaches above 0.
bool may_be_positive(const Number& count) {
  const auto& ball = std::get<Ball>(count);
  BigFloat top(ball.re.bits());
  mpfr_add(top.get(), ball.re.get(), ball.error.get(), MPFR_RNDU);
  return mpfr_sgn(top.get()) > 0;
}

// log2 of a number, of a ball of its near end, rounded down: -infinity where that is not above 0.
double log2_below(const Number& count) {
  if (const auto* exact = std::get_if<mpq_class>(&count)) {
    return *exact > 0 ? -log2_above(Number(mpq_class(1 / *exact))) : -std::numeric_limits<double>::infinity();
  }
  const auto& ball = std::get<Ball>(count);
  Ball near = ball;
  mpfr_sub(near.re.get(), ball.re.get(), ball.error.get(), MPFR_RNDD);
  mpfr_set_zero(near.error.get(), 1);
  return mpfr_sgn(near.re.get()) > 0 ? log2_above(Number(near)) : -std::numeric_limits<double>::infinity();
}

}  // namespace

Checks::Row& Checks::row(const std::string& name) {
  for (Row& row : rows_) {
    if (row.name == name) return row;
  }
  rows_.push_back({name, 0, "", ""});
  return rows_.back();
}

void Checks::passed(const std::string& name, const std::string& detail) {
  Row& at = row(name);
  ++at.blocks;
  at.detail = detail;
}

void Checks::not_applicable(const std::string& name, const std::string& why) {
  row(name).skipped = why;
}

void Checks::failed(const std::string& name, const std::string& expected, const std::string& found) {
  throw CheckError(
      fmt::format("the check '{}' failed: expected {}, found {}; no count is given, please report this", name,
                  expected, found));
}

std::vector<Check> Checks::list() const {
  std::vector<Check> result;
  for (const Row& row : rows_) {
    std::string detail = row.detail;
    if (row.blocks > 1) detail += fmt::format(" ({} blocks)", row.blocks);
    if (!row.skipped.empty())
      detail += fmt::format("{}left out: {}", detail.empty() ? "" : "; ", row.skipped);
    result.push_back({row.name, row.blocks > 0, true, detail});
  }
  return result;
}

double log_rounding(double log) {
  return 1e-9 * (1 + std::abs(log));
}

bool odd_determinant(const SparseMatrix<std::int64_t>& matrix) {
  constexpr Index word_bits = 64;
  const Index n = matrix.rows;
  const std::size_t words = (n + word_bits - 1) / word_bits;
  std::vector<std::uint64_t> bits(static_cast<std::size_t>(n) * words, 0);
  const auto row = [&](Index i) { return bits.begin() + static_cast<std::ptrdiff_t>(i * words); };
  for (Index i = 0; i < n; ++i) {
    for (std::uint64_t k = matrix.row_start[i]; k < matrix.row_start[i + std::uint64_t{1}]; ++k) {
      if (matrix.value[k] % 2 != 0)
        row(i)[matrix.column[k] / word_bits] |= std::uint64_t{1} << (matrix.column[k] % word_bits);
    }
  }
  for (Index j = 0; j < n; ++j) {
    const std::size_t word = j / word_bits;
    const std::uint64_t bit = std::uint64_t{1} << (j % word_bits);
    Index pivot = j;
    while (pivot < n && (row(pivot)[static_cast<std::ptrdiff_t>(word)] & bit) == 0) ++pivot;
    if (pivot == n) return false;
    if (pivot != j) std::swap_ranges(row(j), row(j) + static_cast<std::ptrdiff_t>(words), row(pivot));
    for (Index i = pivot + 1; i < n; ++i) {
      if ((row(i)[static_cast<std::ptrdiff_t>(word)] & bit) == 0) continue;
      for (std::size_t w = word; w < words; ++w)
        row(i)[static_cast<std::ptrdiff_t>(w)] ^= row(j)[static_cast<std::ptrdiff_t>(w)];
    }
  }
  return true;
}

namespace {

// Of the count times the denominators, as the bound is.
void verify_upper_bound(const AnyBlock& block, const Number& count, const char* by, Checks& checks) {
  const std::string bound = "upper bound";
  const auto* exact = std::get_if<mpq_class>(&count);
  if (exact == nullptr) return checks.not_applicable(bound, "real weights carry an error bound instead");
  const double log2_bound = log2_upper_bound(block);
  const Number scaled = mpq_class(*exact * denominator(block));
  if (log2_above(scaled) > log2_bound + log_rounding(log2_bound)) {
    Checks::failed(bound, fmt::format("at most 2^{:.6f}", log2_bound), to_string(count));
  } else {
    checks.passed(bound, fmt::format("at most {}", by));
  }
}

/// Whether so many seconds allow it.
bool verify_power_of_two(const SparseMatrix<std::int64_t>& matrix, const mpz_class& count, double seconds,
                         Checks& checks) {
  const auto found = permanent_modulo_power_of_two(matrix, seconds);
  if (!found) return false;
  mpz_class residue;
  mpz_fdiv_r_2exp(residue.get_mpz_t(), count.get_mpz_t(), found->bits);
  if (residue != mpz_class(found->residue))
    Checks::failed("parity", fmt::format("{} modulo 2^{}", found->residue, found->bits), count.get_str());
  checks.passed("parity",
                fmt::format("equals the permanent modulo 2^{}, of few subsets of columns", found->bits));
  return true;
}

}  // namespace

/// With monomers, too: of the permutations in the determinant of a symmetric matrix those that are not their
/// own inverses come in pairs of one product, and the others are matchings, loops where vertices stay alone.
void verify_parity(const AnyBlock& block, const Number& count, double seconds, Checks& checks) {
  const auto* exact = std::get_if<mpq_class>(&count);
  const std::string parity = "parity";
  std::optional<SparseMatrix<std::int64_t>> wrapped;
  const SparseMatrix<std::int64_t>* matrix = nullptr;
  if (const auto* small = std::get_if<Block<std::int64_t>>(&block)) {
    matrix = &small->matrix;
  } else if (const auto* large = std::get_if<Block<mpq_class>>(&block)) {
    wrapped = modulo_two_words(large->matrix);
    if (wrapped) matrix = &*wrapped;
  }
  if (exact == nullptr || matrix == nullptr) {
    checks.not_applicable(parity, "the weights are not integers");
  } else if (rows_of(block) > parity_rows_limit) {
    checks.not_applicable(parity, fmt::format("a block of more than {} rows", parity_rows_limit));
  } else {
    const bool odd = odd_determinant(*matrix);
    const bool count_is_odd = mpz_odd_p(exact->get_num_mpz_t()) != 0;
    if (exact->get_den() != 1 || odd != count_is_odd) {
      Checks::failed(parity,
                     fmt::format("an {} integer, as the determinant over GF(2) says", odd ? "odd" : "even"),
                     to_string(count));
    }
    if (!is_general(block) && verify_power_of_two(*matrix, exact->get_num(), seconds, checks)) return;
    checks.passed(parity, "equals the determinant over GF(2)");
  }
}

namespace {

// A vertex that may stay alone everywhere: the empty matching counts.
bool all_have_loops(const AnyBlock& block) {
  return std::visit(
      [](const auto& b) {
        for (Index v = 0; v < b.matrix.rows; ++v) {
          const auto row = b.matrix.column.begin() + static_cast<std::ptrdiff_t>(b.matrix.row_start[v]);
          const auto end =
              b.matrix.column.begin() + static_cast<std::ptrdiff_t>(b.matrix.row_start[v + std::uint64_t{1}]);
          if (!std::binary_search(row, end, v)) return false;
        }
        return true;
      },
      block);
}

/// Whether there is a cover at all is not known beforehand.
void verify_block_with_tiles(const AnyBlock& block, const Number& count, Checks& checks) {
  const std::string name = "0 or above";
  const auto* exact = std::get_if<mpq_class>(&count);
  if (has_negative(block)) {
    checks.not_applicable(name, "weights of both signs can cancel");
  } else if (exact != nullptr && *exact < 0) {
    Checks::failed(name, "a sum of 0 or above, since no weight is below 0", to_string(count));
  } else {
    checks.passed(name, "no weight is below 0, and neither is the sum");
  }
  verify_upper_bound(block, count, "what each vertex can take, in a row", checks);
}

void verify_monomer_block(const AnyBlock& block, const Number& count, Checks& checks) {
  if (tiles_of(block) != 0) return verify_block_with_tiles(block, count, checks);
  const std::string name = "above 0";
  const auto* exact = std::get_if<mpq_class>(&count);
  if (has_negative(block)) {
    checks.not_applicable(name, "weights of both signs can cancel");
  } else if (!all_have_loops(block)) {
    checks.not_applicable(name, "not every vertex may stay alone");
  } else if (exact != nullptr ? *exact <= 0 : !may_be_positive(count)) {
    Checks::failed(name, "a sum above 0, since the empty matching is in it", to_string(count));
  } else {
    checks.passed(name, "the empty matching is in the sum, which is above 0");
  }
  verify_parity(block, count, 0, checks);
  verify_upper_bound(block, count, "the product of the vertices' degrees and loops", checks);
}

}  // namespace

void verify_block(const ReducedBlock& block, const Number& count, double seconds, Checks& checks) {
  if (has_monomers(block.original)) return verify_monomer_block(block.original, count, checks);
  const bool is_signed = has_negative(block.original);
  const auto* exact = std::get_if<mpq_class>(&count);

  const std::string positive = "zero iff no perfect matching";
  if (is_signed) {
    checks.not_applicable(positive, "weights of both signs can cancel");
  } else if (exact != nullptr ? *exact <= 0 : !may_be_positive(count)) {
    Checks::failed(positive, "a count above 0, since there is a perfect matching", to_string(count));
  } else {
    checks.passed(positive, "the block has a perfect matching and its count is above 0");
  }

  verify_parity(block.original, count, seconds, checks);

  verify_upper_bound(block.original, count, is_general(block.original) ? "Alon-Friedland" : "Bregman-Minc",
                     checks);
}

void verify_certified_bounds(const AnyBlock& block, const Number& count, std::uint64_t& entries_left,
                             Checks& checks) {
  const std::string name = "certified bounds";
  if (tiles_of(block) != 0)
    return checks.not_applicable(name, "of exact covers only the upper bound is known");
  if (has_monomers(block)) return checks.not_applicable(name, "with monomers only the upper bound is known");
  if (is_general(block))
    return checks.not_applicable(name, "odd cycles: these are compared with the upper bound alone");
  if (has_negative(block)) return checks.not_applicable(name, "negative or complex weights");
  if (entries_of(block) > entries_left)
    return checks.not_applicable(name, "large blocks, whose bounds would take long beside the count");
  entries_left -= entries_of(block);
  const CertifiedBounds bounds = certified_bounds(block);
  const double above = log2_above(count);
  const double below = log2_below(count);
  const double slack = log_rounding(bounds.log2_upper);
  // Written so that the logarithm of 0, which log2_above may make no number, is refused.
  if (!(above >= bounds.log2_lower - slack) || !(below <= bounds.log2_upper + slack)) {
    Checks::failed(name,
                   fmt::format("from 2^{:.6f} ({}) to 2^{:.6f} ({})", bounds.log2_lower, bounds.lower_by,
                               bounds.log2_upper, bounds.upper_by),
                   fmt::format("2^{:.6f}", above));
  }
  checks.passed(name, fmt::format("between {} and {}", bounds.lower_by, bounds.upper_by));
}

std::uint64_t entries_to_certify(const AnyBlock& block) {
  return entries_of(block) * (is_general(block) ? general_entries : 1);
}

std::uint64_t entries_to_bound(double seconds_counted) {
  const double afforded = largest_bounds_share * seconds_counted / seconds_to_bound_an_entry;
  return static_cast<std::uint64_t>(
      std::clamp(afforded, static_cast<double>(cheap_entries), static_cast<double>(most_entries_to_bound)));
}

}  // namespace countpm
