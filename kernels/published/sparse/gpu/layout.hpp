#pragma once
// Which blocks fit the packed row sums of lane.hpp, in which form, and the way there. Compiles without
// nvcc.
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "kernels/method.hpp"
#include "kernels/published/sparse/gpu/lane.hpp"
#include "kernels/subsets/gpu/walker.hpp"
#include "kernels/subsets/integer_columns.hpp"
#include "kernels/subsets/subset_plan.hpp"

namespace countpm::gray {

struct PackedForm {
  unsigned bits = 8;   // of a row sum: 8 or 16
  unsigned words = 4;  // that the rows fill
  unsigned width = 2;  // words of 64 bits of a product: exact modulo 2^(64 width)
};

/// A form, or why there is none.
struct PackedChoice {
  std::optional<PackedForm> form;
  std::string obstacle;
};

/// None where a column has copies, the rows are more than 128 (64 where a row's magnitudes add up to more
/// than 63), those add up to more than 16383, or the sum is wider than 512 bits and not asked for modulo a
/// power of two.
PackedChoice packed_form(const IntegerColumns<std::int64_t>& columns, const SubsetPlan& plan,
                         const Arithmetic& arithmetic);

/// f(std::type_identity<PackedSums<bits, words>>, std::integral_constant<unsigned, width>). Wider products
/// than any rows of that many bits have are not compiled.
template <class F>
auto with_packed_form(const PackedForm& form, const F& f) {
  const auto with_width = [&](auto packed, auto least, auto most) {
    using std::integral_constant;
    if constexpr (least.value <= 2) {
      if (form.width <= 2 || most.value <= 2) return f(packed, integral_constant<unsigned, 2>());
    }
    if constexpr (least.value <= 4 && most.value >= 4) {
      if (form.width <= 4 || most.value <= 4) return f(packed, integral_constant<unsigned, 4>());
    }
    return f(packed, integral_constant<unsigned, most.value>());
  };
  using Two = std::integral_constant<unsigned, 2>;
  using Four = std::integral_constant<unsigned, 4>;
  using Eight = std::integral_constant<unsigned, 8>;
  if (form.bits == 8) {
    if (form.words <= 4) return with_width(std::type_identity<PackedSums<8, 4>>(), Two(), Two());
    if (form.words <= 8) return with_width(std::type_identity<PackedSums<8, 8>>(), Two(), Four());
    if (form.words <= 10) return with_width(std::type_identity<PackedSums<8, 10>>(), Two(), Eight());
    if (form.words <= 12) return with_width(std::type_identity<PackedSums<8, 12>>(), Two(), Eight());
    if (form.words <= 16) return with_width(std::type_identity<PackedSums<8, 16>>(), Two(), Eight());
    return with_width(std::type_identity<PackedSums<8, 32>>(), Four(), Eight());
  }
  if (form.words <= 16) return with_width(std::type_identity<PackedSums<16, 16>>(), Four(), Eight());
  return with_width(std::type_identity<PackedSums<16, 32>>(), Eight(), Eight());
}

/// Where each row is.
template <class Packed>
class PackedLayout {
 public:
  /// rows: in the order of their places in the masks of zero rows. At most Packed::rows.
  explicit PackedLayout(const std::vector<Index>& rows) : place_(rows.size()) {
    std::size_t next = 0;
    for (unsigned place = 0; place < 32 * Packed::masks && next < rows.size(); ++place) {
      if (word_of(place) < Packed::words) place_[rows[next++]] = place;
    }
  }
  /// By row: its place in the masks.
  const std::vector<unsigned>& places() const { return place_; }

  /// Appends one prefix's row sums; places without a row hold the factor 1.
  void append_sums(const std::int64_t* sums, std::vector<std::uint32_t>& to) const {
    const std::size_t at = to.size();
    for (unsigned w = 0; w < Packed::words; ++w) {
      to.push_back(0);
      for (unsigned k = 0; k < Packed::rows_in_word; ++k) to[at + w] += one << (Packed::bits * k);
    }
    for (std::size_t row = 0; row < place_.size(); ++row)
      to[at + word_of(place_[row])] += shifted(row, sums[row] - 1);
  }
  /// What a column adds to each word, Packed::stride of them.
  std::vector<std::uint32_t> column(const std::int64_t* deltas) const {
    std::vector<std::uint32_t> result(Packed::stride);
    for (std::size_t row = 0; row < place_.size(); ++row)
      result[word_of(place_[row])] += shifted(row, deltas[row]);
    return result;
  }
  /// Those of all the walk's columns, one after another; every prefix's sums.
  std::vector<std::uint32_t> columns(const Walk<std::int64_t>& walk) const {
    std::vector<std::uint32_t> result;
    for (unsigned c = 0; c < walk.columns; ++c) {
      const std::vector<std::uint32_t> one_column = column(&walk.deltas[std::size_t{c} * walk.rows]);
      result.insert(result.end(), one_column.begin(), one_column.end());
    }
    return result;
  }
  std::vector<std::uint32_t> starts(const Prefixes<std::int64_t>& prefixes) const {
    std::vector<std::uint32_t> result;
    result.reserve(prefixes.size() * Packed::words);
    for (std::uint64_t p = 0; p < prefixes.size(); ++p)
      append_sums(prefixes.starts.data() + p * place_.size(), result);
    return result;
  }
  /// The top bits of these rows.
  std::vector<std::uint32_t> marks(const std::vector<bool>& rows) const {
    std::vector<std::uint32_t> result(Packed::words);
    for (std::size_t row = 0; row < place_.size(); ++row) {
      if (rows[row]) result[word_of(place_[row])] |= shifted(row, std::int64_t{1} << (Packed::bits - 1));
    }
    return result;
  }

 private:
  static constexpr std::uint32_t one = Packed::offset + 1;

  static unsigned word_of(unsigned place) { return place / 32 * Packed::bits + place % Packed::bits; }
  /// Modulo 2^32: sums of such words are the packed sums.
  std::uint32_t shifted(std::size_t row, std::int64_t value) const {
    return static_cast<std::uint32_t>(value) << (place_[row] % 32 / Packed::bits * Packed::bits);
  }

  std::vector<unsigned> place_;
};

}  // namespace countpm::gray
