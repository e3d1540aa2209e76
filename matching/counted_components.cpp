#include "matching/counted_components.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

#include "graph/errors.hpp"
#include "graph/stop_poll.hpp"
#include "matching/tree_order.hpp"
#include "matching/tree_sums.hpp"

namespace countpm {
namespace {

/// Of one component, and the lines of the instance that it had.
struct CountedTree {
  std::vector<Index> vertices;
  mpq_class sum;
};

/// The sums of a tree's vertices modulo a prime, from any root.
class TreeResidues {
 public:
  explicit TreeResidues(std::size_t size) : settled_(size, one()), matched_(size) {}

  /// Children come before their parents; the root last, and without an edge.
  Residue add(Index vertex, const mpq_class& alone) {
    const Residue own = Residue(alone.get_num()) * settled_[vertex];
    left_ = Residue(alone.get_den()) * settled_[vertex];
    return own + Residue(alone.get_den()) * matched_[vertex];
  }
  void join(Index parent, Residue settled, const mpq_class& edge) {
    const Residue apart = Residue(edge.get_den()) * settled;
    matched_[parent] = matched_[parent] * apart + settled_[parent] * (Residue(edge.get_num()) * left_);
    settled_[parent] = settled_[parent] * apart;
  }

 private:
  static Residue one() { return Residue(mpz_class(1)); }

  std::vector<Residue> settled_;
  std::vector<Residue> matched_;
  Residue left_;
};

class ComponentCounter {
 public:
  ComponentCounter(Instance& instance, Index least_vertices)
      : instance_(instance), least_vertices_(least_vertices) {}

  void run() {
    find();
    if (!trees_.empty()) replace();
  }

 private:
  void find() {
    const Index vertices = instance_.pattern.rows;
    std::vector<bool> met(vertices, false);
    for (Index v = 0; v < vertices; ++v) {
      if (met[v]) continue;
      auto tree = tree_from(
          instance_.pattern, v, [](Index, Index) { return true; }, met);
      if (!tree || tree->vertex.size() < least_vertices_) continue;
      mpq_class sum = sum_of(*tree);
      trees_.push_back({std::move(tree->vertex), std::move(sum)});
    }
  }

  mpq_class value(std::uint64_t entry) const {
    if (const auto* const integers = std::get_if<std::vector<std::int64_t>>(&instance_.values))
      return static_cast<std::int64_t>((*integers)[entry]);
    if (const auto* const rationals = std::get_if<std::vector<mpq_class>>(&instance_.values))
      return (*rationals)[entry];
    return 1;
  }

  /// Of an edge or a loop; 0 where there is none.
  mpq_class weight(Index row, Index column) const {
    const SparsePattern& pattern = instance_.pattern;
    const auto first = pattern.column.begin() + static_cast<std::ptrdiff_t>(pattern.row_start[row]);
    const auto last =
        pattern.column.begin() + static_cast<std::ptrdiff_t>(pattern.row_start[row + std::uint64_t{1}]);
    const auto found = std::lower_bound(first, last, column);
    if (found == last || *found != column) return 0;
    return value(static_cast<std::uint64_t>(found - pattern.column.begin()));
  }

  mpq_class sum_of(const TreeOrder& tree) const {
    const auto size = static_cast<Index>(tree.vertex.size());
    Forest<mpz_class> forest;
    StopPoll poll;
    for (Index k = size; k-- > 0;) {
      poll.step();
      const Index v = tree.vertex[k];
      const bool root = tree.parent[k] == no_index;
      forest.parent.push_back(root ? no_index : size - 1 - tree.parent[k]);
      const mpq_class edge = root ? mpq_class(1) : weight(v, tree.vertex[tree.parent[k]]);
      forest.edge.push_back({edge.get_num(), edge.get_den()});
      const mpq_class alone = weight(v, v);
      forest.alone.push_back({alone.get_num(), alone.get_den()});
    }
    const VertexSums<mpz_class> sums = std::move(tree_sums(forest).back());
    if (!(residue_of(tree) == Residue(sums.settled.sum)))
      throw CheckError("the matchings of a tree were summed up twice, with two results");
    mpq_class sum(sums.settled.sum, sums.denominator);
    sum.canonicalize();
    return sum;
  }

  /// From the vertex that is last in the order.
  Residue residue_of(const TreeOrder& tree) const {
    std::vector<bool> met(instance_.pattern.rows, false);
    const std::optional<TreeOrder> turned = tree_from(
        instance_.pattern, tree.vertex.back(), [](Index, Index) { return true; }, met);
    const std::vector<Index>& vertex = turned->vertex;
    TreeResidues residues(vertex.size());
    for (auto k = static_cast<Index>(vertex.size()); k-- > 0;) {
      const Residue settled = residues.add(k, weight(vertex[k], vertex[k]));
      if (k == 0) return settled;
      const Index parent = turned->parent[k];
      residues.join(parent, settled, weight(vertex[k], vertex[parent]));
    }
    return {};
  }

  static bool fits(const mpq_class& sum) { return sum.get_den() == 1 && sum.get_num().fits_slong_p(); }

  void widen() {
    Values& values = instance_.values;
    const auto all = [&](const auto& test) {
      return std::all_of(trees_.begin(), trees_.end(),
                         [&](const CountedTree& tree) { return test(tree.sum); });
    };
    if (std::holds_alternative<std::monostate>(values)) {
      if (all([](const mpq_class& sum) { return sum == 1; })) return;
      values = std::vector<std::int64_t>(instance_.pattern.entries(), 1);
    }
    const auto* const integers = std::get_if<std::vector<std::int64_t>>(&values);
    if (integers == nullptr || all(fits)) return;
    std::vector<mpq_class> wide;
    wide.reserve(integers->size());
    for (const std::int64_t value : *integers) wide.emplace_back(static_cast<std::int64_t>(value));
    values = std::move(wide);
  }

  static void put(const mpq_class& sum, std::vector<std::int64_t>& values) {
    values.push_back(sum.get_num().get_si());
  }
  static void put(const mpq_class& sum, std::vector<mpq_class>& values) { values.push_back(sum); }
  static void put(const mpq_class& sum, std::vector<ComplexRational>& values) { values.push_back({sum, 0}); }

  void replace() {
    widen();
    SparsePattern& pattern = instance_.pattern;
    std::vector<bool> gone(pattern.rows, false);
    for (const CountedTree& tree : trees_) {
      for (const Index v : tree.vertices) gone[v] = true;
    }
    std::vector<Index> number(pattern.rows, no_index);
    std::vector<Index> vertex;
    for (Index v = 0; v < pattern.rows; ++v) {
      if (gone[v]) continue;
      number[v] = static_cast<Index>(vertex.size());
      vertex.push_back(instance_.row_vertex.empty() ? v : instance_.row_vertex[v]);
    }
    SparsePattern rest;
    std::vector<std::uint64_t> entries;
    StopPoll poll;
    for (Index v = 0; v < pattern.rows; ++v) {
      if (gone[v]) continue;
      poll.steps(pattern.row_degree(v));
      for (std::uint64_t k = pattern.row_start[v]; k < pattern.row_start[v + std::uint64_t{1}]; ++k) {
        rest.column.push_back(number[pattern.column[k]]);
        entries.push_back(k);
      }
      rest.row_start.push_back(rest.column.size());
    }
    for (const CountedTree& tree : trees_) {
      if (tree.sum != 0) rest.column.push_back(static_cast<Index>(vertex.size()));
      vertex.push_back(no_index);
      rest.row_start.push_back(rest.column.size());
    }
    rest.rows = rest.columns = static_cast<Index>(vertex.size());
    std::visit(
        [&](auto& values) {
          using List = std::decay_t<decltype(values)>;
          if constexpr (!std::is_same_v<List, std::monostate>) {
            List list;
            list.reserve(rest.entries());
            for (const std::uint64_t k : entries) list.push_back(std::move(values[k]));
            for (const CountedTree& tree : trees_) {
              if (tree.sum != 0) put(tree.sum, list);
            }
            values = std::move(list);
          }
        },
        instance_.values);
    pattern = std::move(rest);
    instance_.row_vertex = instance_.column_vertex = std::move(vertex);
  }

  Instance& instance_;
  const Index least_vertices_;
  std::vector<CountedTree> trees_;
};

}  // namespace

Instance with_components_counted(Instance instance, Index least_vertices) {
  if (instance.problem != Problem::matchings ||
      std::holds_alternative<std::vector<ComplexRational>>(instance.values))
    return instance;
  ComponentCounter(instance, least_vertices).run();
  return instance;
}

}  // namespace countpm
