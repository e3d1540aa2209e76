#include "kernels/frontier/tables/integer_column.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>

#include "kernels/arithmetic/dispatch.hpp"
#include "kernels/arithmetic/to_mpz.hpp"
#include "kernels/frontier/tables/integer_weights.hpp"
#include "kernels/frontier/tables/signed_words.hpp"
#include "kernels/support/growing_buffer.hpp"

namespace countpm {
namespace {

// With fewer, residues are as quick.
constexpr std::size_t least_moduli = 4;
constexpr unsigned word_bits = 64;
// Memory is planned for residues.
constexpr double most_longer = 1.2;

/// Values side by side, each of as many words.
class IntegerArray : public ColumnValues {
 public:
  void ensure(std::uint64_t count) override {
    values.ensure(count * words);
    fresh.ensure(count);
  }
  void release() override {
    values.release();
    fresh.release();
  }
  std::uint64_t bytes() const override { return values.bytes() + fresh.bytes(); }

  std::uint64_t* at(std::uint64_t state) { return values.data() + state * words; }
  const std::uint64_t* at(std::uint64_t state) const { return values.data() + state * words; }

  Buffer<std::uint64_t> values;
  Buffer<std::uint8_t> fresh;  // whose value is not there yet: the first that comes is written, not added
  unsigned words = 1;
  std::uint64_t states = 0;
  double bits = 0;  // every |value| is below 2^bits
};

IntegerArray& array_of(ColumnValues& values) {
  return static_cast<IntegerArray&>(values);
}
const IntegerArray& array_of(const ColumnValues& values) {
  return static_cast<const IntegerArray&>(values);
}

class IntegerColumn : public ValueColumn {
 public:
  explicit IntegerColumn(std::vector<mpz_class> entries) : entries_(std::move(entries)) {}

  std::uint64_t bytes_per_state() const override { return sizeof(std::uint64_t) * words_ + 1; }
  std::unique_ptr<ColumnValues> make_values() const override { return std::make_unique<IntegerArray>(); }

  void set_weights(const std::vector<StepWeight>& weights) override {
    values_.clear();
    weights_.clear();
    for (const StepWeight& w : weights) {
      mpz_class value = w.entry == StepWeight::no_entry ? mpz_class(1) : entries_[w.entry];
      for (std::uint32_t k = 0; k < w.count; ++k) value *= w.top - k;
      weights_.emplace_back(value);
      values_.push_back(std::move(value));
    }
  }
  void begin_round(const RoundPlan& plan, const ColumnValues& from, ColumnValues& to) override {
    // A stream brings one value at most to a state.
    mpz_class all = 0;
    for (const StreamPlan& stream : plan.streams) all += abs(values_[stream.weight]);
    const double growth = static_cast<double>(mpz_sizeinbase(all.get_mpz_t(), 2));
    const IntegerArray& source = array_of(from);
    double bits = source.bits + growth;
    if (words_for(bits) > source.words) bits = bits_in(source) + growth;
    prepare(array_of(to), bits);
  }
  void begin_join(const ColumnValues& left, const ColumnValues& right, ColumnValues& to) override {
    const IntegerArray& a = array_of(left);
    const IntegerArray& b = array_of(right);
    const auto pairs = std::bit_width(std::min(a.states, b.states));
    prepare(array_of(to), bits_in(a) + bits_in(b) + static_cast<double>(pairs));
  }
  void set_unit(ColumnValues& to) const override {
    IntegerArray& array = array_of(to);
    array.values[0] = 1;
    array.states = 1;
    array.bits = 1;
  }
  void clear(ColumnValues& to, std::uint64_t first, std::uint64_t last) const override {
    std::fill(array_of(to).fresh.data() + first, array_of(to).fresh.data() + last, std::uint8_t{1});
  }
  void move(const ColumnValues& from, ColumnValues& to, const MoveBatch& batch) const override {
    const IntegerArray& source = array_of(from);
    IntegerArray& target = array_of(to);
    for (std::uint32_t k = 0; k < batch.size; ++k) {
      std::uint8_t& fresh = target.fresh[batch.to[k]];
      const SignedWords value{source.at(batch.from[k]), source.words};
      if (fresh != 0) {
        write_product(target.at(batch.to[k]), target.words, value, weights_[batch.with[k]]);
        fresh = 0;
      } else {
        add_product(target.at(batch.to[k]), target.words, value, weights_[batch.with[k]]);
      }
    }
  }
  void move_products(const ColumnValues& left, const ColumnValues& right, ColumnValues& to,
                     const MoveBatch& batch) const override {
    const IntegerArray& a = array_of(left);
    const IntegerArray& b = array_of(right);
    IntegerArray& target = array_of(to);
    ProductRoom room;
    for (std::uint32_t k = 0; k < batch.size; ++k) {
      std::uint8_t& fresh = target.fresh[batch.to[k]];
      std::uint64_t* const sum = target.at(batch.to[k]);
      if (fresh != 0) std::fill(sum, sum + target.words, std::uint64_t{0});
      fresh = 0;
      add_product(sum, target.words, {a.at(batch.from[k]), a.words}, {b.at(batch.with[k]), b.words}, room);
    }
  }
  void finish_round(const ColumnValues&, ColumnValues& values, std::uint64_t states,
                    std::uint64_t) const override {
    array_of(values).states = states;
  }
  void finish_join(const ColumnValues&, const ColumnValues&, ColumnValues& values, std::uint64_t states,
                   std::uint64_t) const override {
    array_of(values).states = states;
  }

 private:
  /// With a bit for the sign.
  static unsigned words_for(double bits) { return static_cast<unsigned>(std::ceil((bits + 1) / word_bits)); }
  void prepare(IntegerArray& to, double bits) {
    words_ = to.words = words_for(bits);
    to.bits = bits;
  }
  /// As `bits`, but of the values as they are.
  static double bits_in(const IntegerArray& array) {
    std::size_t most = 1;
    for (std::uint64_t k = 0; k < array.states; ++k)
      most = std::max(most, bits_of({array.at(k), array.words}, most));
    return static_cast<double>(most);
  }

  std::vector<mpz_class> entries_;
  std::vector<mpz_class> values_;  // of the round's weights
  std::vector<WordFactor> weights_;
  unsigned words_ = 1;  // of the table being made
};

class IntegerColumns : public ValueColumns {
 public:
  IntegerColumns(const AnyBlock& block, const Arithmetic& arithmetic) : arithmetic_(arithmetic) {
    IntegerWeights weights = integer_weights(block);
    scale_ = std::move(weights.scale);
    columns_.push_back(std::make_unique<IntegerColumn>(std::move(weights.value)));
  }
  Partial result(const std::vector<std::unique_ptr<ColumnValues>>* last,
                 const Program& program) const override {
    if (last == nullptr) return zero(arithmetic_);
    const IntegerArray& array = array_of(*last->front());
    mpq_class value(to_mpz(array.at(0), array.words, true) * program.factor, scale_);
    value.canonicalize();
    return from_factor(value, arithmetic_);
  }
  Partial factor(const AnyBlock&, std::uint64_t, Index) const override {
    throw std::logic_error("IntegerColumns: entries outside of the tables");
  }

 private:
  Arithmetic arithmetic_;
  mpz_class scale_;
};

}  // namespace

double words_of_integer_weights(const AnyBlock& block, const Arithmetic& arithmetic) {
  if (arithmetic.kind != Arithmetic::Kind::residues || arithmetic.moduli.size() < least_moduli ||
      is_complex(block))
    return 0;
  const IntegerWeights weights = integer_weights(block);
  // Scaled weights may make longer numbers than the count's own denominator does.
  if (weights.log2_bound > most_longer * word_bits * integer_words(arithmetic)) return 0;
  std::size_t words = 0;
  for (const mpz_class& value : weights.value) words += mpz_size(value.get_mpz_t());
  const auto count = static_cast<double>(std::max<std::size_t>(weights.value.size(), 1));
  return std::max(static_cast<double>(words) / count, 1.0);
}

unsigned integer_words(const Arithmetic& arithmetic) {
  double bits = 0;
  for (const Modulus& modulus : arithmetic.moduli)
    bits += modulus.prime == 0 ? modulus.power_of_two : std::log2(static_cast<double>(modulus.prime));
  return static_cast<unsigned>(bits / word_bits) + 1;
}

std::unique_ptr<ValueColumns> make_integer_columns(const AnyBlock& block, const Arithmetic& arithmetic) {
  return std::make_unique<IntegerColumns>(block, arithmetic);
}

}  // namespace countpm
