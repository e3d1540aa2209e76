#pragma once
// hafnian on a GPU: a block of threads works on one set of pairs after another, all threads on the
// polynomials of the same level. The last pairs' sets go level by level together.
// What is computed is what pair_walk.hpp computes, but that every polynomial has all the coefficients that
// its level can have. The numbers are a Lane's: ../residue_lane.hpp, lane.hpp.
#include <cstdint>

#include "kernels/arithmetic/bit_operations.hpp"
#include "kernels/arithmetic/host_device.hpp"
#include "kernels/hafnian/gpu/layout.hpp"
#include "kernels/hafnian/pair_walk.hpp"

namespace countpm::pair_sets {

/// An item: how many of the upper pairs of each group are left out, the digits of its number, the last
/// group's first.
class ItemDigits {
 public:
  COUNTPM_HD void set(const DeviceLayout& layout, std::uint64_t item) {
    for (unsigned group = layout.groups; group-- > 0;) {
      const unsigned digit = layout.copies(group) + 1;
      left_[group] = static_cast<unsigned char>(item % digit);
      item /= digit;
    }
    out_ = 0;
    weight_[0] = 1;
    decide(layout, 0);
  }
  /// The next item, which there is. The first pair that is decided otherwise than before: one more of its
  /// group is left out, and what those before it gave is still there.
  COUNTPM_HD unsigned next(const DeviceLayout& layout) {
    unsigned group = layout.groups - 1;
    for (; left_[group] == layout.copies(group); --group) left_[group] = 0;
    ++left_[group];
    decide(layout, group);
    return layout.group_start[group + 1] - left_[group];
  }
  COUNTPM_HD bool leaves(unsigned pair) const { return (out_ >> pair & 1) != 0; }
  COUNTPM_HD bool negative() const { return bit_count(out_) % 2 != 0; }
  /// How many sets of the upper pairs are like this one; below 2^32, which are all.
  COUNTPM_HD std::uint32_t sets_alike(const DeviceLayout& layout) const { return weight_[layout.groups]; }

 private:
  /// Groups `first`, first + 1, ... anew.
  COUNTPM_HD void decide(const DeviceLayout& layout, unsigned first) {
    out_ &= (1U << layout.group_start[first]) - 1;
    for (unsigned group = first; group < layout.groups; ++group) {
      const unsigned left = left_[group];
      out_ |= ((1U << left) - 1) << (layout.group_start[group + 1] - left);
      weight_[group + 1] = weight_[group] * static_cast<std::uint32_t>(choices(layout.copies(group), left));
    }
  }

  std::uint32_t out_ = 0;  // bit k: pair k
  unsigned char left_[most_pairs] = {};
  std::uint32_t weight_[most_pairs + 1] = {};  // of the groups before
};

template <class Lane>
struct PairSetKernel {
  using Value = typename Lane::Value;
  using Total = typename Lane::Total;
  static constexpr unsigned threads = device_threads;
  static constexpr unsigned blocks_per_multiprocessor = Lane::blocks_per_multiprocessor;

  DeviceLayout layout;
  Lane lane;
  bool alternate = true;                            // false: sets of any size count with +
  const std::uint16_t* rows_and_columns = nullptr;  // entry_table()
  const Value* entries = nullptr;  // level 0: matrix and product, with layout.stride and margins
  Value* memory = nullptr;         // layout.values a block, zeros at first
  Total* totals = nullptr;         // layout.totals() a block, added to
  /// Items that a block walks over in a row: only the pairs that change are decided again.
  unsigned chunk = 1;
  /// Items first .. last - 1: ItemDigits.
  std::uint64_t first = 0;
  std::uint64_t last = 0;

  template <class Block>
  COUNTPM_HD void operator()(Block& block) const {
    auto* const shared = block.template shared<Value>();
    Value* const own = memory + std::uint64_t{block.index()} * layout.values;
    Total* const sums = totals + std::uint64_t{block.index()} * layout.totals();
    auto total = block.template per_thread<Total>();
    block.each([&](unsigned thread) {
      if (thread < layout.totals()) total[thread] = sums[thread];
      for (unsigned k = thread; k < layout.shared_values; k += threads) shared[k] = Value{};
    });
    // Uniform over the block: the level at which the last pair before was taken.
    unsigned char taken[most_pairs + 1];
    taken[0] = 0;
    ItemDigits digits;
    const std::uint64_t step = std::uint64_t{block.count()} * chunk;
    std::uint64_t start = first + std::uint64_t{block.index()} * chunk;
    for (; start < last; start += step) {
      const std::uint64_t end = last - start < chunk ? last : start + chunk;
      for (std::uint64_t item = start; item < end; ++item) {
        unsigned level = 0;
        if (item == start) {
          digits.set(layout, item);
        } else {
          level = digits.next(layout);
        }
        for (; level < layout.upper; ++level) {
          taken[level + 1] = taken[level];
          if (digits.leaves(level)) continue;
          take(block, own, level, taken[level]);
          taken[level + 1] = static_cast<unsigned char>(level + 1);
        }
        copy_down(block, shared, own, taken[layout.upper]);
        walk_down(block, shared, digits.negative(), digits.sets_alike(layout), total);
      }
    }
    block.each([&](unsigned thread) {
      if (thread < layout.totals()) sums[thread] = total[thread];
    });
  }

 private:
  struct Polynomial {
    const Value* at;
    unsigned length;
  };
  /// A matrix and a product, as the pairs before `level` have left them.
  struct Level {
    const Value* matrix;
    const Value* product;
    unsigned stride;
    unsigned length;  // coefficients of each polynomial

    COUNTPM_HD Polynomial entry(unsigned row, unsigned column) const {
      return {matrix + (row * (row - 1) / 2 + column) * stride, length};
    }
  };
  /// Four coefficients of a product on their way.
  struct Sums {
    typename Lane::Accumulator sum[4];
  };

  /// sums += coefficients at .. at + 3 of x^shift a b.
  COUNTPM_HD static void convolve(Sums& sums, const Polynomial& a, const Polynomial& b, unsigned at,
                                  unsigned shift) {
    const unsigned reach = at + 3 - shift;
    const unsigned end = (a.length - 1 < reach ? a.length - 1 : reach) + 1;
    const unsigned beyond = b.length + shift;
    unsigned s = at >= beyond ? at - beyond + 1 : 0;
    if (s >= end) return;
    // From 4 zeros before the first coefficient to 3 after the last.
    const Value* from = b.at + (static_cast<int>(at) - static_cast<int>(shift) - static_cast<int>(s));
    Value window[4] = {from[0], from[1], from[2], from[3]};
    for (; s < end; ++s) {
      const Value factor = a.at[s];
      COUNTPM_UNROLL
      for (unsigned k = 0; k < 4; ++k) Lane::multiply_add(sums.sum[k], factor, window[k]);
      window[3] = window[2];
      window[2] = window[1];
      window[1] = window[0];
      window[0] = *--from;
    }
  }
  COUNTPM_HD static Value coefficient(const Polynomial& polynomial, unsigned k) {
    return k < polynomial.length ? polynomial.at[k] : Value{};
  }
  /// Of coefficients at .. at + 3, `old` and products.
  COUNTPM_HD Sums start(const Polynomial& old, unsigned at) const {
    Sums sums;
    COUNTPM_UNROLL
    for (unsigned k = 0; k < 4; ++k) sums.sum[k] = lane.start(coefficient(old, at + k));
    return sums;
  }
  /// out[at .. at + 3] = what was started with `old`, as far as there are `length` coefficients.
  COUNTPM_HD void store(Value* out, unsigned length, const Sums& sums, const Polynomial& old,
                        unsigned at) const {
    COUNTPM_UNROLL
    for (unsigned k = 0; k < 4; ++k) {
      if (at + k < length) out[at + k] = lane.finish(sums.sum[k], coefficient(old, at + k));
    }
  }

  /// Coefficients at .. at + 3 of entry (i, j), when pair (u, u + 1) is taken.
  COUNTPM_HD void renew(const Level& from, unsigned index, unsigned u, Value* out, unsigned length,
                        unsigned at) const {
    const unsigned i = rows_and_columns[index] >> 8;
    const unsigned j = rows_and_columns[index] & 0xff;
    const Polynomial old{from.matrix + index * from.stride, from.length};
    Sums sums = start(old, at);
    convolve(sums, from.entry(u, i), from.entry(u + 1, j), at, 1);
    convolve(sums, from.entry(u + 1, i), from.entry(u, j), at, 1);
    store(out, length, sums, old, at);
  }
  /// Of the product, which what closes the pair multiplies by 1 + x closing.
  COUNTPM_HD void multiply(const Level& from, const Polynomial& closing, Value* out, unsigned length,
                           unsigned at) const {
    const Polynomial product{from.product, from.length};
    Sums sums = start(product, at);
    convolve(sums, product, closing, at, 1);
    store(out, length, sums, product, at);
  }
  /// With monomers: b_uv + b_u0 b_v0.
  COUNTPM_HD void close(const Level& from, unsigned u, Value* out, unsigned length, unsigned at) const {
    const Polynomial plain = from.entry(u + 1, u);
    Sums sums = start(plain, at);
    convolve(sums, from.entry(u, 0), from.entry(u + 1, 0), at, 0);
    // Longer ones of other levels were there before.
    for (unsigned k = at; k < at + 4 + (at + 4 < length ? 0 : margin); ++k) out[k] = Value{};
    store(out, length, sums, plain, at);
  }

  COUNTPM_HD static unsigned blocks_of(unsigned length) { return (length + 3) / 4; }

  COUNTPM_HD Level upper_level(const Value* own, unsigned level) const {
    if (level == 0)
      return {entries + margin, entries + margin + layout.polynomials[0] * layout.stride, layout.stride, 1};
    return {own + layout.matrix[level], own + layout.product[level], layout.stride, layout.length[level]};
  }

  /// Pair `level` in the set, in global memory: level `source` is what the pairs before have left.
  template <class Block>
  COUNTPM_HD void take(Block& block, Value* own, unsigned level, unsigned source) const {
    const Level from = upper_level(own, source);
    const unsigned u = layout.vertices[level] - 2;
    const unsigned length = layout.length[level + 1];
    const unsigned polynomials = layout.polynomials[level + 1];
    const unsigned all = polynomials * blocks_of(length);
    const unsigned closing_length = length - 1;
    if (layout.monomers != 0) {
      block.each([&](unsigned thread) {
        if (thread < blocks_of(closing_length))
          close(from, u, own + layout.closing, closing_length, 4 * thread);
      });
      block.sync();
    }
    const Polynomial closing =
        layout.monomers != 0 ? Polynomial{own + layout.closing, closing_length} : from.entry(u + 1, u);
    block.each([&](unsigned thread) {
      for (unsigned k = thread; k < all + blocks_of(length); k += threads) {
        if (k < all) {
          const unsigned index = k % polynomials;
          renew(from, index, u, own + layout.matrix[level + 1] + index * layout.stride, length,
                k / polynomials * 4);
        } else {
          multiply(from, closing, own + layout.product[level + 1], length, (k - all) * 4);
        }
      }
    });
    block.sync();
  }

  /// What the upper pairs have left, into shared memory.
  template <class Block>
  COUNTPM_HD void copy_down(Block& block, Value* shared, const Value* own, unsigned source) const {
    const Level from = upper_level(own, source);
    const unsigned polynomials = layout.polynomials[layout.upper];
    const unsigned length = layout.upper + 1;
    block.each([&](unsigned thread) {
      for (unsigned k = thread; k < (polynomials + 1) * length; k += threads) {
        const unsigned index = k / length;
        const unsigned c = k % length;
        const Value* const line = index < polynomials ? from.matrix + index * from.stride : from.product;
        Value* const out =
            shared + (index < polynomials ? layout.shared_matrix[0] + index * layout.shared_stride
                                          : layout.shared_product[0]);
        out[c] = c < from.length ? line[c] : Value{};
      }
    });
    block.sync();
  }

  COUNTPM_HD Level lower_slot(const Value* shared, unsigned depth, unsigned slot) const {
    const unsigned words = layout.polynomials[layout.upper + depth] * layout.shared_stride;
    return {shared + layout.shared_matrix[depth] + slot * words,
            shared + layout.shared_product[depth] + slot * layout.shared_stride, layout.shared_stride,
            layout.length[layout.upper + depth]};
  }
  /// The level of a set of the groups before lower pair `depth`, or of its own group so far, all of which is
  /// taken.
  COUNTPM_HD Level lower_level(const Value* shared, unsigned depth, unsigned set) const {
    if (layout.lower_start[depth] != depth) return lower_slot(shared, depth, set);
    while (depth > 0) {
      const unsigned copies = layout.lower_copies[depth - 1];
      unsigned left = set & 1;
      if (copies == 1) {
        set >>= 1;
      } else {
        left = set % (copies + 1);
        set /= copies + 1;
      }
      depth -= left;
      if (left != copies) break;
    }
    return lower_slot(shared, depth, set);
  }

  template <class Block>
  COUNTPM_HD void close_all(Block& block, Value* shared, unsigned depth) const {
    const unsigned level = layout.upper + depth;
    const unsigned sets = layout.lower_sets[depth];
    const unsigned length = layout.length[level + 1] - 1U;
    block.each([&](unsigned thread) {
      for (unsigned k = thread; k < sets * blocks_of(length); k += threads) {
        const unsigned set = k % sets;
        close(lower_level(shared, depth, set), layout.vertices[level] - 2,
              shared + layout.shared_closing + set * layout.shared_stride, length, k / sets * 4);
      }
    });
    block.sync();
  }
  COUNTPM_HD Polynomial lower_closing(const Value* shared, const Level& from, unsigned level,
                                      unsigned set) const {
    if (layout.monomers != 0)
      return {shared + layout.shared_closing + set * layout.shared_stride, layout.length[level + 1] - 1U};
    return from.entry(layout.vertices[level] - 1, layout.vertices[level] - 2);
  }

  /// All sets of the lower pairs, the last of which is in each of them; `weight`: of what the upper ones have
  /// left.
  template <class Block, class Total>
  COUNTPM_HD void walk_down(Block& block, Value* shared, bool negative, std::uint32_t weight,
                            Total& total) const {
    const unsigned lower = layout.pairs - layout.upper;
    for (unsigned depth = 0; depth + 1 < lower; ++depth) {
      const unsigned level = layout.upper + depth;
      const unsigned sets = layout.lower_sets[depth];
      const unsigned u = layout.vertices[level] - 2;
      const unsigned length = layout.length[level + 1];
      const unsigned polynomials = layout.polynomials[level + 1];
      const unsigned lines = sets * polynomials;
      const unsigned all = lines * blocks_of(length);
      if (layout.monomers != 0) close_all(block, shared, depth);
      block.each([&](unsigned thread) {
        for (unsigned k = thread; k < all + sets * blocks_of(length); k += threads) {
          if (k < all) {
            const unsigned line = k % lines;
            const unsigned set = line / polynomials;
            renew(lower_level(shared, depth, set), line % polynomials, u,
                  shared + layout.shared_matrix[depth + 1] + line * layout.shared_stride, length,
                  k / lines * 4);
          } else {
            const unsigned set = (k - all) % sets;
            const Level from = lower_level(shared, depth, set);
            multiply(from, lower_closing(shared, from, level, set),
                     shared + layout.shared_product[depth + 1] + set * layout.shared_stride, length,
                     (k - all) / sets * 4);
          }
        }
      });
      block.sync();
    }
    const unsigned level = layout.pairs - 1;
    if (layout.monomers != 0) close_all(block, shared, lower - 1);
    block.each([&](unsigned thread) {
      if (thread >= layout.totals()) return;
      const Level from = lower_level(shared, lower - 1, thread);
      const Polynomial closing = lower_closing(shared, from, level, thread);
      typename Lane::Accumulator products = lane.start(Value{});
      for (unsigned d = level + 1 > closing.length ? level + 1 - closing.length : 0; d < from.length; ++d)
        Lane::multiply_add(products, from.product[d], closing.at[level - d]);
      lane.add(total[thread], products, alternate && negative != ((layout.together_minus >> thread & 1) != 0),
               weight * layout.together_weight[thread]);
    });
    block.sync();
  }
};

}  // namespace countpm::pair_sets
