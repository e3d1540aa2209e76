#include "graph/kinds/degrees.hpp"

#include <fmt/format.h>

#include <numeric>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "graph/errors.hpp"
#include "graph/stop_poll.hpp"
#include "graph/text.hpp"

namespace countpm {
namespace {

constexpr std::uint64_t most_gadget_edges = 50'000'000;

/// One side of the graph, or all vertices of an undirected one.
struct GadgetSide {
  std::vector<Index> wanted;
  std::vector<Index> degree;
  std::vector<Index> first;  // of a vertex's vertices for edges

  GadgetSide(Index vertices, Index each) : wanted(vertices, each), degree(vertices, 0) {}

  void number_ports() {
    first.resize(degree.size());
    std::exclusive_scan(degree.begin(), degree.end(), first.begin(), Index{0});
  }
};

/// As many values 1 behind the others.
void append_ones(Values& values, std::size_t edges) {
  std::visit(
      [&](auto& list) {
        using List = std::decay_t<decltype(list)>;
        if constexpr (std::is_same_v<List, std::vector<ComplexRational>>) {
          list.resize(edges, ComplexRational{mpq_class(1), mpq_class(0)});
        } else if constexpr (!std::is_same_v<List, std::monostate>) {
          list.resize(edges, typename List::value_type(1));
        }
      },
      values);
}

class FactorGraph {
 public:
  FactorGraph(Graph& graph, Index degree)
      : graph_(graph),
        degree_(degree),
        two_sides_(graph.kind == GraphKind::bipartite),
        left_(graph.left_labels.size(), degree),
        right_(graph.right_labels.size(), degree) {}

  /// Returns how many vertices have a degree of their own.
  std::uint64_t name(const std::vector<VertexDegree>& named) {
    std::uint64_t found = 0;
    for (const bool right : {false, true}) {
      std::unordered_map<std::string, Index> degree_of;
      for (const VertexDegree& one : named) {
        if (one.right == right) degree_of[one.label] = one.degree;
      }
      if (degree_of.empty()) continue;
      const LabelTable& labels = right ? graph_.right_labels : graph_.left_labels;
      for (Index v = 0; v < labels.size(); ++v) {
        poll_.step();
        const auto at = degree_of.find(labels.label(v));
        if (at == degree_of.end()) continue;
        (right ? right_ : left_).wanted[v] = at->second;
        ++found;
      }
    }
    return found;
  }

  void build() {
    graph_.copies = 1;
    for (const Edge& edge : graph_.edges) {
      ++left_.degree[edge.from];
      ++to_side().degree[edge.to];
    }
    require_room();
    left_.number_ports();
    if (two_sides_) right_.number_ports();
    label_ports(left_, graph_.left_labels, left_labels_);
    if (two_sides_) label_ports(right_, graph_.right_labels, right_labels_);
    for (Edge& edge : graph_.edges) {
      edge.from = left_.first[edge.from] + used(used_left_, left_, edge.from);
      edge.to = to_side().first[edge.to] + used(two_sides_ ? used_right_ : used_left_, to_side(), edge.to);
    }
    join(left_, graph_.left_labels, two_sides_ ? right_labels_ : left_labels_, false);
    if (two_sides_) join(right_, graph_.right_labels, left_labels_, true);
    append_ones(graph_.values, graph_.edges.size());
    graph_.left_labels = std::move(left_labels_);
    graph_.right_labels = std::move(right_labels_);
    graph_.positions.clear();
  }

 private:
  GadgetSide& to_side() { return two_sides_ ? right_ : left_; }

  static Index used(std::vector<Index>& of, const GadgetSide& side, Index vertex) {
    if (of.empty()) of.assign(side.degree.size(), 0);
    return of[vertex]++;
  }

  void require_room() const {
    std::uint64_t edges = graph_.edges.size();
    for (const GadgetSide* side : {&left_, &right_}) {
      for (std::size_t v = 0; v < side->degree.size(); ++v) {
        const Index d = side->degree[v];
        if (d > side->wanted[v]) edges += std::uint64_t{d} * (d - side->wanted[v]);
        if (edges > most_gadget_edges)
          throw UnableError(fmt::format("--degree {}: a vertex with d edges is replaced by one with d (d - "
                                        "{}), and these would be more "
                                        "than {} edges in all",
                                        degree_, degree_, most_gadget_edges),
                            "a sparser graph");
      }
    }
  }

  void label_ports(const GadgetSide& side, const LabelTable& labels, LabelTable& made) {
    for (Index v = 0; v < side.degree.size(); ++v) {
      poll_.steps(side.degree[v]);
      for (Index k = 0; k < side.degree[v]; ++k) made.append(fmt::format("{}:{}", labels.label(v), k + 1));
    }
  }

  /// The further vertices of one side's, which are on the other side.
  void join(const GadgetSide& side, const LabelTable& labels, LabelTable& made, bool from_right) {
    Index next = made.size();
    for (Index v = 0; v < side.degree.size(); ++v) {
      const Index d = side.degree[v];
      const Index wanted = side.wanted[v];
      if (d < wanted) {
        made.append(fmt::format("{}: {} of {} edges", labels.label(v), d, wanted));
        ++next;
        continue;
      }
      *graph_.copies *= factorial(d - wanted);
      for (Index k = wanted; k < d; ++k, ++next) {
        poll_.steps(d);
        made.append(fmt::format("{}:+{}", labels.label(v), k - wanted + 1));
        for (Index port = side.first[v]; port < side.first[v] + d; ++port)
          graph_.edges.push_back(from_right ? Edge{next, port} : Edge{port, next});
      }
    }
  }

  static mpz_class factorial(Index n) {
    mpz_class result;
    mpz_fac_ui(result.get_mpz_t(), n);
    return result;
  }

  Graph& graph_;
  Index degree_;
  bool two_sides_;
  GadgetSide left_;
  GadgetSide right_;
  std::vector<Index> used_left_;
  std::vector<Index> used_right_;
  LabelTable left_labels_;
  LabelTable right_labels_;
  StopPoll poll_;
};

}  // namespace

Degrees make_factors_matchings(Graph& graph, Index degree, const std::vector<VertexDegree>& named,
                               const std::string& input) {
  graph.rotations = nullptr;
  if (graph.kind == GraphKind::directed)
    throw UsageError(
        fmt::format("{}: --degree is about undirected and bipartite graphs, and of a directed graph cycle "
                    "covers are counted "
                    "(--kind bipartite takes the arcs from tails to heads)",
                    quoted(input)));
  if (graph.covers)
    throw UsageError(fmt::format("{}: --degree is about the edges of a graph, and here the sets are given",
                                 quoted(input)));
  if (graph.monomers)
    throw UsageError(fmt::format(
        "--degree {}: every vertex has so many edges, and with monomers some have none: leave one out",
        degree));
  Degrees degrees;
  degrees.degree = degree;
  degrees.vertices = graph.left_labels.size() + std::uint64_t{graph.right_labels.size()};
  degrees.edges = graph.edges.size();
  FactorGraph factors(graph, degree);
  degrees.named = factors.name(named);
  if (degree != 1 || degrees.named > 0) factors.build();
  return degrees;
}

}  // namespace countpm
