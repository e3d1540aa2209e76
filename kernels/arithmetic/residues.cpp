// Primes to compute with, and the way back from residues to an integer (Chinese remainder theorem).
#include <algorithm>
#include <stdexcept>

#include "graph/stop_signal.hpp"
#include "kernels/arithmetic/arithmetic.hpp"
#include "kernels/arithmetic/prime_divisors.hpp"
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

}  // namespace

std::vector<Modulus> choose_primes(unsigned count, const std::vector<mpz_class>& skip, unsigned prime_bits) {
  std::vector<Modulus> result;
  result.reserve(count);
  // Downwards over odd numbers; 2^61 - 1 is itself prime. About one in 21 is prime: far from running out.
  std::uint64_t candidate = (std::uint64_t{1} << prime_bits) - 1;
  while (result.size() < count) {
    std::vector<std::uint64_t> primes;
    const std::size_t wanted = std::min<std::size_t>(count - result.size(), most_in_a_batch);
    for (; primes.size() < wanted; candidate -= 2) {
      check_stop();
      const mpz_class number(static_cast<unsigned long>(candidate));
      // GMP runs Baillie-PSW, which has no counterexample below 2^64 (checked exhaustively: J. Feitsma, W.
      // Galway), so "probably" is "surely".
      if (mpz_probab_prime_p(number.get_mpz_t(), 25) != 0) primes.push_back(candidate);
    }
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
