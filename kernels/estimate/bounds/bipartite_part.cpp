#include "kernels/estimate/bounds/bipartite_part.hpp"

#include <cstddef>
#include <vector>

#include "graph/stop_poll.hpp"
#include "matching/general_matching.hpp"

namespace countpm {
namespace {

constexpr int most_passes = 20;

enum class Half : std::int8_t { none, rows, columns };

Half other(Half half) {
  return half == Half::rows ? Half::columns : Half::rows;
}

// Any rounding will do: weights only choose between halves.
double size_of(std::int64_t weight) {
  return static_cast<double>(weight);
}
double size_of(const mpq_class& weight) {
  return weight.get_d();
}

template <class Value>
class Halves {
 public:
  Halves(const SparseMatrix<Value>& graph, const std::vector<Index>& mate)
      : graph_(graph), mate_(mate), half_(graph.rows, Half::none) {}

  const std::vector<Half>& split() {
    place_all();
    for (int pass = 0; pass < most_passes; ++pass) {
      if (!move_once()) break;
    }
    return half_;
  }

 private:
  /// What is between v and the other half, less what is between v and its own, if v were in `half`.
  double gain(Index v, Half half) {
    double sum = 0;
    poll_.steps(graph_.row_degree(v));
    for (std::uint64_t k = graph_.row_start[v]; k < graph_.row_start[v + std::uint64_t{1}]; ++k) {
      const Index w = graph_.column[k];
      if (w == mate_[v] || half_[w] == Half::none) continue;
      const double size = size_of(graph_.value[k]);
      sum += half_[w] == half ? -size : size;
    }
    return sum;
  }

  void place(Index v) {
    const Half half = gain(v, Half::rows) + gain(mate_[v], Half::columns) >= 0 ? Half::rows : Half::columns;
    half_[v] = half;
    half_[mate_[v]] = other(half);
  }

  // Breadth first, so that each has neighbours that are placed.
  void place_all() {
    std::vector<Index> queue;
    queue.reserve(graph_.rows);
    for (Index start = 0; start < graph_.rows; ++start) {
      if (half_[start] != Half::none) continue;
      place(start);
      queue.assign({start, mate_[start]});
      for (std::size_t next = 0; next < queue.size(); ++next) {
        const Index v = queue[next];
        for (std::uint64_t k = graph_.row_start[v]; k < graph_.row_start[v + std::uint64_t{1}]; ++k) {
          const Index w = graph_.column[k];
          if (half_[w] != Half::none) continue;
          place(w);
          queue.push_back(w);
          queue.push_back(mate_[w]);
        }
      }
    }
  }

  bool move_once() {
    bool moved = false;
    for (Index v = 0; v < graph_.rows; ++v) {
      if (mate_[v] < v) continue;
      const Half half = half_[v];
      if (gain(v, half) + gain(mate_[v], other(half)) >= 0) continue;
      half_[v] = other(half);
      half_[mate_[v]] = half;
      moved = true;
    }
    return moved;
  }

  const SparseMatrix<Value>& graph_;
  const std::vector<Index>& mate_;
  std::vector<Half> half_;
  StopPoll poll_;
};

}  // namespace

template <class Value>
SparseMatrix<Value> bipartite_part(const SparseMatrix<Value>& graph) {
  const GeneralMatching matching = general_maximum_matching(graph);
  Halves<Value> halves(graph, matching.mate);
  const std::vector<Half>& half = halves.split();
  std::vector<Index> rows;
  std::vector<Index> column(graph.rows, no_index);
  Index columns = 0;
  for (Index v = 0; v < graph.rows; ++v) {
    if (half[v] == Half::rows) {
      rows.push_back(v);
    } else {
      column[v] = columns++;
    }
  }
  return submatrix(graph, rows, column, columns);
}

template SparseMatrix<std::int64_t> bipartite_part(const SparseMatrix<std::int64_t>&);
template SparseMatrix<mpq_class> bipartite_part(const SparseMatrix<mpq_class>&);

}  // namespace countpm
