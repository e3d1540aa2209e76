#include "src/number/point_residues.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "graph/stop_signal.hpp"
#include "kernels/arithmetic/prime_ring.hpp"
#include "kernels/support/ring_power.hpp"
#include "src/number/factor_word.hpp"

namespace countpm {
namespace {

using Element = PrimeRing::Element;

std::uint64_t residue_in(const PrimeRing& ring, Element a) {
  return static_cast<std::uint64_t>(ring.to_residue(a));
}

/// An element whose least power that is 1 is the order-th. Precondition: order divides prime - 1.
std::uint64_t root_of_order(std::uint64_t prime, std::uint64_t order) {
  const PrimeRing ring(prime);
  const std::vector<PrimePower> factors = factor_word(order);
  for (std::uint64_t candidate = 2;; ++candidate) {
    const Element root = ring_power(ring, ring.from_residue(candidate), (prime - 1) / order);
    if (std::all_of(factors.begin(), factors.end(), [&](const PrimePower& factor) {
          return ring_power(ring, root, order / factor.prime) != ring.one();
        }))
      return residue_in(ring, root);
  }
}

/// Whether it is one below 2^bits that is 1 modulo `order` and modulo 4, so that -1 is a square, not used and
/// no divisor of the denominator.
bool is_prime_for(std::uint64_t order, std::uint64_t number, unsigned bits, const LetterRoots& used,
                  const mpz_class& denominator) {
  constexpr int rounds = 25;
  if (number % 4 != 1 || number >> bits != 0 || number % order != 1 % order || used.contains(number))
    return false;
  const mpz_class prime = static_cast<std::uint64_t>(number);
  return mpz_probab_prime_p(prime.get_mpz_t(), rounds) != 0 &&
         mpz_divisible_p(denominator.get_mpz_t(), prime.get_mpz_t()) == 0;
}

/// The largest of these above half of 2^bits; 0 where there is none.
std::uint64_t prime_for(std::uint64_t order, unsigned bits, const LetterRoots& used,
                        const mpz_class& denominator) {
  const std::uint64_t step = std::lcm(order, std::uint64_t{4});
  const std::uint64_t top = (std::uint64_t{1} << bits) - 1;
  for (std::uint64_t times = (top - 1) / step; times > 0; --times) {
    const std::uint64_t prime = times * step + 1;
    if (prime >> (bits - 1) == 0) break;
    check_stop();
    if (is_prime_for(order, prime, bits, used, denominator)) return prime;
  }
  return 0;
}

/// The bits of residues modulo it; a logarithm is right within far less than what is taken off.
double known_bits(std::uint64_t prime) {
  constexpr double rounding = 1e-9;
  return std::log2(static_cast<double>(prime)) - rounding;
}

/// At least so many points, and hardly more, as a product of two odd numbers that are not too different: with
/// an odd number -1, at which many a lattice's polynomial or one of its pivots is zero, is none of them.
std::pair<std::uint64_t, std::uint64_t> rows_and_columns(std::uint64_t needed) {
  const auto root = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(needed)));
  std::pair<std::uint64_t, std::uint64_t> best = {1, needed | 1U};
  for (std::uint64_t rows = std::max<std::uint64_t>(root / 4, 1) | 1U; rows <= root + 1; rows += 2) {
    const std::uint64_t columns = ((needed + rows - 1) / rows) | 1U;
    if (rows * columns <= best.first * best.second) best = {rows, columns};
  }
  return best;
}

/// How many bits of residues determine each coefficient.
std::vector<double> bits_needed(const PackedForm& form) {
  std::vector<double> bits;
  const std::size_t many = form.log2_bounds.size();
  for (std::size_t d = 0; d < many; ++d) {
    double bound = form.log2_bounds[d];
    if (form.palindromic) bound = std::min(bound, form.log2_bounds[many - 1 - d]);
    // 2^floor(bound) and all below it, and as many below zero; an integer below 1 is 0.
    bits.push_back(bound < 0 ? 0 : std::floor(bound) + 1 + (form.is_signed ? 1 : 0));
  }
  return bits;
}

}  // namespace

double PackedForm::log2_bound() const {
  const double digits = static_cast<double>(parts) * static_cast<double>(log2_bounds.size());
  return static_cast<double>(base_bits) * (static_cast<double>(offset) + digits);
}

Arithmetic arithmetic_of(const std::vector<PrimeWindow>& windows) {
  Arithmetic arithmetic;
  for (const PrimeWindow& window : windows) {
    for (std::uint64_t k = 0; k < window.points; ++k)
      arithmetic.moduli.push_back({window.prime, static_cast<unsigned>(k)});
  }
  return arithmetic;
}

std::string name_of(const std::vector<PrimeWindow>& windows) {
  std::uint64_t most = 0;
  std::uint64_t all = 0;
  for (const PrimeWindow& window : windows) {
    most = std::max(most, window.points);
    all += window.points;
  }
  return fmt::format("residues modulo {} {} at up to {} {} each, {} in all", windows.size(),
                     windows.size() == 1 ? "prime" : "primes", most, most == 1 ? "point" : "points", all);
}

PointResidues::PrimePoints::PrimePoints(std::size_t first_coefficient, std::size_t last_coefficient,
                                        bool palindromic)
    : first(first_coefficient), last(last_coefficient) {
  std::tie(rows, columns) = rows_and_columns(last - first + 1);
  computed = palindromic ? points() / 2 + 1 : points();
}

/// The primes so far, and what they determine.
class PointResidues::Taken {
 public:
  Taken(PointResidues& into, unsigned prime_bits) : into_(into), prime_bits_(prime_bits) {}

  /// Of the roots of unity that its points need; none where there are more points than are computed.
  std::optional<std::uint64_t> order_of(const PrimePoints& prime) const {
    const std::uint64_t order = prime.points() * into_.form_.parts;
    if (points_ + prime.computed > most_points || order >> (prime_bits_ - 2) != 0) return std::nullopt;
    return order;
  }
  void take(PrimePoints prime, std::uint64_t number) {
    prime.prime = number;
    points_ += prime.computed;
    used_.emplace(number, 0);
    known_ += known_bits(number);
    into_.primes_.push_back(prime);
  }
  const LetterRoots& used() const { return used_; }
  /// Bits of the residues that all of them have.
  double known() const { return known_; }

 private:
  PointResidues& into_;
  unsigned prime_bits_;
  LetterRoots used_;
  std::uint64_t points_ = 0;
  double known_ = 0;
};

std::optional<PointResidues> PointResidues::choose(const PackedForm& form, unsigned prime_bits) {
  PointResidues result;
  result.form_ = form;
  const std::vector<double> needed = bits_needed(form);
  Taken taken(result, prime_bits);
  for (;;) {
    const auto open = [&taken](double bits) { return bits > taken.known(); };
    const auto first = std::find_if(needed.begin(), needed.end(), open);
    if (first == needed.end() && !result.primes_.empty()) break;
    const bool none = first == needed.end();
    const std::ptrdiff_t behind = std::find_if(needed.rbegin(), needed.rend(), open) - needed.rbegin();
    const PrimePoints prime(none ? 0 : static_cast<std::size_t>(first - needed.begin()),
                            none ? 0 : needed.size() - 1 - static_cast<std::size_t>(behind),
                            form.palindromic);
    const std::optional<std::uint64_t> order = taken.order_of(prime);
    if (!order) return std::nullopt;
    const std::uint64_t number = prime_for(*order, prime_bits, taken.used(), form.denominator);
    if (number == 0) return std::nullopt;
    taken.take(prime, number);
  }
  result.finish();
  return result;
}

std::optional<PointResidues> PointResidues::chosen(const PackedForm& form,
                                                   const std::vector<PrimeWindow>& windows,
                                                   unsigned prime_bits, bool prove) {
  PointResidues result;
  result.form_ = form;
  const std::vector<double> needed = bits_needed(form);
  Taken taken(result, prime_bits);
  const auto settled = [&taken](double bits) { return bits <= taken.known(); };
  std::size_t first = 0;
  std::size_t last = needed.size() - 1;
  for (const PrimeWindow& window : windows) {
    // What a window leaves out the primes before it have determined.
    if (window.first < first || window.last > last || window.first > window.last) return std::nullopt;
    for (; first < window.first; ++first) {
      if (prove && !settled(needed[first])) return std::nullopt;
    }
    for (; last > window.last; --last) {
      if (prove && !settled(needed[last])) return std::nullopt;
    }
    const PrimePoints prime(first, last, form.palindromic);
    const std::optional<std::uint64_t> order = taken.order_of(prime);
    if (!order || window.points != prime.computed ||
        !is_prime_for(*order, window.prime, prime_bits, taken.used(), form.denominator))
      return std::nullopt;
    taken.take(prime, window.prime);
  }
  if (windows.empty() || (prove && !std::all_of(needed.begin(), needed.end(), settled))) return std::nullopt;
  result.finish();
  return result;
}

void PointResidues::finish() {
  LetterRoots roots;
  for (PrimePoints& prime : primes_) {
    prime.root = root_of_order(prime.prime, prime.points() * form_.parts);
    roots.emplace(prime.prime, prime.root);
  }
  arithmetic_ = arithmetic_of(windows());
  roots_ = std::make_shared<const LetterRoots>(std::move(roots));
}

std::vector<PrimeWindow> PointResidues::windows() const {
  std::vector<PrimeWindow> windows;
  windows.reserve(primes_.size());
  for (const PrimePoints& prime : primes_)
    windows.push_back({prime.prime, prime.first, prime.last, prime.computed});
  return windows;
}

std::vector<std::uint64_t> PointResidues::folded(const PrimePoints& prime, const uint128* values) const {
  const PrimeRing ring(prime.prime);
  const std::uint64_t points = prime.points();
  const Element letter = ring.from_residue(prime.root);
  const Element backwards = ring.inverse(letter);
  const Element point = ring_power(ring, letter, form_.parts);
  // The polynomial's values: without the number's denominator and offset.
  std::vector<Element> value(points);
  const Element scale = ring.from_residue(mpz_fdiv_ui(form_.denominator.get_mpz_t(), prime.prime));
  const Element step = ring_power(ring, backwards, form_.offset);
  Element factor = scale;
  for (std::size_t j = 0; j < prime.computed; ++j) {
    value[j] = ring.mul(ring.from_residue(static_cast<std::uint64_t>(values[j])), factor);
    factor = ring.mul(factor, step);
  }
  const Element inverse_point = ring.inverse(point);
  const Element mirror = ring_power(ring, inverse_point, form_.log2_bounds.size() - 1);
  Element mirrored = ring.one();
  for (std::size_t j = 1; j < prime.computed && prime.computed < points; ++j) {
    mirrored = ring.mul(mirrored, mirror);
    value[points - j] = ring.mul(value[j], mirrored);
  }
  // Back: with j = r + rows s and d = columns t + u, point^-jd = point^-(rows s u) point^-(r u)
  // point^-(columns r t).
  std::vector<Element> power(points, ring.one());
  for (std::size_t k = 1; k < points; ++k) power[k] = ring.mul(power[k - 1], inverse_point);
  const std::uint64_t rows = prime.rows;
  const std::uint64_t columns = prime.columns;
  std::vector<Element> half(points);
  for (std::uint64_t r = 0; r < rows; ++r) {
    for (std::uint64_t u = 0; u < columns; ++u) {
      Element sum = ring.zero();
      for (std::uint64_t s = 0; s < columns; ++s)
        ring.add_to(sum, ring.mul(value[r + rows * s], power[rows * ((s * u) % columns)]));
      half[r * columns + u] = ring.mul(sum, power[r * u]);
    }
  }
  const Element share = ring.inverse(ring.from_residue(points % prime.prime));
  std::vector<std::uint64_t> result(points);
  for (std::uint64_t t = 0; t < rows; ++t) {
    for (std::uint64_t u = 0; u < columns; ++u) {
      Element sum = ring.zero();
      for (std::uint64_t r = 0; r < rows; ++r)
        ring.add_to(sum, ring.mul(half[r * columns + u], power[columns * ((r * t) % rows)]));
      result[columns * t + u] = residue_in(ring, ring.mul(sum, share));
    }
  }
  return result;
}

mpz_class PointResidues::join(const Residues& residues) const {
  if (residues.residue.size() != arithmetic_.moduli.size())
    throw std::invalid_argument("join: as many residues as moduli are needed");
  const std::size_t many = form_.log2_bounds.size();
  std::vector<mpz_class> coefficient(many, mpz_class(0));
  mpz_class product = 1;
  std::size_t first = 0;
  std::size_t last = many - 1;
  // Those beyond the window are known once it narrows.
  const auto settle = [&](std::size_t d) {
    if (form_.is_signed && 2 * coefficient[d] > product) coefficient[d] -= product;
  };
  const uint128* values = residues.residue.data();
  for (const PrimePoints& prime : primes_) {
    check_stop();
    for (; first < prime.first; ++first) settle(first);
    for (; last > prime.last; --last) settle(last);
    const std::vector<std::uint64_t> sum = folded(prime, values);
    values += prime.computed;
    const PrimeRing ring(prime.prime);
    std::vector<Element> rest;
    rest.reserve(sum.size());
    for (const std::uint64_t one : sum) rest.push_back(ring.from_residue(one));
    const auto modulo = [&](const mpz_class& number) {
      return ring.from_residue(mpz_fdiv_ui(number.get_mpz_t(), prime.prime));
    };
    for (std::size_t d = 0; d < many; ++d) {
      if (d >= first && d <= last) continue;
      ring.sub_to(rest[d % prime.points()], modulo(coefficient[d]));
    }
    const Element inverse = ring.inverse(modulo(product));
    for (std::size_t d = first; d <= last; ++d) {
      const Element more = ring.mul(ring.sub(rest[d % prime.points()], modulo(coefficient[d])), inverse);
      mpz_addmul_ui(coefficient[d].get_mpz_t(), product.get_mpz_t(), residue_in(ring, more));
    }
    product *= static_cast<std::uint64_t>(prime.prime);
  }
  for (; first <= last; ++first) settle(first);
  // Digits to the base y^parts, by halves.
  std::uint64_t bits = form_.base_bits * form_.parts;
  while (coefficient.size() > 1) {
    const std::size_t pairs = coefficient.size() / 2;
    for (std::size_t k = 0; k < pairs; ++k)
      coefficient[k] = coefficient[2 * k] + (coefficient[2 * k + 1] << bits);
    if (coefficient.size() % 2 == 1) coefficient[pairs] = std::move(coefficient.back());
    coefficient.resize((coefficient.size() + 1) / 2);
    bits *= 2;
  }
  return coefficient[0] << (form_.base_bits * form_.offset);
}

}  // namespace countpm
