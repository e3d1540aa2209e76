#include "kernels/planar/seam_elimination.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <utility>

#include "graph/errors.hpp"
#include "kernels/arithmetic/prime_ring.hpp"
#include "kernels/planar/elimination/dissection.hpp"
#include "kernels/planar/elimination/level_dissection.hpp"
#include "kernels/planar/orientation/root_of_minus_one.hpp"

namespace countpm::planar {

class SeamElimination::Build {
 public:
  explicit Build(const Terms& terms)
      : terms_(terms),
        graph_(terms[0].matrix.graph),
        loops_(*terms[0].loops),
        adjacent_(adjacency(graph_)),
        sum_(graph_.vertices, 0),
        colour_(graph_.vertices, uncoloured) {}

  void run(SeamElimination& into) {
    choose_open(into);
    // Without colours, all that is not open is of one side.
    if (!colour()) std::replace(colour_.begin(), colour_.end(), std::uint8_t{1}, std::uint8_t{0});
    number(into);
    add_edges(into);
    for (const Term& term : terms_) {
      into.forms_.push_back(term.form);
      unsigned turns = 0;
      for (Index v = 0; v < graph_.vertices; ++v) {
        if (into.place_[v] == no_index) turns += term.form[sum_[v]];
      }
      into.turns_.push_back(turns % 4);
    }
    into.bipartite_ = graph_.bipartite;
    into.rows_ = graph_.rows;
    plan(into);
  }

 private:
  static constexpr std::uint8_t uncoloured = 2;
  static constexpr std::uint8_t open_colour = 3;

  void choose_open(SeamElimination& into) {
    into.place_.assign(graph_.vertices, no_index);
    for (Index e = 0; e < graph_.edges.size(); ++e) {
      const auto [a, b, entry] = graph_.edges[e];
      if (loops_.of_edge[e] == 0 || into.place_[a] != no_index || into.place_[b] != no_index) continue;
      into.place_[a] = static_cast<Index>(into.open_.size());
      into.open_.push_back(a);
      colour_[a] = open_colour;
    }
  }

  /// Sums of loops, too. Whether the rest has no odd cycle.
  bool colour() {
    std::vector<Index> queue;
    for (Index root = 0; root < graph_.vertices; ++root) {
      if (colour_[root] != uncoloured) continue;
      colour_[root] = graph_.bipartite && !graph_.is_row(root) ? 1 : 0;
      queue.assign(1, root);
      for (std::size_t head = 0; head < queue.size(); ++head) {
        const Index v = queue[head];
        for (std::uint64_t k = adjacent_.start[v]; k < adjacent_.start[v + std::size_t{1}]; ++k) {
          const Index w = adjacent_.neighbour[k];
          if (colour_[w] == open_colour) continue;
          const auto sum = static_cast<std::uint8_t>(sum_[v] ^ loops_.of_edge[adjacent_.edge[k]]);
          if (colour_[w] == uncoloured) {
            colour_[w] = colour_[v] == 0 ? 1 : 0;
            sum_[w] = sum;
            queue.push_back(w);
            continue;
          }
          two_sides_ = two_sides_ && colour_[w] != colour_[v];
          if (sum_[w] != sum) throw CheckError("planar: a cycle goes around beside the open vertices");
        }
      }
    }
    return two_sides_;
  }

  /// Of the rest's end of an edge: which copy of the other end it leads to.
  std::tuple<Index, std::uint8_t, std::uint8_t> copy_of(Index open, Index v, Index e) const {
    return {open, colour_[v], static_cast<std::uint8_t>(loops_.of_edge[e] ^ sum_[v])};
  }

  /// Rows: the rest's of colour 0, copies that lead to colour 1; and columns. Without colours: the rest, then
  /// all copies.
  void number(SeamElimination& into) {
    for (Index e = 0; e < graph_.edges.size(); ++e) {
      const auto [a, b, entry] = graph_.edges[e];
      const bool a_open = colour_[a] == open_colour;
      if (a_open == (colour_[b] == open_colour)) continue;
      copies_.try_emplace(a_open ? copy_of(a, b, e) : copy_of(b, a, e), no_index);
    }
    number_.assign(graph_.vertices, no_index);
    BlockGraph& graph = into.matrix_.graph;
    const auto take = [&](Index v, std::uint8_t loops) {
      into.vertex_of_.push_back(v);
      into.class_.push_back(loops);
      return static_cast<Index>(into.vertex_of_.size() - 1);
    };
    for (const std::uint8_t side : {std::uint8_t{0}, std::uint8_t{1}}) {
      for (Index v = 0; v < graph_.vertices; ++v) {
        if (colour_[v] == side) number_[v] = take(v, 0);
      }
      for (auto& [key, copy] : copies_) {
        if (std::get<1>(key) != side) copy = take(std::get<0>(key), std::get<2>(key));
      }
      if (side == 0) graph.rows = static_cast<Index>(into.vertex_of_.size());
    }
    graph.bipartite = two_sides_;
    if (!two_sides_) graph.rows = static_cast<Index>(into.vertex_of_.size());
    graph.vertices = static_cast<Index>(into.vertex_of_.size());
  }

  /// Whether the entry (from, to) of the edge is positive, but for i^q.
  bool positive(Index e, Index from) const {
    const bool minus = terms_[0].form[loops_.of_edge[e]] >= 2;
    const bool forward = (terms_[0].matrix.orientation[e] != 0) != minus;
    return forward == (graph_.edges[e].a == from);
  }

  void add_edges(SeamElimination& into) {
    SignedMatrix& matrix = into.matrix_;
    const SignedMatrix& whole = terms_[0].matrix;
    matrix.values = whole.values;
    std::vector<Index> values_of_open;
    for (Index e = 0; e < graph_.edges.size(); ++e) {
      auto [a, b, entry] = graph_.edges[e];
      const bool a_open = colour_[a] == open_colour;
      const bool b_open = colour_[b] == open_colour;
      if (a_open && b_open) {
        if (into.place_[a] > into.place_[b]) std::swap(a, b);
        into.open_edges_.push_back({into.place_[a], into.place_[b], static_cast<Index>(values_of_open.size()),
                                    positive(e, a), loops_.of_edge[e]});
        values_of_open.push_back(whole.value_of[e]);
        continue;
      }
      if (b_open) std::swap(a, b);
      // b is of the rest; an open a has colour 0 towards colour 1.
      const bool open = a_open || b_open;
      const Index first = open ? copies_.at(copy_of(a, b, e)) : number_[a];
      const Index second = number_[b];
      const unsigned class_of_first = open ? std::get<2>(copy_of(a, b, e)) : sum_[a];
      const bool rising = first < second;
      const bool minus = loops_.cross(class_of_first, sum_[b]);
      matrix.graph.edges.push_back({std::min(first, second), std::max(first, second), 0});
      matrix.orientation.push_back(positive(e, rising ? a : b) != minus ? 1 : 0);
      matrix.value_of.push_back(whole.value_of[e]);
    }
    for (OpenEdge& edge : into.open_edges_) edge.value += static_cast<Index>(matrix.graph.edges.size());
    matrix.value_of.insert(matrix.value_of.end(), values_of_open.begin(), values_of_open.end());
  }

  void plan(SeamElimination& into) const {
    const BlockGraph& graph = into.matrix_.graph;
    std::vector<Index> number(graph.vertices, no_index);  // in the rest
    std::vector<Index> vertex;
    std::vector<Index> copies;
    BlockGraph rest;
    rest.bipartite = graph.bipartite;
    for (Index h = 0; h < graph.vertices; ++h) {
      if (colour_[into.vertex_of_[h]] == open_colour) {
        copies.push_back(h);
        continue;
      }
      number[h] = static_cast<Index>(vertex.size());
      vertex.push_back(h);
      if (graph.is_row(h)) ++rest.rows;
    }
    rest.vertices = static_cast<Index>(vertex.size());
    for (const BlockGraph::Edge& edge : graph.edges) {
      if (number[edge.a] != no_index && number[edge.b] != no_index)
        rest.edges.push_back({number[edge.a], number[edge.b], 0});
    }
    const auto tree_of = [&](std::vector<Index> order) {
      for (Index& at : order) at = vertex[at];
      order.insert(order.end(), copies.begin(), copies.end());
      return front_tree(graph, order, static_cast<Index>(copies.size()));
    };
    constexpr Index few = 4096;
    const std::vector<Index> levels = level_dissection(rest, adjacency(rest));
    if (!levels.empty()) into.tree_ = tree_of(levels);
    if (levels.empty() || rest.vertices <= few) {
      FrontTree other = tree_of(dissection_order(rest));
      if (levels.empty() || other.total.multiplications < into.tree_.total.multiplications)
        into.tree_ = std::move(other);
    }
    // The copies are left over.
    Front& root = into.tree_.fronts.back();
    root.border = std::move(root.own);
    root.own.clear();
    FrontWork& work = into.tree_.work.back();
    into.tree_.total.multiplications -= work.multiplications;
    const auto all = static_cast<double>(copies.size());
    const double sides = graph.bipartite ? all / 2 : all;
    work.multiplications = front_multiplications(sides, sides, 0, graph.bipartite);
    into.tree_.total.multiplications += work.multiplications;
    const auto open = static_cast<double>(into.open_.size());
    into.multiplications_ = into.tree_.total.multiplications +
                            static_cast<double>(terms_.size()) *
                                (front_multiplications(open, open, open, false) + 4 * sides * sides);
  }

  const Terms& terms_;
  const BlockGraph& graph_;
  const SurfaceLoops& loops_;
  Adjacency adjacent_;
  bool two_sides_ = true;             // the rest has no odd cycle
  std::vector<std::uint8_t> sum_;     // of each vertex of the rest: its loops
  std::vector<std::uint8_t> colour_;  // of each vertex
  std::map<std::tuple<Index, std::uint8_t, std::uint8_t>, Index> copies_;
  std::vector<Index> number_;  // of the rest, in the matrix
};

/// Modulo one group of primes.
class SeamElimination::Run {
 public:
  Run(const SeamElimination& plan, const LaneCode& code, const std::vector<std::uint64_t>& primes,
      const StopSignal& stop)
      : plan_(plan),
        lanes_(code, primes),
        stop_(stop),
        values_(std::make_shared<const LaneValues>(plan.matrix_, lanes_)) {
    for (std::size_t lane = 0; lane < lanes_.width(); ++lane) {
      const std::uint64_t prime = lanes_.primes().prime[lane];
      const std::uint64_t root = prime % 4 == 1 ? root_of_minus_one(prime) : 0;
      const std::array<std::uint64_t, 4> powers{1, root, prime - 1, (prime - root) % prime};
      for (std::size_t k = 0; k < powers.size(); ++k) {
        plain_[k].push_back(powers[k]);
        power_[k].push_back(
            static_cast<std::uint64_t>(static_cast<uint128>(powers[k]) * lanes_.primes().one[lane] % prime));
      }
    }
  }

  /// False where all are 0.
  bool eliminate() {
    FrontElimination base(plan_.matrix_, plan_.tree_, lanes_, values_, stop_);
    const bool done = base.run(nullptr, [this](std::size_t k, const FrontMatrix& front, std::size_t pivots) {
      if (k + 1 == plan_.tree_.fronts.size()) keep(front, pivots);
    });
    if (!done) return false;
    base_ = base.pivots();
    return true;
  }

  /// A residue for each lane.
  std::vector<std::uint64_t> term(std::size_t t) {
    stop_.check();
    std::vector<std::uint64_t> result(lanes_.width(), 0);
    const std::vector<std::uint8_t>& form = plan_.forms_[t];
    const std::size_t open = plan_.open_.size();
    const bool bipartite = plan_.matrix_.graph.bipartite;
    const std::size_t size = open + late_rows_ + (bipartite ? late_columns_ : 0);
    if (size % 2 != 0) return result;
    std::vector<Index> vertex = plan_.open_;
    for (std::size_t i = 0; i < late_rows_; ++i) vertex.push_back(plan_.vertex_of_[rows_[i]]);
    for (std::size_t j = 0; bipartite && j < late_columns_; ++j)
      vertex.push_back(plan_.vertex_of_[columns_[j]]);

    FrontMatrix dense;
    dense.width = lanes_.width();
    dense.stride = size | 1;
    words_.reserve(size * dense.stride * dense.width, 0);
    dense.data = words_.data();
    std::fill_n(dense.data, size * dense.stride * dense.width, 0);
    add_copies(form, dense);
    add_open_edges(form, dense);
    // Less its transpose; what is below the diagonal is looked at no more.
    for (std::size_t p = 0; p + 1 < size; ++p) {
      lanes_.subtract_product({dense.at(p, p + 1), 1, dense.at(p + 1, p), dense.stride, lanes_.primes().one,
                               1, size - p - 1, 1, 1});
    }
    for (Index k = 0; k < size; ++k) dense.row_vertex.push_back(k);
    dense.summed_rows = dense.summed_columns = size;
    Pivots pivots;
    pivots.product.assign(lanes_.primes().one, lanes_.primes().one + lanes_.width());
    if (size != 0 && eliminate_skew_front(dense, lanes_, pivots, stop_) != size) return result;

    std::vector<Index> sequence;
    for (const auto& [row, column] : base_.vertices) {
      sequence.push_back(plan_.vertex_of_[row]);
      sequence.push_back(plan_.vertex_of_[column]);
    }
    for (const auto& [first, second] : pivots.vertices) {
      sequence.push_back(vertex[first]);
      sequence.push_back(vertex[second]);
    }
    lanes_.scale(pivots.product.data(), 0, 1, base_.product.data());
    lanes_.decode(pivots.product.data());
    // A determinant of rows by columns is a Pfaffian but for (-1)^(n (n - 1) / 2).
    const bool negative = (permutation_sign(sequence) < 0) != (plan_.bipartite_ && plan_.rows_ % 4 >= 2);
    const std::size_t turns = (plan_.turns_[t] + (negative ? 2 : 0)) % 4;
    for (std::size_t lane = 0; lane < result.size(); ++lane) {
      result[lane] = static_cast<std::uint64_t>(static_cast<uint128>(pivots.product[lane]) *
                                                plain_[turns][lane] % lanes_.primes().prime[lane]);
    }
    return result;
  }

 private:
  /// What the root has left.
  void keep(const FrontMatrix& front, std::size_t done) {
    const auto first = static_cast<std::ptrdiff_t>(done);
    rows_.assign(front.row_vertex.begin() + first, front.row_vertex.end());
    const bool bipartite = plan_.matrix_.graph.bipartite;
    const std::vector<Index>& columns = bipartite ? front.column_vertex : front.row_vertex;
    columns_.assign(columns.begin() + first, columns.end());
    late_rows_ = front.summed_rows - done;
    late_columns_ = bipartite ? front.summed_columns - done : late_rows_;
    const std::size_t words = columns_.size() * lanes_.width();
    left_.assign(rows_.size() * words, 0);
    for (std::size_t i = 0; i < rows_.size() && words != 0; ++i) {
      // A skew matrix is what is above its diagonal, less the transpose.
      const std::size_t skipped = bipartite ? 0 : std::min(i + 1, columns_.size());
      std::copy_n(front.at(done + i, done) + skipped * lanes_.width(), words - skipped * lanes_.width(),
                  left_.data() + i * words + skipped * lanes_.width());
    }
  }

  /// Where a row (column) that is left goes, and its power of i.
  std::pair<Index, std::size_t> goes_to(const std::vector<Index>& side, std::size_t k, std::size_t late,
                                        std::size_t first_late, const std::vector<std::uint8_t>& form) const {
    if (k < late) return {static_cast<Index>(first_late + k), 0};
    return {plan_.place_[plan_.vertex_of_[side[k]]], form[plan_.class_[side[k]]]};
  }

  void add_copies(const std::vector<std::uint8_t>& form, const FrontMatrix& dense) {
    const std::size_t open = plan_.open_.size();
    const std::size_t width = lanes_.width();
    scaled_ = left_;
    const std::size_t first_late_column = plan_.matrix_.graph.bipartite ? open + late_rows_ : open;
    std::vector<Index> to_row;
    std::vector<Index> to_column;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const auto [place, power] = goes_to(rows_, i, late_rows_, open, form);
      to_row.push_back(place);
      if (power != 0 && !columns_.empty())
        lanes_.scale(scaled_.data() + i * columns_.size() * width, 1, columns_.size(), power_[power].data());
    }
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      const auto [place, power] = goes_to(columns_, j, late_columns_, first_late_column, form);
      to_column.push_back(place);
      if (power != 0 && !rows_.empty())
        lanes_.scale(scaled_.data() + j * width, columns_.size(), rows_.size(), power_[power].data());
    }
    if (rows_.empty() || columns_.empty()) return;
    // Copies of one vertex add up: one row at a time, and one column.
    for (std::size_t i = 0; i < rows_.size(); ++i)
      lanes_.scatter_add({dense.data, dense.stride, scaled_.data() + i * columns_.size() * width,
                          columns_.size(), to_row.data() + i, to_column.data(), 1, columns_.size(), false});
  }

  void add_open_edges(const std::vector<std::uint8_t>& form, const FrontMatrix& dense) const {
    std::vector<std::uint64_t> value(lanes_.width());
    constexpr Index here = 0;
    for (const OpenEdge& edge : plan_.open_edges_) {
      lanes_.copy(value.data(), values_->of(edge.value, edge.positive));
      if (const std::size_t power = form[edge.loop]; power != 0)
        lanes_.scale(value.data(), 0, 1, power_[power].data());
      lanes_.scatter_add({dense.at(edge.from, edge.to), 1, value.data(), 1, &here, &here, 1, 1, false});
    }
  }

  const SeamElimination& plan_;
  LaneArithmetic lanes_;
  const StopSignal& stop_;
  std::shared_ptr<const LaneValues> values_;
  std::array<std::vector<std::uint64_t>, 4> plain_;  // powers of i
  std::array<std::vector<std::uint64_t>, 4> power_;  // as elements
  Pivots base_;
  std::vector<Index> rows_;  // that are left, late ones first
  std::vector<Index> columns_;
  std::size_t late_rows_ = 0;
  std::size_t late_columns_ = 0;
  std::vector<std::uint64_t> left_;
  std::vector<std::uint64_t> scaled_;
  LaneWords words_;
};

std::shared_ptr<const SeamElimination> SeamElimination::of(const Terms& terms, double separately) {
  if (terms.size() < 2 || !terms[0].loops) return nullptr;
  const std::shared_ptr<SeamElimination> result(new SeamElimination());
  Build(terms).run(*result);
  return result->multiplications_ < separately ? result : nullptr;
}

void SeamElimination::measure(const LaneCode& code, const std::vector<std::uint64_t>& primes,
                              const StopSignal& stop, TimeLimit& limit) const {
  const LaneArithmetic lanes(code, primes);
  FrontElimination(matrix_, tree_, lanes, stop).run(&limit);
}

std::uint64_t SeamElimination::words() const {
  const std::uint64_t open = open_.size();
  const std::uint64_t copies = tree_.fronts.back().border.size();
  std::uint64_t rows = 0;
  for (const Index h : tree_.fronts.back().border) rows += matrix_.graph.is_row(h) ? 1 : 0;
  const std::uint64_t left = (rows + 1) * (matrix_.graph.bipartite ? copies - rows + 1 : copies + 1);
  return tree_.total.front_words + tree_.total.stack_words + open * (open | 1) + 2 * left;
}

std::vector<std::vector<std::uint64_t>> SeamElimination::determinants(
    const LaneCode& code, const std::vector<std::uint64_t>& primes, const StopSignal& stop) const {
  Run run(*this, code, primes, stop);
  std::vector<std::vector<std::uint64_t>> result(forms_.size(), std::vector<std::uint64_t>(primes.size(), 0));
  if (!run.eliminate()) return result;
  for (std::size_t t = 0; t < result.size(); ++t) {
    result[t] = run.term(t);
    result[t].resize(primes.size());
  }
  return result;
}

}  // namespace countpm::planar
