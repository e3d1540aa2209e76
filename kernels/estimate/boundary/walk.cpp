#include "kernels/estimate/boundary/walk.hpp"

#include "kernels/estimate/boundary/small_matrices.hpp"

namespace countpm {
namespace {

// All choices have a share, however little the states give them; those of a whole walk together take this
// much from the others.
constexpr double least_shares_of_a_walk = 0x1p-14;
// Where much of the states was cut they may have lost a choice that is worth much: errors of shares are of
// the size of the root of what was cut.
constexpr double most_least_share = 0.25;

/// Into the range of floats; all of a line's choices have the same factor.
void rescale(std::vector<float>& values) {
  float largest = 0;
  for (const float x : values) largest = std::max(largest, std::abs(x));
  if (!(largest > 0)) return;
  const float factor = 1 / largest;
  for (float& x : values) x *= factor;
}

}  // namespace

BoundaryWalk::BoundaryWalk(const SampleGraph& graph, const BoundarySweep& sweep, const BoundaryStates& states)
    : graph_(graph),
      sweep_(sweep),
      states_(states),
      least_share_(least_shares_of_a_walk / std::max(graph.vertices(), 1U)),
      taken_(graph.vertices(), 0) {
  left_.product.assign(1, {1.0F});
  right_.product.assign(1, {1.0F});
}

void BoundaryWalk::begin() {
  std::fill(taken_.begin(), taken_.end(), 0);
}

void BoundaryWalk::find_choices(std::uint32_t v, std::uint32_t t) {
  choices_.clear();
  if (graph_.alone[v] > 0) choices_.push_back({nobody, graph_.alone[v], 0, 0});
  for (const auto* edge = graph_.begin(v); edge != graph_.end(v); ++edge) {
    if (sweep_.position[edge->vertex] > t && taken_[edge->vertex] == 0)
      choices_.push_back({edge->vertex, edge->weight, 0, 0});
  }
}

void BoundaryWalk::weigh(std::uint32_t t) {
  const BoundaryStates::Line line = states_.after(t);
  std::uint32_t first = line.size;
  std::uint32_t last = 0;
  for (std::uint32_t p = 0; p < line.size; ++p) {
    for (Choice& choice : choices_) {
      if (choice.vertex != states_.matrices(line.number[p]).vertex) continue;
      choice.place = p;
      first = std::min(first, p);
      last = std::max(last, p);
    }
  }
  behind_.resize(std::max<std::size_t>(behind_.size(), last - first + 2));
  behind_[last - first + 1] = from_right(line, line.size - last - 1);
  for (std::uint32_t p = last + 1; p-- > first;) {
    const auto& matrices = states_.matrices(line.number[p]);
    times(matrices, taken(matrices), behind_[p - first + 1], behind_[p - first]);
  }
  ahead_ = from_left(line, first);
  double sum = 0;
  double lowest = 0;
  for (Choice& choice : choices_) {
    if (choice.vertex == nobody)
      choice.share =
          choice.weight * static_cast<double>(dot(ahead_.data(), behind_[0].data(), ahead_.size()));
  }
  for (std::uint32_t p = first; p <= last; ++p) {
    const auto& matrices = states_.matrices(line.number[p]);
    for (Choice& choice : choices_) {
      if (choice.vertex != matrices.vertex) continue;
      times(ahead_, matrices, 1, other_);
      choice.share = choice.weight *
                     static_cast<double>(dot(other_.data(), behind_[p - first + 1].data(), other_.size()));
    }
    times(ahead_, matrices, taken(matrices), other_);
    std::swap(ahead_, other_);
  }
  for (const Choice& choice : choices_) sum += choice.share;
  // What is below 0, and by how much, is an error of the states.
  const double sign = sum < 0 ? -1 : 1;
  double all = 0;
  for (Choice& choice : choices_) {
    choice.share *= sign;
    lowest = std::min(lowest, choice.share);
    all += std::abs(choice.share);
  }
  if (!(all > 0) || !std::isfinite(all)) {
    for (Choice& choice : choices_) choice.share = 1 / static_cast<double>(choices_.size());
    return;
  }
  const double least = std::max(std::min(least_share_ + states_.lost(t), most_least_share) * all, -lowest);
  double total = 0;
  for (Choice& choice : choices_) {
    choice.share = std::max(choice.share, least);
    total += choice.share;
  }
  for (Choice& choice : choices_) choice.share /= total;
}

const std::vector<float>& BoundaryWalk::from_left(const BoundaryStates::Line& line, std::uint32_t size) {
  std::uint32_t same = 0;
  const auto most = static_cast<std::uint32_t>(std::min<std::size_t>(size, left_.known.size()));
  while (same < most && left_.known[same].matrices == line.number[same] &&
         left_.known[same].taken == taken_[states_.matrices(line.number[same]).vertex])
    ++same;
  left_.known.resize(size);
  left_.product.resize(std::max<std::size_t>(left_.product.size(), size + std::size_t{1}));
  for (std::uint32_t p = same; p < size; ++p) {
    const auto& matrices = states_.matrices(line.number[p]);
    times(left_.product[p], matrices, taken(matrices), left_.product[p + std::size_t{1}]);
    rescale(left_.product[p + std::size_t{1}]);
    left_.known[p] = {line.number[p], taken_[matrices.vertex]};
  }
  return left_.product[size];
}

const std::vector<float>& BoundaryWalk::from_right(const BoundaryStates::Line& line, std::uint32_t size) {
  const auto number = [&](std::uint32_t p) { return line.number[line.size - 1 - p]; };
  std::uint32_t same = 0;
  const auto most = static_cast<std::uint32_t>(std::min<std::size_t>(size, right_.known.size()));
  while (same < most && right_.known[same].matrices == number(same) &&
         right_.known[same].taken == taken_[states_.matrices(number(same)).vertex])
    ++same;
  right_.known.resize(size);
  right_.product.resize(std::max<std::size_t>(right_.product.size(), size + std::size_t{1}));
  for (std::uint32_t p = same; p < size; ++p) {
    const auto& matrices = states_.matrices(number(p));
    times(matrices, taken(matrices), right_.product[p], right_.product[p + std::size_t{1}]);
    rescale(right_.product[p + std::size_t{1}]);
    right_.known[p] = {number(p), taken_[matrices.vertex]};
  }
  return right_.product[size];
}

void BoundaryWalk::times(const std::vector<float>& row, const BoundaryStates::Matrices& matrices, unsigned s,
                         std::vector<float>& result) const {
  result.resize(matrices.right);
  row_times(row.data(), states_.values(matrices, s), matrices.left, matrices.right, result.data());
}

void BoundaryWalk::times(const BoundaryStates::Matrices& matrices, unsigned s,
                         const std::vector<float>& column, std::vector<float>& result) const {
  result.resize(matrices.left);
  times_column(states_.values(matrices, s), column.data(), matrices.left, matrices.right, result.data());
}

}  // namespace countpm
