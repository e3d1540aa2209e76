#include "kernels/rook/plan.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "graph/stop_signal.hpp"

namespace countpm {
namespace {

constexpr std::size_t most_bits = 62;
// A step's terms double with every vertex that leaves the frontier: more of them leave with steps of their
// own.
constexpr std::size_t most_dropped = 3;

double magnitude(const mpz_class& value) {
  return std::fabs(value.get_d());
}

/// Bounds on the sum over all partial placements of their weights: each row (column) that has seen edges
/// takes none or one of them.
class Bound {
 public:
  explicit Bound(const ComplementGraph& graph) : graph_(graph), seen_(graph.vertices(), 1.0) {}

  /// v is the one that goes. Of a graph without rows each vertex takes none or one of those that go later.
  void see(Index u, Index v, const mpz_class& weight) {
    if (!graph_.general) grow(u, magnitude(weight));
    grow(v, magnitude(weight));
  }
  /// Row v's `none` costs its base from now on.
  void close(Index v) {
    if (!graph_.is_row(v)) return;
    const double base = magnitude(graph_.row_base[v]);
    grow(v, base - 1);
    log2_bases_ += std::log2(std::max(base, 1.0));
  }
  double log2() const {
    return graph_.general ? log2_columns_ : std::min(log2_rows_, log2_columns_ + log2_bases_);
  }

 private:
  void grow(Index v, double by) {
    double& side = graph_.is_row(v) ? log2_rows_ : log2_columns_;
    side -= std::log2(seen_[v]);
    seen_[v] = std::max(seen_[v] + by, 0x1p-60);  // a row of base 0 and no edge ends the count at 0
    side += std::log2(seen_[v]);
  }

  const ComplementGraph& graph_;
  std::vector<double> seen_;
  double log2_rows_ = 0;
  double log2_columns_ = 0;
  double log2_bases_ = 0;
};

class Planner {
 public:
  explicit Planner(const ComplementGraph& graph)
      : graph_(graph), bound_(graph), left_(graph.vertices()), gone_(graph.vertices()) {
    for (Index v = 0; v < graph.vertices(); ++v) left_[v] = graph.degree(v);
  }

  RookPlan plan(const std::vector<Index>& order) {
    RookPlan plan;
    for (Index v = 0; !graph_.general && v < graph_.size; ++v) {
      if (graph_.degree(v) == 0) plan.isolated *= graph_.row_base[v];
    }
    for (const Index v : order) {
      if (!gone_[v]) eliminate(v, plan.steps);
    }
    plan.log2_bound = bound_.log2();
    return plan;
  }

 private:
  static constexpr std::size_t npos = std::numeric_limits<std::size_t>::max();

  mpz_class base_of(Index v) const { return graph_.is_row(v) ? graph_.row_base[v] : mpz_class(1); }
  void leave(Index v) {
    gone_[v] = true;
    ++(graph_.is_row(v) ? gone_rows_ : gone_columns_);
    bound_.close(v);
  }
  static std::uint64_t bit(std::size_t position) { return std::uint64_t{1} << position; }

  /// A neighbour of the vertex that goes, before and after the step.
  struct Neighbour {
    Index vertex = 0;
    mpz_class weight;
    std::size_t old_place = npos;  // in the old frontier
    bool leaves = false;           // with this step
    bool fresh() const { return old_place == npos; }
  };

  void eliminate(Index v, std::vector<RookStep>& steps) {
    check_stop();
    RookStep step = open_step();
    std::vector<Neighbour> neighbours;
    std::vector<Index> later;  // finished, to leave with steps of their own
    std::size_t leaving = 0;
    for (std::uint64_t k = graph_.start[v]; k < graph_.start[v + std::uint64_t{1}]; ++k) {
      const Index u = graph_.neighbour[k];
      --left_[u];
      if (gone_[u]) continue;
      bound_.see(u, v, graph_.weight[k]);
      Neighbour neighbour{u, graph_.weight[k], place_of(u), left_[u] == 0};
      if (neighbour.leaves && !neighbour.fresh() && ++leaving > most_dropped) {
        neighbour.leaves = false;
        later.push_back(u);
      }
      neighbours.push_back(std::move(neighbour));
    }
    const std::size_t own_place = place_of(v);
    leave(v);
    std::vector<Index> fresh;
    for (const Neighbour& u : neighbours) {
      if (u.leaves) leave(u.vertex);
      if (!u.leaves && u.fresh()) fresh.push_back(u.vertex);
    }
    const Layout layout = lay_out(step, fresh, v);

    for_each_dropped_set(layout, [&](const RookTerm& with) {
      mpz_class bases = 1;  // of the neighbours that come and leave without a rook
      for (const Neighbour& u : neighbours) {
        if (u.fresh() && u.leaves) bases *= base_of(u.vertex);
      }
      if (own_place != npos) {
        RookTerm term = with;
        term.weight *= bases;
        term.set |= bit(own_place);
        ++term.shift;
        add(step, std::move(term));
      }
      RookTerm idle = with;
      idle.weight *= bases * base_of(v);
      add(step, std::move(idle));
      std::size_t fresh_at = 0;
      for (const Neighbour& u : neighbours) {
        RookTerm term = with;
        term.weight *= u.weight;
        if (u.fresh() && u.leaves) {
          for (const Neighbour& other : neighbours) {
            if (other.fresh() && other.leaves && other.vertex != u.vertex)
              term.weight *= base_of(other.vertex);
          }
          ++term.shift;
        } else {
          term.weight *= bases;
          if (u.fresh()) {
            term.target = bit(fresh_at++);
          } else if (u.leaves) {
            if ((with.set & bit(u.old_place)) == 0) continue;
            term.set &= ~bit(u.old_place);  // u was free before
          } else {
            term.need = bit(layout.kept_place[u.old_place]);
            term.clear = bit(u.old_place);
          }
        }
        add(step, std::move(term));
      }
    });
    close_step(std::move(step), layout, fresh, steps);
    for (std::size_t first = 0; first < later.size(); first += most_dropped) {
      finish({later.begin() + static_cast<std::ptrdiff_t>(first),
              later.begin() + static_cast<std::ptrdiff_t>(std::min(first + most_dropped, later.size()))},
             steps);
    }
  }

  /// Vertices without any neighbour left leave the frontier.
  void finish(const std::vector<Index>& vertices, std::vector<RookStep>& steps) {
    RookStep step = open_step();
    for (const Index v : vertices) leave(v);
    const Layout layout = lay_out(step, {}, no_index);
    for_each_dropped_set(layout, [&](RookTerm with) { add(step, std::move(with)); });
    close_step(std::move(step), layout, {}, steps);
  }

  struct Layout {
    std::vector<Index> kept;
    std::vector<std::size_t> kept_place;  // by old place
    std::vector<std::size_t> dropped;     // old places of finished vertices
  };

  RookStep open_step() const {
    RookStep step;
    step.old_length = length();
    return step;
  }
  Layout lay_out(RookStep& step, const std::vector<Index>& fresh, Index eliminated) const {
    Layout layout;
    layout.kept_place.assign(frontier_.size(), npos);
    for (std::size_t place = 0; place < frontier_.size(); ++place) {
      const Index u = frontier_[place];
      if (gone_[u]) {
        step.holes.push_back(static_cast<unsigned>(place));
        if (u != eliminated) layout.dropped.push_back(place);
      } else {
        layout.kept_place[place] = layout.kept.size();
        layout.kept.push_back(u);
      }
    }
    step.kept_bits = static_cast<unsigned>(layout.kept.size());
    step.fresh_bits = static_cast<unsigned>(fresh.size());
    if (step.new_bits() > most_bits) throw std::length_error("plan_rooks: the frontier is too wide");
    return layout;
  }
  /// For every set T of dropped vertices: the term in which those of T leave with a rook and the others
  /// without.
  template <class Call>
  void for_each_dropped_set(const Layout& layout, const Call& call) const {
    for (std::uint64_t chosen = 0; chosen < bit(layout.dropped.size()); ++chosen) {
      RookTerm with;
      with.weight = 1;
      for (std::size_t d = 0; d < layout.dropped.size(); ++d) {
        if ((chosen & bit(d)) != 0) {
          with.set |= bit(layout.dropped[d]);
          ++with.shift;
        } else {
          with.weight *= base_of(frontier_[layout.dropped[d]]);
        }
      }
      call(std::move(with));
    }
  }
  void close_step(RookStep step, const Layout& layout, const std::vector<Index>& fresh,
                  std::vector<RookStep>& steps) {
    frontier_ = fresh;
    frontier_.insert(frontier_.end(), layout.kept.begin(), layout.kept.end());
    step.length = length();
    // More rooks than rows or columns to stand in: no state of the input has a value there.
    std::erase_if(step.terms, [&](const RookTerm& term) { return term.shift >= step.length; });
    step.log2_bound = bound_.log2();
    steps.push_back(std::move(step));
  }

  static void add(RookStep& step, RookTerm term) {
    if (term.weight != 0) step.terms.push_back(std::move(term));
  }
  std::size_t place_of(Index v) const {
    const auto at = std::find(frontier_.begin(), frontier_.end(), v);
    return at == frontier_.end() ? npos : static_cast<std::size_t>(at - frontier_.begin());
  }
  /// A rook outside the frontier has used up a row and a column, or two vertices.
  std::uint64_t length() const { return graph_.most_rooks(gone_rows_, gone_columns_) + 1; }

  const ComplementGraph& graph_;
  Bound bound_;
  std::vector<std::uint64_t> left_;  // neighbours not yet eliminated
  std::vector<bool> gone_;           // eliminated, or finished and left
  std::vector<Index> frontier_;      // by bit
  std::uint64_t gone_rows_ = 0;
  std::uint64_t gone_columns_ = 0;
};

}  // namespace

RookPlan plan_rooks(const ComplementGraph& graph, const std::vector<Index>& order) {
  return Planner(graph).plan(order);
}

}  // namespace countpm
