#include "kernels/frontier/modulus_groups.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <variant>

#include "kernels/frontier/tables/narrow_prime_ring.hpp"

namespace countpm {
namespace {

/// Each group takes as many as are within the limit. Precondition: every one alone is.
std::vector<std::uint32_t> filled_groups(const ValueBytes& bytes, std::uint64_t most_bytes) {
  std::vector<std::uint32_t> sizes;
  std::uint64_t left = 0;
  for (const std::uint64_t one : bytes) {
    if (sizes.empty() || one > left) {
      sizes.push_back(0);
      left = most_bytes;
    }
    ++sizes.back();
    left -= one;
  }
  return sizes;
}

}  // namespace

ValueBytes value_bytes_of(const std::vector<Modulus>& moduli) {
  ValueBytes bytes;
  bytes.reserve(moduli.size());
  for (const Modulus& modulus : moduli) {
    bytes.push_back(
        with_table_ring(modulus, [](const auto& ring) { return std::uint64_t{sizeof(ring.zero())}; }));
  }
  return bytes;
}

std::uint64_t sum_of(const ValueBytes& bytes) {
  return std::accumulate(bytes.begin(), bytes.end(), std::uint64_t{0});
}

std::vector<std::uint32_t> group_moduli(const ValueBytes& bytes, std::uint64_t most_bytes) {
  if (bytes.empty()) return {};
  std::uint64_t least = *std::max_element(bytes.begin(), bytes.end());
  if (least > most_bytes) return {};
  std::uint64_t enough = std::min(most_bytes, sum_of(bytes));
  const std::size_t groups = filled_groups(bytes, enough).size();
  while (least < enough) {
    const std::uint64_t middle = least + (enough - least) / 2;
    if (filled_groups(bytes, middle).size() <= groups) {
      enough = middle;
    } else {
      least = middle + 1;
    }
  }
  return filled_groups(bytes, enough);
}

std::uint64_t largest_group(const ValueBytes& bytes, const std::vector<std::uint32_t>& sizes) {
  std::uint64_t largest = 0;
  auto at = bytes.begin();
  for (const std::uint32_t size : sizes) {
    largest = std::max(largest, std::accumulate(at, at + size, std::uint64_t{0}));
    at += size;
  }
  return largest;
}

std::vector<std::vector<Modulus>> cut_moduli(const std::vector<Modulus>& moduli,
                                             const std::vector<std::uint32_t>& sizes) {
  std::vector<std::vector<Modulus>> groups;
  auto at = moduli.begin();
  for (const std::uint32_t size : sizes) {
    groups.emplace_back(at, at + size);
    at += size;
  }
  return groups;
}

SomeModuli moduli_among(const Arithmetic& all, const std::vector<Modulus>& group) {
  SomeModuli some;
  some.arithmetic = all;
  some.arithmetic.moduli.clear();
  for (std::uint32_t k = 0; k < all.moduli.size(); ++k) {
    if (std::find(group.begin(), group.end(), all.moduli[k]) == group.end()) continue;
    some.arithmetic.moduli.push_back(all.moduli[k]);
    some.places.push_back(k);
  }
  return some;
}

Partial widened(const Partial& value, const SomeModuli& some, const Arithmetic& all) {
  Partial wide = zero(all);
  const std::vector<uint128>& residues = std::get<Residues>(value).residue;
  for (std::size_t k = 0; k < some.places.size(); ++k)
    std::get<Residues>(wide).residue[some.places[k]] = residues[k];
  return wide;
}

}  // namespace countpm
