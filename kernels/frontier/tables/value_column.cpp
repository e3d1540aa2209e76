#include "kernels/frontier/tables/value_column.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "kernels/arithmetic/dispatch.hpp"
#include "kernels/arithmetic/ring_values.hpp"
#include "kernels/frontier/tables/float_error.hpp"
#include "kernels/frontier/tables/narrow_prime_ring.hpp"
#include "kernels/support/growing_buffer.hpp"
#include "matching/general_twins.hpp"

namespace countpm {
namespace {

template <Ring R>
class RingArray : public ColumnValues {
 public:
  void ensure(std::uint64_t states) override { values.ensure(states); }
  void release() override { values.release(); }
  std::uint64_t bytes() const override { return values.bytes() * RingBytes<R>::factor; }

  Buffer<typename R::Element> values;
  FloatTrack track;  // floating rings
};

template <ExactRing R>
class FlatArray : public RingArray<R>, public FlatValues {
 public:
  std::byte* data() override { return reinterpret_cast<std::byte*>(this->values.data()); }
  void grow(std::uint64_t states, std::uint64_t kept) override { this->values.grow(states, kept); }
  void trim(std::uint64_t states) override { this->values.trim(states); }
};

template <Ring R>
class RingColumn : public ValueColumn {
 public:
  using Element = typename R::Element;
  using Array = RingArray<R>;

  /// entries[k]: the value of matrix entry k.
  RingColumn(const R& ring, std::vector<Element> entries) : ring_(ring), entries_(std::move(entries)) {
    unit_.resize(entries_.size());
    for (std::size_t k = 0; k < entries_.size(); ++k) {
      unit_[k] = ring_.is_zero(ring_.sub(entries_[k], ring_.one())) ? 1 : 0;
    }
  }

  static constexpr std::uint64_t state_bytes = sizeof(Element) * RingBytes<R>::factor;
  std::uint64_t bytes_per_state() const override { return state_bytes; }
  std::unique_ptr<ColumnValues> make_values() const override {
    if constexpr (ExactRing<R>) return std::make_unique<FlatArray<R>>();
    return std::make_unique<Array>();
  }

  void set_weights(const std::vector<StepWeight>& weights) override {
    all_one_ = std::all_of(weights.begin(), weights.end(), [&](const StepWeight& w) {
      return w.count == 0 && (w.entry == StepWeight::no_entry || unit_[w.entry] != 0);
    });
    most_factors_ = 0;
    for (const StepWeight& w : weights) most_factors_ = std::max<std::uint64_t>(most_factors_, w.count);
    if (all_one_) return;
    weights_.clear();
    for (const StepWeight& w : weights) {
      Element value = w.entry == StepWeight::no_entry ? ring_.one() : entries_[w.entry];
      for (std::uint32_t k = 0; k < w.count; ++k) ring_.mul_to(value, ring_.from_int64(w.top - k));
      weights_.push_back(std::move(value));
    }
  }
  void set_unit(ColumnValues& to) const override {
    auto& array = static_cast<Array&>(to);
    array.values[0] = ring_.one();
    array.track = {};
  }
  void clear(ColumnValues& to, std::uint64_t first, std::uint64_t last) const override {
    Element* values = static_cast<Array&>(to).values.data();
    for (std::uint64_t k = first; k < last; ++k) values[k] = ring_.zero();
  }
  void move(const ColumnValues& from, ColumnValues& to, const MoveBatch& batch) const override {
    const Element* source = static_cast<const Array&>(from).values.data();
    Element* target = static_cast<Array&>(to).values.data();
    if (all_one_) {
      for (std::uint32_t k = 0; k < batch.size; ++k) {
        ring_.add_to(target[batch.to[k]], source[batch.from[k]]);
      }
    } else {
      for (std::uint32_t k = 0; k < batch.size; ++k) {
        ring_.add_to(target[batch.to[k]], ring_.mul(source[batch.from[k]], weights_[batch.with[k]]));
      }
    }
  }
  void move_products(const ColumnValues& left, const ColumnValues& right, ColumnValues& to,
                     const MoveBatch& batch) const override {
    const Element* a = static_cast<const Array&>(left).values.data();
    const Element* b = static_cast<const Array&>(right).values.data();
    Element* target = static_cast<Array&>(to).values.data();
    for (std::uint32_t k = 0; k < batch.size; ++k) {
      ring_.add_to(target[batch.to[k]], ring_.mul(a[batch.from[k]], b[batch.with[k]]));
    }
  }
  void finish_round(const ColumnValues& from, ColumnValues& to, std::uint64_t states,
                    std::uint64_t additions) const override {
    if constexpr (!R::exact) {
      auto& array = static_cast<Array&>(to);
      array.track = static_cast<const Array&>(from).track.after_round(states, additions, most_factors_);
      rescale(array, states);
    }
  }
  void finish_join(const ColumnValues& left, const ColumnValues& right, ColumnValues& to,
                   std::uint64_t states, std::uint64_t additions) const override {
    if constexpr (!R::exact) {
      auto& array = static_cast<Array&>(to);
      array.track = FloatTrack::after_join(static_cast<const Array&>(left).track,
                                           static_cast<const Array&>(right).track, states, additions);
      rescale(array, states);
    }
  }

  const R& ring() const { return ring_; }

 private:
  /// Keeps doubles away from underflow and overflow: powers of two move from the values to the track.
  void rescale(Array& array, std::uint64_t states) const requires(!R::exact) {
    if constexpr (!RingBytes<R>::big) {
      double largest = 0;
      for (std::uint64_t k = 0; k < states; ++k)
        largest = std::max(largest, ring_.magnitude(array.values[k]));
      const int shift = array.track.shift_for(largest, states);
      if (shift == 0) return;
      const Element factor = ring_.from_mpq(mpq_class(std::ldexp(1.0, shift)));
      for (std::uint64_t k = 0; k < states; ++k) ring_.mul_to(array.values[k], factor);
    }
  }

  R ring_;
  std::vector<Element> entries_;
  std::vector<std::uint8_t> unit_;  // entries that are one
  std::vector<Element> weights_;
  bool all_one_ = false;
  std::uint64_t most_factors_ = 0;  // of one weight, beside its entry
};

template <Ring R>
const RingArray<R>& as_array(const std::unique_ptr<ColumnValues>& values) {
  return static_cast<const RingArray<R>&>(*values);
}

ComplexRational exact_entry(const AnyBlock& any_block, std::uint64_t entry) {
  return std::visit(
      [&](const auto& block) -> ComplexRational {
        const auto& value = block.matrix.value[entry];
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, ComplexRational>) {
          return value;
        } else if constexpr (std::is_same_v<std::decay_t<decltype(value)>, mpq_class>) {
          return {value, 0};
        } else {
          return {mpq_class(static_cast<std::int64_t>(value)), 0};
        }
      },
      any_block);
}
Index row_of(const AnyBlock& any_block, std::uint64_t entry) {
  return std::visit(
      [&](const auto& block) {
        const auto& start = block.matrix.row_start;
        return static_cast<Index>(std::upper_bound(start.begin(), start.end(), entry) - start.begin() - 1);
      },
      any_block);
}

Index column_of(const AnyBlock& any_block, std::uint64_t entry) {
  return std::visit([&](const auto& block) { return block.matrix.column[entry]; }, any_block);
}

/// row_exponents, the same for twins: one stands for all of them. Equal rows have equal exponents by
/// themselves; of the twins of a general block the largest is taken, which makes all sums smaller only.
std::vector<std::int64_t> common_exponents(const AnyBlock& any_block) {
  std::vector<std::int64_t> exponents = row_exponents(any_block);
  if (!is_general(any_block) || tiles_of(any_block) != 0) return exponents;
  const GeneralTwins twins = std::visit([](const auto& block) { return general_twins(block); }, any_block);
  const std::vector<Index>& class_of = twins.class_of;
  std::vector<std::int64_t> largest(twins.classes, std::numeric_limits<std::int64_t>::min());
  for (std::size_t v = 0; v < exponents.size(); ++v) {
    largest[class_of[v]] = std::max(largest[class_of[v]], exponents[v]);
  }
  for (std::size_t v = 0; v < exponents.size(); ++v) exponents[v] = largest[class_of[v]];
  return exponents;
}

class ResidueColumns : public ValueColumns {
 public:
  ResidueColumns(const AnyBlock& block, const Arithmetic& arithmetic) : arithmetic_(arithmetic) {
    for (const Modulus& modulus : arithmetic.moduli) {
      with_table_ring(modulus, [&](const auto& ring) {
        using R = std::decay_t<decltype(ring)>;
        columns_.push_back(std::make_unique<RingColumn<R>>(ring, ring_values(ring, block).value));
      });
    }
  }
  Partial result(const std::vector<std::unique_ptr<ColumnValues>>* last,
                 const Program& program) const override {
    Partial zero_result = zero(arithmetic_);
    if (last == nullptr) return zero_result;
    Residues result;
    for (std::size_t k = 0; k < arithmetic_.moduli.size(); ++k) {
      result.residue.push_back(with_table_ring(arithmetic_.moduli[k], [&](const auto& ring) {
        using R = std::decay_t<decltype(ring)>;
        return ring.to_residue(as_array<R>((*last)[k]).values[0]);
      }));
    }
    Partial partial = std::move(result);
    multiply(partial, from_factor(mpq_class(program.factor), arithmetic_), arithmetic_);
    return partial;
  }
  Partial factor(const AnyBlock& block, std::uint64_t entry, Index ways) const override {
    const ComplexRational value = exact_entry(block, entry);
    return from_factor(mpq_class(value.re * ways), arithmetic_);
  }

 private:
  Arithmetic arithmetic_;
};

/// Two columns: the values, and in doubles the same sums over the entries' magnitudes, from which the error
/// bound comes (float_error.hpp).
template <FloatingRing R>
class FloatingColumns : public ValueColumns {
 public:
  FloatingColumns(const R& ring, const AnyBlock& block, const Arithmetic& arithmetic)
      : ring_(ring), arithmetic_(arithmetic), exponents_(common_exponents(block)) {
    RingValues<R> entries = ring_values(ring, block, exponents_);
    exponent_ = entries.exponent;
    std::vector<double> magnitudes;
    magnitudes.reserve(entries.value.size());
    // An entry below all doubles counts as more than it is: the bound stays a bound.
    for (const auto& value : entries.value) magnitudes.push_back(std::max(ring.magnitude(value), 0x1p-1000));
    columns_.push_back(std::make_unique<RingColumn<R>>(ring, std::move(entries.value)));
    columns_.push_back(std::make_unique<RingColumn<DoubleRing>>(DoubleRing(), std::move(magnitudes)));
  }

  Partial result(const std::vector<std::unique_ptr<ColumnValues>>* last,
                 const Program& program) const override {
    const mpfr_prec_t bits = ball_bits(arithmetic_);
    Ball total = zero_ball(bits);
    if (last == nullptr) return total;
    const auto& values = as_array<R>((*last)[0]);
    const auto& magnitudes = as_array<DoubleRing>((*last)[1]);
    auto sum = ring_.empty_sum();
    ring_.accumulate(sum, values.values[0]);
    Ball ball = zero_ball(bits);
    ring_.store(sum, ball);
    scale_by_power_of_two(ball, exponent_ + values.track.exponent);
    add(total, ball);
    FloatTrack track = values.track;
    if (RingBytes<R>::big) track.lost = 0;  // MPFR does not underflow
    const auto lost_exponent = static_cast<std::int64_t>(std::ceil(program.log2_other_factors));
    for (const ScaledDouble& part :
         error_parts(track, lost_exponent, magnitudes.values[0], magnitudes.track,
                     RingBytes<R>::big ? RoundingUnit::of_bits(arithmetic_.bits)
                                       : RoundingUnit::of(std::max(ring_.add_error(), ring_.mul_error())))) {
      Ball error = zero_ball(bits);
      mpfr_set_d(error.error.get(), part.mantissa, MPFR_RNDU);
      scale_by_power_of_two(error, exponent_ + part.exponent);
      add(total, error);
    }
    multiply(total, ball_from(mpq_class(program.factor), bits));
    return total;
  }
  Partial factor(const AnyBlock& block, std::uint64_t entry, Index ways) const override {
    const ComplexRational value = exact_entry(block, entry);
    Ball ball = ball_from(ComplexRational{mpq_class(value.re * ways), mpq_class(value.im * ways)},
                          ball_bits(arithmetic_));
    std::int64_t exponent = exponents_[row_of(block, entry)];
    if (is_general(block) && column_of(block, entry) != row_of(block, entry))
      exponent += exponents_[column_of(block, entry)];
    scale_by_power_of_two(ball, -exponent);
    return ball;
  }

 private:
  R ring_;
  Arithmetic arithmetic_;
  std::vector<std::int64_t> exponents_;  // of the rows
  std::int64_t exponent_ = 0;            // of the result
};

}  // namespace

std::unique_ptr<ValueColumns> make_value_columns(const AnyBlock& block, const Arithmetic& arithmetic) {
  if (arithmetic.kind == Arithmetic::Kind::residues)
    return std::make_unique<ResidueColumns>(block, arithmetic);
  return with_floating_ring(arithmetic, is_complex(block),
                            [&](const auto& ring) -> std::unique_ptr<ValueColumns> {
                              using R = std::decay_t<decltype(ring)>;
                              return std::make_unique<FloatingColumns<R>>(ring, block, arithmetic);
                            });
}

double bytes_a_state(const AnyBlock& block, const Arithmetic& arithmetic) {
  if (arithmetic.kind != Arithmetic::Kind::residues) {
    return with_floating_ring(arithmetic, is_complex(block), [](const auto& ring) {
      using R = std::decay_t<decltype(ring)>;
      return static_cast<double>(RingColumn<R>::state_bytes + RingColumn<DoubleRing>::state_bytes);
    });
  }
  double bytes = 0;
  for (const Modulus& modulus : arithmetic.moduli) {
    bytes += with_table_ring(modulus, [](const auto& ring) {
      return static_cast<double>(RingColumn<std::decay_t<decltype(ring)>>::state_bytes);
    });
  }
  return bytes;
}

}  // namespace countpm
