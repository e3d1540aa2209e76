#include "src/count/minors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <type_traits>
#include <utility>
#include <variant>

#include "graph/kinds/imaginary_unit.hpp"
#include "graph/kinds/repeat_lines.hpp"
#include "kernels/subsets/lanes/exact_minors.hpp"
#include "kernels/subsets/lanes/lane_sums.hpp"
#include "src/input/with_graph.hpp"
#include "src/number/exact_complex.hpp"
#include "src/number/number.hpp"
#include "src/text/format_duration.hpp"

namespace countpm {
namespace {

/// Lines by what is in them, in the order of their first.
struct LineClasses {
  std::vector<Index> class_of;
  std::vector<Index> size;
  std::vector<Index> first;
};

struct SmallerNumber {
  bool operator()(const ComplexRational& a, const ComplexRational& b) const {
    const int re = cmp(a.re, b.re);
    return re != 0 ? re < 0 : cmp(a.im, b.im) < 0;
  }
};

template <class At>
LineClasses classes_of(Index lines, Index places, const At& at) {
  const auto smaller = [&](Index a, Index b) {
    for (Index k = 0; k < places; ++k) {
      const SmallerNumber less;
      if (less(at(a, k), at(b, k))) return true;
      if (less(at(b, k), at(a, k))) return false;
    }
    return false;
  };
  std::map<Index, Index, decltype(smaller)> known(smaller);
  LineClasses classes;
  for (Index line = 0; line < lines; ++line) {
    const auto [at_class, is_new] = known.try_emplace(line, static_cast<Index>(classes.size.size()));
    if (is_new) {
      classes.size.push_back(0);
      classes.first.push_back(line);
    }
    classes.class_of.push_back(at_class->second);
    ++classes.size[at_class->second];
  }
  return classes;
}

/// The matrix with the longer side's lines as rows.
struct MinorsProblem {
  FactorMatrix matrix;
  std::vector<Index> class_of;  // of each line of the longer side: its row
  WeightKind weight_kind = WeightKind::none;
  bool exact_complex = false;
};

MinorsProblem problem_of(const Graph& graph, bool exact) {
  constexpr std::uint64_t most_entries = 1'000'000;
  const std::uint64_t left = graph.left_labels.size();
  const std::uint64_t right = graph.kind == GraphKind::bipartite ? graph.right_labels.size() : left;
  if (graph.kind != GraphKind::bipartite || (left != right + 1 && right != left + 1)) {
    throw UsageError(fmt::format(
        "permanents without a line are of a matrix that has one line more on one side than on the other, and "
        "this one is {} x {}",
        left, right));
  }
  if (left * right > most_entries)
    throw UnableError(
        fmt::format("a matrix of {} x {} entries is too large for permanents without a line", left, right),
        "count them one by one");
  const bool turned = right > left;
  const auto rows = static_cast<Index>(std::max(left, right));
  const auto columns = static_cast<Index>(std::min(left, right));
  std::vector<ComplexRational> entry(std::size_t{rows} * columns);
  std::vector<ComplexRational> weights = complex_weights(graph);
  for (std::size_t e = 0; e < weights.size(); ++e) {
    Edge edge = graph.edges[e];
    if (turned) std::swap(edge.from, edge.to);
    entry[std::size_t{edge.from} * columns + edge.to] = std::move(weights[e]);
  }
  const auto at = [&](Index row, Index column) -> const ComplexRational& {
    return entry[std::size_t{row} * columns + column];
  };
  const LineClasses by_row = classes_of(rows, columns, at);
  const LineClasses by_column = classes_of(
      columns, rows, [&](Index column, Index row) -> const ComplexRational& { return at(row, column); });
  MinorsProblem problem;
  problem.weight_kind = graph.weight_kind;
  problem.exact_complex = exact;
  problem.class_of = by_row.class_of;
  problem.matrix.complex = graph.weight_kind == WeightKind::complex;
  problem.matrix.power = by_row.size;
  problem.matrix.copies = by_column.size;
  for (const Index row : by_row.first) {
    for (const Index column : by_column.first) problem.matrix.value.push_back(at(row, column));
  }
  return problem;
}

/// A copy of one column is always in.
double log2_states(const FactorMatrix& matrix) {
  if (matrix.copies.empty()) return 0;
  double sum = 0;
  for (const Index copies : matrix.copies) sum += std::log2(static_cast<double>(copies) + 1);
  const double pinned = *std::min_element(matrix.copies.begin(), matrix.copies.end());
  return sum - std::log2((pinned + 1) / pinned);
}

/// Empty where doubles are not enough.
std::optional<LaneSums> sums_of_doubles(FactorMatrix matrix, const CountOptions& options) {
  if (options.arithmetic.bits != 0 || options.arithmetic.choice == FloatChoice::double_double ||
      matrix.columns() == 0)
    return std::nullopt;
  matrix.complex = true;
  const auto pinned = static_cast<Index>(std::min_element(matrix.copies.begin(), matrix.copies.end()) -
                                         matrix.copies.begin());
  std::vector<Digit> free;
  for (Index j = 0; j < matrix.columns(); ++j) {
    const Index copies = matrix.copies[j] - (j == pinned ? 1 : 0);
    if (copies > 0) free.push_back({j, copies});
  }
  return LaneSums::make(matrix, pinned, std::move(free));
}

/// How the permanents are found.
struct MinorsPlan {
  MinorsProblem problem;
  std::optional<LaneSums> doubles;  // else modulo primes
  MinorsWork work;
};

MinorsPlan plan_of(const ReadResult& read, const CountOptions& options) {
  MinorsPlan plan{problem_of(read.graph, read.info.exact), {}, {}};
  const FactorMatrix& matrix = plan.problem.matrix;
  const bool floating = plan.problem.weight_kind >= WeightKind::real && !plan.problem.exact_complex;
  if (floating) plan.doubles = sums_of_doubles(matrix, options);
  MinorsWork& work = plan.work;
  work.minors = plan.problem.class_of.size();
  work.doubles = plan.doubles.has_value();
  work.exact = !floating;
  work.log2_states = log2_states(matrix);
  work.factors = matrix.rows();
  // Zen 4 at 3.65 GHz, one core beside other work, 2026-11-25: states times rows a second, n = 20, and
  // multiplications modulo primes, n = 16.
  constexpr double products_a_second = 4e8;
  constexpr double exact_products_a_second = 3e8;
  const double log2_work = work.doubles ? work.log2_states + std::log2(std::max<double>(matrix.rows(), 1))
                                        : log2_work_of_exact_minors(matrix);
  work.log10_seconds =
      log2_work * std::log10(2.0) - std::log10(work.doubles ? products_a_second : exact_products_a_second);
  work.feasible = std::pow(10, work.log10_seconds) <= options.time_limit_seconds;
  return plan;
}

void refuse_beyond(const MinorsWork& work, const CountOptions& options) {
  if (work.feasible) return;
  throw UnableError(
      fmt::format("the permanents without a line are predicted to take {}, and the time limit is {}",
                  format_log10_duration(work.log10_seconds), format_duration(options.time_limit_seconds)),
      work.log10_seconds < 300 ? advised_time_limit(0, std::pow(10, work.log10_seconds))
                               : "fewer rows: no limit would help");
}

std::vector<Value> values_of(const MinorsPlan& plan, const CountOptions& options, const StopSignal& stop) {
  const MinorsProblem& problem = plan.problem;
  const FactorMatrix& matrix = problem.matrix;
  std::vector<Value> by_row;
  if (plan.doubles) {
    constexpr mpfr_prec_t bits = 192;
    WorkMeter meter(stop);
    const bool even = std::accumulate(matrix.copies.begin(), matrix.copies.end(), std::uint64_t{0}) % 2 == 0;
    for (Ball& ball : plan.doubles->minors(bits, meter)) {
      if (even) multiply(ball, ball_from(mpq_class(-1), bits));
      if (!matrix.complex) mpfr_set_zero(ball.im.get(), 1);
      by_row.push_back(to_value(Number(std::move(ball)), problem.weight_kind, options.arithmetic.bits));
    }
    return by_row;
  }
  for (const ComplexRational& minor : exact_minors(matrix, stop)) {
    if (problem.exact_complex) {
      by_row.emplace_back(exact_complex_value(minor));
    } else if (matrix.complex) {
      const auto bits = std::max<mpfr_prec_t>(192, static_cast<mpfr_prec_t>(options.arithmetic.bits) + 64);
      by_row.push_back(
          to_value(Number(ball_from(minor, bits)), problem.weight_kind, options.arithmetic.bits));
    } else {
      by_row.push_back(to_value(Number(minor.re), problem.weight_kind, options.arithmetic.bits));
    }
  }
  return by_row;
}

std::vector<Value> minors_within(Monitor& monitor, const ReadResult& read, const CountOptions& options) {
  monitor.enter("permanents without a line");
  const MinorsPlan plan = plan_of(read, options);
  refuse_beyond(plan.work, options);
  const std::vector<Value> by_row = values_of(plan, options, monitor.stop_signal());
  std::vector<Value> result;
  for (const Index row : plan.problem.class_of) result.push_back(by_row[row]);
  return result;
}

/// How often each line stands in the matrix.
struct LineCopies {
  std::vector<Index> rows;
  std::vector<Index> columns;
};

std::vector<Index> copies_of(const std::optional<std::vector<Index>>& given, Index lines) {
  return given ? *given : std::vector<Index>(lines, 1);
}

std::uint64_t lines_in(const std::vector<Index>& copies) {
  return std::accumulate(copies.begin(), copies.end(), std::uint64_t{0});
}

void refuse_graphs(const ReadResult& read) {
  if (read.graph.kind == GraphKind::undirected)
    throw UsageError(
        fmt::format("{}: minors are of a matrix, and this is an undirected graph (--kind "
                    "bipartite takes a file as a matrix)",
                    quoted(read.info.path, 200)));
}

/// Takes a copy of the column from the matrix, which is to be square.
void take_one(LineCopies& copies, const LabelTable& columns, const std::string& label,
              const std::string& input) {
  if (lines_in(copies.rows) != lines_in(copies.columns))
    throw UsageError(
        fmt::format("{}: minors without a column are of a square matrix, and this one is {} x {}",
                    quoted(input, 200), lines_in(copies.rows), lines_in(copies.columns)));
  Index at = 0;
  while (at < columns.size() && columns.label(at) != label) ++at;
  if (at == columns.size()) {
    throw UsageError(fmt::format("column: {} has no column \"{}\"{}", quoted(input, 200), quoted(label),
                                 at == 0
                                     ? std::string()
                                     : fmt::format(" (columns are \"{}\" to \"{}\")",
                                                   quoted(columns.label(0)), quoted(columns.label(at - 1)))));
  }
  // Of as many numbers as there are no lines repeat_lines() complains.
  if (at >= copies.columns.size()) return;
  if (copies.columns[at] == 0)
    throw UsageError(
        fmt::format("column: \"{}\" stands 0 times in the matrix, as --cols has it", quoted(label)));
  --copies.columns[at];
}

Minor shown_minor(std::string label, Value value, bool exact) {
  Minor minor{std::move(label), {}, {}, {}};
  std::visit(
      [&](const auto& number) {
        if constexpr (std::is_same_v<std::decay_t<decltype(number)>, mpz_class> ||
                      std::is_same_v<std::decay_t<decltype(number)>, mpq_class>) {
          minor.digits = number.get_str();
        } else {
          minor.digits = number.digits;
          if (!exact && number.error != "0") minor.error = number.error;
        }
      },
      value);
  minor.value = std::move(value);
  return minor;
}

/// The matrix whose lines are left out, one at a time.
struct AskedMatrix {
  ReadResult read;
  LabelTable labels;         // of the lines that are left out, before they are repeated
  std::vector<Index> times;  // how often each of them stands in it
  bool rows = true;
};

AskedMatrix asked_matrix(ReadResult read, const ReadOptions& read_options,
                         const std::optional<std::string>& column) {
  refuse_graphs(read);
  const LabelTable rows = read.graph.left_labels;
  const LabelTable columns =
      read.graph.kind == GraphKind::bipartite ? read.graph.right_labels : read.graph.left_labels;
  LineCopies copies{copies_of(read_options.rows, rows.size()),
                    copies_of(read_options.columns, columns.size())};
  if (column) {
    take_one(copies, columns, *column, read.info.path);
  } else if (lines_in(copies.rows) == lines_in(copies.columns)) {
    throw UsageError(
        fmt::format("{}: minors of a square matrix lack a column as well as each row in turn, and none is "
                    "named (--column "
                    "LABEL); of one with a line more on one side they lack each line of that side",
                    quoted(read.info.path, 200)));
  }
  repeat_lines(read.graph, copies.rows, copies.columns, read.info.path, true);
  const bool by_rows = read.graph.left_labels.size() > read.graph.right_labels.size();
  return {std::move(read), by_rows ? rows : columns, by_rows ? copies.rows : copies.columns, by_rows};
}

ReadOptions each_line_once(const ReadOptions& read_options) {
  ReadOptions once = read_options;
  once.rows.reset();
  once.columns.reset();
  return once;
}

}  // namespace

std::vector<Value> minors(ReadResult matrix, const CountOptions& options) {
  return with_graph(
      GraphQuestion::minors, std::move(matrix), options,
      [&](Monitor& monitor, const ReadResult& read) { return minors_within(monitor, read, options); });
}

MinorsWork work_of_minors(ReadResult matrix, const CountOptions& options) {
  return with_graph(GraphQuestion::minors, std::move(matrix), options,
                    [&](Monitor&, const ReadResult& read) { return plan_of(read, options).work; });
}

Minors minors(const Source& source, const ReadOptions& read_options, const std::optional<std::string>& column,
              const CountOptions& options) {
  return with_graph(GraphQuestion::minors, source, each_line_once(read_options), options,
                    [&](Monitor& monitor, ReadResult read) {
                      Minors result;
                      summarise_input(read.graph, read.info, result);
                      result.notes = read.info.assumptions;
                      result.column = column;
                      const AskedMatrix asked = asked_matrix(std::move(read), read_options, column);
                      result.rows = asked.rows;
                      const std::vector<Value> values = minors_within(monitor, asked.read, options);
                      std::size_t next = 0;
                      for (Index line = 0; line < asked.times.size(); ++line) {
                        Value value = asked.times[line] == 0 ? Value(mpz_class(0)) : values[next];
                        next += asked.times[line];
                        result.minors.push_back(
                            shown_minor(asked.labels.label(line), std::move(value), asked.read.info.exact));
                        result.exact = result.exact && result.minors.back().error.empty();
                      }
                      result.seconds = monitor.elapsed();
                      return result;
                    });
}

MinorsForecast forecast_minors(const Source& source, const ReadOptions& read_options,
                               const std::optional<std::string>& column, const CountOptions& options) {
  return with_graph(GraphQuestion::minors, source, each_line_once(read_options), options,
                    [&](Monitor& monitor, ReadResult read) {
                      MinorsForecast result;
                      summarise_input(read.graph, read.info, result);
                      result.notes = read.info.assumptions;
                      result.column = column;
                      const AskedMatrix asked = asked_matrix(std::move(read), read_options, column);
                      result.rows = asked.rows;
                      monitor.enter("forecast");
                      result.work = plan_of(asked.read, options).work;
                      // Lines that stand several times have one permanent, and those that do not stand in it
                      // have 0.
                      result.work.minors = asked.times.size();
                      return result;
                    });
}

}  // namespace countpm
