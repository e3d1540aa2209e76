#pragma once
// A tiny permanent that shares nothing with the library but the matrix type: expansion along the first row,
// by the definition.
#include <gmpxx.h>

#include <cstdint>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "matching/block.hpp"

namespace countpm::oracle {

using Table = std::vector<std::vector<ComplexRational>>;

inline ComplexRational times(const ComplexRational& a, const ComplexRational& b) {
  return {mpq_class(a.re * b.re - a.im * b.im), mpq_class(a.re * b.im + a.im * b.re)};
}

/// The matrix written out, columns of multiplicity m repeated m times.
inline Table table(const AnyBlock& any_block) {
  return std::visit(
      [](const auto& block) {
        Table result(block.matrix.rows);
        for (Index i = 0; i < block.matrix.rows; ++i) {
          std::vector<ComplexRational> sparse(block.matrix.columns);
          for (auto k = block.matrix.row_start[i]; k < block.matrix.row_start[i + 1]; ++k) {
            auto& entry = sparse[block.matrix.column[k]];
            if constexpr (std::is_same_v<std::decay_t<decltype(block.matrix.value[k])>, ComplexRational>) {
              entry = block.matrix.value[k];
            } else {
              entry.re = block.matrix.value[k];
            }
          }
          for (Index j = 0; j < block.matrix.columns; ++j)
            result[i].insert(result[i].end(), block.multiplicity_of(j), sparse[j]);
        }
        return result;
      },
      any_block);
}

/// Sum over all permutations; recursion no deeper than n. For n <= 8 or so.
inline ComplexRational permanent(const Table& a, std::size_t row = 0, std::uint64_t used = 0) {
  if (row == a.size()) return {1, 0};
  ComplexRational sum{0, 0};
  for (std::size_t j = 0; j < a.size(); ++j) {
    if ((used >> j & 1) != 0 || (a[row][j].re == 0 && a[row][j].im == 0)) continue;
    const ComplexRational term = times(a[row][j], permanent(a, row + 1, used | std::uint64_t{1} << j));
    sum = {mpq_class(sum.re + term.re), mpq_class(sum.im + term.im)};
  }
  return sum;
}
inline ComplexRational permanent(const AnyBlock& block) {
  return permanent(table(block));
}

/// A rows x columns matrix from a function of (row, column); zeros are left out.
template <class Value, class Entry>
Block<Value> make_block(Index rows, Index columns, Entry entry) {
  Block<Value> block;
  block.matrix.rows = rows;
  block.matrix.columns = columns;
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < columns; ++j) {
      const Value value = entry(i, j);
      if (value == Value{}) continue;
      block.matrix.column.push_back(j);
      block.matrix.value.push_back(value);
    }
    block.matrix.row_start.push_back(block.matrix.column.size());
  }
  return block;
}
template <class Entry>
Block<std::int64_t> pattern_block(Index n, Entry entry) {
  return make_block<std::int64_t>(n, n, [&](Index i, Index j) { return std::int64_t{entry(i, j) ? 1 : 0}; });
}

using Random = std::mt19937_64;
inline std::int64_t uniform(Random& random, std::int64_t low, std::int64_t high) {
  // In unsigned arithmetic: high - low may not fit int64.
  const std::uint64_t count = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + random() % count);
}

/// A random entry: zero with probability 1 - density.
template <class Value>
Value random_value(Random& random, double density, std::int64_t low, std::int64_t high) {
  if (static_cast<double>(random() >> 11) * 0x1p-53 >= density) return Value{};
  if constexpr (std::is_same_v<Value, std::int64_t>) {
    return uniform(random, low, high);
  } else {
    const auto rational = [&] {
      mpq_class value(static_cast<long>(uniform(random, low, high)),
                      static_cast<unsigned long>(uniform(random, 1, 9)));
      value.canonicalize();
      return value;
    };
    if constexpr (std::is_same_v<Value, mpq_class>) {
      return rational();
    } else {
      const mpq_class re = rational();
      return ComplexRational{re, rational()};
    }
  }
}
template <class Value>
Block<Value> random_block(Random& random, Index n, double density, std::int64_t low, std::int64_t high) {
  return make_block<Value>(n, n,
                           [&](Index, Index) { return random_value<Value>(random, density, low, high); });
}
/// Of n rows, with classes of equal columns.
template <class Value>
Block<Value> random_block_with_classes(Random& random, Index n, double density, std::int64_t low,
                                       std::int64_t high) {
  std::vector<Index> multiplicity;
  for (Index left = n; left > 0;) {
    multiplicity.push_back(static_cast<Index>(uniform(random, 1, std::min<std::int64_t>(left, 3))));
    left -= multiplicity.back();
  }
  auto block = make_block<Value>(n, static_cast<Index>(multiplicity.size()), [&](Index, Index) {
    return random_value<Value>(random, density, low, high);
  });
  block.multiplicity = std::move(multiplicity);
  return block;
}

/// For failure messages.
inline std::string show(const AnyBlock& block) {
  std::ostringstream out;
  for (const auto& row : table(block)) {
    for (const auto& value : row) {
      out << value.re.get_str();
      if (value.im != 0) out << "+" << value.im.get_str() << "i";
      out << ' ';
    }
    out << '\n';
  }
  return out.str();
}

}  // namespace countpm::oracle
