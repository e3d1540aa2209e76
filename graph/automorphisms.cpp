#include "graph/automorphisms.hpp"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/vf2_sub_graph_iso.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <variant>

#include "graph/errors.hpp"
#include "graph/stop_poll.hpp"

namespace countpm {
namespace {

constexpr std::size_t most_table_entries = std::size_t{1} << 28;

struct SmallerWeight {
  bool operator()(std::int64_t a, std::int64_t b) const { return a < b; }
  bool operator()(const mpq_class& a, const mpq_class& b) const { return a < b; }
  bool operator()(const ComplexRational& a, const ComplexRational& b) const {
    const int re = cmp(a.re, b.re);
    return re != 0 ? re < 0 : cmp(a.im, b.im) < 0;
  }
};

/// Of each edge a number, the same for the same weight.
std::vector<Index> weight_classes(const Graph& graph) {
  return std::visit(
      [&](const auto& values) {
        using List = std::decay_t<decltype(values)>;
        std::vector<Index> classes(graph.edges.size(), 0);
        if constexpr (!std::is_same_v<List, std::monostate>) {
          std::map<typename List::value_type, Index, SmallerWeight> known;
          for (std::size_t e = 0; e < classes.size(); ++e)
            classes[e] = known.try_emplace(values[e], static_cast<Index>(known.size())).first->second;
        }
        return classes;
      },
      graph.values);
}

/// Vertices of both sides in one row, and who is next to whom: by an edge of which class, in which direction.
struct Neighbourhoods {
  struct Next {
    Index vertex;
    Index label;  // of class and direction
  };
  std::vector<std::vector<Next>> of;

  Neighbourhoods(const Graph& graph, const std::vector<Index>& classes) {
    const Index left = graph.left_labels.size();
    of.resize(left + std::size_t{graph.right_labels.size()});
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
      const Index from = graph.edges[e].from;
      const Index to = graph.edges[e].to + (graph.kind == GraphKind::bipartite ? left : 0);
      of[from].push_back({to, 2 * classes[e]});
      of[to].push_back({from, 2 * classes[e] + (graph.kind == GraphKind::undirected ? 0 : 1)});
    }
  }
};

/// Refined until vertices of one colour have neighbours of the same colours: O(edges log vertices) a round.
std::vector<Index> refined_colours(const Neighbourhoods& next, std::vector<Index> colour) {
  using Signature = std::pair<Index, std::vector<std::pair<Index, Index>>>;
  StopPoll poll;
  for (std::size_t known = 0;;) {
    std::map<Signature, Index> numbers;
    std::vector<Index> refined(colour.size());
    for (std::size_t v = 0; v < colour.size(); ++v) {
      poll.steps(next.of[v].size());
      Signature signature{colour[v], {}};
      for (const auto& [vertex, label] : next.of[v]) signature.second.emplace_back(label, colour[vertex]);
      std::sort(signature.second.begin(), signature.second.end());
      refined[v] =
          numbers.try_emplace(std::move(signature), static_cast<Index>(numbers.size())).first->second;
    }
    colour = std::move(refined);
    if (numbers.size() == known) return colour;
    known = numbers.size();
  }
}

template <class Direction>
using BoostGraph = boost::adjacency_list<boost::setS, boost::vecS, Direction, boost::no_property,
                                         boost::property<boost::edge_weight_t, Index>>;

/// Vertices of rare colours first, others as they are met from there.
std::vector<std::size_t> search_order(const Neighbourhoods& next, const std::vector<Index>& colour) {
  std::vector<std::size_t> size(colour.size() + 1, 0);
  for (const Index c : colour) ++size[c];
  std::vector<std::size_t> starts(colour.size());
  for (std::size_t v = 0; v < starts.size(); ++v) starts[v] = v;
  std::stable_sort(starts.begin(), starts.end(),
                   [&](std::size_t a, std::size_t b) { return size[colour[a]] < size[colour[b]]; });
  std::vector<bool> seen(colour.size(), false);
  std::vector<std::size_t> order;
  for (const std::size_t start : starts) {
    if (seen[start]) continue;
    seen[start] = true;
    order.push_back(start);
    for (std::size_t head = order.size() - 1; head < order.size(); ++head) {
      for (const auto& [vertex, label] : next.of[order[head]]) {
        if (seen[vertex]) continue;
        seen[vertex] = true;
        order.push_back(vertex);
      }
    }
  }
  return order;
}

template <class Direction>
std::vector<Automorphism> found_by_search(const Graph& graph, std::size_t most) {
  const std::vector<Index> classes = weight_classes(graph);
  const Neighbourhoods next(graph, classes);
  const Index left = graph.left_labels.size();
  const std::size_t vertices = next.of.size();
  std::vector<Index> side(vertices, 0);
  std::fill(side.begin() + left, side.end(), Index{1});
  const std::vector<Index> colour = refined_colours(next, std::move(side));

  BoostGraph<Direction> searched(vertices);
  for (std::size_t e = 0; e < graph.edges.size(); ++e) {
    const std::size_t to = graph.edges[e].to + (graph.kind == GraphKind::bipartite ? std::size_t{left} : 0);
    boost::add_edge(graph.edges[e].from, to, classes[e], searched);
  }
  std::vector<Automorphism> result;
  const std::size_t most_here = std::min(most, most_table_entries / std::max<std::size_t>(vertices, 1));
  const auto take = [&](const auto& image, const auto& /*inverse*/) {
    if (result.size() == most_here)
      throw UnableError(fmt::format("the graph has more than {} symmetries", most_here),
                        "orbits are counted of graphs with fewer");
    Automorphism& own = result.emplace_back(vertices);
    for (std::size_t v = 0; v < vertices; ++v) own[v] = static_cast<Index>(get(image, v));
    return true;
  };
  const auto same_weight = [weight = get(boost::edge_weight, searched)](const auto& a, const auto& b) {
    return get(weight, a) == get(weight, b);
  };
  StopPoll poll;
  const auto same_colour = [&](std::size_t a, std::size_t b) {
    poll.step();
    return colour[a] == colour[b];
  };
  const auto index = get(boost::vertex_index, searched);
  boost::vf2_graph_iso(searched, searched, take, index, index, search_order(next, colour), same_weight,
                       same_colour);
  return result;
}

}  // namespace

std::vector<Automorphism> automorphisms(const Graph& graph, std::size_t most) {
  const std::size_t vertices = graph.left_labels.size() + std::size_t{graph.right_labels.size()};
  if (vertices == 0) return {Automorphism()};
  return graph.kind == GraphKind::directed ? found_by_search<boost::bidirectionalS>(graph, most)
                                           : found_by_search<boost::undirectedS>(graph, most);
}

}  // namespace countpm
