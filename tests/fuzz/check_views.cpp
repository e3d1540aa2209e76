#include "tests/fuzz/check_views.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "graph/errors.hpp"
#include "src/library/input.hpp"
#include "src/library/matrices.hpp"
#include "tests/fuzz/check_graph.hpp"
#include "tests/fuzz/check_reading.hpp"

namespace countpm::fuzz {
namespace {

void require_view(bool holds, const char* promise) {
  if (!holds) throw std::logic_error(std::string("broken promise of a view: ") + promise);
}

/// One list of numbers, in one of the four types.
using IndexList = std::variant<std::vector<std::uint32_t>, std::vector<std::int32_t>,
                               std::vector<std::uint64_t>, std::vector<std::int64_t>>;

template <class Number>
std::vector<Number> cast_all(const std::vector<std::uint64_t>& numbers) {
  std::vector<Number> list;
  list.reserve(numbers.size());
  for (const std::uint64_t number : numbers) list.push_back(static_cast<Number>(number));
  return list;
}

IndexList index_list(Bytes& bytes, const std::vector<std::uint64_t>& numbers) {
  switch (bytes.below(4)) {
    case 0:
      return cast_all<std::uint32_t>(numbers);
    case 1:
      return cast_all<std::int32_t>(numbers);
    case 2:
      return cast_all<std::uint64_t>(numbers);
    default:
      return cast_all<std::int64_t>(numbers);
  }
}

Indices view_of(const IndexList& list) {
  return std::visit([](const auto& numbers) -> Indices { return std::span(numbers); }, list);
}

/// A number of vertices: few, or none that can be.
std::uint64_t vertices_of_bytes(Bytes& bytes) {
  const unsigned number = bytes.below(64);
  if (number == 63) return std::numeric_limits<std::uint64_t>::max() - bytes.below(3);
  if (number == 62) return std::uint64_t{1} << (20 + bytes.below(44));
  return number % 9;
}

/// Mostly below `end`; one in 32 anything.
std::uint64_t number_below(Bytes& bytes, std::uint64_t end) {
  const unsigned number = bytes.byte();
  if (number >= 248) return number == 248 ? end : bytes.word();
  return end == 0 ? 0 : number % end;
}

std::vector<std::uint64_t> numbers_below(Bytes& bytes, std::size_t size, std::uint64_t end) {
  std::vector<std::uint64_t> numbers;
  for (std::size_t k = 0; k < size; ++k) numbers.push_back(number_below(bytes, end));
  return numbers;
}

double double_of(Bytes& bytes) {
  constexpr double special[] = {0.0,
                                -0.0,
                                1e-320,
                                1e308,
                                0.1,
                                std::numeric_limits<double>::infinity(),
                                std::numeric_limits<double>::quiet_NaN()};
  const unsigned number = bytes.byte();
  return number >= 250 ? special[bytes.below(std::size(special))] : static_cast<double>(number) - 7;
}

mpq_class fraction_of_bytes(Bytes& bytes) {
  mpq_class value;
  value.get_num() = static_cast<int>(bytes.byte()) - 3;
  value.get_den() = 1;
  if (bytes.below(4) == 0) value.get_den() = static_cast<int>(bytes.below(12)) - 2;  // 0 and below, too
  if (bytes.below(8) == 0) mpz_mul_2exp(value.get_num_mpz_t(), value.get_num_mpz_t(), bytes.below(200));
  return value;
}

using WeightList =
    std::variant<std::monostate, std::vector<std::int64_t>, std::vector<mpz_class>, std::vector<mpq_class>,
                 std::vector<double>, std::vector<std::complex<double>>>;

template <class Make>
auto weights_by(std::size_t size, const Make& make) {
  std::vector<decltype(make())> list;
  for (std::size_t k = 0; k < size; ++k) list.push_back(make());
  return list;
}

WeightList weight_list(Bytes& bytes, std::size_t size) {
  switch (bytes.below(6)) {
    case 0:
      return weights_by(size, [&] {
        return bytes.below(16) == 0 ? static_cast<std::int64_t>(bytes.word())
                                    : std::int64_t{bytes.below(5)} - 1;
      });
    case 1:
      return weights_by(size, [&] { return mpz_class(fraction_of_bytes(bytes).get_num()); });
    case 2:
      return weights_by(size, [&] { return fraction_of_bytes(bytes); });
    case 3:
      return weights_by(size, [&] { return double_of(bytes); });
    case 4:
      return weights_by(size, [&] {
        const double real = double_of(bytes);
        return std::complex<double>(real, double_of(bytes));
      });
    default:
      return {};
  }
}

Weights view_of(const WeightList& list) {
  return std::visit(
      [](const auto& weights) -> Weights {
        if constexpr (std::is_same_v<std::decay_t<decltype(weights)>, std::monostate>) {
          return std::monostate();
        } else {
          return std::span(weights);
        }
      },
      list);
}

/// What is asked for, by the shortest way: an edge and its exact weight.
struct Expected {
  Edge edge;
  ComplexRational weight;
};

ComplexRational exact(std::int64_t value) {
  return {mpq_class(static_cast<long>(value)), 0};
}
ComplexRational exact(const mpz_class& value) {
  return {mpq_class(value), 0};
}
ComplexRational exact(mpq_class value) {
  value.canonicalize();
  return {value, 0};
}
ComplexRational exact(double value) {
  return {mpq_class(value), 0};
}
ComplexRational exact(const std::complex<double>& value) {
  return {mpq_class(value.real()), mpq_class(value.imag())};
}

ComplexRational weight_at(const WeightList& weights, std::size_t k) {
  return std::visit(
      [&](const auto& list) -> ComplexRational {
        if constexpr (std::is_same_v<std::decay_t<decltype(list)>, std::monostate>) {
          return exact(std::int64_t{1});
        } else {
          return exact(list.at(k));
        }
      },
      weights);
}

ComplexRational value_at(const Values& values, std::size_t k) {
  if (const auto* integers = std::get_if<1>(&values)) return exact((*integers)[k]);
  if (const auto* rationals = std::get_if<2>(&values)) return exact((*rationals)[k]);
  if (const auto* complex = std::get_if<3>(&values)) return (*complex)[k];
  return exact(std::int64_t{1});
}

std::uint64_t number_at(const IndexList& list, std::size_t k) {
  return std::visit([&](const auto& numbers) { return static_cast<std::uint64_t>(numbers.at(k)); }, list);
}

void check_same_edges(const ReadResult& read, const std::vector<Expected>& expected, std::size_t listed) {
  const Graph& graph = read.graph;
  require_view(graph.edges.size() == expected.size(), "edges whose weight is not 0 are kept, and no others");
  require_view(read.info.zeros_dropped == listed - expected.size(), "weights of 0 are counted");
  for (std::size_t k = 0; k < expected.size(); ++k) {
    require_view(graph.edges[k] == expected[k].edge, "edges are in the order of the arrays");
    require_view(value_at(graph.values, k) == expected[k].weight, "weights are those of the arrays");
  }
}

/// Whatever can be made of what has been read is made, or refused.
void check_matrices(const ReadResult& read) {
  check_graph(matrix_of(GraphQuestion::permanent, read, {}).graph);
  try {
    check_graph(adjacency_graph(read).graph);
    for (const LoopPolicy loops : {LoopPolicy::reject, LoopPolicy::drop})
      check_graph(symmetric_graph(read, loops).graph);
  } catch (const InputError&) {
    return;  // not square, not symmetric, or with loops
  }
}

template <class View>
std::optional<ReadResult> read_or_refusal(const View& view) {
  try {
    return read_view(view);
  } catch (const InputError& error) {
    const std::string message = error.what();
    require_view(!message.empty() && message.find('\n') == std::string::npos, "a message is one line");
    return std::nullopt;
  }
}

bool check_edges(Bytes& bytes) {
  EdgeView view;
  view.kind = static_cast<GraphKind>(bytes.below(3));
  view.left = vertices_of_bytes(bytes);
  view.right = view.kind == GraphKind::bipartite || bytes.below(16) == 0 ? vertices_of_bytes(bytes) : 0;
  const std::size_t edges = bytes.below(16);
  const bool uneven = bytes.below(32) == 0;
  const IndexList from = index_list(bytes, numbers_below(bytes, edges, view.left));
  const std::uint64_t heads = view.kind == GraphKind::bipartite ? view.right : view.left;
  const IndexList to = index_list(bytes, numbers_below(bytes, edges + (uneven ? 1 : 0), heads));
  const WeightList weights = weight_list(bytes, bytes.below(32) == 0 ? edges / 2 : edges);
  view.from = view_of(from);
  view.to = view_of(to);
  view.weights = view_of(weights);
  const std::optional<ReadResult> read = read_or_refusal(view);
  if (!read) return false;
  check_graph(read->graph);
  std::vector<Expected> expected;
  for (std::size_t k = 0; k < edges; ++k) {
    const Edge edge{static_cast<Index>(number_at(from, k)), static_cast<Index>(number_at(to, k))};
    ComplexRational weight = weight_at(weights, k);
    if (!(weight == ComplexRational{})) expected.push_back({edge, std::move(weight)});
  }
  check_same_edges(*read, expected, edges);
  check_matrices(*read);
  return true;
}

bool check_matrix(Bytes& bytes) {
  SparseView view;
  view.rows = vertices_of_bytes(bytes);
  view.columns = bytes.below(4) == 0 ? vertices_of_bytes(bytes) : view.rows;
  const std::size_t entries = bytes.below(24);
  const IndexList column = index_list(bytes, numbers_below(bytes, entries, view.columns));
  std::vector<std::uint64_t> ends =
      numbers_below(bytes, std::min<std::uint64_t>(view.rows, 9) + 1, entries + 1);
  // Sound ones rise from 0 to the end.
  if (bytes.below(16) != 0) {
    std::sort(ends.begin(), ends.end());
    ends.front() = 0;
    ends.back() = entries;
  }
  const IndexList row_start = index_list(bytes, ends);
  const WeightList weights = weight_list(bytes, bytes.below(32) == 0 ? entries / 2 : entries);
  view.row_start = view_of(row_start);
  view.column = view_of(column);
  view.weights = view_of(weights);
  const std::optional<ReadResult> read = read_or_refusal(view);
  if (!read) return false;
  check_graph(read->graph);
  std::vector<Expected> expected;
  for (std::uint64_t i = 0; i < view.rows; ++i) {
    for (std::uint64_t k = number_at(row_start, i); k < number_at(row_start, i + 1); ++k) {
      ComplexRational weight = weight_at(weights, k);
      if (weight == ComplexRational{}) continue;
      expected.push_back(
          {{static_cast<Index>(i), static_cast<Index>(number_at(column, k))}, std::move(weight)});
    }
  }
  check_same_edges(*read, expected, entries);
  check_matrices(*read);
  return true;
}

}  // namespace

bool check_views(const std::uint8_t* data, std::size_t size) {
  Bytes bytes(data, size);
  return bytes.below(2) == 0 ? check_edges(bytes) : check_matrix(bytes);
}

}  // namespace countpm::fuzz
