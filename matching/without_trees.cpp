#include "matching/without_trees.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <type_traits>
#include <utility>

#include "graph/stop_poll.hpp"
#include "matching/counted_parts.hpp"
#include "matching/entry_ops.hpp"

namespace countpm {
namespace {

ComplexRational wide(std::int64_t value) {
  return {static_cast<std::int64_t>(value), 0};
}
ComplexRational wide(const mpq_class& value) {
  return {value, 0};
}
const ComplexRational& wide(const ComplexRational& value) {
  return value;
}

void narrow(const ComplexRational& value, std::int64_t& result) {
  result = value.re.get_num().get_si();
}
void narrow(const ComplexRational& value, mpq_class& result) {
  result = value.re;
}
void narrow(const ComplexRational& value, ComplexRational& result) {
  result = value;
}

bool fits(const ComplexRational& value) {
  return value.re.get_den() == 1 && value.re.get_num().fits_slong_p();
}

/// The instance without the lines that are gone, and with the factors and weights that stand for them.
class Rest {
 public:
  Rest(Instance& instance, Index graph_vertices, const Counted& counted)
      : instance_(instance),
        counted_(counted),
        general_(instance.problem == Problem::general_perfect_matchings),
        first_column_(general_ ? 0 : instance.pattern.rows),
        number_(graph_vertices, no_index) {}

  /// Returns the vertices' new numbers, by side, with the columns' of a bipartite graph behind the rows'.
  std::vector<Index> apply() {
    SparsePattern& pattern = instance_.pattern;
    const Index rows = renumber(0, pattern.rows);
    const Index columns = general_ ? rows : renumber(pattern.rows, pattern.rows + pattern.columns);
    find_entries();
    widen_values();
    SparsePattern rest;
    rest.rows = rows;
    rest.columns = columns;
    for (const Kept& kept : kept_) {
      while (rest.row_start.size() <= kept.row) rest.row_start.push_back(rest.column.size());
      rest.column.push_back(kept.column);
    }
    while (rest.row_start.size() <= rows) rest.row_start.push_back(rest.column.size());
    for (const ComplexRational& factor : counted_.factors) add_factor(factor, rest);
    std::visit([this](auto& values) { keep_values(values); }, instance_.values);
    keep_vertices(instance_.row_vertex, 0, pattern.rows, rest.rows);
    keep_vertices(instance_.column_vertex, first_column_, pattern.columns, rest.columns);
    pattern = std::move(rest);
    if (!general_) {
      for (std::size_t v = first_column_; v < number_.size(); ++v) {
        if (number_[v] != no_index) number_[v] += pattern.rows;
      }
    }
    return std::move(number_);
  }

 private:
  struct Kept {
    Index row;
    Index column;
    std::uint64_t entry;  // of the instance; or, behind them, of changed_
  };

  Index renumber(Index first, Index last) {
    Index next = 0;
    for (Index v = first; v < last; ++v) {
      if (!counted_.gone[v]) number_[v] = next++;
    }
    return next;
  }

  void find_entries() {
    const SparsePattern& pattern = instance_.pattern;
    StopPoll poll;
    for (Index i = 0; i < pattern.rows; ++i) {
      poll.steps(pattern.row_degree(i));
      if (counted_.gone[i]) continue;
      for (std::uint64_t k = pattern.row_start[i]; k < pattern.row_start[i + std::uint64_t{1}]; ++k) {
        const Index w = first_column_ + pattern.column[k];
        if (counted_.gone[w]) continue;
        kept_.push_back({number_[i], number_[w], k});
        if (const auto value = changed_value(i, w, k)) {
          kept_.back().entry = pattern.entries() + changed_.size();
          changed_.push_back(*value);
        }
      }
    }
  }

  std::optional<ComplexRational> changed_value(Index a, Index b, std::uint64_t entry) const {
    for (const Index v : {a, b}) {
      if (const auto end = counted_.end.find(v); end != counted_.end.end()) return end->second;
    }
    std::optional<ComplexRational> value;
    for (const Index v : {a, b}) {
      const auto scale = counted_.scale.find(v);
      if (scale == counted_.scale.end() || is_one(scale->second)) continue;
      if (!value) value = value_of(entry);
      value = *value * scale->second;
    }
    return value;
  }

  ComplexRational value_of(std::uint64_t entry) const {
    return std::visit(
        [&](const auto& values) -> ComplexRational {
          if constexpr (std::is_same_v<std::decay_t<decltype(values)>, std::monostate>) {
            return {1, 0};
          } else {
            return wide(values[entry]);
          }
        },
        instance_.values);
  }

  /// So that the values' type holds all that stands for trees.
  void widen_values() {
    const auto is_plain = [](const auto& list, const auto& test) {
      return std::all_of(list.begin(), list.end(), [&](const auto& one) { return test(one.second); });
    };
    Values& values = instance_.values;
    if (std::holds_alternative<std::monostate>(values)) {
      if (changed_.empty() && counted_.factors.empty() &&
          is_plain(counted_.alone, [](const ComplexRational& value) { return is_one(value); }))
        return;
      values = std::vector<std::int64_t>(instance_.pattern.entries(), 1);
    }
    const auto* integers = std::get_if<std::vector<std::int64_t>>(&values);
    if (integers == nullptr) return;
    if (std::all_of(changed_.begin(), changed_.end(), fits) &&
        std::all_of(counted_.factors.begin(), counted_.factors.end(), fits) && is_plain(counted_.alone, fits))
      return;
    std::vector<mpq_class> widened;
    widened.reserve(integers->size());
    for (const std::int64_t value : *integers) widened.emplace_back(static_cast<std::int64_t>(value));
    values = std::move(widened);
  }

  /// Two lines more, or where it is 0 four: of a graph without a bipartition both ways.
  void add_factor(const ComplexRational& factor, SparsePattern& rest) {
    const bool zero = is_zero(factor);
    const Index size = zero ? 2 : 1;
    const Index first_row = rest.rows;
    const Index first_column = general_ ? rest.rows + size : rest.columns;
    for (Index i = 0; i < size; ++i) {
      for (Index j = 0; j < size; ++j) add_entry(first_column + j, zero, i == 1 && j == 1, factor, rest);
      rest.row_start.push_back(rest.column.size());
    }
    for (Index j = 0; j < size && general_; ++j) {
      for (Index i = 0; i < size; ++i) add_entry(first_row + i, zero, i == 1 && j == 1, factor, rest);
      rest.row_start.push_back(rest.column.size());
    }
    rest.rows += general_ ? 2 * size : size;
    rest.columns += general_ ? 2 * size : size;
  }

  void add_entry(Index column, bool zero, bool last, const ComplexRational& factor, SparsePattern& rest) {
    rest.column.push_back(column);
    kept_.push_back({0, column, instance_.pattern.entries() + changed_.size()});
    changed_.push_back(zero ? ComplexRational{last ? -1 : 1, 0} : factor);
  }

  void keep_values(std::monostate) const {}
  template <class Value>
  void keep_values(std::vector<Value>& values) const {
    std::vector<Value> result;
    result.reserve(kept_.size());
    StopPoll poll;
    for (const Kept& kept : kept_) {
      poll.step();
      if (kept.entry < values.size()) {
        result.push_back(values[kept.entry]);
      } else {
        narrow(changed_[kept.entry - values.size()], result.emplace_back());
      }
    }
    values = std::move(result);
  }

  void keep_vertices(std::vector<Index>& vertex, Index first, Index before, Index now) const {
    if (vertex.empty()) {
      vertex.resize(before);
      std::iota(vertex.begin(), vertex.end(), Index{0});
    }
    std::vector<Index> kept;
    for (Index k = 0; k < before; ++k) {
      if (!counted_.gone[first + k]) kept.push_back(vertex[k]);
    }
    kept.resize(now, no_index);
    vertex = std::move(kept);
  }

  Instance& instance_;
  const Counted& counted_;
  const bool general_;
  const Index first_column_;
  std::vector<Index> number_;
  std::vector<Kept> kept_;
  std::vector<ComplexRational> changed_;
};

}  // namespace

void count_trees(Instance& instance, const SparsePattern& graph, Deficiency& deficiency) {
  const Counted counted = counted_parts(instance, graph, deficiency);
  const std::vector<Index> number = Rest(instance, graph.rows, counted).apply();
  std::vector<DeficientPart> parts;
  for (DeficientPart& part : deficiency.parts) {
    if (part.free == 0) continue;
    for (Index& v : part.vertices) v = number[v];
    parts.push_back(std::move(part));
  }
  deficiency.parts = std::move(parts);
}

}  // namespace countpm
