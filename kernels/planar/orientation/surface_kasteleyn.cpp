#include "kernels/planar/orientation/surface_kasteleyn.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <numeric>
#include <utility>

#include "graph/errors.hpp"
#include "graph/stop_poll.hpp"
#include "kernels/planar/orientation/faces.hpp"
#include "kernels/planar/orientation/twisted_faces.hpp"

namespace countpm::planar {
namespace {

using Loops = unsigned;  // a set of basis loops

bool odd(Loops set) {
  return std::popcount(set) % 2 != 0;
}

/// The disc around a spanning tree, and where edges leave its rim.
class Disc {
 public:
  Disc(const BlockGraph& graph, const Embedding& embedding, const std::vector<std::uint8_t>& in_tree)
      : graph_(graph),
        embedding_(embedding),
        in_tree_(in_tree),
        twisted_(embedding.twisted),
        turned_(graph.vertices, 0),
        order_(graph.vertices, no_index),
        place_(2 * graph.edges.size(), 0),
        odd_slides_(graph.edges.size(), 0) {
    twisted_.resize(graph.edges.size(), 0);
    walk_around();
    if (std::count(order_.begin(), order_.end(), no_index) != 0)
      throw CheckError("planar: the graph on a surface is not connected");
    for (Index e = 0; e < graph.edges.size(); ++e) {
      if (turned_[graph.edges[e].a] != turned_[graph.edges[e].b]) twisted_[e] ^= 1;
    }
  }

  /// Of an edge, once the senses agree along the tree.
  bool twisted(Index edge) const { return twisted_[edge] != 0; }
  /// When the rim first meets a vertex.
  const std::vector<Index>& order() const { return order_; }
  /// Whether the ends of an edge slide past an odd number of others' ends.
  bool slides_oddly(Index edge) const { return odd_slides_[edge] != 0; }
  /// Whether the ends of two edges off the tree take turns.
  bool take_turns(Index e, Index f) const {
    const auto [e1, e2] = ends(e);
    const auto [f1, f2] = ends(f);
    return (e1 < f1 && f1 < e2 && e2 < f2) || (f1 < e1 && e1 < f2 && f2 < e2);
  }

 private:
  struct At {
    Index vertex;
    std::uint64_t slot;
    std::uint64_t left;  // slots to come
  };

  std::pair<std::uint64_t, std::uint64_t> ends(Index edge) const {
    return std::minmax(place_[2 * std::size_t{edge}], place_[(2 * std::size_t{edge}) + 1]);
  }
  std::uint64_t degree(Index v) const { return embedding_.start[v + std::size_t{1}] - embedding_.start[v]; }
  std::uint64_t next_slot(Index v, std::uint64_t slot) const {
    const std::uint64_t begin = embedding_.start[v];
    const std::uint64_t end = embedding_.start[v + std::size_t{1}];
    if (turned_[v] == 0) return slot + 1 == end ? begin : slot + 1;
    return slot == begin ? end - 1 : slot - 1;
  }
  std::uint64_t slot_of(Index v, Index edge) const {
    std::uint64_t slot = embedding_.start[v];
    while (embedding_.around[slot] != edge) ++slot;
    return slot;
  }

  void walk_around() {
    std::vector<At> stack{{0, embedding_.start[0], degree(0)}};
    order_[0] = 0;
    Index met = 1;
    std::uint64_t places = 0;
    StopPoll poll;
    while (!stack.empty()) {
      poll.step();
      At& at = stack.back();
      if (at.left == 0) {
        stack.pop_back();
        continue;
      }
      const Index v = at.vertex;
      const Index e = embedding_.around[at.slot];
      at.slot = next_slot(v, at.slot);
      --at.left;
      const std::uint64_t half_edge = (2 * std::uint64_t{e}) + (graph_.edges[e].a == v ? 0 : 1);
      const Index other = tail(graph_, half_edge ^ 1);
      Index passed = met - 1 - order_[v];  // vertices below v, each with its end
      if (in_tree_[e] == 0) {
        place_[half_edge] = places++;
        if (order_[other] != no_index && order_[other] > order_[v]) --passed;  // its own other end
      } else {
        order_[other] = met++;
        turned_[other] = turned_[v] != twisted_[e] ? 1 : 0;
        if (degree(other) > 1)
          stack.push_back({other, next_slot(other, slot_of(other, e)), degree(other) - 1});
      }
      if (passed % 2 != 0) odd_slides_[e] ^= 1;
    }
  }

  const BlockGraph& graph_;
  const Embedding& embedding_;
  const std::vector<std::uint8_t>& in_tree_;
  std::vector<std::uint8_t> twisted_;
  std::vector<std::uint8_t> turned_;  // of each vertex, whether its rotation is read backwards
  std::vector<Index> order_;
  std::vector<std::uint64_t> place_;  // of each half-edge off the tree, on the rim
  std::vector<std::uint8_t> odd_slides_;
};

/// A tree of the faces, breadth first from a largest one, so that loops across it are short.
struct Cotree {
  std::vector<std::uint64_t> upward;    // the side of a face that it was reached across
  std::vector<std::uint64_t> distance;  // from the root
  std::vector<std::uint8_t> taken;      // of each edge, whether the tree goes across it
};

Index across(const TwistedFaces& faces, std::uint64_t side) {
  return faces.of[side ^ 1];
}

Cotree cotree(const TwistedFaces& faces, std::size_t edges) {
  Cotree result{std::vector<std::uint64_t>(faces.count, no_half_edge),
                std::vector<std::uint64_t>(faces.count, 0), std::vector<std::uint8_t>(edges, 0)};
  Index root = 0;
  const auto length = [&faces](Index face) { return faces.start[face + std::size_t{1}] - faces.start[face]; };
  for (Index face = 0; face < faces.count; ++face) {
    if (length(face) > length(root)) root = face;
  }
  std::vector<std::uint8_t> seen(faces.count, 0);
  std::vector<Index> queue{root};
  seen[root] = 1;
  StopPoll poll;
  for (std::size_t head = 0; head < queue.size(); ++head) {
    poll.step();
    const Index face = queue[head];
    for (std::uint64_t k = faces.start[face]; k < faces.start[face + std::size_t{1}]; ++k) {
      const std::uint64_t side = faces.walk[k];
      const Index other = across(faces, side);
      if (seen[other] != 0) continue;
      seen[other] = 1;
      result.taken[side / 4] = 1;
      result.upward[other] = side ^ 1;
      result.distance[other] = result.distance[face] + 1;
      queue.push_back(other);
    }
  }
  return result;
}

/// A spanning tree off the cotree: the edges that are left over close short loops across the cotree (J.
/// Erickson, K. Whittlesey, SODA (2005) 1038).
std::vector<std::uint8_t> tree_beside(const BlockGraph& graph, const TwistedFaces& faces,
                                      const Cotree& cotree) {
  std::vector<Index> edges;
  for (Index e = 0; e < graph.edges.size(); ++e) {
    if (cotree.taken[e] == 0) edges.push_back(e);
  }
  const auto length = [&](Index e) {
    return cotree.distance[faces.of[4 * std::size_t{e}]] +
           cotree.distance[faces.of[(4 * std::size_t{e}) + 1]];
  };
  std::stable_sort(edges.begin(), edges.end(), [&](Index e, Index f) { return length(e) > length(f); });
  std::vector<Index> parent(graph.vertices);
  std::iota(parent.begin(), parent.end(), Index{0});
  const auto find = [&parent](Index v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
  };
  std::vector<std::uint8_t> in_tree(graph.edges.size(), 0);
  StopPoll poll;
  for (const Index e : edges) {
    poll.step();
    const Index a = find(graph.edges[e].a);
    const Index b = find(graph.edges[e].b);
    if (a == b) continue;
    parent[a] = b;
    in_tree[e] = 1;
  }
  return in_tree;
}

class ClosedSurface {
 public:
  ClosedSurface(const BlockGraph& graph, const Embedding& embedding)
      : graph_(graph),
        faces_(trace_twisted_faces(graph, embedding)),
        cotree_(cotree(faces_, graph.edges.size())),
        in_tree_(tree_beside(graph, faces_, cotree_)),
        disc_(graph, embedding, in_tree_),
        loops_of_(graph.edges.size(), 0) {
    find_loops();
    check_products();
  }

  std::size_t loops() const { return basis_.size(); }

  /// i^q of an edge or of a sum of loops, for the form whose values on the basis are 2 more on `more`.
  unsigned form(Loops x, Loops more) const {
    unsigned q = 2 * static_cast<unsigned>(std::popcount(x & more));
    for (std::size_t i = 0; i < basis_.size(); ++i) {
      if ((x >> i & 1U) == 0) continue;
      q += product_[i] >> i & 1U;
      q += 2 * static_cast<unsigned>(std::popcount(x & product_[i] & ((1U << i) - 1)));
    }
    return q % 4;
  }

  SurfaceTerm term(Loops more, const std::vector<Index>& matching) const {
    SurfaceTerm result;
    result.orientation.resize(graph_.edges.size());
    for (Index e = 0; e < graph_.edges.size(); ++e) {
      const BlockGraph::Edge& edge = graph_.edges[e];
      const bool rising = disc_.order()[edge.a] < disc_.order()[edge.b];
      const bool minus = disc_.slides_oddly(e) != (form(loops_of_[e], more) >= 2);
      result.orientation[e] = rising != minus ? 1 : 0;
    }
    const int sign = sign_of(result.orientation, more, matching);
    const auto [real, imaginary] = coefficient(more);
    for (Loops x = 0; x < 1U << basis_.size(); ++x)
      result.form.push_back(static_cast<std::uint8_t>(form(x, more)));
    result.real = sign * real;
    result.imaginary = sign * imaginary;
    return result;
  }

  std::shared_ptr<const SurfaceLoops> surface_loops() const {
    auto result = std::make_shared<SurfaceLoops>();
    for (const Loops x : loops_of_) result->of_edge.push_back(static_cast<std::uint8_t>(x));
    result->product = product_;
    return result;
  }

  std::vector<std::uint8_t> times_i() const {
    std::vector<std::uint8_t> result(graph_.edges.size());
    for (Index e = 0; e < graph_.edges.size(); ++e) result[e] = form(loops_of_[e], 0) % 2 != 0 ? 1 : 0;
    return result;
  }

 private:
  void find_loops() {
    const std::size_t edges = graph_.edges.size();
    const std::size_t corners = graph_.vertices + std::size_t{faces_.count};
    if (corners > edges + 2 || corners + most_loops < edges + 2)
      throw CheckError("planar: the rotations are those of no surface that is looked at");
    for (Index e = 0; e < edges; ++e) {
      if (cotree_.taken[e] == 0 && in_tree_[e] == 0) basis_.push_back(e);
    }
    if (basis_.size() + corners != edges + 2) throw CheckError("planar: a surface without all of its loops");
    for (std::size_t i = 0; i < basis_.size(); ++i) {
      const Index e = basis_[i];
      loops_of_[e] ^= 1U << i;
      for (const std::uint64_t first : {4 * std::uint64_t{e}, (4 * std::uint64_t{e}) + 1}) {
        // What both ways to the root share is no part of the cocycle.
        for (std::uint64_t up = cotree_.upward[faces_.of[first]]; up != no_half_edge;
             up = cotree_.upward[across(faces_, up)])
          loops_of_[up / 4] ^= 1U << i;
      }
    }
  }

  void check_products() {
    product_.fill(0);
    const auto product = [this](Index e, Index f) {
      return e == f ? disc_.twisted(e) : disc_.take_turns(e, f);
    };
    for (std::size_t i = 0; i < basis_.size(); ++i) {
      for (std::size_t j = 0; j < basis_.size(); ++j)
        product_[i] |= (product(basis_[i], basis_[j]) ? 1U : 0U) << j;
    }
    for (Index e = 0; e < graph_.edges.size(); ++e) {
      const Loops x = loops_of_[e];
      if (in_tree_[e] != 0) continue;
      bool right = (form(x, 0) % 2 != 0) == disc_.twisted(e);
      for (std::size_t i = 0; i < basis_.size(); ++i) right &= odd(x & product_[i]) == product(e, basis_[i]);
      if (!right) throw CheckError("planar: an edge does not cross the loops of the surface as it should");
    }
  }

  /// c_q times 2^((b + 1) / 2).
  std::pair<int, int> coefficient(Loops more) const {
    std::array<int, 4> number{};
    for (Loops x = 0; x < 1U << basis_.size(); ++x) ++number[form(x, more)];
    const int real = number[0] - number[2];
    const int imaginary = number[3] - number[1];
    if (real * real + imaginary * imaginary != 1 << basis_.size())
      throw CheckError("planar: the loops of a surface do not cross one another as they should");
    const int scale = 1 << basis_.size() / 2;
    return {real / scale, imaginary / scale};
  }

  /// Of what all terms of the Pfaffian have in common: the order's, and that of rows before columns.
  int sign_of(const Orientation& orientation, Loops more, const std::vector<Index>& matching) const {
    const Index rows = graph_.rows;
    int sign = permutation_sign(disc_.order());
    if (graph_.bipartite && rows % 4 >= 2) sign = -sign;
    // As the matching's own term has it.
    Loops x = 0;
    unsigned turns = 0;
    for (const Index e : matching) {
      x ^= loops_of_[e];
      turns += form(loops_of_[e], more) % 2;
    }
    turns += 4 - form(x, more);
    const int of_matching = term_sign(graph_, orientation, matching) * (turns % 4 == 2 ? -1 : 1);
    if (turns % 2 != 0 || of_matching != sign)
      throw CheckError("planar: a matching on a surface has another sign than it should");
    return sign;
  }

  const BlockGraph& graph_;
  TwistedFaces faces_;
  Cotree cotree_;
  std::vector<std::uint8_t> in_tree_;
  Disc disc_;
  std::vector<Index> basis_;                 // edges off tree and cotree
  std::vector<Loops> loops_of_;              // what the loop of each edge is the sum of
  std::array<Loops, most_loops> product_{};  // of basis loops: bit j of number i
};

}  // namespace

bool SurfaceLoops::cross(unsigned x, unsigned y) const {
  bool result = false;
  for (std::size_t i = 0; i < product.size(); ++i) {
    if ((x >> i & 1U) != 0) result ^= odd(y & product[i]);
  }
  return result;
}

SurfaceTerms surface_terms(const BlockGraph& graph, const Embedding& embedding,
                           const std::vector<Index>& matching) {
  const ClosedSurface surface(graph, embedding);
  SurfaceTerms result;
  result.times_i = surface.times_i();
  result.loops = surface.surface_loops();
  result.halvings = static_cast<unsigned>((surface.loops() + 1) / 2);
  for (Loops more = 0; more < 1U << surface.loops(); ++more)
    result.terms.push_back(surface.term(more, matching));
  const auto first = std::find_if(result.terms.begin(), result.terms.end(),
                                  [](const SurfaceTerm& term) { return term.real != 0; });
  if (first == result.terms.end()) throw CheckError("planar: all coefficients on a surface are imaginary");
  std::iter_swap(result.terms.begin(), first);
  return result;
}

}  // namespace countpm::planar
