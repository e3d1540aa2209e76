#include "kernels/estimate/bethe_graph.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "graph/errors.hpp"

namespace countpm {
namespace {

constexpr double least_weight = 0x1p-320;
constexpr double most_weight = 0x1p+320;

}  // namespace

BetheGraph::BetheGraph(const SampleMatrix& matrix) : size_(matrix.rows.rows), left_(matrix.rows.rows) {
  if (size_ > std::numeric_limits<std::uint32_t>::max() / 2 ||
      matrix.rows.entries() > std::numeric_limits<EdgeNumber>::max() - 1)
    throw UnableError("the sampler bethe takes blocks of fewer than 2^31 rows and 2^32 - 1 entries",
                      "--sampler scaling+ has no such limit");
  const std::size_t vertices = 2 * std::size_t{size_};
  records_.resize(vertices);
  edges_.reserve(matrix.rows.entries());
  places_.reserve(matrix.rows.entries());
  for (Vertex i = 0; i < size_; ++i) {
    for (std::uint64_t k = matrix.rows.row_start[i]; k < matrix.rows.row_start[i + std::size_t{1}]; ++k) {
      const auto number = static_cast<EdgeNumber>(k);
      const Vertex column = size_ + matrix.rows.column[k];
      const double weight = matrix.weight.empty() ? 1.0 : matrix.weight[k];
      edges_.push_back({weight, {1, 1}, {i, column}});
      places_.push_back({degree(i), degree(column)});
      append(i, number);
      append(column, number);
    }
  }
  place_in_bin_.resize(vertices);
  edge_to_.assign(vertices, no_edge);
  for (Vertex v = 0; v < vertices; ++v) enter_bin(v);
}

void BetheGraph::append(Vertex v, EdgeNumber e) {
  Record& record = records_[v];
  if (record.degree < most_inline) {
    record.edge[record.degree++] = e;
    return;
  }
  if (record.degree == most_inline) {
    if (unused_lists_.empty()) {
      unused_lists_.push_back(static_cast<EdgeNumber>(long_lists_.size()));
      long_lists_.emplace_back();
    }
    const EdgeNumber number = unused_lists_.back();
    unused_lists_.pop_back();
    long_lists_[number].assign(record.edge, record.edge + most_inline);
    record.edge[0] = number;
  }
  long_lists_[record.edge[0]].push_back(e);
  ++record.degree;
}

void BetheGraph::drop_last(Vertex v) {
  Record& record = records_[v];
  if (record.degree > most_inline) {
    const EdgeNumber number = record.edge[0];
    std::vector<EdgeNumber>& edges = long_lists_[number];
    edges.pop_back();
    if (edges.size() == most_inline) {
      std::copy(edges.begin(), edges.end(), record.edge);
      edges.clear();
      unused_lists_.push_back(number);
    }
  }
  --record.degree;
}

void BetheGraph::clear_list(Vertex v) {
  Record& record = records_[v];
  if (record.degree > most_inline) {
    long_lists_[record.edge[0]].clear();
    unused_lists_.push_back(record.edge[0]);
  }
  record.degree = 0;
}

const std::vector<BetheGraph::Vertex>& BetheGraph::of_least_degree() const {
  return *std::find_if(bins_.begin(), bins_.end(),
                       [](const std::vector<Vertex>& bin) { return !bin.empty(); });
}

void BetheGraph::enter_bin(Vertex v) {
  const std::uint32_t d = degree(v);
  if (d >= bins_.size()) bins_.resize(d + std::size_t{1});
  place_in_bin_[v] = static_cast<std::uint32_t>(bins_[d].size());
  bins_[d].push_back(v);
}

void BetheGraph::leave_bin(Vertex v) {
  std::vector<Vertex>& bin = bins_[degree(v)];
  const Vertex last = bin.back();
  bin[place_in_bin_[v]] = last;
  place_in_bin_[last] = place_in_bin_[v];
  bin.pop_back();
}

void BetheGraph::unlink(EdgeNumber e, unsigned s) {
  const Vertex v = edges_[e].end[s];
  leave_bin(v);
  EdgeNumber* const edges = list(records_[v]);
  const EdgeNumber last = edges[degree(v) - 1];
  edges[places_[e][s]] = last;
  places_[last][s] = places_[e][s];
  drop_last(v);
  enter_bin(v);
}

BetheGraph::Contraction BetheGraph::contraction(Vertex v) const {
  EdgeNumber to_kept = edges(v)[0];
  EdgeNumber to_other = edges(v)[1];
  if (degree(neighbour(v, to_kept)) < degree(neighbour(v, to_other))) std::swap(to_kept, to_other);
  Contraction result;
  result.kept = neighbour(v, to_kept);
  result.other = neighbour(v, to_other);
  result.factor = std::max(edges_[to_kept].weight, edges_[to_other].weight);
  // v takes one of them: the merged vertex stands for the other.
  result.kept_share = edges_[to_other].weight / result.factor;
  result.other_share = edges_[to_kept].weight / result.factor;
  return result;
}

bool BetheGraph::fits(const Contraction& contraction, std::uint32_t most_degree) const {
  if (degree(contraction.kept) + degree(contraction.other) - 2 > most_degree) return false;
  const auto within = [this](Vertex v, double share) {
    const std::span<const EdgeNumber> of_vertex = edges(v);
    return std::all_of(of_vertex.begin(), of_vertex.end(), [this, share](EdgeNumber e) {
      const double weight = edges_[e].weight * share;
      return weight >= least_weight && weight <= most_weight / 2;
    });
  };
  return within(contraction.kept, contraction.kept_share) &&
         within(contraction.other, contraction.other_share);
}

void BetheGraph::merge(const Contraction& contraction) {
  const Vertex kept = contraction.kept;
  const Vertex other = contraction.other;
  const unsigned s = side(kept);
  for (const EdgeNumber e : edges(kept)) {
    edges_[e].weight *= contraction.kept_share;
    edge_to_[edges_[e].end[1 - s]] = e;
  }
  leave_bin(kept);
  leave_bin(other);
  records_[other].left = false;
  const std::vector<EdgeNumber> moved(edges(other).begin(), edges(other).end());
  clear_list(other);
  for (const EdgeNumber e : moved) {
    const double weight = edges_[e].weight * contraction.other_share;
    const EdgeNumber twin = edge_to_[edges_[e].end[1 - s]];
    if (twin != no_edge) {
      edges_[twin].weight += weight;
      unlink(e, 1 - s);
      continue;
    }
    edges_[e].weight = weight;
    edges_[e].end[s] = kept;
    places_[e][s] = degree(kept);
    append(kept, e);
  }
  enter_bin(kept);
  for (const EdgeNumber e : edges(kept)) edge_to_[edges_[e].end[1 - s]] = no_edge;
  if (s == 0) --left_;
}

}  // namespace countpm
