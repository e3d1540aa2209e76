#include "kernels/planar/crossings/branch_sum.hpp"

#include <algorithm>

#include "graph/clock.hpp"
#include "graph/errors.hpp"
#include "kernels/planar/elimination/determinant.hpp"
#include "kernels/planar/elimination/front_elimination.hpp"

namespace countpm::planar {
namespace {

class BranchSum {
 public:
  BranchSum(const SignedMatrix& matrix, const PlanarPart& part, const Curves& curves, const BranchPlan& plan,
            const Decisions& first, const LaneArithmetic& lanes, const StopSignal& stop)
      : matrix_(matrix),
        graph_(matrix.graph),
        curves_(curves),
        plan_(plan),
        lanes_(lanes),
        stop_(stop),
        values_(matrix, lanes),
        edges_(plan.edges(part)),
        walk_(graph_, edges_, first),
        nodes_(plan.order.size() + 1),
        reversed_(graph_.edges.size(), 0),
        place_(graph_.vertices, no_index),
        local_(graph_.vertices, no_index),
        sum_(lanes.width(), 0) {}

  /// Decoded; all lanes.
  std::vector<std::uint64_t> run(TimeLimit* limit) {
    if (!eliminate_base(limit)) return sum_;
    const double start = seconds_now();
    const double before = limit != nullptr ? limit->elapsed : 0;
    const auto decide = [&](std::size_t depth) {
      stop_.check();
      if (walk_.is_taken(depth)) reverse(depth);
      const bool alive = branch(depth);
      if (limit != nullptr) {
        limit->work_done += plan_.multiplications[depth + 1];
        limit->elapsed = before + seconds_now() - start;
        if (limit->elapsed > limit->seconds) return Way::end;
      }
      return alive ? Way::on : Way::out;
    };
    const auto all = [&] {
      add(nodes_.back());
      return Way::on;
    };
    walk_.run(
        decide, [&](std::size_t depth) { reverse(depth); }, all);
    lanes_.decode(sum_.data());
    return sum_;
  }

 private:
  /// A matrix with some decisions behind it: what is open, late rows and columns (complete, but without a
  /// pivot) first.
  struct Node {
    LaneWords words;
    FrontMatrix open;
    std::size_t late_rows = 0;
    std::size_t late_columns = 0;
    std::vector<std::uint64_t> product;  // of the pivots until there
    std::size_t pivots = 0;              // of branch_pivots_
    bool negative = false;               // an odd number of the crossing edges taken cross
  };

  /// False where nothing is left of any set, or the time is over.
  bool eliminate_base(TimeLimit* limit) {
    FrontElimination base(matrix_, plan_.tree, lanes_, stop_);
    Node& root = nodes_[0];
    const auto seen = [&](std::size_t front, const FrontMatrix& matrix, std::size_t done) {
      if (front + 1 != plan_.tree.fronts.size()) return;
      root.open.row_vertex.assign(matrix.row_vertex.begin() + static_cast<std::ptrdiff_t>(done),
                                  matrix.row_vertex.end());
      if (graph_.bipartite)
        root.open.column_vertex.assign(matrix.column_vertex.begin() + static_cast<std::ptrdiff_t>(done),
                                       matrix.column_vertex.end());
      root.late_rows = matrix.summed_rows - done;
      root.late_columns = matrix.summed_columns - done;
      lay_out(root);
      for (std::size_t row = 0; row < root.open.row_vertex.size(); ++row)
        copy_row(matrix, done + row, done, root, row, 0, columns(root));
    };
    if (!base.run(limit, seen)) return false;
    if (limit != nullptr && limit->elapsed > limit->seconds) return false;
    const Pivots& pivots = base.pivots();
    root.product = pivots.product;
    number_open(pivots);
    return true;
  }

  /// Numbers for the open rows and columns, and the sign of the order of pivots in which the base's come
  /// first, then these by their numbers.
  void number_open(const Pivots& pivots) {
    const Node& root = nodes_[0];
    const std::vector<Index>& rows = root.open.row_vertex;
    const std::vector<Index>& open_columns = root.open.column_vertex;
    if (graph_.bipartite ? rows.size() != open_columns.size() : rows.size() % 2 != 0)
      throw CheckError("nearly-planar: the open part is not square");
    std::vector<Index> image = image_of(pivots, graph_);
    auto place = static_cast<Index>(2 * pivots.vertices.size());  // of a general graph's next vertex
    for (Index k = 0; k < rows.size(); ++k) {
      local_[rows[k]] = k;
      if (graph_.bipartite) {
        local_[open_columns[k]] = k;
        image[rows[k]] = open_columns[k] - graph_.rows;
      } else {
        image[place++] = rows[k];
      }
    }
    base_sign_ = permutation_sign(image);
  }

  std::size_t columns(const Node& node) const {
    return graph_.bipartite ? node.open.column_vertex.size() : node.open.row_vertex.size();
  }

  void lay_out(Node& node) {
    node.open.width = lanes_.width();
    node.open.stride = columns(node) | 1;
    const std::size_t words = node.open.row_vertex.size() * node.open.stride * lanes_.width();
    node.words.reserve(std::max<std::size_t>(words, 1), 0);
    node.open.data = node.words.data();
  }

  void copy_row(const FrontMatrix& from, std::size_t from_row, std::size_t from_column, Node& to,
                std::size_t row, std::size_t column, std::size_t count) const {
    if (count == 0) return;
    std::memcpy(to.open.at(row, column), from.at(from_row, from_column),
                count * lanes_.width() * sizeof(std::uint64_t));
  }

  /// The edges that the curve of the edge just taken, or taken back, crosses.
  void reverse(std::size_t depth) {
    for (const Index e : curves_.crossed[plan_.order[depth]]) reversed_[e] ^= 1;
  }

  bool crosses_oddly(std::size_t depth) const {
    bool odd = false;
    for (std::size_t k = 0; k < depth; ++k)
      odd ^= walk_.is_taken(k) && curves_.odd[plan_.order[k]][plan_.order[depth]] != 0;
    return odd;
  }

  /// The node after one more decision; false where its sets have no matching.
  bool branch(std::size_t depth) {
    const bool taken = walk_.is_taken(depth);
    const Index e = walk_.edge(depth);
    const BlockGraph::Edge& ends = graph_.edges[e];
    const Node& parent = nodes_[depth];
    Node& node = nodes_[depth + 1];
    node.negative = parent.negative != (taken && crosses_oddly(depth));
    node.late_rows = parent.late_rows;
    node.late_columns = parent.late_columns;
    copy_without(parent, node, taken ? &ends : nullptr);
    pivots_.product = parent.product;
    pivots_.vertices.resize(parent.pivots);
    if (taken) {
      lanes_.scale(pivots_.product.data(), 0, 1, values_.of(e, matrix_.orientation[e] != 0));
      pivots_.vertices.emplace_back(ends.a, ends.b);
      reverse_entries(depth, node);
    }
    const auto level = static_cast<Index>(depth + 1);
    const auto complete = [&](const std::vector<Index>& vertices, std::size_t late) {
      while (late < vertices.size() && plan_.level[vertices[late]] <= level) ++late;
      return late;
    };
    node.open.summed_rows = complete(node.open.row_vertex, node.late_rows);
    node.open.summed_columns =
        graph_.bipartite ? complete(node.open.column_vertex, node.late_columns) : node.open.summed_rows;
    const std::size_t done = graph_.bipartite ? eliminate_front(node.open, lanes_, pivots_, stop_)
                                              : eliminate_skew_front(node.open, lanes_, pivots_, stop_);
    node.product = pivots_.product;
    node.pivots = pivots_.vertices.size();
    node.late_rows = node.open.summed_rows - done;
    node.late_columns = node.open.summed_columns - done;
    // Rows without a pivot depend on each other unless later columns tell them apart.
    if (node.late_rows > columns(node) - node.open.summed_columns ||
        node.late_columns > node.open.row_vertex.size() - node.open.summed_rows)
      return false;
    const auto shift = static_cast<std::ptrdiff_t>(done);
    node.open.data = node.open.at(done, done);
    node.open.row_vertex.erase(node.open.row_vertex.begin(), node.open.row_vertex.begin() + shift);
    if (graph_.bipartite)
      node.open.column_vertex.erase(node.open.column_vertex.begin(), node.open.column_vertex.begin() + shift);
    return true;
  }

  /// All of the parent's but the rows and columns of an edge's ends, if one is given.
  void copy_without(const Node& parent, Node& node, const BlockGraph::Edge* edge) {
    const auto dropped = [&](Index v) { return edge != nullptr && (v == edge->a || v == edge->b); };
    const auto kept = [&](const std::vector<Index>& vertices) {
      std::vector<Index> result;
      for (const Index v : vertices) {
        if (!dropped(v)) result.push_back(v);
      }
      return result;
    };
    const std::vector<Index>& parent_columns =
        graph_.bipartite ? parent.open.column_vertex : parent.open.row_vertex;
    node.open.row_vertex = kept(parent.open.row_vertex);
    if (graph_.bipartite) node.open.column_vertex = kept(parent.open.column_vertex);
    lay_out(node);
    // Stretches of columns that are kept: one more than are dropped at most.
    std::vector<std::pair<std::size_t, std::size_t>> stretches;
    for (std::size_t from = 0; from < parent_columns.size();) {
      std::size_t to = from;
      while (to < parent_columns.size() && !dropped(parent_columns[to])) ++to;
      if (to > from) stretches.emplace_back(from, to);
      from = to + 1;
    }
    std::size_t row = 0;
    for (std::size_t from_row = 0; from_row < parent.open.row_vertex.size(); ++from_row) {
      if (dropped(parent.open.row_vertex[from_row])) continue;
      std::size_t column = 0;
      for (const auto& [from, to] : stretches) {
        copy_row(parent.open, from_row, from, node, row, column, to - from);
        column += to - from;
      }
      ++row;
    }
  }

  /// Entries of the edges that the curve of the one just taken crosses: their negatives.
  void reverse_entries(std::size_t depth, Node& node) {
    const auto number = [&](const std::vector<Index>& vertices) {
      for (Index k = 0; k < vertices.size(); ++k) place_[vertices[k]] = k;
    };
    number(node.open.row_vertex);
    number(node.open.column_vertex);
    for (const Index e : curves_.crossed[plan_.order[depth]]) {
      const BlockGraph::Edge& edge = graph_.edges[e];
      if (walk_.is_used(edge.a) || walk_.is_used(edge.b)) continue;
      Index row = place_[edge.a];
      Index column = place_[edge.b];
      bool positive = (matrix_.orientation[e] != 0) != (reversed_[e] != 0);
      if (!graph_.bipartite && row > column) {
        std::swap(row, column);
        positive = !positive;
      }
      add_to(node.open.at(row, column), values_.of(e, positive));
      add_to(node.open.at(row, column), values_.of(e, positive));
    }
  }

  void add_to(std::uint64_t* element, const std::uint64_t* value) const {
    const Index zero = 0;
    lanes_.scatter_add({element, 1, value, 1, &zero, &zero, 1, 1, false});
  }

  /// A set's Pfaffian (determinant): all pivots are there.
  void add(const Node& leaf) {
    std::vector<Index> image(nodes_[0].open.row_vertex.size());
    Index place = 0;
    for (std::size_t k = 0; k < leaf.pivots; ++k) {
      const auto& [first, second] = pivots_.vertices[k];
      if (graph_.bipartite) {
        image[local_[first]] = local_[second];
      } else {
        image[place++] = local_[first];
        image[place++] = local_[second];
      }
    }
    const bool negative = leaf.negative != (base_sign_ * permutation_sign(image) < 0);
    std::vector<std::uint64_t> product = leaf.product;
    if (negative) lanes_.negate(product.data());
    add_to(sum_.data(), product.data());
  }

  const SignedMatrix& matrix_;
  const BlockGraph& graph_;
  const Curves& curves_;
  const BranchPlan& plan_;
  const LaneArithmetic& lanes_;
  const StopSignal& stop_;
  LaneValues values_;
  std::vector<Index> edges_;  // in the order of deciding
  SetWalk walk_;
  std::vector<Node> nodes_;             // on the path from the root
  std::vector<std::uint8_t> reversed_;  // edges that an odd number of curves of taken ones cross
  std::vector<Index> place_;
  std::vector<Index> local_;  // numbers of open rows, columns, vertices
  int base_sign_ = 1;
  Pivots pivots_;  // of the path
  std::vector<std::uint64_t> sum_;
};

}  // namespace

std::vector<std::uint64_t> branch_sum(const SignedMatrix& matrix, const PlanarPart& part,
                                      const Curves& curves, const BranchPlan& plan, const Decisions& first,
                                      const LaneCode& code, const std::vector<std::uint64_t>& primes,
                                      const StopSignal& stop, TimeLimit* limit) {
  if (plan.open.empty()) return determinant(matrix, plan.tree, code, primes, stop, limit);
  const LaneArithmetic lanes(code, primes);
  std::vector<std::uint64_t> result = BranchSum(matrix, part, curves, plan, first, lanes, stop).run(limit);
  result.resize(primes.size());
  return result;
}

}  // namespace countpm::planar
