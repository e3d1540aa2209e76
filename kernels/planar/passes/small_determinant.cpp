#include "kernels/planar/passes/small_determinant.hpp"

#include <utility>

#include "kernels/arithmetic/prime_ring.hpp"

namespace countpm::planar {
namespace {

std::vector<std::uint64_t> in_ring(const std::vector<std::uint64_t>& matrix, const PrimeRing& ring) {
  std::vector<std::uint64_t> result;
  result.reserve(matrix.size());
  for (const std::uint64_t residue : matrix) result.push_back(ring.from_residue(residue));
  return result;
}

}  // namespace

std::uint64_t small_determinant(const std::vector<std::uint64_t>& matrix, std::size_t size,
                                std::uint64_t prime) {
  const PrimeRing ring(prime);
  std::vector<std::uint64_t> a = in_ring(matrix, ring);
  std::uint64_t result = ring.one();
  for (std::size_t k = 0; k < size; ++k) {
    std::size_t pivot = k;
    while (pivot < size && a[pivot * size + k] == 0) ++pivot;
    if (pivot == size) return 0;
    if (pivot != k) {
      for (std::size_t j = k; j < size; ++j) std::swap(a[pivot * size + j], a[k * size + j]);
      result = ring.neg(result);
    }
    ring.mul_to(result, a[k * size + k]);
    const std::uint64_t inverse = ring.inverse(a[k * size + k]);
    for (std::size_t i = k + 1; i < size; ++i) {
      const std::uint64_t factor = ring.mul(a[i * size + k], inverse);
      for (std::size_t j = k + 1; j < size; ++j)
        ring.sub_to(a[i * size + j], ring.mul(factor, a[k * size + j]));
    }
  }
  return static_cast<std::uint64_t>(ring.to_residue(result));
}

std::uint64_t small_pfaffian(const std::vector<std::uint64_t>& matrix, std::size_t size,
                             std::uint64_t prime) {
  const PrimeRing ring(prime);
  std::vector<std::uint64_t> a = in_ring(matrix, ring);
  for (std::size_t i = 0; i < size; ++i) {
    a[i * size + i] = 0;
    for (std::size_t j = 0; j < i; ++j) a[i * size + j] = ring.neg(a[j * size + i]);
  }
  std::uint64_t result = ring.one();
  for (std::size_t k = 0; k + 1 < size; k += 2) {
    std::size_t partner = k + 1;
    while (partner < size && a[k * size + partner] == 0) ++partner;
    if (partner == size) return 0;
    if (partner != k + 1) {
      for (std::size_t j = 0; j < size; ++j) std::swap(a[partner * size + j], a[(k + 1) * size + j]);
      for (std::size_t i = 0; i < size; ++i) std::swap(a[i * size + partner], a[i * size + k + 1]);
      result = ring.neg(result);
    }
    const std::uint64_t pivot = a[k * size + k + 1];
    ring.mul_to(result, pivot);
    const std::uint64_t inverse = ring.inverse(pivot);
    // a_ij -= (a_ki a_lj - a_li a_kj) / a_kl, for l = k + 1.
    for (std::size_t i = k + 2; i < size; ++i) {
      const std::uint64_t by_k = ring.mul(a[k * size + i], inverse);
      const std::uint64_t by_l = ring.mul(a[(k + 1) * size + i], inverse);
      for (std::size_t j = k + 2; j < size; ++j) {
        ring.sub_to(a[i * size + j], ring.mul(by_k, a[(k + 1) * size + j]));
        ring.add_to(a[i * size + j], ring.mul(by_l, a[k * size + j]));
      }
    }
  }
  return size % 2 == 0 ? static_cast<std::uint64_t>(ring.to_residue(result)) : 0;
}

}  // namespace countpm::planar
