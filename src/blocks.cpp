#include "src/blocks.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>

namespace countpm {
namespace {

template <class Value>
using FactorOf = typename Reduced<Value>::Factor;

template <class T>
T multiplied(const T& a, const T& b) {
  if constexpr (std::is_same_v<T, ComplexRational>) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  } else {
    return a * b;
  }
}

template <class T>
T one() {
  if constexpr (std::is_same_v<T, ComplexRational>) {
    return {1, 0};
  } else {
    return 1;
  }
}

template <class T>
T product_by_halves(std::vector<T> factors) {
  if (factors.empty()) return one<T>();
  while (factors.size() > 1) {
    const std::size_t half = factors.size() / 2;
    for (std::size_t i = 0; i < half; ++i) factors[i] = multiplied(factors[2 * i], factors[2 * i + 1]);
    if (factors.size() % 2 == 1) factors[half] = std::move(factors.back());
    factors.resize((factors.size() + 1) / 2);
  }
  return std::move(factors.front());
}

mpq_class to_factor(std::int64_t value) {
  static_assert(sizeof(long) == sizeof(std::int64_t));
  return mpq_class{static_cast<long>(value)};
}
const mpq_class& to_factor(const mpq_class& value) {
  return value;
}
const ComplexRational& to_factor(const ComplexRational& value) {
  return value;
}

template <class Value>
ReducedBlock reduce_as(Block<Value> original, const RuleSet& rules, RuleTally& tally, const Poll& poll) {
  Reduced<Value> reduced = reduce(original.matrix, rules, true, poll);
  if constexpr (std::is_same_v<Value, std::int64_t>) {
    if (reduced.overflow) {
      // The reductions got stuck on 64 bits alone: rationals (with denominator 1) have no such end.
      Block<mpq_class> wide;
      static_cast<SparsePattern&>(wide.matrix) = static_cast<const SparsePattern&>(original.matrix);
      wide.matrix.value.reserve(original.matrix.value.size());
      for (const std::int64_t value : original.matrix.value)
        wide.matrix.value.emplace_back(static_cast<long>(value));
      ReducedBlock result = reduce_as<mpq_class>(std::move(wide), rules, tally, poll);
      result.original = std::move(original);
      return result;
    }
  }
  tally.add(reduced.tally);
  ReducedBlock result;
  result.factor = std::move(reduced.factor);
  result.reduced.reserve(reduced.blocks.size());
  for (Block<Value>& block : reduced.blocks) result.reduced.emplace_back(std::move(block));
  result.original = std::move(original);
  return result;
}

// The instance's values in one type, entry by entry.
template <class Value>
const std::vector<Value>& values_as(const Instance& instance, std::vector<Value>& ones) {
  if constexpr (std::is_same_v<Value, std::int64_t>) {
    if (std::holds_alternative<std::monostate>(instance.values)) {
      ones.assign(instance.pattern.entries(), 1);
      return ones;
    }
  }
  return std::get<std::vector<Value>>(instance.values);
}

// The rows of each block, in block order: rows[start[b]] .. rows[start[b + 1] - 1].
struct Groups {
  std::vector<std::uint64_t> start;
  std::vector<Index> members;
};

Groups group_by(const std::vector<Index>& block_of, Index blocks) {
  Groups groups;
  groups.start.assign(blocks + std::uint64_t{1}, 0);
  for (const Index b : block_of) ++groups.start[b + std::uint64_t{1}];
  for (Index b = 0; b < blocks; ++b) groups.start[b + std::uint64_t{1}] += groups.start[b];
  groups.members.resize(block_of.size());
  std::vector<std::uint64_t> next(groups.start.begin(), groups.start.end() - 1);
  for (Index i = 0; i < block_of.size(); ++i) groups.members[next[block_of[i]]++] = i;
  return groups;
}

template <class Value>
ReducedInstance reduce_instance(const Instance& instance, const BlockDecomposition& decomposition,
                                const RuleSet& rules, const Poll& poll) {
  std::vector<Value> ones;
  const std::vector<Value>& values = values_as<Value>(instance, ones);
  const SparsePattern& pattern = instance.pattern;
  const Groups rows = group_by(decomposition.row_block, decomposition.blocks);
  const Groups columns = group_by(decomposition.column_block, decomposition.blocks);

  ReducedInstance result;
  std::vector<FactorOf<Value>> factors;
  std::vector<Index> column_number(pattern.columns);
  for (Index b = 0; b < decomposition.blocks; ++b) {
    const auto size = static_cast<Index>(rows.start[b + std::uint64_t{1}] - rows.start[b]);
    if (size == 1) {
      const Index i = rows.members[rows.start[b]];
      const Index j = columns.members[columns.start[b]];
      const auto row = pattern.column.begin();
      const auto entry =
          std::lower_bound(row + static_cast<std::ptrdiff_t>(pattern.row_start[i]),
                           row + static_cast<std::ptrdiff_t>(pattern.row_start[i + std::uint64_t{1}]), j);
      FactorOf<Value> factor = to_factor(values[static_cast<std::size_t>(entry - row)]);
      if (!(factor == one<FactorOf<Value>>())) factors.push_back(std::move(factor));
      continue;
    }
    if (poll) poll();
    for (Index k = 0; k < size; ++k) column_number[columns.members[columns.start[b] + k]] = k;
    Block<Value> block;
    block.matrix.rows = block.matrix.columns = size;
    for (Index k = 0; k < size; ++k) {
      const Index i = rows.members[rows.start[b] + k];
      for (std::uint64_t e = pattern.row_start[i]; e < pattern.row_start[i + std::uint64_t{1}]; ++e) {
        if (decomposition.column_block[pattern.column[e]] != b) continue;
        block.matrix.column.push_back(column_number[pattern.column[e]]);
        block.matrix.value.push_back(values[e]);
      }
      block.matrix.row_start.push_back(block.matrix.column.size());
    }
    result.blocks.push_back(reduce_as<Value>(std::move(block), rules, result.tally, poll));
  }
  result.factor = product_by_halves(std::move(factors));
  return result;
}

}  // namespace

mpq_class product(std::vector<mpq_class> factors) {
  return product_by_halves(std::move(factors));
}

ReducedInstance reduce_blocks(const Instance& instance, const BlockDecomposition& decomposition,
                              const RuleSet& rules, const Poll& poll) {
  if (std::holds_alternative<std::vector<mpq_class>>(instance.values)) {
    return reduce_instance<mpq_class>(instance, decomposition, rules, poll);
  }
  if (std::holds_alternative<std::vector<ComplexRational>>(instance.values)) {
    return reduce_instance<ComplexRational>(instance, decomposition, rules, poll);
  }
  return reduce_instance<std::int64_t>(instance, decomposition, rules, poll);
}

ReducedBlock reduce_block(AnyBlock original, const RuleSet& rules, RuleTally& tally, const Poll& poll) {
  return std::visit(
      [&](auto& block) {
        using Value = typename std::decay_t<decltype(block.matrix.value)>::value_type;
        return reduce_as<Value>(std::move(block), rules, tally, poll);
      },
      original);
}

AnyBlock transposed(const AnyBlock& block) {
  return std::visit(
      [](const auto& b) -> AnyBlock {
        std::decay_t<decltype(b)> result;
        result.matrix = transpose(expanded(b).matrix);
        return result;
      },
      block);
}

std::uint64_t rows_of(const AnyBlock& block) {
  return std::visit([](const auto& b) -> std::uint64_t { return b.matrix.rows; }, block);
}

std::uint64_t entries_of(const AnyBlock& block) {
  return std::visit([](const auto& b) { return b.matrix.entries(); }, block);
}

}  // namespace countpm
