#include "kernels/estimate/boundary/states.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "graph/stop_poll.hpp"
#include "kernels/estimate/boundary/small_matrices.hpp"

namespace countpm {
namespace {

// Singular values so far below the largest are rounding.
constexpr double least_singular_value = 1e-13;
constexpr std::uint32_t not_kept = std::numeric_limits<std::uint32_t>::max();

/// The matrices of a vertex while they change: entry (l, r) of that for s in row 2 l + s.
struct Site {
  std::uint32_t vertex = 0;
  RealMatrix matrix;
  std::uint32_t number = not_kept;  // among the matrices that are kept

  std::size_t left() const { return matrix.rows / 2; }
  std::size_t right() const { return matrix.columns; }
};

/// Rows are what is on the left, columns s and what is on the right; and back.
RealMatrix wide(RealMatrix matrix) {
  matrix.rows /= 2;
  matrix.columns *= 2;
  return matrix;
}
RealMatrix tall(RealMatrix matrix) {
  matrix.rows *= 2;
  matrix.columns /= 2;
  return matrix;
}

/// Only what entries are to one another matters.
void normalise(RealMatrix& matrix) {
  double largest = 0;
  for (const double x : matrix.value) largest = std::max(largest, std::abs(x));
  if (!(largest > 0)) return;
  for (double& x : matrix.value) x /= largest;
}

/// Of every value and as many after it the largest.
std::vector<double> largest_ahead(std::vector<double> values, std::uint32_t window) {
  const std::vector<double> own = values;
  for (std::size_t t = 0; t < own.size(); ++t) {
    const std::size_t end = std::min<std::size_t>(own.size(), t + window + 1);
    values[t] = *std::max_element(own.begin() + static_cast<std::ptrdiff_t>(t),
                                  own.begin() + static_cast<std::ptrdiff_t>(end));
  }
  return values;
}

}  // namespace

/// From the last step to the first.
class BackwardSweep {
 public:
  BackwardSweep(const SampleGraph& graph, const RestGraph& messages, const BoundarySweep& sweep,
                std::uint32_t bond, std::uint64_t most_bytes)
      : graph_(graph),
        messages_(messages),
        sweep_(sweep),
        bond_(bond),
        most_bytes_(most_bytes),
        weight_(graph.vertices(), 0.0),
        balance_(graph.vertices(), 1.0),
        balance_before_(graph.vertices(), 1.0) {}

  std::optional<BoundaryStates> run() {
    const auto steps = static_cast<std::uint32_t>(sweep_.steps.size());
    std::vector<std::vector<std::uint32_t>> lines(steps);
    std::vector<double> lost(steps, 0.0);
    for (std::uint32_t t = steps; t-- > 0;) {
      check_stop();
      keep();
      if (bytes() > most_bytes_) return std::nullopt;
      for (const Site& site : line_) lines[t].push_back(site.number);
      step_back(sweep_.steps[t]);
      if (t > 0) lost[t - 1] = std::exchange(lost_, 0.0);
    }
    for (const double share : lost) kept_.total_lost_ += share;
    kept_.lost_ = largest_ahead(lost, sweep_.width);
    kept_.first_.push_back(0);
    for (const auto& line : lines) {
      kept_.numbers_.insert(kept_.numbers_.end(), line.begin(), line.end());
      kept_.first_.push_back(kept_.numbers_.size());
    }
    return std::move(kept_);
  }

 private:
  std::uint64_t bytes() const {
    return kept_.values_.size() * sizeof(float) + kept_.matrices_.size() * sizeof(BoundaryStates::Matrices) +
           4 * sweep_.total_width;
  }

  /// The vertex's part of sqrt(N_t / E_t) for s = 1, of that for s = 0, after so many steps.
  double balance_of(std::uint32_t v, std::uint32_t steps) const {
    double earlier = 0;
    double later = graph_.alone[v];
    for (const auto* edge = graph_.begin(v); edge != graph_.end(v); ++edge) {
      const double brought = messages_.brought(static_cast<std::uint64_t>(edge - graph_.neighbours.data()));
      (sweep_.position[edge->vertex] < steps ? earlier : later) += brought;
    }
    const double balance = std::sqrt(earlier * later);
    return balance > 0 && std::isfinite(balance) ? balance : 1;
  }

  void keep() {
    for (Site& site : line_) {
      if (site.number != not_kept) continue;
      site.number = static_cast<std::uint32_t>(kept_.matrices_.size());
      const auto left = static_cast<std::uint32_t>(site.left());
      const auto right = static_cast<std::uint32_t>(site.right());
      kept_.matrices_.push_back({site.vertex, left, right, kept_.values_.size()});
      kept_.bond_ = std::max({kept_.bond_, left, right});
      for (std::size_t s = 0; s < 2; ++s) {
        for (std::size_t l = 0; l < left; ++l) {
          const double* row = site.matrix.row(2 * l + s);
          const double scale = s == 0 ? 1 : 1 / balance_[site.vertex];
          for (std::size_t r = 0; r < right; ++r) kept_.values_.push_back(static_cast<float>(scale * row[r]));
        }
      }
    }
  }

  /// The centre is the only site that is neither orthonormal from the left nor from the right.
  void centre_to_right() {
    Site& here = line_[centre_];
    MatrixFactors factors = orthonormal_rows(transposed(here.matrix));  // matrix = right^T left^T
    here.matrix = transposed(factors.right);
    here.number = not_kept;
    Site& next = line_[++centre_];
    next.matrix = tall(product(transposed(factors.left), wide(std::move(next.matrix))));
    next.number = not_kept;
    normalise(next.matrix);
  }
  void centre_to_left() {
    Site& here = line_[centre_];
    MatrixFactors factors = nearest_of_rank(wide(std::move(here.matrix)), bond_, least_singular_value);
    lost_ += factors.lost;
    kept_.work_ += factors.work;
    here.matrix = tall(std::move(factors.right));
    here.number = not_kept;
    Site& next = line_[--centre_];
    next.matrix = product(next.matrix, factors.left);
    next.number = not_kept;
    normalise(next.matrix);
  }
  void centre_into(std::size_t first, std::size_t last) {
    while (centre_ < first) centre_to_right();
    while (centre_ > last) centre_to_left();
  }

  /// The site's matrices times the operator's: in the end of a row or column l of theirs stands at 2 l where
  /// the vertex of the step has no partner yet, and at 2 l + 1 where it has one. `opens`: nothing is on the
  /// left of the operator, where no partner has been met; `closes`: nor on its right, where one must have
  /// been.
  RealMatrix with_choice(const Site& site, bool opens, bool closes) const {
    const double balance = balance_[site.vertex];
    const double weight = weight_[site.vertex] / balance;
    const double same = balance_before_[site.vertex] / balance;
    const std::size_t lefts = opens ? 1 : 2;
    const std::size_t rights = closes ? 1 : 2;
    RealMatrix result(2 * site.left() * lefts, site.right() * rights);
    for (std::size_t l = 0; l < site.left(); ++l) {
      for (std::size_t before = 0; before < lefts; ++before) {
        for (std::size_t s = 0; s < 2; ++s) {
          double* to = result.row(2 * (l * lefts + before) + s);
          for (std::size_t k = 0; k < rights; ++k) {
            const std::size_t after = closes ? 1 : k;
            const bool chosen = before == 0 && after == 1;
            if (after < before || (chosen && (s == 1 || weight == 0))) continue;
            const double* from = site.matrix.row(2 * l + (chosen ? 1 : s));
            const double factor = chosen ? weight : s == 1 ? same : 1;
            for (std::size_t r = 0; r < site.right(); ++r) to[r * rights + k] = factor * from[r];
          }
        }
      }
    }
    return result;
  }

  /// The operator at the vertex itself, between sites that are `size` apart: taken by an earlier vertex or
  /// alone, it has what it needs; else a neighbour must be it.
  static RealMatrix own_choice(std::size_t size, double alone, double balance, bool opens, bool closes) {
    const std::size_t lefts = opens ? 1 : 2;
    const std::size_t rights = closes ? 1 : 2;
    RealMatrix result(2 * size * lefts, size * rights);
    for (std::size_t d = 0; d < size; ++d) {
      for (std::size_t before = 0; before < lefts; ++before) {
        for (std::size_t k = 0; k < rights; ++k) {
          const std::size_t after = closes ? 1 : k;
          const std::size_t row = 2 * (d * lefts + before);
          const bool chosen = before == 0 && after == 1;
          result.row(row)[d * rights + k] = before == after ? 1 : chosen ? alone : 0;
          result.row(row + 1)[d * rights + k] = chosen ? balance : 0;
        }
      }
    }
    return result;
  }

  /// Of a vertex that is not taken.
  static RealMatrix for_none(const RealMatrix& matrix) {
    RealMatrix result(matrix.rows / 2, matrix.columns);
    for (std::size_t l = 0; l < result.rows; ++l)
      std::copy_n(matrix.row(2 * l), matrix.columns, result.row(l));
    return result;
  }

  void step_back(const BoundarySweep::Step& step) {
    const std::size_t place = step.place;
    const std::size_t entered = step.entering.size();
    // What the operator reaches: all its neighbours to come, and its own place.
    std::size_t first = place;
    std::size_t end = place + entered;
    const std::uint32_t time = sweep_.position[step.vertex];
    for (const auto* edge = graph_.begin(step.vertex); edge != graph_.end(step.vertex); ++edge) {
      const std::uint32_t w = edge->vertex;
      if (sweep_.position[w] < time) continue;
      weight_[w] = edge->weight;
      balance_[w] = balance_of(w, time + 1);
      balance_before_[w] = balance_of(w, time);
    }
    balance_[step.vertex] = balance_before_[step.vertex] = balance_of(step.vertex, time);
    for (std::size_t p = 0; p < line_.size(); ++p) {
      if (weight_[line_[p].vertex] == 0) continue;
      first = std::min(first, p);
      end = std::max(end, p + 1);
    }
    if (!line_.empty()) {
      const std::size_t last_site = line_.size() - 1;
      const std::size_t from = std::min(first, last_site);
      centre_into(from, std::min(std::max(end, from + 1) - 1, last_site));
    }
    const std::size_t between = line_.empty()          ? 1
                                : place < line_.size() ? line_[place].left()
                                                       : line_.back().right();
    RealMatrix own =
        own_choice(between, graph_.alone[step.vertex], balance_[step.vertex], first == place, end == place);
    for (std::size_t p = place; p < place + entered; ++p)
      own = product(own, for_none(with_choice(line_[p], false, p + 1 == end)));
    for (std::size_t p = first; p < end; ++p) {
      if (p >= place && p < place + entered) continue;
      line_[p].matrix = with_choice(line_[p], p < place && p == first, p >= place && p + 1 == end);
      line_[p].number = not_kept;
    }
    for (const auto* edge = graph_.begin(step.vertex); edge != graph_.end(step.vertex); ++edge) {
      const std::uint32_t w = edge->vertex;
      if (sweep_.position[w] < time) continue;
      weight_[w] = 0;
      balance_[w] = balance_before_[w];
    }
    const auto at = line_.begin() + static_cast<std::ptrdiff_t>(place);
    line_.erase(at, at + static_cast<std::ptrdiff_t>(entered));
    end -= entered;
    if (centre_ >= place) centre_ = std::max(centre_, place + entered) - entered + (step.live ? 1 : 0);
    if (step.live) {
      Site site;
      site.vertex = step.vertex;
      site.matrix = std::move(own);
      line_.insert(line_.begin() + static_cast<std::ptrdiff_t>(place), std::move(site));
      end = std::max(end, place) + 1;
    } else if (!line_.empty()) {
      absorb(for_none(own), place);
      first = std::min(first, place == 0 ? 0 : place - 1);
      end = std::max(end, place == 0 ? 1 : place);
    }
    compress(std::min(first, centre_), std::max(end, centre_ + 1));
  }

  /// What stood at the place goes into the site on its left, or on its right where it was the first.
  void absorb(const RealMatrix& matrix, std::size_t place) {
    Site& site = line_[place == 0 ? 0 : place - 1];
    site.matrix =
        place == 0 ? tall(product(matrix, wide(std::move(site.matrix)))) : product(site.matrix, matrix);
    site.number = not_kept;
  }

  /// Sites first .. end - 1 have become larger.
  void compress(std::size_t first, std::size_t end) {
    if (line_.empty()) {
      centre_ = 0;
      return;
    }
    first = std::min(first, line_.size() - 1);
    end = std::min(std::max(end, first + 1), line_.size());
    for (std::size_t p = first; p < end; ++p) normalise(line_[p].matrix);
    centre_ = first;
    while (centre_ + 1 < end) centre_to_right();
    while (centre_ > first) centre_to_left();
  }

  const SampleGraph& graph_;
  const RestGraph& messages_;
  const BoundarySweep& sweep_;
  std::uint32_t bond_;
  std::uint64_t most_bytes_;
  std::vector<double> weight_;          // of the edges of the step's vertex, by neighbour
  std::vector<double> balance_;         // balance_of every vertex on the line, with the step
  std::vector<double> balance_before_;  // and without it
  std::vector<Site> line_;
  std::size_t centre_ = 0;
  double lost_ = 0;  // in the step
  BoundaryStates kept_;
};

std::optional<BoundaryStates> BoundaryStates::make(const SampleGraph& graph, const RestGraph& messages,
                                                   const BoundarySweep& sweep, std::uint32_t bond,
                                                   std::uint64_t most_bytes) {
  return BackwardSweep(graph, messages, sweep, bond, most_bytes).run();
}

}  // namespace countpm
