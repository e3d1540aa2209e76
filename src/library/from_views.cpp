// Arrays of a program's own, made into a graph: every number is looked at before anything relies on it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "graph/errors.hpp"
#include "graph/letters.hpp"
#include "graph/validate.hpp"
#include "src/library/input.hpp"

namespace countpm {
namespace {

[[noreturn]] void refuse(const std::string& name, std::string expected, std::string found) {
  throw InputError(name, 0, std::move(expected), std::move(found));
}

std::size_t size_of(const Indices& list) {
  return std::visit([](const auto& numbers) { return numbers.size(); }, list);
}

template <class Integer>
bool is_below(Integer number, std::uint64_t end) {
  return std::cmp_greater_equal(number, 0) && std::cmp_less(number, end);
}

Index vertices_of(std::uint64_t number, const std::string& name) {
  if (number >= no_index)
    refuse(name, fmt::format("at most {} vertices a side", no_index - 1), fmt::format("{}", number));
  return static_cast<Index>(number);
}

/// Says of each edge whether its weight makes it one, and makes the values of those.
class WeightReader {
 public:
  WeightReader(const Weights& weights, std::size_t edges, const std::string& name)
      : weights_(weights), name_(name) {
    const std::size_t size = std::visit(
        [&](const auto& list) {
          if constexpr (std::is_same_v<std::decay_t<decltype(list)>, std::monostate>) {
            return edges;
          } else {
            return list.size();
          }
        },
        weights);
    if (size != edges)
      refuse(name, fmt::format("a weight for each of {} edges", edges), fmt::format("{} weights", size));
  }

  /// Whether edge k counts. `text`: how messages name it.
  template <class Text>
  bool is_edge(std::size_t k, const Text& text) const {
    return std::visit(
        [&](const auto& list) {
          using List = std::decay_t<decltype(list)>;
          if constexpr (std::is_same_v<List, std::monostate>) {
            return true;
          } else if constexpr (std::is_same_v<List, std::span<const std::string>>) {
            return !parse_weight_with_letters(list[k], name_, 0).is_zero();
          } else {
            if (!is_number(list[k]))
              refuse(name_, "finite weights", fmt::format("{} as the weight of {}", fault(list[k]), text()));
            return !is_zero(list[k]);
          }
        },
        weights_);
  }

  /// Of the edges that count, by their places in the list.
  void read(const std::vector<std::uint64_t>& kept, Graph& graph) const {
    if (const auto* texts = std::get_if<std::span<const std::string>>(&weights_))
      return read_texts(*texts, kept, graph);
    std::visit([&](const auto& list) { read_list(list, kept, graph); }, weights_);
  }

 private:
  static bool is_number(std::int64_t) { return true; }
  static bool is_number(const mpz_class&) { return true; }
  static bool is_number(const mpq_class& value) { return mpz_sgn(value.get_den_mpz_t()) != 0; }
  static bool is_number(double value) { return std::isfinite(value); }
  static bool is_number(const std::complex<double>& value) {
    return std::isfinite(value.real()) && std::isfinite(value.imag());
  }
  static bool is_number(const ComplexRational& value) { return is_number(value.re) && is_number(value.im); }
  static std::string fault(std::int64_t) { return ""; }
  static std::string fault(const mpz_class&) { return ""; }
  static std::string fault(const mpq_class&) { return "a fraction with the denominator 0"; }
  static std::string fault(double value) { return fmt::format("{}", value); }
  static std::string fault(const std::complex<double>& value) {
    return fmt::format("({},{})", value.real(), value.imag());
  }
  static std::string fault(const ComplexRational&) { return "a fraction with the denominator 0"; }
  static bool is_zero(std::int64_t value) { return value == 0; }
  static bool is_zero(const mpz_class& value) { return value == 0; }
  static bool is_zero(const mpq_class& value) { return mpz_sgn(value.get_num_mpz_t()) == 0; }
  static bool is_zero(double value) { return value == 0; }
  static bool is_zero(const std::complex<double>& value) { return value == 0.0; }
  static bool is_zero(const ComplexRational& value) { return is_zero(value.re) && is_zero(value.im); }

  void read_texts(std::span<const std::string> list, const std::vector<std::uint64_t>& kept,
                  Graph& graph) const {
    LetterTable table;
    std::vector<std::int64_t> places;
    places.reserve(kept.size());
    for (const std::uint64_t k : kept)
      places.push_back(table.number_of(parse_weight_with_letters(list[k], name_, 0), name_, 0));
    std::shared_ptr<const LetterWeights> letters = table.finished();
    if (letters->letters.empty()) {
      std::vector<mpq_class> numbers;
      numbers.reserve(places.size());
      for (const std::int64_t place : places)
        numbers.push_back(letters->weight[static_cast<std::size_t>(place)].coefficient);
      std::vector<std::uint64_t> all(numbers.size());
      std::iota(all.begin(), all.end(), std::uint64_t{0});
      return read_list(std::span<const mpq_class>(numbers), all, graph);
    }
    graph.values = std::move(places);
    graph.letters = std::move(letters);
    graph.weight_kind = WeightKind::rational;
  }

  static void read_list(std::span<const std::string>, const std::vector<std::uint64_t>&, Graph&) {}
  static void read_list(std::monostate, const std::vector<std::uint64_t>&, Graph&) {}

  static void read_list(std::span<const std::int64_t> list, const std::vector<std::uint64_t>& kept,
                        Graph& graph) {
    graph.weight_kind = WeightKind::integer;
    const auto counts_1 = [&](std::uint64_t k) { return list[k] == 1; };
    if (std::all_of(kept.begin(), kept.end(), counts_1)) return;
    std::vector<std::int64_t> values;
    values.reserve(kept.size());
    for (const std::uint64_t k : kept) values.push_back(list[k]);
    graph.values = std::move(values);
  }

  static void read_list(std::span<const mpz_class> list, const std::vector<std::uint64_t>& kept,
                        Graph& graph) {
    read_exact(list, kept, WeightKind::integer, graph);
  }

  static void read_list(std::span<const mpq_class> list, const std::vector<std::uint64_t>& kept,
                        Graph& graph) {
    const auto is_integer = [&](std::uint64_t k) { return list[k].get_den() == 1; };
    const bool integers = std::all_of(kept.begin(), kept.end(), is_integer);
    read_exact(list, kept, integers ? WeightKind::integer : WeightKind::rational, graph);
  }

  /// Integers of 64 bits where all are.
  template <class Number>
  static void read_exact(std::span<const Number> list, const std::vector<std::uint64_t>& kept,
                         WeightKind kind, Graph& graph) {
    graph.weight_kind = kind;
    const auto numerator = [&](std::uint64_t k) {
      if constexpr (std::is_same_v<Number, mpq_class>) {
        return list[k].get_num_mpz_t();
      } else {
        return list[k].get_mpz_t();
      }
    };
    const auto is_short = [&](std::uint64_t k) { return mpz_fits_slong_p(numerator(k)) != 0; };
    if (kind == WeightKind::integer && std::all_of(kept.begin(), kept.end(), is_short)) {
      std::vector<std::int64_t> values;
      values.reserve(kept.size());
      for (const std::uint64_t k : kept) values.push_back(mpz_get_si(numerator(k)));
      if (std::any_of(values.begin(), values.end(), [](std::int64_t value) { return value != 1; }))
        graph.values = std::move(values);
      return;
    }
    std::vector<mpq_class> values;
    values.reserve(kept.size());
    for (const std::uint64_t k : kept) {
      values.emplace_back(list[k]);
      values.back().canonicalize();
    }
    graph.values = std::move(values);
  }

  static void read_list(std::span<const double> list, const std::vector<std::uint64_t>& kept, Graph& graph) {
    graph.weight_kind = WeightKind::real;
    std::vector<mpq_class> values;
    values.reserve(kept.size());
    for (const std::uint64_t k : kept) values.emplace_back(list[k]);
    graph.values = std::move(values);
  }

  static void read_list(std::span<const std::complex<double>> list, const std::vector<std::uint64_t>& kept,
                        Graph& graph) {
    graph.weight_kind = WeightKind::complex;
    std::vector<ComplexRational> values;
    values.reserve(kept.size());
    for (const std::uint64_t k : kept)
      values.push_back({mpq_class(list[k].real()), mpq_class(list[k].imag())});
    graph.values = std::move(values);
  }

  static void read_list(std::span<const ComplexRational> list, const std::vector<std::uint64_t>& kept,
                        Graph& graph) {
    graph.weight_kind = WeightKind::complex;
    std::vector<ComplexRational> values;
    values.reserve(kept.size());
    for (const std::uint64_t k : kept) {
      values.push_back(list[k]);
      values.back().re.canonicalize();
      values.back().im.canonicalize();
    }
    graph.values = std::move(values);
  }

  const Weights& weights_;
  const std::string& name_;
};

ReadResult head(const std::string& name, Format format) {
  ReadResult read;
  read.info.path = name;
  read.info.format = format;
  read.info.memory = true;
  return read;
}

/// The starts of rows, sound: from 0 on, never falling, up to the number of entries.
std::vector<std::uint64_t> checked_starts(const SparseView& matrix) {
  const std::string& name = matrix.name;
  const std::uint64_t entries = size_of(matrix.column);
  if (size_of(matrix.row_start) != matrix.rows + 1)
    refuse(name, fmt::format("{} starts of rows, one more than rows", matrix.rows + 1),
           fmt::format("{}", size_of(matrix.row_start)));
  std::vector<std::uint64_t> starts;
  starts.reserve(matrix.rows + 1);
  std::visit(
      [&](const auto& list) {
        for (std::size_t i = 0; i < list.size(); ++i) {
          const bool sound = is_below(list[i], entries + 1) &&
                             static_cast<std::uint64_t>(list[i]) >= (starts.empty() ? 0 : starts.back());
          if (!sound)
            refuse(name, fmt::format("starts of rows that do not fall, from 0 to {} entries", entries),
                   fmt::format("{} at place {}", list[i], i));
          starts.push_back(static_cast<std::uint64_t>(list[i]));
        }
      },
      matrix.row_start);
  if (starts.front() != 0 || starts.back() != entries)
    refuse(name, fmt::format("starts of rows from 0 to {} entries", entries),
           fmt::format("{} to {}", starts.front(), starts.back()));
  return starts;
}

}  // namespace

ReadResult read_view(const EdgeView& view) {
  const std::string& name = view.name;
  ReadResult result = head(name, Format::edge_list);
  Graph& graph = result.graph;
  const bool bipartite = view.kind == GraphKind::bipartite;
  graph.kind = view.kind;
  graph.left_labels = LabelTable::numbered(vertices_of(view.left, name), 0);
  if (bipartite || view.right > 0)
    graph.right_labels = LabelTable::numbered(vertices_of(view.right, name), 0);
  const std::size_t edges = size_of(view.from);
  if (size_of(view.to) != edges)
    refuse(name, "both ends of every edge", fmt::format("{} and {} of them", edges, size_of(view.to)));
  const WeightReader weights(view.weights, edges, name);
  const std::uint64_t heads = bipartite ? view.right : view.left;
  std::vector<std::uint64_t> kept;
  graph.edges.reserve(edges);
  kept.reserve(edges);
  std::visit(
      [&](const auto& from, const auto& to) {
        for (std::size_t k = 0; k < edges; ++k) {
          const auto text = [&] { return fmt::format("edge {} ({} to {})", k, from[k], to[k]); };
          if (!is_below(from[k], view.left) || !is_below(to[k], heads)) {
            refuse(name,
                   bipartite ? fmt::format("edges from {} left to {} right vertices, numbered from 0",
                                           view.left, view.right)
                             : fmt::format("edges between {} vertices, numbered from 0", view.left),
                   text());
          }
          if (!weights.is_edge(k, text)) continue;
          graph.edges.push_back({static_cast<Index>(from[k]), static_cast<Index>(to[k])});
          kept.push_back(k);
        }
      },
      view.from, view.to);
  result.info.zeros_dropped = edges - kept.size();
  weights.read(kept, graph);
  validate(graph, name);
  return result;
}

ReadResult read_view(const SparseView& view) {
  const std::string& name = view.name;
  ReadResult result = head(name, Format::matrix_market);
  Graph& graph = result.graph;
  graph.kind = GraphKind::bipartite;
  graph.left_labels = LabelTable::numbered(vertices_of(view.rows, name), 0);
  graph.right_labels = LabelTable::numbered(vertices_of(view.columns, name), 0);
  const std::vector<std::uint64_t> starts = checked_starts(view);
  const std::size_t entries = size_of(view.column);
  const WeightReader weights(view.weights, entries, name);
  std::vector<std::uint64_t> kept;
  graph.edges.reserve(entries);
  kept.reserve(entries);
  std::visit(
      [&](const auto& column) {
        for (std::uint64_t i = 0; i < view.rows; ++i) {
          for (std::uint64_t k = starts[i]; k < starts[i + 1]; ++k) {
            const auto text = [&] { return fmt::format("entry {} (row {}, column {})", k, i, column[k]); };
            if (!is_below(column[k], view.columns))
              refuse(name, fmt::format("{} columns, numbered from 0", view.columns), text());
            if (!weights.is_edge(k, text)) continue;
            graph.edges.push_back({static_cast<Index>(i), static_cast<Index>(column[k])});
            kept.push_back(k);
          }
        }
      },
      view.column);
  result.info.zeros_dropped = entries - kept.size();
  weights.read(kept, graph);
  validate(graph, name);
  return result;
}

Input::Input(Graph graph, std::string name) {
  validate(graph, name);
  ReadResult read;
  read.graph = std::move(graph);
  read.info.path = std::move(name);
  read.info.memory = true;
  content_ = std::move(read);
}

Input::Input(ReadResult read) {
  validate(read.graph, read.info.path);
  content_ = std::move(read);
}

Input::Input(const EdgeView& edges) : content_(read_view(edges)) {}

Input::Input(const SparseView& matrix) : content_(read_view(matrix)) {}

}  // namespace countpm
