#include "graph/graph_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <tuple>

#include "graph/errors.hpp"
#include "graph/keep_edges.hpp"
#include "graph/stop_poll.hpp"
#include "graph/weight_values.hpp"

namespace countpm {

std::uint64_t EdgeLines::line_of(std::uint64_t edge) const {
  auto run = std::upper_bound(runs_.begin(), runs_.end(), edge,
                              [](std::uint64_t e, const auto& candidate) { return e < candidate.first; });
  if (run == runs_.begin()) return 0;
  --run;
  return run->second == 0 ? 0 : run->second + (edge - run->first);
}

GraphBuilder::GraphBuilder(std::string name, GraphKind kind, const ReadOptions& options, InputInfo& info)
    : name_(std::move(name)), kind_(kind), options_(options), info_(info), at_(options.at) {
  if (kind == GraphKind::undirected && options.kind == GraphKind::bipartite) {
    throw UsageError(fmt::format(
        "{}: --kind bipartite does not fit an undirected graph: it is two-coloured without being asked "
        "(valid here: undirected, directed)",
        quoted(name_, 400)));
  }
  if (kind != GraphKind::undirected && options.symmetric) {
    throw UsageError(fmt::format(
        "{}: --kind symmetric makes two arcs of every undirected edge, but this is a {} graph (valid here: "
        "bipartite, directed, undirected)",
        quoted(name_, 400), name_of(kind)));
  }
}

void GraphBuilder::number_vertices(Index left, Index right, std::uint64_t first) {
  numbered_ = true;
  numbered_left_ = left;
  numbered_right_ = right;
  first_number_ = first;
}

Index GraphBuilder::right_size() const {
  if (kind_ != GraphKind::bipartite) return left_size();
  return numbered_ ? numbered_right_ : right_.size();
}

std::string GraphBuilder::label_of(bool right, Index id) const {
  if (numbered_) return std::to_string(first_number_ + id);
  return quoted((right && kind_ == GraphKind::bipartite ? right_ : left_).table().label(id));
}

std::string GraphBuilder::edge_text(std::uint64_t edge) const {
  return fmt::format("'{} {}'", label_of(false, edges_[edge].from), label_of(true, edges_[edge].to));
}

bool GraphBuilder::keep(Index from, Index to, std::uint64_t line) {
  if (kind_ != GraphKind::undirected || from != to) return true;
  if (options_.kind == GraphKind::directed) return true;  // then it is a cycle of length 1
  if (options_.loops == LoopPolicy::monomer) return true;
  if (options_.loops == LoopPolicy::drop) {
    ++info_.loops_dropped;
    return false;
  }
  if (options_.rows && options_.rows == options_.columns) return true;  // it joins copies of the vertex
  throw InputError(name_, line,
                   "no loops in an undirected graph (--loops drop leaves them out, and --loops monomer takes "
                   "them for weights of vertices that may stay alone)",
                   fmt::format("a loop at '{}'", label_of(false, from)));
}

void GraphBuilder::store(Index from, Index to, std::uint64_t line) {
  constexpr std::uint64_t edges_a_look = 4096;
  edges_.push_back(Edge{from, to});
  lines_.append(line);
  if (edges_.size() % edges_a_look == 0) check_stop();
}

void GraphBuilder::add(Index from, Index to, std::uint64_t line) {
  if (!keep(from, to, line)) return;
  store(from, to, line);
  if (terms_) return store_term(Weight{});
  if (!std::holds_alternative<std::monostate>(values_)) store_value(Weight{});
}

void GraphBuilder::add(Index from, Index to, std::uint64_t line, const Weight& weight) {
  if (weight.is_zero() && !options_.ground_state) {
    ++info_.zeros_dropped;
    return;
  }
  if (!keep(from, to, line)) return;
  store(from, to, line);
  if (!options_.weights) {
    if (!weight.is_one()) ++info_.values_unused;
    return;
  }
  if (weight.has_letters() || terms_) return store_term(weight);
  weight_kind_ = std::max(weight_kind_, weight.kind);
  store_value(weight);
}

namespace {

bool equal_values(const Values& values, std::uint64_t a, std::uint64_t b) {
  switch (values.index()) {
    case 1:
      return std::get<1>(values)[a] == std::get<1>(values)[b];
    case 2:
      return std::get<2>(values)[a] == std::get<2>(values)[b];
    case 3:
      return std::get<3>(values)[a] == std::get<3>(values)[b];
    default:
      return true;
  }
}

bool is_zero(const Values& values, std::uint64_t k) {
  switch (values.index()) {
    case 1:
      return std::get<1>(values)[k] == 0;
    case 2:
      return std::get<2>(values)[k] == 0;
    case 3:
      return std::get<3>(values)[k] == ComplexRational{};
    default:
      return false;
  }
}

// values[to] += values[from], widening int64 to rationals where the sum would overflow.
void add_value(Values& values, std::uint64_t to, std::uint64_t from) {
  if (values.index() == 1) {
    auto& integers = std::get<1>(values);
    std::int64_t sum = 0;
    if (!__builtin_add_overflow(integers[to], integers[from], &sum)) {
      integers[to] = sum;
      return;
    }
    widen(values, 2, integers.size());
  }
  if (values.index() == 2) {
    auto& rationals = std::get<2>(values);
    rationals[to] += rationals[from];
  } else {
    auto& complex = std::get<3>(values);
    complex[to].re += complex[from].re;
    complex[to].im += complex[from].im;
  }
}

bool all_one(const Values& values) {
  const auto* integers = std::get_if<1>(&values);
  return integers != nullptr &&
         std::all_of(integers->begin(), integers->end(), [](auto v) { return v == 1; });
}

// Counting sort pays where the vertices are not far more than the edges; a few edges among 10^9 numbered
// vertices are compared.
bool few_vertices(Index left, Index right, std::size_t edges) {
  return std::max<std::uint64_t>(left, right) <= 4 * std::uint64_t{edges} + 1024;
}

}  // namespace

void GraphBuilder::store_value(const Weight& weight) {
  // The edge itself has been stored: values run one behind.
  const std::size_t before = edges_.size() - 1;
  const auto* integer = std::get_if<std::int64_t>(&weight.value);
  if (values_.index() == 0 && integer != nullptr && *integer == 1) return;
  push_value(values_, before, weight);
}

bool GraphBuilder::has_parallel_edges() const {
  const bool undirected = kind_ == GraphKind::undirected;
  const auto low = [&](const Edge& e) { return undirected ? std::min(e.from, e.to) : e.from; };
  const auto high = [&](const Edge& e) { return undirected ? std::max(e.from, e.to) : e.to; };
  if (!few_vertices(left_size(), right_size(), edges_.size())) {
    std::vector<std::uint64_t> keys;
    keys.reserve(edges_.size());
    for (const Edge& e : edges_) keys.push_back((std::uint64_t{low(e)} << 32U) | high(e));
    StopPoll poll;
    std::sort(keys.begin(), keys.end(), [&poll](std::uint64_t a, std::uint64_t b) {
      poll.step();
      return a < b;
    });
    return std::adjacent_find(keys.begin(), keys.end()) != keys.end();
  }
  // Buckets by the lower end; within a bucket a stamp a vertex tells whether it has been met.
  std::vector<std::uint64_t> end(left_size() + std::uint64_t{1}, 0);
  for (const Edge& e : edges_) ++end[low(e) + std::uint64_t{1}];
  for (std::size_t i = 1; i < end.size(); ++i) end[i] += end[i - 1];
  std::vector<Index> other(edges_.size());
  for (const Edge& e : edges_) other[end[low(e)]++] = high(e);
  std::vector<Index> stamp(right_size(), no_index);
  std::uint64_t k = 0;
  StopPoll poll;
  for (Index i = 0; i < left_size(); ++i) {
    poll.steps(end[i] - k);
    for (; k < end[i]; ++k) {
      if (stamp[other[k]] == i) return true;
      stamp[other[k]] = i;
    }
  }
  return false;
}

std::vector<std::uint64_t> GraphBuilder::edges_by_ends() const {
  const bool undirected = kind_ == GraphKind::undirected;
  const auto low = [&](std::uint64_t k) {
    return undirected ? std::min(edges_[k].from, edges_[k].to) : edges_[k].from;
  };
  const auto high = [&](std::uint64_t k) {
    return undirected ? std::max(edges_[k].from, edges_[k].to) : edges_[k].to;
  };
  std::vector<std::uint64_t> order(edges_.size());
  std::iota(order.begin(), order.end(), std::uint64_t{0});
  if (!few_vertices(left_size(), right_size(), edges_.size())) {
    StopPoll poll;
    std::sort(order.begin(), order.end(), [&](std::uint64_t a, std::uint64_t b) {
      poll.step();
      return std::tuple(low(a), high(a), a) < std::tuple(low(b), high(b), b);
    });
    return order;
  }
  // Two stable counting sorts: by the higher end, then by the lower.
  const auto pass = [&order](std::uint64_t buckets, const auto& key) {
    check_stop();
    std::vector<std::uint64_t> next(buckets + 1, 0);
    for (const std::uint64_t k : order) ++next[key(k) + std::uint64_t{1}];
    for (std::size_t i = 1; i < next.size(); ++i) next[i] += next[i - 1];
    std::vector<std::uint64_t> sorted(order.size());
    StopPoll poll;
    for (const std::uint64_t k : order) {
      poll.step();
      sorted[next[key(k)]++] = k;
    }
    order = std::move(sorted);
  };
  pass(right_size(), high);
  pass(left_size(), low);
  return order;
}

void GraphBuilder::settle_parallel_edges() {
  if (!has_parallel_edges()) return;
  const std::vector<std::uint64_t> order = edges_by_ends();
  if (options_.multi == MultiPolicy::sum) return sum_parallel(order);
  const Repeats repeats = repeats_in(order);
  const bool both_ways = repeats.each_both_ways && kind_ == GraphKind::undirected && !multigraph_;
  if (options_.multi == MultiPolicy::reject && !(both_ways && repeats.same_weights))
    reject_parallel(order, repeats);
  if (!repeats.same_weights)
    throw InputError(name_, 0, "the same weight wherever an edge is listed (--multi first)", "two weights");
  if (options_.multi == MultiPolicy::reject)
    info_.warnings.push_back(
        fmt::format("{}: every edge is listed in both directions, and was taken once (--multi sum takes two "
                    "parallel edges)",
                    quoted(name_, 400)));
  merge_parallel(order);
}

namespace {

bool same_ends(GraphKind kind, const Edge& a, const Edge& b) {
  return a == b || (kind == GraphKind::undirected && a.from == b.to && a.to == b.from);
}

}  // namespace

GraphBuilder::Repeats GraphBuilder::repeats_in(const std::vector<std::uint64_t>& order) const {
  Repeats repeats;
  for (std::size_t k = 0; k < order.size();) {
    const Edge& first = edges_[order[k]];
    const std::size_t begin = k;
    std::size_t reversed = 0;
    for (; k < order.size() && same_ends(kind_, first, edges_[order[k]]); ++k) {
      if (edges_[order[k]] != first) ++reversed;
      repeats.same_weights = repeats.same_weights && equal_values(values_, order[begin], order[k]);
    }
    const bool loop = first.from == first.to;
    const bool once_each_way = k - begin == 2 && reversed == 1;
    repeats.each_both_ways = repeats.each_both_ways && (once_each_way || (loop && k - begin == 1));
    repeats.only_reversed = repeats.only_reversed && (k - begin == 1 || once_each_way);
  }
  return repeats;
}

void GraphBuilder::reject_parallel(const std::vector<std::uint64_t>& order, const Repeats& repeats) const {
  // Of all repetitions the one that comes first in the file.
  std::uint64_t first = 0;
  std::uint64_t again = edges_.size();
  for (std::size_t k = 1; k < order.size(); ++k) {
    if (order[k] < again && same_ends(kind_, edges_[order[k - 1]], edges_[order[k]])) {
      first = order[k - 1];
      again = order[k];
    }
  }
  const std::uint64_t line = lines_.line_of(again);
  // Mirror images with one weight are one edge listed twice, and adding them up is hardly meant.
  const char* const hint =
      !repeats.same_weights ? "each edge once (--multi sum adds parallel edges up)"
      : repeats.only_reversed && kind_ == GraphKind::undirected && !multigraph_
          ? "each edge once (--multi first takes one that is listed in both directions once)"
          : "each edge once (--multi first takes those listed again once, --multi sum adds "
            "parallel edges up)";
  throw InputError(
      name_, line, hint,
      line == 0 ? fmt::format("edge {} again", edge_text(again))
                : fmt::format("edge {} again, first on line {}", edge_text(again), lines_.line_of(first)));
}

void GraphBuilder::sum_parallel(const std::vector<std::uint64_t>& order) {
  widen(values_, 1, edges_.size());
  std::vector<char> removed(edges_.size(), 0);
  StopPoll poll;
  for (std::size_t k = 0; k < order.size();) {
    poll.step();
    const std::uint64_t first = order[k];
    for (++k; k < order.size() && same_ends(kind_, edges_[first], edges_[order[k]]); ++k) {
      if (terms_) {
        add_term(first, order[k]);
      } else {
        add_value(values_, first, order[k]);
      }
      removed[order[k]] = 1;
      ++info_.parallel_summed;
    }
    if (is_zero(values_, first)) {
      removed[first] = 1;
      ++info_.zeros_dropped;
    }
  }
  remove_edges(removed);
}

void GraphBuilder::merge_parallel(const std::vector<std::uint64_t>& order) {
  std::vector<char> removed(edges_.size(), 0);
  for (std::size_t k = 1; k < order.size(); ++k) {
    if (!same_ends(kind_, edges_[order[k - 1]], edges_[order[k]])) continue;
    removed[order[k]] = 1;
    ++info_.repeats_merged;
  }
  remove_edges(removed);
}

void GraphBuilder::remove_edges(const std::vector<char>& removed) {
  EdgeLines lines;
  StopPoll poll;
  keep_edges(edges_, values_, [&](std::size_t k) {
    poll.step();
    if (removed[k] != 0) return false;
    lines.append(lines_.line_of(k));
    return true;
  });
  lines_ = std::move(lines);
}

void GraphBuilder::convert(GraphKind to) {
  if (kind_ == to) return;
  if (kind_ == GraphKind::undirected) {  // to directed: the constructor has refused bipartite
    kind_ = to;
    add_reverse_arcs();
    return;
  }
  if (kind_ == GraphKind::bipartite) {
    if (left_size() != right_size()) {
      throw InputError(name_, 0, "a square matrix, as an adjacency matrix is",
                       fmt::format("{} rows and {} columns", left_size(), right_size()));
    }
    if (!numbered_) {
      throw UsageError(
          fmt::format("{}: --kind {} does not fit two sides with labels of their own (valid here: bipartite)",
                      quoted(name_, 400), countpm::name_of(to)));
    }
    kind_ = GraphKind::directed;
    from_matrix_ = true;
  }
  if (to == GraphKind::undirected) convert_to_undirected();
  kind_ = to;
}

void GraphBuilder::convert_to_undirected() {
  const std::vector<std::uint64_t> order = edges_by_ends();
  std::vector<char> removed(edges_.size(), 0);
  std::uint64_t one_way = 0;
  const bool half = is_half_matrix();
  kind_ = GraphKind::undirected;  // for keep()
  StopPoll poll;
  for (std::uint64_t k = 0; k < edges_.size(); ++k) {
    poll.step();
    const Edge edge = edges_[k];
    if (edge.from == edge.to) {
      if (!keep(edge.from, edge.to, lines_.line_of(k))) removed[k] = 1;
      continue;
    }
    const auto mirror = std::lower_bound(
        order.begin(), order.end(), std::pair(edge.to, edge.from),
        [&](std::uint64_t e, const auto& ends) { return std::pair(edges_[e].from, edges_[e].to) < ends; });
    const bool found = mirror != order.end() && edges_[*mirror] == Edge{edge.to, edge.from};
    if (!found && (half || !from_matrix_)) {
      ++one_way;
      continue;
    }
    if (!found || !equal_values(values_, k, *mirror)) {
      throw InputError(
          name_, lines_.line_of(k), "a symmetric matrix, as that of an undirected graph is",
          fmt::format("the entry {} {}", edge_text(k),
                      found ? "with another weight than its mirror image" : "without its mirror image"));
    }
    if (edge.from > edge.to) removed[k] = 1;
  }
  remove_edges(removed);
  if (half)
    info_.warnings.push_back(fmt::format(
        "{}: a matrix with entries on one side of the diagonal alone was taken for half of a symmetric one",
        quoted(name_, 400)));
  if (one_way > 0 && !half)
    info_.warnings.push_back(
        fmt::format("{}: arcs without the opposite arc were taken for edges, as --kind undirected says: {}",
                    quoted(name_, 400), one_way));
}

Graph GraphBuilder::assemble() {
  Graph graph;
  graph.kind = kind_;
  const bool two_sides = kind_ == GraphKind::bipartite;
  if (numbered_) {
    graph.left_labels = LabelTable::numbered(numbered_left_, first_number_);
    // A directed graph read as bipartite has its vertices on both sides.
    const Index right = right_is_left_ ? numbered_left_ : numbered_right_;
    if (two_sides) graph.right_labels = LabelTable::numbered(right, first_number_);
  } else {
    graph.left_labels = left_.take();
    if (two_sides) graph.right_labels = right_is_left_ ? graph.left_labels : right_.take();
  }
  graph.edges = std::move(edges_);
  if (all_one(values_)) values_ = std::monostate{};
  graph.values = std::move(values_);
  graph.weight_kind = weight_kind_;
  if (terms_) graph.letters = terms_->finished();
  if (!two_sides) graph.positions = std::move(positions_);
  return graph;
}

Graph GraphBuilder::finish() {
  settle_parallel_edges();
  if (!options_.kind && kind_ == GraphKind::directed && !from_matrix_ && is_one_way())
    info_.warnings.push_back(fmt::format(
        "{}: a directed graph, whose covers by cycles are counted, has no arc that goes back: --kind "
        "undirected takes arcs for edges",
        quoted(name_, 400)));
  const GraphKind to = options_.kind.value_or(kind_);
  right_is_left_ = kind_ == GraphKind::directed && to == GraphKind::bipartite;
  convert(to);
  return assemble();
}

Graph convert_graph(Graph graph, const std::string& name, const ReadOptions& options, InputInfo& info) {
  if (options.kind.value_or(graph.kind) == graph.kind) return graph;
  GraphBuilder builder(name, graph.kind, options, info);
  builder.left_.adopt(std::move(graph.left_labels));
  builder.right_.adopt(std::move(graph.right_labels));
  for (std::size_t k = 0; k < graph.edges.size(); ++k) builder.lines_.append(0);
  builder.edges_ = std::move(graph.edges);
  builder.values_ = std::move(graph.values);
  builder.weight_kind_ = graph.weight_kind;
  builder.positions_ = std::move(graph.positions);
  if (graph.letters) builder.terms_.emplace(*graph.letters);
  return builder.finish();
}

}  // namespace countpm
