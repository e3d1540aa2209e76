// What the readers of tables share: warnings, questions, and graphs made of edges and matrices. O(entries).
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "graph/formats/table_reading.hpp"
#include "graph/label_text.hpp"
#include "graph/letters.hpp"
#include "graph/text.hpp"

namespace countpm {

bool may_be_weight(std::string_view word) {
  try {
    parse_weight_with_letters(word, "", 0);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

void TableSource::warn(std::uint64_t line, const std::string& text) const {
  info.warnings.push_back(line == 0 ? fmt::format("{}: {}", quoted(name, 400), text)
                                    : fmt::format("{}:{}: {}", quoted(name, 400), line, text));
}

void TableSource::tell_head(std::uint64_t line, const std::string& how) const {
  if (options.first_line != FirstLine::header) return warn(line, how);
  info.assumptions.push_back(fmt::format("line {}: {}", line, how));
}

void TableSource::ask(std::uint64_t line, const std::string& found, const std::string& one,
                      const std::string& other) const {
  fail(line, fmt::format("one reading: {}, or {}", one, other), found);
}

GraphKind TableSource::edge_kind() const {
  return options.symmetric ? GraphKind::undirected : options.kind.value_or(GraphKind::undirected);
}

void TableSource::check_label(std::string_view label, std::uint64_t line) const {
  if (label.empty()) fail(line, "a label at each end of the edge", "an empty field");
  if (const std::optional<BadText> bad = bad_text(label)) fail(line, bad->expected, bad->found);
}

Graph TableSource::edges(const std::vector<TableEdge>& edges, std::optional<GraphKind> kind,
                         const std::vector<std::string_view>& vertices,
                         const std::vector<std::string_view>& right_vertices) const {
  const GraphKind wanted = options.kind || options.symmetric ? edge_kind() : kind.value_or(edge_kind());
  GraphBuilder builder(name, wanted, options, info);
  builder.reserve(edges.size());
  for (const std::string_view label : vertices) {
    check_label(label, 0);
    builder.left(label);
  }
  for (const std::string_view label : right_vertices) {
    check_label(label, 0);
    builder.right(label);
  }
  for (const TableEdge& edge : edges) {
    check_label(edge.from, edge.line);
    check_label(edge.to, edge.line);
    const Index from = builder.left(edge.from);
    const Index to = builder.right(edge.to);
    if (edge.weight.empty()) {
      builder.add(from, to, edge.line);
    } else {
      builder.add(from, to, edge.line, edge.weight);
    }
  }
  return builder.finish();
}

namespace {

bool is_symmetric(const TextMatrix& matrix) {
  const std::size_t size = matrix.rows.size();
  for (std::size_t i = 0; i < size; ++i) {
    if (matrix.rows[i].fields.size() != size) return false;
    if (matrix.rows[i].fields[i] != "0" && matrix.rows[i].fields[i] != "0.0") return false;
    for (std::size_t j = 0; j < i; ++j) {
      if (matrix.rows[i].fields[j] != matrix.rows[j].fields[i]) return false;
    }
  }
  return true;
}

}  // namespace

Graph TableSource::matrix(const TextMatrix& matrix, bool graph_asked) const {
  ReadOptions reading = options;
  const bool labelled = !matrix.column_labels.empty() || !matrix.row_labels.empty();
  const bool of_graph = labelled && matrix.row_labels == matrix.column_labels;
  if (!reading.kind && matrix.rows.size() > 1 && is_symmetric(matrix)) {
    if (of_graph) {
      reading.kind = GraphKind::undirected;
      warn(0,
           "a symmetric matrix with the same labels for rows and columns was taken for a graph; --kind "
           "bipartite counts its permanent, rows x columns");
    } else if (graph_asked) {
      ask(0, "a symmetric matrix of zero diagonal", "--kind undirected, a graph's adjacency matrix",
          "--kind bipartite, rows x columns (its permanent)");
    } else {
      warn(0,
           "a symmetric matrix of zero diagonal was taken as rows x columns (its permanent); --kind "
           "undirected "
           "takes it for a graph");
    }
  }
  const bool one_side = of_graph && reading.kind.value_or(GraphKind::directed) != GraphKind::bipartite;
  if (one_side && !reading.kind) reading.kind = GraphKind::directed;
  GraphBuilder builder(name, one_side ? GraphKind::directed : GraphKind::bipartite, reading, info);
  builder.zeros_are_no_edges();
  builder.must_be_symmetric();
  const std::size_t width = matrix.rows.empty() ? 0 : matrix.rows.front().fields.size();
  const auto add_labels = [&](const std::vector<std::string_view>& labels, std::size_t count, char head,
                              const auto& add) {
    std::set<std::string_view> known;
    for (std::size_t k = 0; k < count; ++k) {
      if (labels.empty()) {
        add(fmt::format("{}{}", head, k + 1));
        continue;
      }
      check_label(labels[k], 0);
      if (!known.insert(labels[k]).second)
        fail(0, "each row and each column under a label of its own",
             fmt::format("{} twice", shown(labels[k])));
      add(std::string(labels[k]));
    }
  };
  if (labelled) {
    // Where one side has labels, the other gets numbers.
    add_labels(matrix.row_labels, matrix.rows.size(), 'r', [&](const std::string& l) { builder.left(l); });
    if (!one_side)
      add_labels(matrix.column_labels, width, 'c', [&](const std::string& l) { builder.right(l); });
  } else {
    builder.number_vertices(static_cast<Index>(matrix.rows.size()), static_cast<Index>(width));
  }
  for (std::size_t i = 0; i < matrix.rows.size(); ++i) {
    const TableRow& row = matrix.rows[i];
    if (row.fields.size() != width)
      fail(row.line, fmt::format("{} entries, as in the first row", width),
           fmt::format("{}", row.fields.size()));
    for (std::size_t j = 0; j < width; ++j) {
      const std::string_view entry = row.fields[j];
      if (entry.empty()) fail(row.line, "a number in every place of the matrix", "an empty field");
      const auto from = static_cast<Index>(i);
      const auto to = static_cast<Index>(j);
      if (options.weights) {
        builder.add(from, to, row.line, entry);
        continue;
      }
      const Weight value = parse_weight(entry, name, row.line);
      if (!value.is_zero() && !value.is_one())
        fail(row.line, "0 or 1 (other values need --weights)", shown(entry));
      if (!value.is_zero()) builder.add(from, to, row.line);
    }
  }
  return builder.finish();
}

bool are_contiguous(std::vector<std::uint64_t> numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return !numbers.empty() && numbers.front() <= 1 && numbers.back() - numbers.front() == numbers.size() - 1;
}

std::optional<ThirdColumn> look_at_third_column(const std::vector<TableRow>& rows) {
  std::vector<std::uint64_t> all;
  std::vector<std::uint64_t> behind;  // the first column
  std::set<std::uint64_t> firsts;
  std::set<std::uint64_t> thirds;
  std::set<std::uint64_t> ends;
  ThirdColumn found;
  bool consecutive = true;
  bool apart = true;
  for (const TableRow& row : rows) {
    if (row.fields.size() != 3) return std::nullopt;
    const auto a = parse_number(row.fields[0]);
    const auto b = parse_number(row.fields[1]);
    const auto c = parse_number(row.fields[2]);
    if (!a || !b || !c) return std::nullopt;
    consecutive = consecutive && (firsts.empty() ? *a <= 1 : firsts.contains(*a - 1)) && !firsts.contains(*a);
    firsts.insert(*a);
    thirds.insert(*c);
    ends.insert({*a, *b});
    found.loop = found.loop || *a == *b;
    apart = apart && *a != *b && *a != *c && *b != *c;
    all.insert(all.end(), {*a, *b, *c});
    behind.insert(behind.end(), {*b, *c});
  }
  const bool varied = thirds.size() > 1 || !ends.contains(*thirds.begin());
  found.numbered = consecutive && may_be_ends(rows, 1, 2) && are_contiguous(behind) && varied;
  found.neighbours = firsts.size() == rows.size() && apart && are_contiguous(all) && varied;
  return found;
}

bool may_be_ends(const std::vector<TableRow>& rows, std::size_t a, std::size_t b) {
  std::set<std::pair<std::uint64_t, std::uint64_t>> pairs;
  for (const TableRow& row : rows) {
    if (std::max(a, b) >= row.fields.size()) return false;
    const auto from = parse_number(row.fields[a]);
    const auto to = parse_number(row.fields[b]);
    if (!from || !to || from == to || !pairs.insert(std::minmax(*from, *to)).second) return false;
  }
  return true;
}

}  // namespace countpm
