#pragma once
// The exact product of all row sums, kept as suffix products over groups of rows: a change in the first
// groups rebuilds those only.
#include <gmpxx.h>

#include <cstdint>
#include <vector>

#include "graph/sparse_matrix.hpp"
#include "kernels/subsets/product_sum.hpp"

namespace countpm {

/// Rows of a group, and the groups in order: group g holds rows order[start[g]] .. order[start[g + 1] - 1].
struct RowGroups {
  std::vector<Index> order;
  std::vector<std::size_t> start{0};

  std::size_t size() const { return start.size() - 1; }
};

/// The rows as ordered, cut so that a group's product stays below 2^62 (bound: of a row's absolute sum) and
/// it has at most `most` rows.
RowGroups group_rows(std::vector<Index> order, const std::vector<std::int64_t>& bound, std::size_t most);
RowGroups group_rows(std::vector<Index> order, const std::vector<mpz_class>& bound, std::size_t most);

/// Int: int64_t (group products in a word, suffixes in several) or mpz_class.
template <class Int>
class SuffixProducts;

template <>
class SuffixProducts<std::int64_t> {
 public:
  explicit SuffixProducts(const RowGroups& groups)
      : groups_(groups),
        stride_(groups.size() + 1),
        magnitude_((groups.size() + 1) * stride_),
        words_(groups.size() + 1),
        minus_(groups.size() + 1),
        sum_(stride_) {
    words_[groups.size()] = 1;
    magnitude_[groups.size() * stride_] = 1;
  }

  /// Rebuilds suffixes last, last - 1, ..., 0.
  void rebuild(std::size_t last, const std::vector<std::int64_t>& sums) {
    for (std::size_t g = last + 1; g-- > 0;) {
      std::int64_t product = 1;
      for (std::size_t r = groups_.start[g]; r < groups_.start[g + 1]; ++r) product *= sums[groups_.order[r]];
      const mp_limb_t word =
          product < 0 ? 0 - static_cast<mp_limb_t>(product) : static_cast<mp_limb_t>(product);
      mp_limb_t* const to = &magnitude_[g * stride_];
      words_[g] = words_[g + 1];
      const mp_limb_t carry = mpn_mul_1(to, to + stride_, static_cast<mp_size_t>(words_[g]), word);
      if (carry != 0) to[words_[g]++] = carry;
      minus_[g] = minus_[g + 1] != (product < 0);
    }
  }
  /// Adds (-1)^odd times the whole product.
  void accumulate(bool odd) { sum_.add(magnitude_.data(), words_[0], odd != static_cast<bool>(minus_[0])); }
  mpz_class total() const { return sum_.total(); }

 private:
  const RowGroups& groups_;
  std::size_t stride_;
  std::vector<mp_limb_t> magnitude_;
  std::vector<std::size_t> words_;
  std::vector<char> minus_;
  SignedLimbSum sum_;
};

template <>
class SuffixProducts<mpz_class> {
 public:
  explicit SuffixProducts(const RowGroups& groups) : groups_(groups), product_(groups.size() + 1, 1) {}

  void rebuild(std::size_t last, const std::vector<mpz_class>& sums) {
    for (std::size_t g = last + 1; g-- > 0;) {
      product_[g] = product_[g + 1];
      for (std::size_t r = groups_.start[g]; r < groups_.start[g + 1]; ++r)
        product_[g] *= sums[groups_.order[r]];
    }
  }
  void accumulate(bool odd) {
    if (odd) {
      total_ -= product_[0];
    } else {
      total_ += product_[0];
    }
  }
  mpz_class total() const { return total_; }

 private:
  const RowGroups& groups_;
  std::vector<mpz_class> product_;
  mpz_class total_;
};

}  // namespace countpm
