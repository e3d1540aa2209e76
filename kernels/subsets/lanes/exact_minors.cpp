#include "kernels/subsets/lanes/exact_minors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

#include "graph/clock.hpp"
#include "graph/errors.hpp"
#include "kernels/arithmetic/arithmetic.hpp"
#include "kernels/arithmetic/prime_ring.hpp"
#include "kernels/subsets/lanes/gray_digits.hpp"
#include "kernels/support/ring_power.hpp"

namespace countpm {
namespace {

constexpr std::uint64_t minors_poll_mask = (1 << 8) - 1;

/// The matrix with its rows made whole.
struct WholeRows {
  std::vector<mpz_class> denominator;  // of each row
  std::vector<mpz_class> re;
  std::vector<mpz_class> im;
  double log2_bound = 0;  // of a permanent without a row, times the denominators of the others
};

mpz_class times_whole(const mpq_class& value, const mpz_class& denominator) {
  return mpz_class(value.get_num() * (denominator / value.get_den()));
}

WholeRows whole_rows(const FactorMatrix& matrix) {
  WholeRows whole;
  for (Index i = 0; i < matrix.rows(); ++i) {
    mpz_class common = 1;
    for (Index j = 0; j < matrix.columns(); ++j)
      common = lcm(lcm(common, matrix.at(i, j).re.get_den()), matrix.at(i, j).im.get_den());
    mpz_class sum = 1;
    for (Index j = 0; j < matrix.columns(); ++j) {
      whole.re.push_back(times_whole(matrix.at(i, j).re, common));
      whole.im.push_back(times_whole(matrix.at(i, j).im, common));
      sum += (abs(whole.re.back()) + abs(whole.im.back())) * matrix.copies[j];
    }
    // At least the logarithm: a number of so many bits is below 2^bits.
    whole.log2_bound += matrix.power[i] * static_cast<double>(mpz_sizeinbase(sum.get_mpz_t(), 2));
    whole.denominator.push_back(std::move(common));
  }
  return whole;
}

/// Primes whose product exceeds four times the bound; of complex numbers those with a root of minus one.
std::vector<Modulus> primes_for_minors(double log2_bound, bool complex) {
  constexpr double prime_bits = 60;  // all of them exceed 2^60
  const auto wanted = static_cast<std::size_t>(std::ceil((log2_bound + 2) / prime_bits));
  for (auto asked = static_cast<unsigned>(wanted);; asked *= 2) {
    std::vector<Modulus> primes;
    for (const Modulus& modulus : choose_primes(asked)) {
      if ((!complex || modulus.prime % 4 == 1) && primes.size() < wanted) primes.push_back(modulus);
    }
    if (primes.size() == wanted) return primes;
  }
}

/// A root of -1; p = 1 (mod 4).
std::uint64_t imaginary_root(const PrimeRing& ring) {
  const std::uint64_t minus_one = ring.neg(ring.one());
  for (std::int64_t base = 2;; ++base) {
    const std::uint64_t root = ring_power(ring, ring.from_int64(base), ring.prime() / 4);
    if (ring.mul(root, root) == minus_one) return root;
  }
}

/// All permanents modulo one prime, i being a given residue (0 where nothing is complex).
std::vector<std::uint64_t> minors_modulo(const FactorMatrix& matrix, const WholeRows& whole,
                                         const PrimeRing& ring, std::uint64_t root, const StopSignal& stop) {
  using Element = PrimeRing::Element;
  const Index rows = matrix.rows();
  const Index columns = matrix.columns();
  const auto residue = [&](const mpz_class& value) {
    return ring.from_residue(mpz_fdiv_ui(value.get_mpz_t(), ring.prime()));
  };
  std::vector<Element> twice(std::size_t{rows} * columns);
  std::vector<Element> factor(rows, ring.zero());
  std::vector<Digit> digits;
  std::vector<std::vector<Element>> binomial;
  std::uint64_t lines = 0;
  for (Index j = 0; j < columns; ++j) {
    // A copy of the first column is always in.
    const Index copies = matrix.copies[j] - (j == 0 ? 1 : 0);
    lines += matrix.copies[j];
    for (Index i = 0; i < rows; ++i) {
      const std::size_t at = std::size_t{i} * columns + j;
      const Element value = ring.add(residue(whole.re[at]), ring.mul(root, residue(whole.im[at])));
      twice[at] = ring.add(value, value);
      ring.sub_to(factor[i], ring.mul(value, ring.from_int64(matrix.copies[j])));
      if (j == 0) ring.add_to(factor[i], twice[at]);
    }
    if (copies == 0) continue;
    digits.push_back({j, copies});
    binomial.emplace_back();
    for (Index chosen = 0; chosen <= copies; ++chosen) {
      mpz_class exact;
      mpz_bin_uiui(exact.get_mpz_t(), copies, chosen);
      binomial.back().push_back(residue(exact));
    }
  }
  std::vector<Element> result(rows, ring.zero());
  std::vector<Element> behind(rows + std::size_t{1});
  GrayDigits gray(digits);
  // (-1)^(n - 1) in front, n the number of columns.
  bool negative = lines % 2 == 0;
  for (std::uint64_t step = 0;; ++step) {
    if ((step & minors_poll_mask) == 0) stop.check();
    Element weight = ring.one();
    for (std::size_t k = 0; k < digits.size(); ++k) {
      if (digits[k].copies > 1) ring.mul_to(weight, binomial[k][gray.chosen(k)]);
    }
    behind[rows] = negative ? ring.neg(weight) : weight;
    negative = !negative;
    for (Index i = rows; i-- > 0;) {
      behind[i] = ring.mul(behind[i + std::size_t{1}],
                           matrix.power[i] == 1 ? factor[i] : ring_power(ring, factor[i], matrix.power[i]));
    }
    Element before = ring.one();
    for (Index i = 0; i < rows; ++i) {
      if (matrix.power[i] > 1) ring.mul_to(before, ring_power(ring, factor[i], matrix.power[i] - 1));
      ring.add_to(result[i], ring.mul(before, behind[i + std::size_t{1}]));
      ring.mul_to(before, factor[i]);
    }
    const std::optional<GrayDigits::Change> change = gray.next();
    if (!change) break;
    const Index column = digits[change->digit].column;
    for (Index i = 0; i < rows; ++i) {
      const Element value = twice[std::size_t{i} * columns + column];
      factor[i] = change->out ? ring.sub(factor[i], value) : ring.add(factor[i], value);
    }
  }
  const Element halves = ring.inverse(ring_power(ring, ring.from_int64(2), lines - 1));
  for (Element& one : result) ring.mul_to(one, halves);
  return result;
}

/// The same of the permanents' real and imaginary parts.
struct MinorResidues {
  std::vector<std::uint64_t> re;
  std::vector<std::uint64_t> im;
};

MinorResidues residues_of_minors(const FactorMatrix& matrix, const WholeRows& whole, std::uint64_t prime,
                                 const StopSignal& stop) {
  const PrimeRing ring(prime);
  const std::uint64_t root = matrix.complex ? imaginary_root(ring) : ring.zero();
  const std::vector<std::uint64_t> x = minors_modulo(matrix, whole, ring, root, stop);
  const std::vector<std::uint64_t> y =
      matrix.complex ? minors_modulo(matrix, whole, ring, ring.neg(root), stop) : x;
  const std::uint64_t half = ring.inverse(ring.from_int64(2));
  const std::uint64_t half_of_root = matrix.complex ? ring.mul(half, ring.inverse(root)) : ring.zero();
  MinorResidues result;
  for (std::size_t i = 0; i < x.size(); ++i) {
    result.re.push_back(static_cast<std::uint64_t>(ring.to_residue(ring.mul(half, ring.add(x[i], y[i])))));
    result.im.push_back(
        static_cast<std::uint64_t>(ring.to_residue(ring.mul(half_of_root, ring.sub(x[i], y[i])))));
  }
  return result;
}

/// Empty where the denominator has no inverse.
std::optional<mpz_class> residue_modulo(const mpq_class& value, const mpz_class& prime) {
  mpz_class inverse;
  if (mpz_invert(inverse.get_mpz_t(), value.get_den_mpz_t(), prime.get_mpz_t()) == 0) return std::nullopt;
  inverse *= value.get_num();
  mpz_fdiv_r(inverse.get_mpz_t(), inverse.get_mpz_t(), prime.get_mpz_t());
  return inverse;
}

/// The weights modulo a prime; empty where it divides a denominator.
std::optional<WholeRows> rows_modulo(const FactorMatrix& matrix, const mpz_class& prime) {
  WholeRows rows;
  for (Index i = 0; i < matrix.rows(); ++i) {
    for (Index j = 0; j < matrix.columns(); ++j) {
      auto re = residue_modulo(matrix.at(i, j).re, prime);
      auto im = residue_modulo(matrix.at(i, j).im, prime);
      if (!re || !im) return std::nullopt;
      rows.re.push_back(*std::move(re));
      rows.im.push_back(*std::move(im));
    }
  }
  return rows;
}

}  // namespace

void verify_minors(const FactorMatrix& matrix, const std::vector<ComplexRational>& minors,
                   const StopSignal& stop) {
  if (matrix.columns() == 0) return;
  // The permanents' own primes are of 61 bits.
  constexpr unsigned other_bits = 60;
  for (unsigned count = 1;; ++count) {
    const std::uint64_t prime = choose_primes(count, {}, other_bits).back().prime;
    if (matrix.complex && prime % 4 != 1) continue;
    const mpz_class modulus = static_cast<std::uint64_t>(prime);
    const std::optional<WholeRows> rows = rows_modulo(matrix, modulus);
    if (!rows) continue;
    const MinorResidues found = residues_of_minors(matrix, *rows, prime, stop);
    for (std::size_t i = 0; i < minors.size(); ++i) {
      const auto agree = [&](const mpq_class& value, std::uint64_t residue) {
        return residue_modulo(value, modulus) == mpz_class(static_cast<std::uint64_t>(residue));
      };
      if (agree(minors[i].re, found.re[i]) && agree(minors[i].im, found.im[i])) continue;
      throw CheckError(fmt::format(
          "one more residue of a permanent without a line: it is ({},{}) modulo {}, and ({},{}) is not",
          found.re[i], found.im[i], prime, minors[i].re.get_str(), minors[i].im.get_str()));
    }
    return;
  }
}

std::vector<ComplexRational> exact_minors(const FactorMatrix& matrix, const StopSignal& stop) {
  const Index rows = matrix.rows();
  if (matrix.columns() == 0) return std::vector<ComplexRational>(rows, ComplexRational{1, 0});
  const WholeRows whole = whole_rows(matrix);
  const std::vector<Modulus> primes = primes_for_minors(whole.log2_bound, matrix.complex);
  std::vector<Residues> re(rows);
  std::vector<Residues> im(rows);
  const double start = seconds_now();
  for (const Modulus& modulus : primes) {
    const MinorResidues found = residues_of_minors(matrix, whole, modulus.prime, stop);
    for (Index i = 0; i < rows; ++i) {
      re[i].residue.push_back(found.re[i]);
      im[i].residue.push_back(found.im[i]);
    }
  }
  const double seconds = seconds_now() - start;
  mpz_class denominators = 1;
  for (Index i = 0; i < rows; ++i) {
    mpz_class power;
    mpz_pow_ui(power.get_mpz_t(), whole.denominator[i].get_mpz_t(), matrix.power[i]);
    denominators *= power;
  }
  std::vector<ComplexRational> result;
  for (Index i = 0; i < rows; ++i) {
    const mpz_class others = denominators / whole.denominator[i];
    ComplexRational minor{mpq_class(join_residues(re[i], primes, true), others),
                          mpq_class(join_residues(im[i], primes, true), others)};
    minor.re.canonicalize();
    minor.im.canonicalize();
    result.push_back(std::move(minor));
  }
  constexpr double largest_share = 0.2;
  constexpr double few_seconds = 0.1;
  if (seconds / static_cast<double>(primes.size()) <= std::max(largest_share * seconds, few_seconds))
    verify_minors(matrix, result, stop);
  return result;
}

double log2_work_of_exact_minors(const FactorMatrix& matrix) {
  double log2_states = 0;
  for (Index j = 0; j < matrix.columns(); ++j)
    log2_states += std::log2(static_cast<double>(matrix.copies[j]) + (j == 0 ? 0 : 1));
  const double primes = (whole_rows(matrix).log2_bound + 2) / 60 + 1;
  return log2_states + std::log2(3.0 * matrix.rows() * primes * (matrix.complex ? 2 : 1));
}

}  // namespace countpm
