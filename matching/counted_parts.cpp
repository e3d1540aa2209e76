#include "matching/counted_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <unordered_map>
#include <utility>

#include "graph/errors.hpp"
#include "graph/stop_poll.hpp"
#include "matching/cactus_sums.hpp"
#include "matching/line_groups.hpp"
#include "matching/tree_sums.hpp"

namespace countpm {
namespace {

// What trees leave of a part is summed up directly in so many steps a vertex, which is no more than it takes
// to plan a count; in more where so many entries would be added for its free vertices that methods take long
// to look at them: some seconds at most.
constexpr std::uint64_t few_steps_a_vertex = 16;
constexpr std::uint64_t most_steps_of_a_part = std::uint64_t{1} << 26U;
constexpr std::uint64_t many_added = 1'000'000;
// Denser graphs have a block that takes more.
constexpr std::uint64_t most_edges_a_vertex = 4;
// Of the second sum, which makes the same steps in another order.
constexpr std::uint64_t any_steps = ~std::uint64_t{0};

using Complex = Gaussian<mpz_class>;

Residue residue(const mpz_class& number) {
  return Residue(number);
}
Gaussian<Residue> residue(const Complex& number) {
  return {Residue(number.re), Residue(number.im)};
}
template <class Number>
using ResidueOf = decltype(residue(std::declval<Number>()));

void take_fraction(std::int64_t value, Fraction<mpz_class>& fraction) {
  fraction = {static_cast<std::int64_t>(value), 1};
}
void take_fraction(const mpq_class& value, Fraction<mpz_class>& fraction) {
  fraction = {value.get_num(), value.get_den()};
}
void take_fraction(const ComplexRational& value, Fraction<Complex>& fraction) {
  mpz_class denominator;
  mpz_lcm(denominator.get_mpz_t(), value.re.get_den_mpz_t(), value.im.get_den_mpz_t());
  fraction.numerator = {mpz_class(value.re.get_num() * (denominator / value.re.get_den())),
                        mpz_class(value.im.get_num() * (denominator / value.im.get_den()))};
  fraction.denominator = {std::move(denominator), 0};
}

mpq_class quotient(const mpz_class& numerator, const mpz_class& denominator) {
  mpq_class result(numerator, denominator);
  result.canonicalize();
  return result;
}
ComplexRational quotient_of(const mpz_class& numerator, const mpz_class& denominator) {
  return {quotient(numerator, denominator), 0};
}
ComplexRational quotient_of(const Complex& numerator, const Complex& denominator) {
  return {quotient(numerator.re, denominator.re), quotient(numerator.im, denominator.re)};
}

void add_divisors(const mpz_class& number, mpz_class& divisor) {
  mpz_gcd(divisor.get_mpz_t(), divisor.get_mpz_t(), number.get_mpz_t());
}
void add_divisors(const Complex& number, mpz_class& divisor) {
  add_divisors(number.re, divisor);
  add_divisors(number.im, divisor);
}
ComplexRational divided(const mpz_class& number, const mpz_class& divisor) {
  return {mpq_class(mpz_class(number / divisor)), 0};
}
ComplexRational divided(const Complex& number, const mpz_class& divisor) {
  return {mpq_class(mpz_class(number.re / divisor)), mpq_class(mpz_class(number.im / divisor))};
}
const mpz_class& denominator_of(const mpz_class& number) {
  return number;
}
const mpz_class& denominator_of(const Complex& number) {
  return number.re;
}

Leading<Residue> residue(const Leading<mpz_class>& sum) {
  return {sum.edges, residue(sum.sum)};
}
Leading<Gaussian<Residue>> residue(const Leading<Complex>& sum) {
  return {sum.edges, residue(sum.sum)};
}
template <class Number>
VertexSums<ResidueOf<Number>> residue(const VertexSums<Number>& sums) {
  return {residue(sums.left), residue(sums.settled), residue(sums.denominator)};
}

void check_same(bool same, const char* what) {
  if (!same)
    throw CheckError(fmt::format("the maximum matchings of {} were summed up twice, with two results", what));
}

/// By entries of value type Value, with sums of type Number.
template <class Value, class Number>
class PartCounter {
 public:
  PartCounter(const Instance& instance, const std::vector<Value>* values, const SparsePattern& graph,
              Deficiency& deficiency)
      : pattern_(instance.pattern),
        general_(instance.problem == Problem::general_perfect_matchings),
        values_(values),
        graph_(graph),
        deficiency_(deficiency),
        node_(graph.rows, no_index) {
    counted_.gone.assign(graph.rows, false);
  }

  Counted run() {
    take_leaves_away();
    sum_up_trees();
    const auto parts = static_cast<Index>(deficiency_.parts.size());
    std::vector<std::vector<Index>> rest(parts);
    for (Index v = 0; v < graph_.rows; ++v) {
      if (is_in_part(v) && node_[v] == no_index) rest[deficiency_.part_of[v]].push_back(v);
    }
    for (const Index v : hung_on_) rest[deficiency_.part_of[v]].push_back(v);
    std::vector<std::vector<Index>> taken(parts);
    for (const Index v : order_) taken[deficiency_.part_of[v]].push_back(v);
    for (Index p = 0; p < parts; ++p) {
      check_stop();
      settle(p, rest[p], taken[p]);
    }
    return std::move(counted_);
  }

 private:
  bool is_in_part(Index vertex) const { return deficiency_.part_of[vertex] != no_index; }

  /// Calls visit(w) for every neighbour that a maximum matching may match it with: those of A only in D.
  template <class Visit>
  void each_neighbour(Index vertex, const Visit& visit) const {
    for (std::uint64_t k = graph_.row_start[vertex]; k < graph_.row_start[vertex + std::uint64_t{1}]; ++k) {
      const Index w = graph_.column[k];
      if (deficiency_.outer[vertex] || (is_in_part(w) && deficiency_.outer[w])) visit(w);
    }
  }

  Fraction<Number> weight(Index a, Index b) const {
    if (values_ == nullptr) return {unit(), unit()};
    Fraction<Number> result;
    const Index row = general_ ? a : std::min(a, b);
    const Index column = general_ ? b : std::max(a, b) - pattern_.rows;
    const auto first = pattern_.column.begin() + static_cast<std::ptrdiff_t>(pattern_.row_start[row]);
    const auto last =
        pattern_.column.begin() + static_cast<std::ptrdiff_t>(pattern_.row_start[row + std::uint64_t{1}]);
    const auto entry = std::lower_bound(first, last, column) - pattern_.column.begin();
    take_fraction((*values_)[static_cast<std::size_t>(entry)], result);
    return result;
  }

  void take_leaves_away() {
    std::vector<Index> degree(graph_.rows, 0);
    std::vector<Index> queue;
    std::vector<bool> queued(graph_.rows, false);
    StopPoll poll;
    for (Index v = 0; v < graph_.rows; ++v) {
      if (!is_in_part(v)) continue;
      poll.steps(graph_.row_degree(v));
      each_neighbour(v, [&](Index) { ++degree[v]; });
      if (degree[v] > 1) continue;
      queued[v] = true;
      queue.push_back(v);
    }
    for (std::size_t head = 0; head < queue.size(); ++head) {
      const Index v = queue[head];
      poll.steps(graph_.row_degree(v));
      Index parent = no_index;
      each_neighbour(v, [&](Index w) {
        if (node_[w] == no_index) parent = w;
      });
      node_[v] = static_cast<Index>(order_.size());
      order_.push_back(v);
      parent_.push_back(parent);
      if (parent == no_index || --degree[parent] > 1 || queued[parent]) continue;
      queued[parent] = true;
      queue.push_back(parent);
    }
  }

  /// Of all trees; those that hang on a vertex have it for their root.
  void sum_up_trees() {
    Forest<Number> forest;
    std::vector<Index> hung(graph_.rows, no_index);
    const auto taken = static_cast<Index>(order_.size());
    for (Index k = 0; k < taken; ++k) {
      const Index parent = parent_[k];
      if (parent != no_index && node_[parent] == no_index && hung[parent] == no_index) {
        hung[parent] = taken + static_cast<Index>(hung_on_.size());
        hung_on_.push_back(parent);
      }
    }
    StopPoll poll;
    for (Index k = 0; k < taken; ++k) {
      poll.step();
      const Index parent = parent_[k];
      forest.edge.push_back(parent == no_index ? Fraction<Number>() : weight(order_[k], parent));
      forest.parent.push_back(parent == no_index          ? no_index
                              : node_[parent] != no_index ? node_[parent]
                                                          : hung[parent]);
    }
    forest.edge.resize(forest.edge.size() + hung_on_.size());
    forest.parent.resize(forest.edge.size(), no_index);
    sums_ = tree_sums(forest);
    check_trees(forest);
    for (const Index v : hung_on_) node_[v] = hung[v];
  }

  /// Every tree once more, modulo a prime; those that hang on nothing from another root.
  void check_trees(const Forest<Number>& forest) const {
    using Small = ResidueOf<Number>;
    const auto size = static_cast<Index>(forest.parent.size());
    std::vector<Index> tree(size);
    Index trees = 0;
    for (Index v = size; v-- > 0;) tree[v] = forest.parent[v] == no_index ? trees++ : tree[forest.parent[v]];
    const LineGroups groups = group_lines(tree, trees);
    const std::vector<Index> place = groups.numbers();
    for (Index t = 0; t < trees; ++t) {
      check_stop();
      NearTree<Small> graph;
      graph.vertices.assign(groups[t].size(), one_vertex<Small>());
      for (const Index v : groups[t]) {
        if (forest.parent[v] == no_index) continue;
        graph.edges.push_back({place[v],
                               place[forest.parent[v]],
                               {residue(forest.edge[v].numerator), residue(forest.edge[v].denominator)}});
      }
      const Index root = groups[t].back();
      const bool hangs = root >= order_.size();
      const VertexSums<Small> sums = residue(sums_[root]);
      const VertexSums<Small> again = *cactus_sums(std::move(graph), hangs ? place[root] : 0, any_steps);
      check_same(again.settled == sums.settled && (!hangs || again.left == sums.left) &&
                     again.denominator == sums.denominator,
                 "a tree");
    }
  }

  template <class Small>
  static VertexSums<Small> one_vertex() {
    const Small one = residue(unit());
    return {{0, one}, {0, one}, one};
  }
  static Number unit() {
    if constexpr (std::is_same_v<Number, Complex>) {
      return {1, 0};
    } else {
      return 1;
    }
  }

  void settle(Index number, const std::vector<Index>& rest, const std::vector<Index>& taken) {
    DeficientPart& part = deficiency_.parts[number];
    if (rest.empty()) {
      finish(part, sums_[node_[taken.back()]], rest, taken);
    } else if (const auto sums = sum_up(rest, steps_worth(rest))) {
      finish(part, *sums, rest, taken);
    } else if (std::none_of(rest.begin(), rest.end(), [this](Index v) { return cancels(v); })) {
      hang_ends(part, rest, taken);
    }
  }

  /// The whole part is gone.
  void finish(DeficientPart& part, const VertexSums<Number>& sums, const std::vector<Index>& rest,
              const std::vector<Index>& taken) {
    const std::size_t vertices = rest.size() + taken.size();
    check_same(2 * static_cast<std::uint64_t>(sums.settled.edges) + part.free == vertices, "a part");
    add_factor(quotient_of(sums.settled.sum, sums.denominator));
    for (const Index v : rest) counted_.gone[v] = true;
    for (const Index v : taken) counted_.gone[v] = true;
    part.vertices.clear();
    part.free = 0;
  }

  void add_factor(ComplexRational factor) {
    if (factor.re != 1 || factor.im != 0) counted_.factors.push_back(std::move(factor));
  }

  std::uint64_t steps_worth(const std::vector<Index>& rest) const {
    std::uint64_t joined = 0;
    for (const Index v : rest) joined += deficiency_.outer[v] || node_[v] != no_index ? 1 : 0;
    return free_of(rest) * joined > many_added ? most_steps_of_a_part : few_steps_a_vertex * rest.size();
  }

  /// How many vertices a maximum matching of the rest, with its new ends, leaves free: the components of what
  /// is in D, and the ends, without the vertices of A.
  Index free_of(const std::vector<Index>& rest) const {
    Index components = 0;
    Index inner = 0;
    std::unordered_map<Index, bool> met;
    std::vector<Index> queue;
    for (const Index root : rest) {
      if (!deficiency_.outer[root]) {
        ++inner;
        components += node_[root] == no_index ? 0 : 1;
        continue;
      }
      if (std::exchange(met[root], true)) continue;
      ++components;
      queue.assign(1, root);
      for (std::size_t head = 0; head < queue.size(); ++head) {
        each_neighbour(queue[head], [&](Index w) {
          if (deficiency_.outer[w] && !std::exchange(met[w], true)) queue.push_back(w);
        });
      }
    }
    return components - inner;
  }

  std::optional<VertexSums<Number>> sum_up(const std::vector<Index>& rest, std::uint64_t steps) const {
    NearTree<Number> graph;
    std::unordered_map<Index, Index> place;
    for (Index k = 0; k < rest.size(); ++k) place.emplace(rest[k], k);
    std::uint64_t ends = 0;
    for (const Index v : rest) each_neighbour(v, [&](Index w) { ends += place.count(w); });
    if (ends / 2 > most_edges_a_vertex * rest.size()) return std::nullopt;
    const VertexSums<Number> one{{0, unit()}, {0, unit()}, unit()};
    for (const Index v : rest) {
      graph.vertices.push_back(node_[v] == no_index ? one : sums_[node_[v]]);
      each_neighbour(v, [&](Index w) {
        const auto at = place.find(w);
        if (w > v && at != place.end()) graph.edges.push_back({place[v], at->second, weight(v, w)});
      });
    }
    using Small = ResidueOf<Number>;
    NearTree<Small> small;
    for (const VertexSums<Number>& sums : graph.vertices) small.vertices.push_back(residue(sums));
    for (const auto& edge : graph.edges)
      small.edges.push_back(
          {edge.to, edge.from, {residue(edge.weight.numerator), residue(edge.weight.denominator)}});
    std::reverse(small.edges.begin(), small.edges.end());
    // First, since it takes less: numbers may be long.
    const auto again = cactus_sums(std::move(small), static_cast<Index>(rest.size()) - 1, steps);
    if (!again) return std::nullopt;
    std::optional<VertexSums<Number>> sums = cactus_sums(std::move(graph), 0, any_steps);
    check_same(again->settled == residue(sums->settled) && again->denominator == residue(sums->denominator),
               "a graph that is nearly a tree");
    return sums;
  }

  bool cancels(Index vertex) const {
    if (node_[vertex] == no_index) return false;
    const VertexSums<Number>& sums = sums_[node_[vertex]];
    return sums.left.sum == Number() || sums.settled.sum == Number();
  }

  /// The trees are gone, and what they hung on has what stands for them.
  void hang_ends(DeficientPart& part, const std::vector<Index>& rest, const std::vector<Index>& taken) {
    part.free = free_of(rest);
    std::unordered_map<Index, Index> child;
    for (const Index v : taken) {
      counted_.gone[v] = true;
      child[parent_[node_[v]]] = v;
    }
    part.vertices.clear();
    for (const Index v : rest) {
      if (deficiency_.outer[v]) part.vertices.push_back(v);
      if (node_[v] == no_index) continue;
      const VertexSums<Number>& sums = sums_[node_[v]];
      mpz_class divisor;
      add_divisors(sums.left.sum, divisor);
      add_divisors(sums.settled.sum, divisor);
      add_factor(quotient_of(divisor, denominator_of(sums.denominator)));
      counted_.scale.emplace(v, divided(sums.left.sum, divisor));
      if (deficiency_.outer[v]) {
        counted_.alone.emplace(v, divided(sums.settled.sum, divisor));
        continue;
      }
      const Index end = child.at(v);
      counted_.gone[end] = false;
      counted_.end.emplace(end, divided(sums.settled.sum, divisor));
      part.vertices.push_back(end);
    }
    std::sort(part.vertices.begin(), part.vertices.end());
    for (const Index v : part.vertices) {
      const auto at = counted_.alone.find(v);
      part.alone.push_back(at == counted_.alone.end() ? ComplexRational{1, 0} : at->second);
    }
  }

  const SparsePattern& pattern_;
  const bool general_;
  const std::vector<Value>* const values_;
  const SparsePattern& graph_;
  Deficiency& deficiency_;
  std::vector<Index> order_;   // vertices that are taken away, each before its parent
  std::vector<Index> parent_;  // beside them
  std::vector<Index> hung_on_;
  std::vector<Index> node_;  // of vertices that are in a tree, or that one hangs on: in sums_
  std::vector<VertexSums<Number>> sums_;
  Counted counted_;
};

template <class Value, class Number>
Counted counted_in(const Instance& instance, const std::vector<Value>* values, const SparsePattern& graph,
                   Deficiency& deficiency) {
  return PartCounter<Value, Number>(instance, values, graph, deficiency).run();
}

}  // namespace

Counted counted_parts(const Instance& instance, const SparsePattern& graph, Deficiency& deficiency) {
  if (const auto* complex = std::get_if<std::vector<ComplexRational>>(&instance.values))
    return counted_in<ComplexRational, Complex>(instance, complex, graph, deficiency);
  if (const auto* rational = std::get_if<std::vector<mpq_class>>(&instance.values))
    return counted_in<mpq_class, mpz_class>(instance, rational, graph, deficiency);
  return counted_in<std::int64_t, mpz_class>(
      instance, std::get_if<std::vector<std::int64_t>>(&instance.values), graph, deficiency);
}

}  // namespace countpm
