// Primes to compute with, and the way back from residues to an integer (Chinese remainder theorem).
#include <algorithm>
#include <array>
#include <bit>
#include <stdexcept>

#include "graph/stop_signal.hpp"
#include "kernels/arithmetic/arithmetic.hpp"
#include "kernels/arithmetic/prime_divisors.hpp"
#include "kernels/arithmetic/prime_ring.hpp"
#include "kernels/arithmetic/to_mpz.hpp"

namespace countpm {
namespace {

/// The moduli first .. last - 1 of a product tree: node 0 has all, the children of node k are 2 k + 1 and 2 k
/// + 2, and each has half of its moduli. With P a node's product and M/m the cofactor of modulus m in it, a
/// child's cofactors are its parent's over the other child's product. J. von zur Gathen, J. Gerhard, Modern
/// Computer Algebra, section 10.3.
class ResidueTree {
 public:
  explicit ResidueTree(const std::vector<Modulus>& moduli) : moduli_(moduli) {
    std::size_t nodes = 1;
    while (nodes < 2 * moduli.size()) nodes *= 2;
    product_.resize(nodes);
    sum_of_cofactors_.resize(nodes);
    multiply(0, 0, moduli.size());
  }

  const mpz_class& product() const { return product_[0]; }

  /// For every modulus m the inverse of its cofactor modulo m.
  std::vector<mpz_class> inverses() {
    std::vector<mpz_class> result(moduli_.size());
    divide(0, 0, moduli_.size(), sum_of_cofactors_[0], result);
    return result;
  }

  /// The sum of digit[k] times the cofactor of modulus k.
  mpz_class combine(const std::vector<mpz_class>& digit) const {
    return combine(0, 0, moduli_.size(), digit);
  }

 private:
  static std::size_t middle(std::size_t first, std::size_t last) { return first + (last - first) / 2; }
  static std::size_t left(std::size_t node) { return 2 * node + 1; }
  static std::size_t right(std::size_t node) { return 2 * node + 2; }

  void multiply(std::size_t node, std::size_t first, std::size_t last) {
    if (last - first == 1) {
      product_[node] = to_mpz(moduli_[first]);
      sum_of_cofactors_[node] = 1;
      return;
    }
    multiply(left(node), first, middle(first, last));
    multiply(right(node), middle(first, last), last);
    product_[node] = product_[left(node)] * product_[right(node)];
    sum_of_cofactors_[node] = sum_of_cofactors_[left(node)] * product_[right(node)] +
                              sum_of_cofactors_[right(node)] * product_[left(node)];
  }

  /// Modulo m every cofactor but m's own vanishes, so that the sum of all is m's own.
  void divide(std::size_t node, std::size_t first, std::size_t last, const mpz_class& sum,
              std::vector<mpz_class>& result) const {
    const mpz_class rest = sum % product_[node];
    if (last - first > 1) {
      divide(left(node), first, middle(first, last), rest, result);
      divide(right(node), middle(first, last), last, rest, result);
      return;
    }
    if (mpz_invert(result[first].get_mpz_t(), rest.get_mpz_t(), product_[node].get_mpz_t()) == 0)
      throw std::invalid_argument("join_residues: the moduli are not pairwise coprime");
  }

  mpz_class combine(std::size_t node, std::size_t first, std::size_t last,
                    const std::vector<mpz_class>& digit) const {
    if (last - first == 1) return digit[first];
    return combine(left(node), first, middle(first, last), digit) * product_[right(node)] +
           combine(right(node), middle(first, last), last, digit) * product_[left(node)];
  }

  const std::vector<Modulus>& moduli_;
  std::vector<mpz_class> product_;
  std::vector<mpz_class> sum_of_cofactors_;
};

// Primes are found in batches of so many.
constexpr std::size_t most_in_a_batch = 256;

/// Whether an odd number passes M. O. Rabin's test to this base, which it does not divide.
bool passes_to_base(const PrimeRing& modulo, std::int64_t base) {
  const std::uint64_t one = modulo.one();
  const std::uint64_t minus_one = modulo.neg(one);
  const std::uint64_t even = modulo.prime() - 1;
  const auto halvings = static_cast<unsigned>(std::countr_zero(even));
  std::uint64_t factor = modulo.from_int64(base);
  std::uint64_t power = one;
  for (std::uint64_t exponent = even >> halvings; exponent != 0; exponent >>= 1) {
    if ((exponent & 1) != 0) modulo.mul_to(power, factor);
    modulo.mul_to(factor, factor);
  }
  if (power == one || power == minus_one) return true;
  for (unsigned k = 1; k < halvings; ++k) {
    modulo.mul_to(power, power);
    if (power == minus_one) return true;
  }
  return false;
}

/// Proved for odd numbers above 37 and below 2^62: the least that pass to the first 4, 9 and 12 prime bases
/// and are no primes are 3,215,031,751 (G. Jaeschke, Math. Comp. 61 (1993) 915), 3,825,123,056,546,413,051
/// (Y. Jiang, Y. Deng, Math. Comp. 83 (2014) 2915) and one of 79 bits (J. Sorenson, J. Webster, Math. Comp.
/// 86 (2017) 985). Precondition: no prime below 41 divides it.
bool is_prime_number(std::uint64_t number) {
  constexpr std::array<std::int64_t, 12> bases{2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
  constexpr std::uint64_t four_will_do = 3'215'031'751;
  constexpr std::uint64_t nine_will_do = 3'825'123'056'546'413'051;
  const std::size_t needed = number < four_will_do ? 4 : number < nine_will_do ? 9 : bases.size();
  const PrimeRing modulo(number);
  return std::all_of(bases.begin(), bases.begin() + static_cast<std::ptrdiff_t>(needed),
                     [&](std::int64_t base) { return passes_to_base(modulo, base); });
}

/// The primes below 2^bits, the largest first, as choose_primes() lists them. What small primes divide is
/// crossed out of stretches of odd numbers (Eratosthenes), which leaves one in five to look at.
class PrimesDownwards {
 public:
  /// About so many are wanted.
  PrimesDownwards(unsigned bits, std::size_t wanted)
      : with_i_(bits > most_bits_of_any && bits < word_bits),
        top_((std::uint64_t{1} << bits) - 1),
        crossed_out_(std::clamp<std::size_t>((with_i_ ? 48 : 24) * wanted, 64, 16384)) {
    if (bits < least_bits || bits > most_bits)
      throw std::invalid_argument("choose_primes: primes have from 20 to 62 bits");
    constexpr std::uint64_t small_primes_below = 256;
    for (std::uint64_t odd = 3; odd < small_primes_below; odd += 2) {
      const auto divides = [odd](std::uint64_t prime) { return odd % prime == 0; };
      if (std::none_of(small_.begin(), small_.end(), divides)) small_.push_back(odd);
    }
    cross_out();
  }

  std::uint64_t next() {
    for (;;) {
      check_stop();
      if (at_ == crossed_out_.size()) {
        top_ -= 2 * crossed_out_.size();
        if (top_ >> (least_bits - 1) == 0) throw std::invalid_argument("choose_primes: there are no more");
        cross_out();
      }
      const std::size_t k = at_++;
      const std::uint64_t number = top_ - 2 * k;
      if (crossed_out_[k] != 0 || (with_i_ && number % 4 != 1)) continue;
      if (is_prime_number(number)) return number;
    }
  }

 private:
  static constexpr unsigned least_bits = 20;
  static constexpr unsigned most_bits = 62;
  // Where planar computes with 29 bits (lane_prime_bits) these, too, have a root of -1.
#ifdef __wasm__
  static constexpr unsigned most_bits_of_any = 28;
#else
  static constexpr unsigned most_bits_of_any = 32;
#endif
  static constexpr unsigned word_bits = 61;

  /// Number k of the stretch is top_ - 2 k.
  void cross_out() {
    std::fill(crossed_out_.begin(), crossed_out_.end(), char{0});
    at_ = 0;
    for (const std::uint64_t prime : small_) {
      // 2 k = top_ modulo the prime
      const std::uint64_t first = top_ % prime * ((prime + 1) / 2) % prime;
      for (std::size_t k = first; k < crossed_out_.size(); k += prime) crossed_out_[k] = 1;
    }
  }

  bool with_i_;
  std::uint64_t top_;
  std::vector<std::uint64_t> small_;
  std::vector<char> crossed_out_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<Modulus> choose_primes(unsigned count, const std::vector<mpz_class>& skip, unsigned prime_bits) {
  std::vector<Modulus> result;
  result.reserve(count);
  PrimesDownwards found(prime_bits, count);
  while (result.size() < count) {
    std::vector<std::uint64_t> primes(std::min<std::size_t>(count - result.size(), most_in_a_batch));
    for (std::uint64_t& prime : primes) prime = found.next();
    std::vector<bool> skipped(primes.size(), false);
    for (const mpz_class& value : skip) {
      check_stop();
      const std::vector<bool> divide = which_divide(primes, value);
      for (std::size_t k = 0; k < primes.size(); ++k) skipped[k] = skipped[k] || divide[k];
    }
    for (std::size_t k = 0; k < primes.size(); ++k) {
      if (!skipped[k]) result.push_back({primes[k], 0});
    }
  }
  return result;
}

mpz_class join_residues(const Residues& residues, const std::vector<Modulus>& moduli, bool is_signed) {
  if (residues.residue.size() != moduli.size())
    throw std::invalid_argument("join_residues: as many residues as moduli are needed");
  if (moduli.empty()) return 0;
  ResidueTree tree(moduli);
  std::vector<mpz_class> digit = tree.inverses();
  for (std::size_t k = 0; k < moduli.size(); ++k) {
    digit[k] *= to_mpz(residues.residue[k]);
    mpz_fdiv_r(digit[k].get_mpz_t(), digit[k].get_mpz_t(), to_mpz(moduli[k]).get_mpz_t());
  }
  mpz_class value = tree.combine(digit) % tree.product();
  if (is_signed && 2 * value > tree.product()) value -= tree.product();
  return value;
}

}  // namespace countpm
