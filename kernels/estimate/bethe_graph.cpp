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
  lists_.resize(vertices);
  edges_.reserve(matrix.rows.entries());
  for (Vertex i = 0; i < size_; ++i) {
    for (std::uint64_t k = matrix.rows.row_start[i]; k < matrix.rows.row_start[i + std::size_t{1}]; ++k) {
      const auto number = static_cast<EdgeNumber>(k);
      const Vertex column = size_ + matrix.rows.column[k];
      const double weight = matrix.weight.empty() ? 1.0 : matrix.weight[k];
      edges_.push_back({weight, {1, 1}, {i, column}, {degree(i), degree(column)}});
      lists_[i].push_back(number);
      lists_[column].push_back(number);
    }
  }
  bin_of_.resize(vertices);
  place_in_bin_.resize(vertices);
  edge_to_.assign(vertices, gone);
  for (Vertex v = 0; v < vertices; ++v) enter_bin(v);
}

const std::vector<BetheGraph::Vertex>& BetheGraph::of_least_degree() const {
  return *std::find_if(bins_.begin(), bins_.end(),
                       [](const std::vector<Vertex>& bin) { return !bin.empty(); });
}

void BetheGraph::enter_bin(Vertex v) {
  const std::uint32_t d = degree(v);
  if (d >= bins_.size()) bins_.resize(d + std::size_t{1});
  bin_of_[v] = d;
  place_in_bin_[v] = static_cast<std::uint32_t>(bins_[d].size());
  bins_[d].push_back(v);
}

void BetheGraph::leave_bin(Vertex v) {
  std::vector<Vertex>& bin = bins_[bin_of_[v]];
  const Vertex last = bin.back();
  bin[place_in_bin_[v]] = last;
  place_in_bin_[last] = place_in_bin_[v];
  bin.pop_back();
}

void BetheGraph::unlink(EdgeNumber e, unsigned s) {
  const Vertex v = edges_[e].end[s];
  std::vector<EdgeNumber>& list = lists_[v];
  const EdgeNumber last = list.back();
  list[edges_[e].place[s]] = last;
  edges_[last].place[s] = edges_[e].place[s];
  list.pop_back();
  leave_bin(v);
  enter_bin(v);
}

BetheGraph::Contraction BetheGraph::contraction(Vertex v) const {
  EdgeNumber to_kept = lists_[v][0];
  EdgeNumber to_other = lists_[v][1];
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
    return std::all_of(lists_[v].begin(), lists_[v].end(), [this, share](EdgeNumber e) {
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
  for (const EdgeNumber e : lists_[kept]) {
    edges_[e].weight *= contraction.kept_share;
    edge_to_[edges_[e].end[1 - s]] = e;
  }
  leave_bin(kept);
  leave_bin(other);
  bin_of_[other] = gone;
  std::vector<EdgeNumber> moved;
  moved.swap(lists_[other]);
  for (const EdgeNumber e : moved) {
    const double weight = edges_[e].weight * contraction.other_share;
    const EdgeNumber twin = edge_to_[edges_[e].end[1 - s]];
    if (twin != gone) {
      edges_[twin].weight += weight;
      unlink(e, 1 - s);
      continue;
    }
    edges_[e].weight = weight;
    edges_[e].end[s] = kept;
    edges_[e].place[s] = degree(kept);
    lists_[kept].push_back(e);
  }
  enter_bin(kept);
  for (const EdgeNumber e : lists_[kept]) edge_to_[edges_[e].end[1 - s]] = gone;
  if (s == 0) --left_;
}

}  // namespace countpm
