#pragma once
// The walk of hafnian.hpp over the sets of pairs, with its polynomials: over any numbers, in plain memory,
// without the standard library (simd.hpp says why).
//
// Level p is what the first p pairs have left: the matrix over the vertices of the other pairs, and the
// product over the pairs taken. A pair is the last two vertices of its level's matrix, so that a pair left
// out leaves a prefix of the matrix behind, where it stands. One taken writes a new one.
//
// Numbers have
//   Value, Sum, Accumulator         a coefficient; a sum of results; a sum of products on its way
//   block                           of so many coefficients the products are gathered at a time
//   zero(), one(), start(Value), multiply_add(Accumulator&, Value, Value), finish(Accumulator),
//   add(Sum&, Accumulator, negative, weight)
// and where an Accumulator holds no more than so many products:
//   at_first(), later()             how many it takes before the first fold, and between two
//   fold(Accumulator&)              makes room
#include <cstdint>

#include "kernels/arithmetic/host_device.hpp"

namespace countpm::pair_sets {

inline constexpr unsigned most_pairs = 32;

/// A matrix of so many pairs; with monomers, vertex 0 stands before them: entry (v, 0) is v's loop. Pairs
/// whose vertices are twins may form a group: they follow one another, and only how many of them are taken
/// matters. The last pair is a group by itself.
struct PairShape {
  unsigned pairs = 0;
  unsigned monomers = 0;                     // 1: with
  unsigned char group_end[most_pairs] = {};  // of each pair: the pair after its group

  constexpr unsigned vertices(unsigned level) const { return monomers + 2 * (pairs - level); }
  constexpr unsigned polynomials(unsigned level) const { return vertices(level) * (vertices(level) - 1) / 2; }
  /// The degree up to which level p's polynomials are kept: the pairs up to the end of the group, so that
  /// none of a group's pairs is unlike the others.
  constexpr unsigned reach(unsigned level) const { return level == 0 ? 0 : group_end[level - 1]; }
  /// Coefficients for which level p has room: a whole number of blocks, and zeros between them and the next
  /// polynomial's, into which blocks of a product reach from either side.
  constexpr unsigned stride(unsigned level, unsigned block) const {
    return (reach(level) / block + 1) * block + block - 1;
  }
  /// Of everything, in Values.
  constexpr unsigned long long values(unsigned block) const {
    unsigned long long total = block - 1 + stride(pairs, block);
    for (unsigned level = 0; level < pairs; ++level)
      total += (polynomials(level) + 1ULL) * stride(level, block);
    return total;
  }
};

/// Of entry (row, column), row > column.
constexpr unsigned entry_index(unsigned row, unsigned column) {
  return row * (row - 1) / 2 + column;
}

template <class Numbers>
inline constexpr bool has_folds = requires(const Numbers& numbers, typename Numbers::Accumulator& sum) {
  numbers.fold(sum);
};

/// How many products the accumulators side by side take before they are to be folded.
template <class Numbers, bool folds = has_folds<Numbers>>
class Room {
 public:
  explicit Room(const Numbers& /*numbers*/) {}
  template <unsigned number>
  void take_product(typename Numbers::Accumulator (&/*sums*/)[number]) {}
};
template <class Numbers>
class Room<Numbers, true> {
 public:
  explicit Room(const Numbers& numbers) : numbers_(numbers), left_(numbers.at_first()) {}
  template <unsigned number>
  void take_product(typename Numbers::Accumulator (&sums)[number]) {
    if (left_ == 0) {
      for (typename Numbers::Accumulator& sum : sums) numbers_.fold(sum);
      left_ = numbers_.later();
    }
    --left_;
  }

 private:
  const Numbers& numbers_;
  unsigned left_;
};

template <class Numbers>
class PairWalk {
 public:
  using Value = typename Numbers::Value;
  using Sum = typename Numbers::Sum;

  /// `storage`: shape.values(Numbers::block) zeros.
  PairWalk(const Numbers& numbers, const PairShape& shape, Value* storage)
      : numbers_(numbers), shape_(shape) {
    storage += Numbers::block - 1;
    for (unsigned level = 0; level < shape.pairs; ++level) {
      const unsigned stride = shape.stride(level, Numbers::block);
      own_[level].matrix = storage;
      storage += static_cast<unsigned long long>(shape.polynomials(level)) * stride;
      own_[level].product = storage;
      storage += stride;
    }
    scratch_ = storage;
    at_[0] = {own_[0].matrix, own_[0].product, shape.stride(0, Numbers::block), 1, 1};
    own_[0].product[0] = numbers_.one();
  }

  /// Where entry (row, column) of the matrix itself belongs.
  Value& entry(unsigned row, unsigned column) {
    return own_[0].matrix[static_cast<unsigned long long>(entry_index(row, column)) * at_[0].stride];
  }

  /// Pair `level` left out of the set: level + 1 is a part of the level.
  void leave(unsigned level) { at_[level + 1] = at_[level]; }

  /// Pair `level` in the set. b_ij += x (b_iu b_vj + b_iv b_uj), and the product *= 1 + x b_uv.
  void take(unsigned level) {
    const Level& from = at_[level];
    const unsigned most = shape_.reach(level + 1) + 1;  // coefficients
    const unsigned stride = shape_.stride(level + 1, Numbers::block);
    const unsigned u = shape_.vertices(level) - 2;
    const unsigned v = u + 1;
    const unsigned length = least(2 * from.length, most);
    Value* out = own_[level + 1].matrix;
    for (unsigned i = 1; i < u; ++i) {
      for (unsigned j = 0; j < i; ++j) {
        Gather gather(*this, out, length, polynomial(from, i, j), from.length, 1);
        const Factors iu_vj{polynomial(from, u, i), from.length, polynomial(from, v, j), from.length};
        const Factors iv_uj{polynomial(from, v, i), from.length, polynomial(from, u, j), from.length};
        gather.run(iu_vj, &iv_uj);
        out += stride;
      }
    }
    const Polynomial closing = closed(from, level, u, v);
    const unsigned product_length = least(from.product_length + closing.length, most);
    Gather gather(*this, own_[level + 1].product, product_length, from.product, from.product_length, 1);
    gather.run({from.product, from.product_length, closing.at, closing.length}, nullptr);
    at_[level + 1] = {own_[level + 1].matrix, own_[level + 1].product, stride, length, product_length};
  }

  /// All but the last pair are decided: adds the coefficient of x^pairs of what taking that one gives,
  /// `weight` times.
  void add_to(Sum& sum, bool negative, unsigned long long weight) {
    const unsigned level = shape_.pairs - 1;
    const Level& from = at_[level];
    const unsigned u = shape_.vertices(level) - 2;
    const Polynomial closing = closed(from, level, u, u + 1);
    typename Numbers::Accumulator total[1] = {numbers_.start(numbers_.zero())};
    Room<Numbers> room(numbers_);
    const unsigned first = level + 1 > closing.length ? level + 1 - closing.length : 0;
    for (unsigned d = first; d < from.product_length && d <= level; ++d) {
      room.take_product(total);
      numbers_.multiply_add(total[0], from.product[d], closing.at[level - d]);
    }
    numbers_.add(sum, total[0], negative, weight);
  }

 private:
  struct Level {
    const Value* matrix;
    const Value* product;
    unsigned stride;
    unsigned length;  // coefficients of the matrix's polynomials
    unsigned product_length;
  };
  struct Own {
    Value* matrix;
    Value* product;
  };
  struct Polynomial {
    const Value* at;
    unsigned length;
  };
  struct Factors {
    const Value* a;
    unsigned a_length;
    const Value* b;
    unsigned b_length;
  };

  static constexpr unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }
  static const Value* polynomial(const Level& level, unsigned row, unsigned column) {
    return level.matrix + static_cast<unsigned long long>(entry_index(row, column)) * level.stride;
  }

  /// b_uv, with monomers b_uv + b_u0 b_v0: ways that lead back to the pair through earlier ones, or from a
  /// monomer to another.
  Polynomial closed(const Level& from, unsigned level, unsigned u, unsigned v) {
    const Polynomial plain{polynomial(from, v, u), from.length};
    if (shape_.monomers == 0) return plain;
    const unsigned length = least(2 * from.length - 1, shape_.reach(level + 1));
    Gather gather(*this, scratch_, length, plain.at, plain.length, 0);
    gather.run({polynomial(from, u, 0), from.length, polynomial(from, v, 0), from.length}, nullptr);
    return {scratch_, length};
  }

  /// out = old + x^shift (sum of products), `length` coefficients.
  struct Gather {
    Gather(const PairWalk& all, Value* target, unsigned coefficients, const Value* summand,
           unsigned summand_length, unsigned power)
        : walk(all),
          out(target),
          length(coefficients),
          old(summand),
          old_length(summand_length),
          shift(power) {}

    const PairWalk& walk;
    Value* out;
    unsigned length;
    const Value* old;
    unsigned old_length;
    unsigned shift;

    void run(const Factors& one, const Factors* other) const {
      constexpr unsigned block = Numbers::block;
      const Numbers& numbers = walk.numbers_;
      unsigned at = 0;
      for (; at < length; at += block) {
        typename Numbers::Accumulator sums[block];
        for (unsigned k = 0; k < block; ++k)
          sums[k] = numbers.start(at + k < old_length ? old[at + k] : numbers.zero());
        Room<Numbers> room(numbers);
        add(sums, one, at, room);
        if (other != nullptr) add(sums, *other, at, room);
        for (unsigned k = 0; k < block; ++k)
          out[at + k] = at + k < length ? numbers.finish(sums[k]) : numbers.zero();
      }
      // what the blocks of a product reach into beyond a factor's last coefficient
      for (unsigned k = 0; k + 1 < block; ++k) out[at + k] = numbers.zero();
    }

    void add(typename Numbers::Accumulator (&sums)[Numbers::block], const Factors& factors, unsigned at,
             Room<Numbers>& room) const {
      constexpr unsigned block = Numbers::block;
      if (at + block <= shift) return;
      const unsigned reach = at + block - 1 - shift;  // of the block's highest coefficient
      const unsigned last = least(factors.a_length - 1, reach);
      const unsigned beyond = factors.b_length + shift;
      for (unsigned s = at >= beyond ? at - beyond + 1 : 0; s <= last; ++s) {
        const Value& a = factors.a[s];
        // from block - 1 zeros before the first coefficient to as many after the last
        const Value* b = factors.b + (static_cast<std::int64_t>(at) - static_cast<std::int64_t>(shift) -
                                      static_cast<std::int64_t>(s));
        room.take_product(sums);
        for (unsigned k = 0; k < block; ++k) walk.numbers_.multiply_add(sums[k], a, b[k]);
      }
    }
  };

  Numbers numbers_;
  PairShape shape_;
  Own own_[most_pairs + 1] = {};
  Level at_[most_pairs + 1] = {};
  Value* scratch_ = nullptr;
};

/// How many sets of a group are alike: copies over left out.
COUNTPM_HD constexpr unsigned long long choices(unsigned copies, unsigned left) {
  unsigned long long result = 1;
  for (unsigned k = 1; k <= left; ++k) result = result * (copies + 1 - k) / k;
  return result;
}

struct SignedWeight {
  bool negative = false;
  unsigned long long weight = 1;

  void decide(unsigned copies, unsigned left) {
    negative = negative != (left % 2 != 0);
    weight *= choices(copies, left);
  }
};

/// The group that begins with pair `first`, `left` of its pairs left out.
template <class Numbers>
void decide_group(PairWalk<Numbers>& walk, unsigned first, unsigned end, unsigned left) {
  for (unsigned pair = first; pair < end - left; ++pair) walk.take(pair);
  for (unsigned pair = end - left; pair < end; ++pair) walk.leave(pair);
}

/// The groups before pair `count`, as a unit decides them: its digits, the last group's first, are how many
/// pairs are left out.
template <class Numbers>
SignedWeight decide_pairs(PairWalk<Numbers>& walk, const PairShape& shape, unsigned count,
                          unsigned long long unit) {
  SignedWeight result;
  unsigned long long units = 1;
  for (unsigned first = 0; first < count; first = shape.group_end[first])
    units *= shape.group_end[first] - first + 1;
  for (unsigned first = 0; first < count; first = shape.group_end[first]) {
    const unsigned copies = shape.group_end[first] - first;
    units /= copies + 1;
    const auto left = static_cast<unsigned>(unit / units % (copies + 1));
    decide_group(walk, first, shape.group_end[first], left);
    result.decide(copies, left);
  }
  return result;
}

/// All sets that agree on the pairs before `first`. Signs alternate with what is left out, from those of
/// `before` on; or all are +. go_on is asked before every set but the first.
template <class Numbers, class GoOn>
void walk_sets(PairWalk<Numbers>& walk, const PairShape& shape, unsigned first, typename Numbers::Sum& sum,
               const SignedWeight& before, bool alternate, const GoOn& go_on) {
  unsigned starts[most_pairs] = {};  // of the groups
  unsigned left[most_pairs] = {};
  SignedWeight weight[most_pairs + 1];  // of the groups before
  unsigned groups = 0;
  for (unsigned pair = first; pair + 1 < shape.pairs; pair = shape.group_end[pair]) starts[groups++] = pair;
  weight[0] = before;
  unsigned from = 0;  // groups from here on are as at first
  while (true) {
    for (unsigned group = from; group < groups; ++group) {
      const unsigned start = starts[group];
      const unsigned end = shape.group_end[start];
      if (group != from || left[group] == 0) decide_group(walk, start, end, left[group]);
      weight[group + 1] = weight[group];
      weight[group + 1].decide(end - start, left[group]);
    }
    walk.add_to(sum, alternate && weight[groups].negative, weight[groups].weight);
    from = groups;
    while (from > 0 && left[from - 1] == shape.group_end[starts[from - 1]] - starts[from - 1])
      left[--from] = 0;
    if (from == 0 || !go_on()) return;
    --from;
    // One more is left out than before: what those taken gave is still there.
    const unsigned end = shape.group_end[starts[from]];
    ++left[from];
    for (unsigned pair = end - left[from]; pair < end; ++pair) walk.leave(pair);
  }
}

}  // namespace countpm::pair_sets
