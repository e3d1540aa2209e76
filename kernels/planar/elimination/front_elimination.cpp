#include "kernels/planar/elimination/front_elimination.hpp"

#include <stdexcept>
#include <utility>

#include "graph/clock.hpp"

namespace countpm::planar {
namespace {

template <class Iterator>
void append(std::vector<Index>& to, Iterator first, Iterator last) {
  to.insert(to.end(), first, last);
}

}  // namespace

std::vector<Index> image_of(const Pivots& pivots, const BlockGraph& graph) {
  std::vector<Index> image(graph.bipartite ? graph.rows : graph.vertices);
  Index place = 0;
  for (const auto& [first, second] : pivots.vertices) {
    if (graph.bipartite) {
      image[first] = second - graph.rows;
    } else {
      image[place++] = first;
      image[place++] = second;
    }
  }
  return image;
}

// cppcheck-suppress passedByValue ; it is moved from
std::vector<std::uint64_t> residues_of(Pivots pivots, const BlockGraph& graph, const LaneArithmetic& lanes) {
  lanes.decode(pivots.product.data());
  if (permutation_sign(image_of(pivots, graph)) < 0) lanes.negate(pivots.product.data());
  return std::move(pivots.product);
}

FrontElimination::FrontElimination(const SignedMatrix& matrix, const FrontTree& tree,
                                   const LaneArithmetic& lanes, const StopSignal& stop,
                                   std::size_t most_missing)
    : FrontElimination(matrix, tree, lanes, std::make_shared<const LaneValues>(matrix, lanes), stop,
                       most_missing) {}

FrontElimination::FrontElimination(const SignedMatrix& matrix, const FrontTree& tree,
                                   const LaneArithmetic& lanes, std::shared_ptr<const LaneValues> values,
                                   const StopSignal& stop, std::size_t most_missing)
    : matrix_(matrix),
      graph_(matrix.graph),
      tree_(tree),
      lanes_(lanes),
      stop_(stop),
      most_missing_(most_missing),
      values_(std::move(values)),
      place_(graph_.vertices, 0) {
  pivots_.product.assign(lanes.primes().one, lanes.primes().one + lanes.width());
  front_.width = lanes.width();
}

bool FrontElimination::run(TimeLimit* limit, const Seen& seen) {
  const double start = seconds_now();
  const auto elapsed = [&] { return seconds_now() - start; };
  for (std::size_t k = 0; k < tree_.fronts.size(); ++k) {
    stop_.check();
    if (limit != nullptr && (limit->elapsed = elapsed()) > limit->seconds) return true;
    if (!take(k, seen)) return false;
    if (limit != nullptr) limit->work_done += tree_.work[k].multiplications;
  }
  if (limit != nullptr) limit->elapsed = elapsed();
  return true;
}

/// False where the rank is too small.
bool FrontElimination::take(std::size_t front, const Seen& seen) {
  const std::size_t done = mended(tree_.fronts[front], eliminate(tree_.fronts[front]));
  if (seen) seen(front, front_, done);
  return pass_on(tree_.fronts[front], done);
}

bool FrontElimination::run_part(std::size_t first, std::size_t last, std::vector<PassedOn> taken,
                                const Seen& seen) {
  stack_ = std::move(taken);
  used_ = 0;
  for (std::size_t k = first; k < last; ++k) {
    stop_.check();
    if (!take(k, seen)) return false;
  }
  return true;
}

FrontElimination::Remainder FrontElimination::remainder() {
  Remainder result;
  result.blocks = std::move(stack_);
  stack_.clear();
  result.words.reserve(used_, 0);
  if (used_ != 0) std::memcpy(result.words.data(), stack_words_.data(), used_ * sizeof(std::uint64_t));
  std::size_t at = 0;
  for (PassedOn& block : result.blocks) {
    if (block.words != nullptr) throw std::logic_error("planar: a front that no part has taken");
    block.words = result.words.data() + at;
    at += words_of(block);
  }
  used_ = 0;
  return result;
}

const std::uint64_t* FrontElimination::entry(Index edge) const {
  return values_->of(edge, matrix_.orientation[edge] != 0);
}

std::size_t FrontElimination::eliminate(const Front& front) {
  lay_out(front);
  assemble(front);
  return graph_.bipartite ? eliminate_front(front_, lanes_, pivots_, stop_)
                          : eliminate_skew_front(front_, lanes_, pivots_, stop_);
}

/// The front's rows and columns: those delayed by the children, its own, its border.
void FrontElimination::lay_out(const Front& front) {
  front_.row_vertex.clear();
  front_.column_vertex.clear();
  const std::size_t first_child = stack_.size() - front.children;
  for (std::size_t c = first_child; c < stack_.size(); ++c) {
    const PassedOn& child = stack_[c];
    append(front_.row_vertex, child.rows.begin(),
           child.rows.begin() + static_cast<std::ptrdiff_t>(child.late_rows));
    append(front_.column_vertex, child.columns.begin(),
           child.columns.begin() + static_cast<std::ptrdiff_t>(child.late_columns));
  }
  append_sides(front.own);
  front_.summed_rows = front_.row_vertex.size();
  front_.summed_columns = graph_.bipartite ? front_.column_vertex.size() : front_.summed_rows;
  append_sides(front.border);
  number(front_.row_vertex);
  number(front_.column_vertex);
  // An odd stride spreads a column over the sets of the cache.
  front_.stride = width_of_front() | 1;
  const std::size_t words = front_.row_vertex.size() * front_.stride * lanes_.width();
  front_words_.reserve(words, 0);
  front_.data = front_words_.data();
  std::fill_n(front_.data, words, 0);
}

std::size_t FrontElimination::width_of_front() const {
  return graph_.bipartite ? front_.column_vertex.size() : front_.row_vertex.size();
}

void FrontElimination::append_sides(const std::vector<Index>& vertices) {
  for (const Index v : vertices) {
    std::vector<Index>& side =
        graph_.bipartite && !graph_.is_row(v) ? front_.column_vertex : front_.row_vertex;
    side.push_back(v);
  }
}

void FrontElimination::number(const std::vector<Index>& vertices) {
  for (Index k = 0; k < vertices.size(); ++k) place_[vertices[k]] = k;
}

void FrontElimination::assemble(const Front& front) {
  for (const Index e : front.edges) {
    const BlockGraph::Edge& edge = graph_.edges[e];
    Index row = place_[edge.a];
    Index column = place_[edge.b];
    bool positive = matrix_.orientation[e] != 0;
    if (!graph_.bipartite && row > column) {
      std::swap(row, column);
      positive = !positive;
    }
    lanes_.copy(front_.at(row, column), values_->of(e, positive));
  }
  for (Index c = 0; c < front.children; ++c) {
    const PassedOn& child = stack_.back();
    const std::vector<Index>& columns = graph_.bipartite ? child.columns : child.rows;
    map_rows_.clear();
    for (const Index v : child.rows) map_rows_.push_back(place_[v]);
    map_columns_.clear();
    for (const Index v : columns) map_columns_.push_back(place_[v]);
    const std::uint64_t* words = child.words;
    if (words == nullptr) {
      used_ -= words_of(child);
      words = stack_words_.data() + used_;
    }
    // Late vertices, then the border in the order of elimination: places ascend, so that an entry above the
    // diagonal of a skew child stays above that of the front.
    if (!child.rows.empty() && !columns.empty()) {
      lanes_.scatter_add({front_.data, front_.stride, words, columns.size(), map_rows_.data(),
                          map_columns_.data(), child.rows.size(), columns.size(), !graph_.bipartite});
    }
    stack_.pop_back();
  }
}

std::size_t FrontElimination::words_of(const PassedOn& block) const {
  return block.rows.size() * (graph_.bipartite ? block.columns : block.rows).size() * lanes_.width();
}

/// What has a pivot when the rows that a root leaves without one have their ones. All else in them is 0, but
/// for their factors, and there are as many columns.
std::size_t FrontElimination::mended(const Front& front, std::size_t done) {
  const std::size_t late = front_.summed_rows - done;
  if (late == 0 || late > most_missing_ || late != front_.summed_columns - done || !front.border.empty())
    return done;
  missing_ += late;
  const std::size_t step = graph_.bipartite ? 1 : 2;
  for (std::size_t k = done; k < done + late; k += step) {
    const std::size_t column = graph_.bipartite ? k : k + 1;
    lanes_.copy(front_.at(k, column), lanes_.primes().one);
    pivots_.vertices.emplace_back(front_.row_vertex[k],
                                  graph_.bipartite ? front_.column_vertex[k] : front_.row_vertex[column]);
  }
  return done + late;
}

/// False where the rank is too small.
bool FrontElimination::pass_on(const Front& front, std::size_t done) {
  const std::size_t late_rows = front_.summed_rows - done;
  const std::size_t late_columns = front_.summed_columns - done;
  const std::size_t border_rows = front_.row_vertex.size() - front_.summed_rows;
  const std::size_t border_columns = width_of_front() - front_.summed_columns;
  if (front.border.empty()) return late_rows == 0 && late_columns == 0;
  // Rows without a pivot depend on each other unless the border's columns tell them apart; and so on.
  if (late_rows > border_columns + most_missing_ || late_columns > border_rows + most_missing_) return false;
  PassedOn on;
  on.late_rows = late_rows;
  on.late_columns = graph_.bipartite ? late_columns : 0;
  append(on.rows, front_.row_vertex.begin() + static_cast<std::ptrdiff_t>(done), front_.row_vertex.end());
  if (graph_.bipartite) {
    append(on.columns, front_.column_vertex.begin() + static_cast<std::ptrdiff_t>(done),
           front_.column_vertex.end());
  }
  const std::size_t columns = width_of_front() - done;
  const std::size_t words = on.rows.size() * columns * lanes_.width();
  stack_words_.reserve(used_ + words, used_);
  // A front without columns may have no memory at all, which memcpy must not be given.
  for (std::size_t row = done; columns > 0 && row < front_.row_vertex.size(); ++row) {
    std::memcpy(stack_words_.data() + used_, front_.at(row, done),
                columns * lanes_.width() * sizeof(std::uint64_t));
    used_ += columns * lanes_.width();
  }
  stack_.push_back(std::move(on));
  return true;
}

}  // namespace countpm::planar
