#include "kernels/planar/log_determinant.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "graph/errors.hpp"
#include "graph/stop_poll.hpp"
#include "kernels/arithmetic/up_float.hpp"
#include "kernels/for_parts.hpp"
#include "kernels/nested_dissection.hpp"
#include "kernels/planar/cholesky.hpp"
#include "kernels/planar/front_tree.hpp"
#include "kernels/planar/long_product.hpp"

namespace countpm::planar {
namespace {

/// K K^T, or K^T K: its diagonal, and an edge for every pair of lines with another product than 0.
struct GramMatrix {
  BlockGraph graph;  // entry: in `product`
  std::vector<double> product;
  std::vector<double> diagonal;
  LongProduct scaled_by;  // of the lines
};

/// Lines: rows, or with `transposed` columns, whose entries are scaled so that the largest is between 1/2
/// and 1.
class GramMaker {
 public:
  GramMaker(const SignedMatrix& matrix, bool transposed)
      : matrix_(matrix), graph_(matrix.graph), adjacent_(adjacency(graph_)), transposed_(transposed) {
    first_ = transposed && graph_.bipartite ? graph_.rows : 0;
    lines_ = graph_.bipartite ? graph_.rows : graph_.vertices;
    scale_lines();
  }

  GramMatrix make() {
    result_.graph.bipartite = false;
    result_.graph.rows = result_.graph.vertices = lines_;
    std::vector<double> sum(lines_, 0);
    std::vector<Index> mark(lines_, no_index);
    std::vector<Index> touched;
    for (Index v = 0; v < lines_; ++v) {
      touched.clear();
      for_entries(v, [&](std::uint64_t k) {
        const Index cross = adjacent_.neighbour[k];
        for (std::uint64_t l = adjacent_.start[cross]; l < adjacent_.start[cross + std::size_t{1}]; ++l) {
          const Index w = adjacent_.neighbour[l] - first_;
          if (w < v) continue;
          if (mark[w] != v) {
            mark[w] = v;
            sum[w] = 0;
            touched.push_back(w);
          }
          sum[w] += value_[k] * value_[mirror(l)];
        }
      });
      std::sort(touched.begin(), touched.end());
      for (const Index w : touched) {
        if (w == v || sum[w] == 0) continue;
        result_.graph.edges.push_back({v, w, result_.product.size()});
        result_.product.push_back(sum[w]);
      }
      result_.diagonal.push_back(mark[v] == v ? sum[v] : 0);
    }
    return std::move(result_);
  }

 private:
  template <class Body>
  void for_entries(Index line, const Body& body) const {
    const Index v = line + first_;
    for (std::uint64_t k = adjacent_.start[v]; k < adjacent_.start[v + std::size_t{1}]; ++k) body(k);
  }

  /// Where the entry that is number l in its column's list is in its line's list.
  std::uint64_t mirror(std::uint64_t l) const { return mirror_[l]; }

  void scale_lines() {
    std::vector<UpFloat> magnitude;
    magnitude.reserve(matrix_.values.size());
    for (const mpq_class& value : matrix_.values) {
      check_stop();
      magnitude.push_back(UpFloat::of(value));
    }
    value_.assign(adjacent_.neighbour.size(), 0);
    std::vector<std::array<std::uint64_t, 2>> places(graph_.edges.size());
    for (Index v = 0; v < graph_.vertices; ++v) {
      for (std::uint64_t k = adjacent_.start[v]; k < adjacent_.start[v + std::size_t{1}]; ++k)
        places[adjacent_.edge[k]][graph_.edges[adjacent_.edge[k]].a == v ? 0 : 1] = k;
    }
    mirror_.resize(value_.size());
    for (const auto& [a, b] : places) {
      mirror_[a] = b;
      mirror_[b] = a;
    }
    StopPoll poll;
    for (Index line = 0; line < lines_; ++line) {
      poll.step();
      std::int64_t top = std::numeric_limits<std::int64_t>::min();
      for_entries(line, [&](std::uint64_t k) { top = std::max(top, magnitude[of(k)].exponent); });
      // Of the second elimination another factor for every line, so that it rounds elsewhere.
      const double factor = transposed_ ? 1 + static_cast<double>(line % 61) / 64 : 1;
      for_entries(line, [&](std::uint64_t k) {
        const UpFloat& size = magnitude[of(k)];
        const auto down = static_cast<int>(std::min<std::int64_t>(top - size.exponent, 2000));
        const double scaled = factor * std::ldexp(size.mantissa, -down);
        const Index e = adjacent_.edge[k];
        const bool forward = (matrix_.orientation[e] != 0) == (graph_.edges[e].a == line + first_);
        value_[k] = (matrix_.values[of(k)] > 0) == forward ? scaled : -scaled;
      });
      if (top != std::numeric_limits<std::int64_t>::min()) result_.scaled_by.scale(top);
      result_.scaled_by.multiply(1 / factor);
    }
  }
  Index of(std::uint64_t k) const { return matrix_.value_of[adjacent_.edge[k]]; }

  const SignedMatrix& matrix_;
  const BlockGraph& graph_;
  Adjacency adjacent_;
  bool transposed_;
  Index first_ = 0;  // the vertex of line 0
  Index lines_ = 0;
  std::vector<double> value_;  // beside adjacent_, at the lines' places
  std::vector<std::uint64_t> mirror_;
  GramMatrix result_;
};

class CholeskyRun {
 public:
  CholeskyRun(const GramMatrix& gram, const FrontTree& tree, const StopSignal& stop)
      : gram_(gram), tree_(tree), stop_(stop), place_(gram.graph.vertices) {}

  /// The product of all squared pivots; false where one is not positive.
  bool run(LongProduct& product) {
    for (const Front& front : tree_.fronts) {
      stop_.check();
      assemble(front);
      pivot_.resize(front.own.size());
      if (!eliminate_lower_front(front_, front.own.size(), pivot_.data())) return false;
      for (const double one : pivot_) product.multiply(one);
      if (!front.border.empty()) pass_on(front);
    }
    return true;
  }

 private:
  struct PassedOn {
    const std::vector<Index>* border;
    std::vector<double> lower;  // row by row, i + 1 entries in row i
  };

  void assemble(const Front& front) {
    Index place = 0;
    for (const Index v : front.own) place_[v] = place++;
    for (const Index v : front.border) place_[v] = place++;
    front_.size = place;
    front_.value.assign(front_.size * front_.size, 0);
    for (const Index v : front.own) front_.row(place_[v])[place_[v]] = gram_.diagonal[v];
    for (const Index e : front.edges) {
      const BlockGraph::Edge& edge = gram_.graph.edges[e];
      const auto [low, high] = std::minmax(place_[edge.a], place_[edge.b]);
      front_.row(high)[low] = gram_.product[edge.entry];
    }
    for (Index c = 0; c < front.children; ++c) {
      const PassedOn& child = stack_.back();
      const std::vector<Index>& border = *child.border;
      const double* from = child.lower.data();
      for (std::size_t i = 0; i < border.size(); ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
          const auto [low, high] = std::minmax(place_[border[i]], place_[border[j]]);
          front_.row(high)[low] += *from++;
        }
      }
      stack_.pop_back();
    }
  }

  void pass_on(const Front& front) {
    const std::size_t own = front.own.size();
    PassedOn on{&front.border, {}};
    const std::size_t border = front.border.size();
    on.lower.reserve(border * (border + 1) / 2);
    for (std::size_t i = own; i < front_.size; ++i)
      on.lower.insert(on.lower.end(), front_.row(i) + own, front_.row(i) + i + 1);
    stack_.push_back(std::move(on));
  }

  const GramMatrix& gram_;
  const FrontTree& tree_;
  const StopSignal& stop_;
  LowerFront front_;
  std::vector<PassedOn> stack_;
  std::vector<Index> place_;
  std::vector<double> pivot_;
};

/// ln |det|; not a number where a pivot was not positive.
double ln_of(const SignedMatrix& matrix, bool second, const LogDeterminantLimits& limits,
             const StopSignal& stop) {
  GramMatrix gram = GramMaker(matrix, second).make();
  FrontTree tree;
  {
    const Adjacency adjacent = adjacency(gram.graph);
    std::vector<Index> order = nested_dissection(adjacent.start, adjacent.neighbour, second ? 2 : 1);
    if (order.size() != gram.graph.vertices)
      throw std::runtime_error("planar: METIS found no nested dissection");
    tree = front_tree(gram.graph, order);
  }
  limits.refuse_beyond(static_cast<double>(tree.total.front_words + tree.total.stack_words));
  LongProduct squared;
  if (!CholeskyRun(gram, tree, stop).run(squared)) return std::numeric_limits<double>::quiet_NaN();
  const double ln = squared.ln() / 2 + gram.scaled_by.ln();
  return matrix.graph.bipartite ? ln : ln / 2;
}

}  // namespace

void LogDeterminantLimits::refuse_beyond(double doubles) const {
  const double bytes = static_cast<double>(sizeof(double)) * std::min(threads, 2) * doubles;
  if (bytes <= static_cast<double>(memory_bytes)) return;
  throw UnableError(fmt::format("the elimination needs {:.0f} MiB of memory", bytes / (1 << 20)),
                    "a larger --memory-limit, where the machine has it, or one thread");
}

LogDeterminant log_of_two(const LogDeterminantLimits& limits, const StopSignal& stop,
                          const std::function<double(bool second)>& eliminate) {
  constexpr double roundings = 64;
  constexpr double times_the_difference = 4;
  std::array<double, 2> ln{};
  for_parts(2, std::min(limits.threads, 2), stop, [&](std::size_t part) { ln[part] = eliminate(part == 1); });
  if (std::isnan(ln[0]) || std::isnan(ln[1])) return {0, std::numeric_limits<double>::infinity()};
  const double size = std::max(std::abs(ln[0]), 1.0);
  return {ln[0], times_the_difference * std::abs(ln[0] - ln[1]) +
                     roundings * std::numeric_limits<double>::epsilon() * size};
}

LogDeterminant log_determinant(const SignedMatrix& matrix, const LogDeterminantLimits& limits,
                               const StopSignal& stop) {
  return log_of_two(limits, stop, [&](bool second) { return ln_of(matrix, second, limits, stop); });
}

}  // namespace countpm::planar
