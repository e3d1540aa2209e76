#include "src/matchings/union_graph.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>

#include "graph/errors.hpp"
#include "graph/text.hpp"
#include "graph/weight_values.hpp"
#include "src/structure/analysis.hpp"

namespace countpm {
namespace {

constexpr std::size_t longest_label = 80;

/// Of every vertex of `table` the one of the same label in `of`.
std::vector<Index> ids_in(const LabelTable& of, const LabelTable& table, const std::string& file) {
  std::unordered_map<std::string, Index> known;
  known.reserve(of.size());
  for (Index v = 0; v < of.size(); ++v) known.emplace(of.label(v), v);
  std::vector<Index> ids;
  ids.reserve(table.size());
  for (Index v = 0; v < table.size(); ++v) {
    const auto at = known.find(table.label(v));
    if (at == known.end()) {
      throw InputError(file, 0, "the vertices of the other graph",
                       fmt::format("{}, which it does not have", quoted(table.label(v), longest_label)));
    }
    ids.push_back(at->second);
  }
  if (table.size() != of.size())
    throw InputError(file, 0, fmt::format("the {} vertices of the other graph", of.size()),
                     fmt::format("{} of them", table.size()));
  return ids;
}

mpq_class weight_of(const Graph& graph, std::size_t edge) {
  mpq_class weight = exact_value(graph.values, edge);
  if (weight < 0)
    throw UnableError("a ratio is sampled of weights that are not negative",
                      "'countpm' counts each where it can");
  return weight;
}

double log_of_part(const mpq_class& part, const mpq_class& whole) {
  if (part == 0) return -std::numeric_limits<double>::infinity();
  return log_of_positive(mpq_class(part / whole));
}

}  // namespace

double log_of_positive(const mpq_class& value) {
  std::int64_t top_bits = 0;
  std::int64_t bottom_bits = 0;
  const double top = mpz_get_d_2exp(&top_bits, value.get_num().get_mpz_t());
  const double bottom = mpz_get_d_2exp(&bottom_bits, value.get_den().get_mpz_t());
  return std::log(top / bottom) + static_cast<double>(top_bits - bottom_bits) * std::log(2.0);
}

UnionGraph unite(const ReadResult& a, const ReadResult& b) {
  if (a.graph.kind != b.graph.kind)
    throw InputError(b.info.path, 0,
                     fmt::format("a graph that is {} as the other one", name_of(a.graph.kind)),
                     fmt::format("one that is {}", name_of(b.graph.kind)));
  const bool sides = a.graph.kind == GraphKind::bipartite;
  const std::vector<Index> left = ids_in(a.graph.left_labels, b.graph.left_labels, b.info.path);
  const std::vector<Index> right =
      sides ? ids_in(a.graph.right_labels, b.graph.right_labels, b.info.path) : left;
  std::map<std::pair<Index, Index>, std::pair<mpq_class, mpq_class>> weights;
  const auto place = [&](Index from, Index to) {
    if (a.graph.kind == GraphKind::undirected && from > to) std::swap(from, to);
    return std::pair(from, to);
  };
  for (std::size_t e = 0; e < a.graph.edges.size(); ++e)
    weights[place(a.graph.edges[e].from, a.graph.edges[e].to)].first = weight_of(a.graph, e);
  for (std::size_t e = 0; e < b.graph.edges.size(); ++e)
    weights[place(left[b.graph.edges[e].from], right[b.graph.edges[e].to])].second = weight_of(b.graph, e);
  UnionGraph all;
  all.graph.kind = a.graph.kind;
  all.graph.left_labels = a.graph.left_labels;
  all.graph.right_labels = a.graph.right_labels;
  all.graph.weight_kind = WeightKind::rational;
  std::vector<mpq_class> values;
  for (const auto& [ends, both] : weights) {
    const mpq_class mean = (both.first + both.second) / 2;
    all.graph.edges.push_back({ends.first, ends.second});
    values.push_back(mean);
    all.log_a.push_back(log_of_part(both.first, mean));
    all.log_b.push_back(log_of_part(both.second, mean));
  }
  all.graph.values = std::move(values);
  return all;
}

bool has_perfect_matching(const ReadResult& read, Monitor& monitor) {
  const Instance instance = instance_of(Graph(read.graph), MatchingSize::perfect);
  std::vector<std::string> notes;
  return !analyse(
              instance, read.info, [&monitor] { monitor.throw_if_stopped(); }, notes)
              .violator.has_value();
}

}  // namespace countpm
