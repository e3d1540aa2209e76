#include "kernels/proof/line_polynomial.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "graph/stop_signal.hpp"
#include "kernels/proof/four_word_key.hpp"
#include "kernels/support/parallel_ranges.hpp"

namespace countpm {
namespace {

constexpr std::uint64_t states_for_threads = 1 << 14;
constexpr std::uint64_t parts_a_thread = 4;
constexpr std::uint64_t blocks_between_looks = 1 << 12;
constexpr unsigned digit_bits = 4;

/// Of some bits in a row, for every pattern of them, the product of their factors: polynomials of one degree.
class PatternPolynomials {
 public:
  /// Of the coordinates with first <= bit < first + bits.
  PatternPolynomials(const PrimeField& field, const std::vector<LineCoordinate>& coordinate, unsigned first,
                     unsigned bits)
      : terms_(1) {
    for (const LineCoordinate& own : coordinate)
      if (own.bit >= first && own.bit < first + bits && own.moving) ++terms_;
    values_.resize(terms_ << bits);
    const std::size_t patterns = std::size_t{1} << bits;
    for (std::size_t pattern = 0; pattern < patterns; ++pattern) values_[pattern * terms_] = field.one();
    for (const LineCoordinate& own : coordinate) {
      if (own.bit < first || own.bit >= first + bits) continue;
      const FieldElement other = field.subtract(field.one(), own.start);
      const FieldElement back = field.negate(own.way);
      for (std::size_t pattern = 0; pattern < patterns; ++pattern) {
        const bool set = (pattern >> (own.bit - first) & 1) != 0;
        times_line(field, values_.data() + pattern * terms_, set ? own.start : other, set ? own.way : back,
                   own.moving);
      }
    }
  }

  /// Coefficients of each.
  std::size_t terms() const { return terms_; }
  const FieldElement* of(std::size_t pattern) const { return values_.data() + pattern * terms_; }

 private:
  void times_line(const PrimeField& field, FieldElement* polynomial, const FieldElement& start,
                  const FieldElement& way, bool moving) const {
    for (std::size_t i = terms_; i-- > 0;) {
      FieldElement next = field.multiply(polynomial[i], start);
      if (moving && i > 0) next = field.add(next, field.multiply(polynomial[i - 1], way));
      polynomial[i] = next;
    }
  }

  std::size_t terms_;
  std::vector<FieldElement> values_;
};

/// The factors of all bits.
struct LineFactors {
  PatternPolynomials places;
  std::vector<PatternPolynomials> digits;  // of keys, the lowest first
  std::size_t terms = 1;                   // of the whole polynomial

  LineFactors(const PrimeField& field, const std::vector<LineCoordinate>& coordinate)
      : places(field, coordinate, 0, place_bits) {
    unsigned bits = 0;
    for (const LineCoordinate& own : coordinate) {
      bits = std::max(bits, own.bit + 1);
      if (own.moving) ++terms;
    }
    for (unsigned first = place_bits; first < bits; first += digit_bits)
      digits.emplace_back(field, coordinate, first, digit_bits);
  }
};

/// A way through blocks in the order of their keys.
template <class Key>
class LineSweep {
 public:
  LineSweep(const PrimeField& field, const StateTable<Key>& table, const LineFactors& factors)
      : field_(field), table_(table), factors_(factors) {
    std::size_t terms = factors.places.terms();
    level_.emplace_back(terms);
    for (const PatternPolynomials& digit : factors.digits) {
      terms += digit.terms() - 1;
      level_.emplace_back(terms);
    }
    reduced_.resize(terms);
  }

  std::vector<FieldElement> over(std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t block = first; block < last; ++block) {
      if (block % blocks_between_looks == 0) check_stop();
      const Key key = table_.key[block];
      if (block > first) raise(digits_in(key ^ table_.key[block - 1]), table_.key[block - 1]);
      add_block(table_.reached[block], table_.value.data() + table_.first[block]);
    }
    if (first < last) raise(factors_.digits.size(), table_.key[last - 1]);
    std::vector<FieldElement> result;
    for (const ProductSum& sum : level_.back()) result.push_back(field_.reduce(sum));
    return result;
  }

 private:
  static std::size_t digits_in(Key changed) {
    std::size_t digits = 0;
    for (; changed != 0; changed >>= digit_bits) ++digits;
    return digits;
  }

  /// The lowest digits of the key are finished.
  void raise(std::size_t digits, Key key) {
    for (std::size_t k = 0; k < digits; ++k, key >>= digit_bits) {
      std::vector<ProductSum>& from = level_[k];
      const PatternPolynomials& digit = factors_.digits[k];
      const FieldElement* const factor = digit.of(static_cast<std::uint64_t>(key) & ((1U << digit_bits) - 1));
      for (std::size_t i = 0; i < from.size(); ++i) {
        reduced_[i] = field_.reduce(from[i]);
        from[i] = {};
      }
      ProductSum* const to = level_[k + 1].data();
      for (std::size_t i = 0; i < from.size(); ++i)
        for (std::size_t j = 0; j < digit.terms(); ++j) to[i + j].add(reduced_[i], factor[j]);
    }
  }

  void add_block(std::uint64_t reached, const FieldElement* value) {
    switch (factors_.places.terms()) {
      case 1:
        return add_places<1>(reached, value);
      case 2:
        return add_places<2>(reached, value);
      case 3:
        return add_places<3>(reached, value);
      case 4:
        return add_places<4>(reached, value);
      case 5:
        return add_places<5>(reached, value);
      case 6:
        return add_places<6>(reached, value);
      default:
        return add_places<7>(reached, value);
    }
  }
  template <std::size_t terms>
  void add_places(std::uint64_t reached, const FieldElement* value) {
    std::array<ProductSum, terms> sums{};
    for (; reached != 0; reached &= reached - 1, ++value) {
      const FieldElement* const factor =
          factors_.places.of(static_cast<std::size_t>(std::countr_zero(reached)));
      for (std::size_t i = 0; i < terms; ++i) sums[i].add(*value, factor[i]);
    }
    for (std::size_t i = 0; i < terms; ++i) level_[0][i] = sums[i];
  }

  const PrimeField& field_;
  const StateTable<Key>& table_;
  const LineFactors& factors_;
  // Level k: the sum over states that agree in the digits from k on, without the factors of these.
  std::vector<std::vector<ProductSum>> level_;
  std::vector<FieldElement> reduced_;
};

}  // namespace

template <class Key>
std::vector<FieldElement> line_polynomial(const PrimeField& field, const StateTable<Key>& table,
                                          const std::vector<LineCoordinate>& coordinate, int threads) {
  const LineFactors factors(field, coordinate);
  const std::uint64_t parts = threads < 2 || table.states < states_for_threads
                                  ? 1
                                  : parts_a_thread * static_cast<std::uint64_t>(threads);
  const std::uint64_t blocks = table.blocks();
  std::vector<std::vector<FieldElement>> found(parts);
  parallel_ranges(threads, parts, 1, [&](std::uint64_t part, std::uint64_t) {
    const auto start = [&](std::uint64_t i) { return blocks / parts * i + std::min(i, blocks % parts); };
    found[part] = LineSweep<Key>(field, table, factors).over(start(part), start(part + 1));
  });
  for (std::uint64_t part = 1; part < parts; ++part)
    for (std::size_t i = 0; i < factors.terms; ++i) found[0][i] = field.add(found[0][i], found[part][i]);
  return std::move(found[0]);
}

template std::vector<FieldElement> line_polynomial(const PrimeField&, const StateTable<std::uint64_t>&,
                                                   const std::vector<LineCoordinate>&, int);
template std::vector<FieldElement> line_polynomial(const PrimeField&, const StateTable<uint128>&,
                                                   const std::vector<LineCoordinate>&, int);
template std::vector<FieldElement> line_polynomial(const PrimeField&, const StateTable<FourWordKey>&,
                                                   const std::vector<LineCoordinate>&, int);

}  // namespace countpm
