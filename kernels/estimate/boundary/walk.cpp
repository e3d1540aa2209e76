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

/// A row times the matrix of s, and that matrix times a column.
void times(const std::vector<float>& row, const BoundaryFront::Site& site, unsigned s,
           std::vector<float>& result) {
  result.resize(site.right);
  row_times(row.data(), site.values + std::size_t{s} * site.left * site.right, site.left, site.right,
            result.data());
}
void times(const BoundaryFront::Site& site, unsigned s, const std::vector<float>& column,
           std::vector<float>& result) {
  result.resize(site.left);
  times_column(site.values + std::size_t{s} * site.left * site.right, column.data(), site.left, site.right,
               result.data());
}

}  // namespace

void BoundaryFront::look() {
  const BoundaryStates::Line line = states_.after(step_);
  line_.resize(line.size);
  for (std::uint32_t p = 0; p < line.size; ++p) {
    const BoundaryStates::Matrices& matrices = states_.matrices(line.number[p]);
    line_[p] = {line.number[p], matrices.vertex, matrices.left, matrices.right, states_.values(matrices, 0)};
    place_[matrices.vertex] = p;
  }
  known_ = true;
}

BoundaryWalk::BoundaryWalk(const SampleGraph& graph)
    : least_share_(least_shares_of_a_walk / std::max(graph.vertices(), 1U)), taken_(graph.vertices(), 0) {
  left_.product.assign(1, {1.0F});
  right_.product.assign(1, {1.0F});
}

void BoundaryWalk::begin() {
  std::fill(taken_.begin(), taken_.end(), 0);
  matching_.clear();
  sample_ = {};
}

void BoundaryWalk::find_choices(const BoundaryFront& front) {
  const SampleGraph& graph = front.graph();
  const std::uint32_t v = front.vertex();
  choices_.clear();
  if (graph.alone[v] > 0) choices_.push_back({nobody, graph.alone[v], 0});
  for (const auto* edge = graph.begin(v); edge != graph.end(v); ++edge) {
    if (taken_[edge->vertex] == 0 && front.to_come(edge->vertex))
      choices_.push_back({edge->vertex, edge->weight, 0});
  }
}

void BoundaryWalk::weigh(BoundaryFront& front) {
  const std::vector<Site>& line = front.line();
  const auto size = static_cast<std::uint32_t>(line.size());
  std::uint32_t first = size;
  std::uint32_t last = 0;
  for (const Choice& choice : choices_) {
    if (choice.vertex == nobody) continue;
    first = std::min(first, front.place(choice.vertex));
    last = std::max(last, front.place(choice.vertex));
  }
  behind_.resize(std::max<std::size_t>(behind_.size(), last - first + 2));
  behind_[last - first + 1] = from_right(line, size - last - 1);
  for (std::uint32_t p = last + 1; p-- > first;)
    times(line[p], taken(line[p]), behind_[p - first + 1], behind_[p - first]);
  ahead_ = from_left(line, first);
  double sum = 0;
  double lowest = 0;
  for (Choice& choice : choices_) {
    if (choice.vertex == nobody)
      choice.share =
          choice.weight * static_cast<double>(dot(ahead_.data(), behind_[0].data(), ahead_.size()));
  }
  for (std::uint32_t p = first; p <= last; ++p) {
    for (Choice& choice : choices_) {
      if (choice.vertex != line[p].vertex) continue;
      times(ahead_, line[p], 1, other_);
      choice.share = choice.weight *
                     static_cast<double>(dot(other_.data(), behind_[p - first + 1].data(), other_.size()));
    }
    if (p == last) break;
    times(ahead_, line[p], taken(line[p]), other_);
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
  const double least = std::max(std::min(least_share_ + front.lost(), most_least_share) * all, -lowest);
  double total = 0;
  for (Choice& choice : choices_) {
    choice.share = std::max(choice.share, least);
    total += choice.share;
  }
  for (Choice& choice : choices_) choice.share /= total;
}

const std::vector<float>& BoundaryWalk::from_left(const std::vector<Site>& line, std::uint32_t size) {
  std::uint32_t same = 0;
  const auto most = static_cast<std::uint32_t>(std::min<std::size_t>(size, left_.known.size()));
  while (same < most && left_.known[same].matrices == line[same].number &&
         left_.known[same].taken == taken_[line[same].vertex])
    ++same;
  left_.known.resize(size);
  left_.product.resize(std::max<std::size_t>(left_.product.size(), size + std::size_t{1}));
  for (std::uint32_t p = same; p < size; ++p) {
    times(left_.product[p], line[p], taken(line[p]), left_.product[p + std::size_t{1}]);
    rescale(left_.product[p + std::size_t{1}]);
    left_.known[p] = {line[p].number, taken_[line[p].vertex]};
  }
  return left_.product[size];
}

const std::vector<float>& BoundaryWalk::from_right(const std::vector<Site>& line, std::uint32_t size) {
  const auto site = [&](std::uint32_t p) -> const Site& { return line[line.size() - 1 - p]; };
  std::uint32_t same = 0;
  const auto most = static_cast<std::uint32_t>(std::min<std::size_t>(size, right_.known.size()));
  while (same < most && right_.known[same].matrices == site(same).number &&
         right_.known[same].taken == taken_[site(same).vertex])
    ++same;
  right_.known.resize(size);
  right_.product.resize(std::max<std::size_t>(right_.product.size(), size + std::size_t{1}));
  for (std::uint32_t p = same; p < size; ++p) {
    times(site(p), taken(site(p)), right_.product[p], right_.product[p + std::size_t{1}]);
    rescale(right_.product[p + std::size_t{1}]);
    right_.known[p] = {site(p).number, taken_[site(p).vertex]};
  }
  return right_.product[size];
}

}  // namespace countpm
