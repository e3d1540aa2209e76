#include "src/structure/blocks.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <type_traits>
#include <utility>

#include "graph/stop_poll.hpp"
#include "matching/general_reduce.hpp"
#include "matching/line_groups.hpp"
#include "src/structure/block_rotations.hpp"

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
    for (std::size_t i = 0; i < half; ++i) {
      check_stop();
      factors[i] = multiplied(factors[2 * i], factors[2 * i + 1]);
    }
    if (factors.size() % 2 == 1) factors[half] = std::move(factors.back());
    factors.resize((factors.size() + 1) / 2);
  }
  return std::move(factors.front());
}

mpq_class to_factor(std::int64_t value) {
  return mpq_class{static_cast<std::int64_t>(value)};
}
const mpq_class& to_factor(const mpq_class& value) {
  return value;
}
const ComplexRational& to_factor(const ComplexRational& value) {
  return value;
}

// settled: as reduce_general means it.
template <class Value>
ReducedBlock reduce_as(Block<Value> original, bool settled, const RuleSet& rules, RuleTally& tally,
                       const Poll& poll) {
  if (original.monomers || original.rotations || rules.whole) {
    // The rules are of perfect matchings, and what they merge lies on no surface any more.
    ReducedBlock result;
    result.factor = one<FactorOf<Value>>();
    result.reduced.emplace_back(original);
    result.original = std::move(original);
    return result;
  }
  Reduced<Value> reduced = original.general ? reduce_general(original.matrix, rules, settled, poll)
                                            : reduce(original.matrix, rules, true, poll);
  if constexpr (std::is_same_v<Value, std::int64_t>) {
    if (reduced.overflow) {
      // The reductions got stuck on 64 bits alone: rationals (with denominator 1) have no such end.
      Block<mpq_class> wide;
      wide.general = original.general;
      static_cast<SparsePattern&>(wide.matrix) = static_cast<const SparsePattern&>(original.matrix);
      wide.matrix.value.reserve(original.matrix.value.size());
      for (const std::int64_t value : original.matrix.value)
        wide.matrix.value.emplace_back(static_cast<std::int64_t>(value));
      ReducedBlock result = reduce_as<mpq_class>(std::move(wide), settled, rules, tally, poll);
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

template <class Value>
std::uint64_t loops_in(const Block<Value>& block) {
  std::uint64_t loops = 0;
  for (Index v = 0; v < block.matrix.rows && block.monomers; ++v) {
    for (std::uint64_t k = block.matrix.row_start[v]; k < block.matrix.row_start[v + std::uint64_t{1}]; ++k)
      loops += block.matrix.column[k] == v ? 1 : 0;
  }
  return loops;
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

// Blocks of one entry are factors already.
template <class Value>
struct Cut {
  std::vector<FactorOf<Value>> factors;
  std::vector<Block<Value>> blocks;
  bool settled = true;

  void add_factor(const Value& value) {
    FactorOf<Value> factor = to_factor(value);
    if (!(factor == one<FactorOf<Value>>())) factors.push_back(std::move(factor));
  }
};

template <class Value>
Cut<Value> cut(const Instance& instance, const std::vector<Value>& values,
               const BlockDecomposition& decomposition) {
  const SparsePattern& pattern = instance.pattern;
  BlockRotations rotations(instance);
  const LineGroups rows = group_lines(decomposition.row_block, decomposition.blocks);
  const LineGroups columns = group_lines(decomposition.column_block, decomposition.blocks);
  const std::vector<Index> column_number = columns.numbers();
  Cut<Value> result;
  StopPoll poll;
  for (Index b = 0; b < decomposition.blocks; ++b) {
    poll.step();
    const auto size = static_cast<Index>(rows[b].size());
    if (size == 1) {
      const Index i = rows[b].front();
      const auto row = pattern.column.begin();
      const auto entry = std::lower_bound(
          row + static_cast<std::ptrdiff_t>(pattern.row_start[i]),
          row + static_cast<std::ptrdiff_t>(pattern.row_start[i + std::uint64_t{1}]), columns[b].front());
      result.add_factor(values[static_cast<std::size_t>(entry - row)]);
      continue;
    }
    Block<Value>& block = result.blocks.emplace_back();
    block.matrix.rows = block.matrix.columns = size;
    for (const Index i : rows[b]) {
      poll.steps(pattern.row_degree(i));
      for (std::uint64_t e = pattern.row_start[i]; e < pattern.row_start[i + std::uint64_t{1}]; ++e) {
        if (decomposition.column_block[pattern.column[e]] != b) continue;
        block.matrix.column.push_back(column_number[pattern.column[e]]);
        block.matrix.value.push_back(values[e]);
      }
      block.matrix.row_start.push_back(block.matrix.column.size());
    }
    if (instance.rotations) {
      std::vector<Index> vertices(rows[b].begin(), rows[b].end());
      for (const Index j : columns[b]) vertices.push_back(pattern.rows + j);
      block.rotations = rotations.of(block.matrix, false, vertices);
    }
  }
  return result;
}

/// Draws the blocks that general_blocks() made as the instance is drawn.
template <class Value>
void add_rotations(const Instance& instance, const GeneralStructure& structure,
                   std::vector<Block<Value>>& blocks) {
  BlockRotations rotations(instance);
  const Sides sides = two_colour(instance.pattern, structure.forbidden);
  const LineGroups groups = group_lines(sides.component, sides.components);
  for (Index c = 0; c < sides.components; ++c) {
    std::vector<Index> vertices(groups[c].begin(), groups[c].end());
    if (!blocks[c].general)
      std::stable_partition(vertices.begin(), vertices.end(), [&](Index v) { return sides.side[v] == 0; });
    blocks[c].rotations = rotations.of(blocks[c].matrix, blocks[c].general, vertices);
  }
}

template <class Value>
Cut<Value> cut(const Instance& instance, const std::vector<Value>& values,
               const GeneralStructure& structure) {
  Cut<Value> result;
  result.settled = structure.complete;
  std::vector<Block<Value>> blocks = general_blocks(instance.pattern, values, structure);
  if (instance.rotations) add_rotations(instance, structure, blocks);
  for (Block<Value>& block : blocks) {
    if (block.size() == 1) {
      result.add_factor(block.matrix.value.front());
    } else {
      result.blocks.push_back(std::move(block));
    }
  }
  return result;
}
/// The components of a graph with monomers or tiles. A vertex by itself is a factor: its loop, or 0.
template <class Value>
Cut<Value> cut_monomers(const Instance& instance, const std::vector<Value>& values,
                        const GeneralStructure& structure) {
  const SparsePattern& pattern = instance.pattern;
  const Index first_tile = pattern.rows - instance.tiles;
  const LineGroups vertices = group_lines(structure.component, structure.components);
  const std::vector<Index> number = vertices.numbers();
  Cut<Value> result;
  StopPoll poll;
  for (Index c = 0; c < structure.components; ++c) {
    poll.step();
    const auto size = static_cast<Index>(vertices[c].size());
    if (size == 1) {
      const std::uint64_t entry = pattern.row_start[vertices[c].front()];
      const bool loop = pattern.row_degree(vertices[c].front()) != 0;
      result.add_factor(loop ? values[entry] : Value{});
      continue;
    }
    Block<Value>& block = result.blocks.emplace_back();
    block.general = block.monomers = true;
    block.matrix.rows = block.matrix.columns = size;
    for (const Index v : vertices[c]) {
      block.tiles += v >= first_tile ? 1 : 0;  // ascending: the last ones
      poll.steps(pattern.row_degree(v));
      for (std::uint64_t e = pattern.row_start[v]; e < pattern.row_start[v + std::uint64_t{1}]; ++e) {
        block.matrix.column.push_back(number[pattern.column[e]]);
        block.matrix.value.push_back(values[e]);
      }
      block.matrix.row_start.push_back(block.matrix.column.size());
    }
  }
  return result;
}

template <class Value>
Cut<Value> cut(const Instance& instance, const std::vector<Value>& values, const Structure& structure) {
  return cut(instance, values, structure.decomposition);
}

/// The instance as one block.
template <class Value>
Cut<Value> uncut(const Instance& instance, const std::vector<Value>& values) {
  Cut<Value> result;
  if (instance.pattern.rows == 1) {
    result.add_factor(values.front());
  } else if (instance.pattern.rows > 1) {
    Block<Value>& block = result.blocks.emplace_back();
    static_cast<SparsePattern&>(block.matrix) = instance.pattern;
    block.matrix.value = values;
    block.general = instance.problem == Problem::general_perfect_matchings;
  }
  return result;
}

template <class Value>
ReducedInstance reduce_instance(const Instance& instance, const Analysis& analysis, const RuleSet& rules,
                                const Poll& poll) {
  std::vector<Value> ones;
  const std::vector<Value>& values = values_as<Value>(instance, ones);
  Cut<Value> pieces =
      beyond_perfect_matchings(instance.problem)
          ? cut_monomers(instance, values, std::get<GeneralStructure>(analysis.structure))
      : rules.whole ? uncut(instance, values)
                    : std::visit([&](const auto& structure) { return cut(instance, values, structure); },
                                 analysis.structure);
  ReducedInstance result;
  result.blocks.reserve(pieces.blocks.size());
  for (Block<Value>& block : pieces.blocks) {
    if (poll) poll();
    result.blocks.push_back(reduce_as<Value>(std::move(block), pieces.settled, rules, result.tally, poll));
  }
  result.factor = product_by_halves(std::move(pieces.factors));
  return result;
}

void divide(mpq_class& factor, const mpq_class& divisor) {
  factor /= divisor;
}
void divide(ComplexRational& factor, const mpq_class& divisor) {
  factor.re /= divisor;
  factor.im /= divisor;
}

// Vertex v of the result is vertex order[v] of the block; tiles stay behind the others.
template <class Value>
Block<Value> relabelled(const Block<Value>& block) {
  std::vector<Index> order(block.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::mt19937_64 random(20261121);
  const std::size_t vertices = order.size() - block.tiles;
  for (std::size_t i = vertices; i > 1; --i) std::swap(order[i - 1], order[random() % i]);
  for (std::size_t i = block.tiles; i > 1; --i)
    std::swap(order[vertices + i - 1], order[vertices + random() % i]);
  std::vector<Index> number(order.size());
  for (Index v = 0; v < order.size(); ++v) number[order[v]] = v;
  Block<Value> result;
  result.general = true;
  result.monomers = block.monomers;
  result.tiles = block.tiles;
  result.matrix.rows = result.matrix.columns = block.size();
  std::vector<std::pair<Index, std::uint64_t>> row;
  for (const Index v : order) {
    row.clear();
    for (std::uint64_t k = block.matrix.row_start[v]; k < block.matrix.row_start[v + std::uint64_t{1}]; ++k)
      row.emplace_back(number[block.matrix.column[k]], k);
    std::sort(row.begin(), row.end());
    for (const auto& [column, entry] : row) {
      result.matrix.column.push_back(column);
      result.matrix.value.push_back(block.matrix.value[entry]);
    }
    result.matrix.row_start.push_back(result.matrix.column.size());
  }
  if (block.rotations) result.rotations = part_of(*block.rotations, order, number);
  return result;
}

}  // namespace

mpq_class product(std::vector<mpq_class> factors) {
  return product_by_halves(std::move(factors));
}

ReducedInstance reduce_blocks(const Instance& instance, const Analysis& analysis, const RuleSet& rules,
                              const Poll& poll) {
  ReducedInstance result;
  if (std::holds_alternative<std::vector<mpq_class>>(instance.values)) {
    result = reduce_instance<mpq_class>(instance, analysis, rules, poll);
  } else if (std::holds_alternative<std::vector<ComplexRational>>(instance.values)) {
    result = reduce_instance<ComplexRational>(instance, analysis, rules, poll);
  } else {
    result = reduce_instance<std::int64_t>(instance, analysis, rules, poll);
  }
  if (instance.free || instance.copies != 1) {
    const mpq_class orders(instance.free ? mpz_class(instance.free->orders * instance.copies)
                                         : instance.copies);
    std::visit([&](auto& factor) { divide(factor, orders); }, result.factor);
  }
  return result;
}

ReducedBlock reduce_block(AnyBlock original, const RuleSet& rules, RuleTally& tally, const Poll& poll) {
  return std::visit(
      [&](auto& block) {
        using Value = typename std::decay_t<decltype(block.matrix.value)>::value_type;
        return reduce_as<Value>(std::move(block), true, rules, tally, poll);
      },
      original);
}

AnyBlock relabelled(const AnyBlock& block) {
  return std::visit(
      [](const auto& b) -> AnyBlock {
        if (b.general) return relabelled(b);
        std::decay_t<decltype(b)> result;
        result.matrix = transpose(expanded(b).matrix);
        if (b.rotations) {
          std::vector<Index> order(2 * std::size_t{b.size()});
          for (Index v = 0; v < order.size(); ++v) order[v] = v < b.size() ? v + b.size() : v - b.size();
          result.rotations = part_of(*b.rotations, order, order);
        }
        return result;
      },
      block);
}

std::uint64_t rows_of(const AnyBlock& block) {
  return std::visit([](const auto& b) -> std::uint64_t { return b.matrix.rows - b.tiles; }, block);
}

std::uint64_t entries_of(const AnyBlock& block) {
  return std::visit(
      [](const auto& b) {
        const std::uint64_t at_tiles = 2 * (b.matrix.entries() - b.matrix.row_start[b.matrix.rows - b.tiles]);
        return (b.matrix.entries() - loops_in(b) - at_tiles) / (b.general ? 2 : 1);
      },
      block);
}

}  // namespace countpm
