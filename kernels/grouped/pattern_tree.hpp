#pragma once
// Rows grouped by their pattern, in any exact ring: the portable form of grouped, for a few columns at
// once.
//
// With c columns left, G_p(t) is the product over the rows of 0/1 pattern p on them of (y_i + t v_i), t = 0
// .. popcount(p) being how many of the pattern's columns are chosen. Deciding column c - 1 (s = 1: chosen)
// joins patterns in pairs: G'_p(t) = G_p(t) G_{p + 2^(c-1)}(t + s). Level l costs 2^l (l / 2 + 1)
// multiplications a node.
#include <bit>
#include <cstdint>
#include <vector>

#include "kernels/arithmetic/ring.hpp"

namespace countpm {

/// What a pattern tree is made for: row i has v = step[i] in the columns of pattern[i].
struct PatternRows {
  unsigned columns = 0;  // <= 8
  std::vector<unsigned> pattern;
  std::vector<std::int64_t> step;
};

template <ExactRing R>
class PatternTree {
 public:
  using Element = typename R::Element;

  PatternTree(const R& ring, const PatternRows& rows) : ring_(ring), rows_(rows), levels_(rows.columns + 1) {
    for (unsigned level = 0; level <= rows.columns; ++level) {
      for (unsigned p = 0; p < 1U << level; ++p) {
        levels_[level].start.push_back(levels_[level].value.size());
        levels_[level].value.resize(levels_[level].value.size() + static_cast<unsigned>(std::popcount(p)) +
                                    1);
      }
    }
  }

  /// sum over subsets S of the columns of (-1)^|S| prod_i (sums_i + |S and pattern_i| step_i).
  Element sum(const std::vector<std::int64_t>& sums) {
    build(sums);
    const unsigned c = rows_.columns;
    Element total = ring_.zero();
    for (unsigned leaf = 0; leaf < 1U << c; ++leaf) {
      // the columns from the one that turned last downwards are decided anew
      const unsigned from = leaf == 0 ? c : static_cast<unsigned>(std::countr_zero(leaf)) + 1;
      for (unsigned level = from; level > 0; --level) merge(level, leaf >> (level - 1) & 1);
      const Element value = levels_[0].value[0];
      ring_.add_to(total, std::popcount(leaf) % 2 != 0 ? ring_.neg(value) : value);
    }
    return total;
  }

 private:
  struct Level {
    std::vector<std::size_t> start;  // of each pattern's values
    std::vector<Element> value;
  };

  void build(const std::vector<std::int64_t>& sums) {
    Level& level = levels_[rows_.columns];
    for (Element& value : level.value) value = ring_.one();
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const unsigned p = rows_.pattern[i];
      const Element step = ring_.from_int64(rows_.step[i]);
      Element factor = ring_.from_int64(sums[i]);
      for (unsigned t = 0; t <= static_cast<unsigned>(std::popcount(p)); ++t) {
        ring_.mul_to(level.value[level.start[p] + t], factor);
        ring_.add_to(factor, step);
      }
    }
  }
  void merge(unsigned from, unsigned chosen) {
    const Level& above = levels_[from];
    Level& below = levels_[from - 1];
    for (unsigned p = 0; p < below.start.size(); ++p) {
      const std::size_t without = above.start[p];
      const std::size_t with = above.start[p + (1U << (from - 1))] + chosen;
      for (unsigned t = 0; t <= static_cast<unsigned>(std::popcount(p)); ++t)
        below.value[below.start[p] + t] = ring_.mul(above.value[without + t], above.value[with + t]);
    }
  }

  R ring_;
  const PatternRows& rows_;
  std::vector<Level> levels_;  // by how many columns are left
};

}  // namespace countpm
