#include "src/number/residues_of_block.hpp"

#include <algorithm>
#include <cstdint>
#include <set>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "graph/stop_poll.hpp"

namespace countpm {
namespace {

template <class Value, class Other>
Block<Value> with_values(const Block<Other>& block, std::vector<Value> values) {
  Block<Value> result;
  static_cast<SparsePattern&>(result.matrix) = static_cast<const SparsePattern&>(block.matrix);
  result.matrix.value = std::move(values);
  result.multiplicity = block.multiplicity;
  result.general = block.general;
  result.monomers = block.monomers;
  result.tiles = block.tiles;
  return result;
}

AnyBlock reduced(const Block<mpq_class>& block, const mpz_class& modulus) {
  std::vector<mpz_class> residues;
  residues.reserve(block.matrix.value.size());
  StopPoll poll;
  for (const mpq_class& value : block.matrix.value) {
    poll.step();
    std::optional<mpz_class> residue = residue_of(value, modulus);
    if (!residue) throw std::invalid_argument("block_modulo: a denominator has no inverse");
    // An entry that is there is none that is zero.
    if (*residue == 0) *residue = modulus;
    residues.push_back(*std::move(residue));
  }
  if (!modulus.fits_slong_p()) {
    return with_values(block, std::vector<mpq_class>(residues.begin(), residues.end()));
  }
  std::vector<std::int64_t> words;
  words.reserve(residues.size());
  for (const mpz_class& residue : residues) words.push_back(residue.get_si());
  return with_values(block, std::move(words));
}

}  // namespace

std::vector<mpz_class> denominators_in(const AnyBlock& any_block) {
  std::set<mpz_class> found;
  StopPoll poll;
  std::visit(
      [&](const auto& block) {
        using Value = typename std::decay_t<decltype(block.matrix.value)>::value_type;
        if constexpr (std::is_same_v<Value, mpq_class>) {
          for (const mpq_class& value : block.matrix.value) {
            poll.step();
            if (value.get_den() != 1) found.insert(value.get_den());
          }
        }
      },
      any_block);
  return {found.begin(), found.end()};
}

std::vector<Modulus> primes_beside(const std::vector<Modulus>& others, unsigned count, unsigned bits,
                                   const std::vector<mpz_class>& denominators) {
  const auto is_other = [&others](const Modulus& prime) {
    return std::any_of(others.begin(), others.end(),
                       [&prime](const Modulus& other) { return other.prime == prime.prime; });
  };
  // Lists of other sizes have none in common, so that the first ones are seldom left out.
  for (unsigned asked = count;; asked *= 2) {
    std::vector<Modulus> primes = choose_primes(asked, denominators, bits);
    primes.erase(std::remove_if(primes.begin(), primes.end(), is_other), primes.end());
    if (primes.size() < count) continue;
    primes.resize(count);
    return primes;
  }
}

mpz_class product_of(const std::vector<Modulus>& primes) {
  mpz_class product = 1;
  for (const Modulus& modulus : primes) product *= static_cast<std::uint64_t>(modulus.prime);
  return product;
}

AnyBlock block_modulo(const AnyBlock& any_block, const mpz_class& modulus) {
  return std::visit(
      [&](const auto& block) -> AnyBlock {
        using Value = typename std::decay_t<decltype(block.matrix.value)>::value_type;
        if constexpr (std::is_same_v<Value, mpq_class>) {
          return reduced(block, modulus);
        } else if constexpr (std::is_same_v<Value, std::int64_t>) {
          return block;
        } else {
          throw std::invalid_argument("block_modulo: complex values");
        }
      },
      any_block);
}

std::optional<mpz_class> residue_of(const mpq_class& number, const mpz_class& modulus) {
  mpz_class residue = number.get_num();
  if (number.get_den() != 1) {
    mpz_class inverse;
    if (mpz_invert(inverse.get_mpz_t(), number.get_den_mpz_t(), modulus.get_mpz_t()) == 0)
      return std::nullopt;
    residue *= inverse;
  }
  mpz_fdiv_r(residue.get_mpz_t(), residue.get_mpz_t(), modulus.get_mpz_t());
  return residue;
}

}  // namespace countpm
