#include "src/matchings/tree_pieces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <variant>

#include "matching/deficient_parts.hpp"
#include "matching/tree_order.hpp"
#include "src/text/format_quantity.hpp"

namespace countpm {
namespace {

// What the choices of a draw take to prepare, and a draw: trees of 10^5 vertices, one busy core of an AMD
// EPYC, 2026-11-29.
constexpr double sums_seconds_a_vertex = 1e-5;
constexpr double draw_seconds_a_vertex = 1e-7;
// Of the sums while draws are prepared, and the choices.
constexpr double bytes_a_vertex = 500;

/// From an instance's lines and entries to weighted trees.
class Weigher {
 public:
  Weigher(const Instance& instance, bool maximum)
      : instance_(instance), maximum_(maximum), general_(is_general(instance)) {}

  TreePiece weighed(TreeOrder order) const {
    TreePiece piece;
    const std::size_t size = order.vertex.size();
    piece.tree.maximum = maximum_;
    piece.tree.parent = std::move(order.parent);
    piece.line = std::move(order.vertex);
    piece.tree.edge.resize(size);
    piece.tree.alone.assign(size, maximum_ ? 1 : 0);
    piece.entry.assign(size, TreePiece::no_entry);
    piece.twin.assign(size, TreePiece::no_entry);
    piece.loop.assign(size, TreePiece::no_entry);
    StopPoll poll;
    for (std::size_t v = 0; v < size; ++v) {
      poll.step();
      const Index line = piece.line[v];
      if (v > 0) {
        const Index parent = piece.line[piece.tree.parent[v]];
        if (general_) {
          piece.entry[v] = entry(line, parent);
          piece.twin[v] = entry(parent, line);
        } else {
          piece.entry[v] = entry(std::min(line, parent), std::max(line, parent) - instance_.pattern.rows);
        }
        piece.tree.edge[v] = value(piece.entry[v]);
      }
      if (instance_.problem != Problem::matchings) continue;
      piece.loop[v] = entry(line, line);
      if (piece.loop[v] != TreePiece::no_entry) piece.tree.alone[v] = value(piece.loop[v]);
    }
    return piece;
  }

  static bool is_general(const Instance& instance) {
    return instance.problem == Problem::general_perfect_matchings || instance.problem == Problem::matchings;
  }

 private:
  std::uint64_t entry(Index row, Index column) const {
    const SparsePattern& pattern = instance_.pattern;
    const auto first = pattern.column.begin() + static_cast<std::ptrdiff_t>(pattern.row_start[row]);
    const auto last =
        pattern.column.begin() + static_cast<std::ptrdiff_t>(pattern.row_start[row + std::uint64_t{1}]);
    const auto found = std::lower_bound(first, last, column);
    if (found == last || *found != column) return TreePiece::no_entry;
    return static_cast<std::uint64_t>(found - pattern.column.begin());
  }

  mpq_class value(std::uint64_t entry) const {
    if (const auto* const integers = std::get_if<std::vector<std::int64_t>>(&instance_.values))
      return static_cast<std::int64_t>((*integers)[entry]);
    if (const auto* const rationals = std::get_if<std::vector<mpq_class>>(&instance_.values))
      return (*rationals)[entry];
    return 1;
  }

  const Instance& instance_;
  const bool maximum_;
  const bool general_;
};

}  // namespace

Instance with_trees_apart(Instance instance, MatchingSize matchings, std::vector<TreePiece>& trees) {
  std::vector<TreeOrder> orders;
  const Index rows = instance.pattern.rows;
  if (matchings == MatchingSize::perfect && instance.problem == Problem::matchings) {
    std::vector<bool> met(rows, false);
    for (Index v = 0; v < rows; ++v) {
      if (met[v]) continue;
      if (auto tree = tree_from(
              instance.pattern, v, [](Index, Index) { return true; }, met))
        orders.push_back(*std::move(tree));
    }
  } else {
    instance = with_free_vertices_but_of_trees(std::move(instance), matchings, orders);
    // Behind the rows there are added ones now.
    const Index added = instance.pattern.rows - rows;
    if (!Weigher::is_general(instance) && added > 0) {
      for (TreeOrder& order : orders) {
        for (Index& line : order.vertex) line += line >= rows ? added : 0;
      }
    }
  }
  const Weigher weigher(instance, matchings == MatchingSize::maximum);
  for (TreeOrder& order : orders) trees.push_back(weigher.weighed(std::move(order)));
  return instance;
}

WithoutTrees without_trees(const Instance& instance, const std::vector<TreePiece>& trees) {
  const SparsePattern& pattern = instance.pattern;
  const bool general = Weigher::is_general(instance);
  std::vector<bool> gone(pattern.rows + (general ? std::size_t{0} : pattern.columns), false);
  for (const TreePiece& tree : trees) {
    for (const Index line : tree.line) gone[line] = true;
  }
  WithoutTrees rest;
  rest.instance.problem = instance.problem;
  rest.instance.kind = instance.kind;
  std::vector<Index> number(pattern.columns, no_index);
  for (Index j = 0; j < pattern.columns; ++j) {
    if (gone[general ? j : pattern.rows + std::size_t{j}]) continue;
    number[j] = static_cast<Index>(rest.column.size());
    rest.column.push_back(j);
  }
  SparsePattern& kept = rest.instance.pattern;
  StopPoll poll;
  for (Index i = 0; i < pattern.rows; ++i) {
    if (gone[i]) continue;
    poll.steps(pattern.row_degree(i));
    rest.row.push_back(i);
    for (std::uint64_t k = pattern.row_start[i]; k < pattern.row_start[i + std::uint64_t{1}]; ++k) {
      if (number[pattern.column[k]] == no_index) continue;
      kept.column.push_back(number[pattern.column[k]]);
      rest.entry.push_back(k);
    }
    kept.row_start.push_back(kept.column.size());
  }
  kept.rows = static_cast<Index>(rest.row.size());
  kept.columns = static_cast<Index>(rest.column.size());
  std::visit(
      [&](const auto& values) {
        using List = std::decay_t<decltype(values)>;
        if constexpr (!std::is_same_v<List, std::monostate>) {
          List list;
          list.reserve(rest.entry.size());
          for (const std::uint64_t k : rest.entry) list.push_back(values[k]);
          rest.instance.values = std::move(list);
        }
      },
      instance.values);
  return rest;
}

double seconds_of_draws(const TreePiece& tree, std::uint64_t draws) {
  return static_cast<double>(tree.line.size()) *
         (sums_seconds_a_vertex + draw_seconds_a_vertex * static_cast<double>(draws));
}

double bytes_of_draws(const TreePiece& tree) {
  return bytes_a_vertex * static_cast<double>(tree.line.size());
}

TreeShare share_of(const Enclosed& part, const Enclosed& total) {
  TreeShare share{0, 0, 1};
  if (part.high.is_zero()) return share;
  BigFloat low(total.low.bits());
  BigFloat high(total.low.bits());
  mpfr_div(low.get(), part.low.get(), total.high.get(), MPFR_RNDD);
  mpfr_div(high.get(), part.high.get(), total.low.get(), MPFR_RNDU);
  if (mpfr_cmp_ui(high.get(), 1) > 0) mpfr_set_ui(high.get(), 1, MPFR_RNDU);
  const mpfr_exp_t low_exponent = mpfr_get_z_2exp(share.low.get_mpz_t(), low.get());
  const mpfr_exp_t high_exponent = mpfr_get_z_2exp(share.high.get_mpz_t(), high.get());
  const mpfr_exp_t least = std::min({low_exponent, high_exponent, mpfr_exp_t{0}});
  share.low <<= static_cast<std::uint64_t>(low_exponent - least);
  share.high <<= static_cast<std::uint64_t>(high_exponent - least);
  share.denominator <<= static_cast<std::uint64_t>(-least);
  return share;
}

void refuse_long_fractions(const TreePasses& passes, std::uint64_t memory_bytes) {
  // Of each vertex two sums below it, two of the rest, and the two that are asked for.
  constexpr double sums_a_vertex = 6;
  const double bytes =
      sums_a_vertex * static_cast<double>(passes.vertices()) * static_cast<double>(passes.bits()) / 8;
  if (bytes <= static_cast<double>(memory_bytes)) return;
  throw UnableError(
      fmt::format("the exact probabilities of a tree with {} vertices have up to {} digits each, and are "
                  "predicted to need {} of memory; the limit leaves {}",
                  passes.vertices(), passes.bits() * 3 / 10, format_bytes(static_cast<std::uint64_t>(bytes)),
                  format_bytes(memory_bytes)),
      "without --exact, and with weights that are not negative, decimals take little");
}

}  // namespace countpm
