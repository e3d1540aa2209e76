#pragma once
// What is left of a matrix during a walk by belief propagation (estimate/bethe/walk.hpp): a bipartite graph
// with weights and messages on its edges, from which vertices are removed and in which vertices of degree 2
// are contracted.
//
// For the CPU and GPUs alike: a BetheGraph is a view of memory that is laid out by BetheLayout, of which the
// first part, the image, is what a walk begins with: copied, it begins another one. Members change the graph
// by one thread; where a warp walks, by one of its lanes.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/arithmetic/host_device.hpp"
#include "kernels/arithmetic/scaled.hpp"
#include "kernels/estimate/samples/sample_matrix.hpp"
#include "kernels/support/huge_pages.hpp"

namespace countpm {

/// Where the parts of a walk's memory are, in bytes from its beginning.
struct BetheLayout {
  /// waiting: how many vertices each of the lists of estimate/bethe/messages.hpp holds, a power of two.
  /// UnableError beyond 2^31 - 1 rows or entries. O(rows).
  BetheLayout(const SampleMatrix& matrix, std::uint32_t waiting);

  std::uint32_t size;         // rows, and as many columns
  std::uint32_t most_degree;  // of a vertex, ever
  std::uint32_t waiting;
  std::size_t edges, places, records, first_of_degree, mates, long_lists;
  std::size_t image_bytes;
  std::size_t lists, reached_rows, reached_columns, brought, pairs, shares;
  std::size_t bytes;

  /// Where a walk forks (estimate/bethe/forks.hpp), and what it keeps there.
  struct Fork {
    std::uint32_t rows;  // that are left, at most
    std::uint32_t most_edges;
    std::size_t head, first_of_degree, vertices, records, mates, numbers, edges, places;
  };
  static constexpr std::uint32_t most_forks = 12;
  std::uint32_t forks;
  Fork fork[most_forks] = {};
};

class BetheGraph {
 public:
  /// Rows are the vertices 0 .. size - 1, columns size .. 2 size - 1. The side of a row is 0, that of a
  /// column 1.
  using Vertex = std::uint32_t;
  using EdgeNumber = std::uint32_t;
  static constexpr Vertex no_vertex = ~Vertex{0};

  /// Beyond so many edges of the merged vertex contracting would make messages dear and graphs dense. So many
  /// lie in the vertex's cache line.
  static constexpr std::uint32_t most_contracted_degree = 10;

  // Half a cache line: walks on large graphs wait for memory more than for anything else.
  struct alignas(32) Edge {
    double weight;      // above 0
    double message[2];  // message[s] is sent by end[s]; above 0
    Vertex end[2];

    /// The edge's chance to be in a perfect matching, over one minus it, by its messages.
    COUNTPM_HD double odds() const { return weight * message[0] * message[1]; }
    /// What it brings to its end on side `s`.
    COUNTPM_HD double brought_to(unsigned s) const { return weight * message[1 - s]; }
  };

  /// What v has to send, by multiples of 2^-32, and the list that it waits in, or `nowhere`:
  /// estimate/bethe/messages.hpp keeps them.
  static constexpr std::uint16_t nowhere = 0xffff;
  // A cache line. The edges of a vertex with more than most_contracted_degree are in the long lists from
  // number edge[0] on.
  struct alignas(64) Record {
    std::uint64_t due;
    std::uint32_t degree;
    std::uint16_t level;
    std::uint16_t left;
    EdgeNumber edge[most_contracted_degree];  // the first four in the 32 bytes that GPUs read at a time
    Vertex next;                              // of the same degree; entered before it
    Vertex previous;
  };
  static_assert(sizeof(Record) == 64);

  /// For kept_matching.hpp.
  struct Mate {
    Vertex mate;
    std::uint32_t seen;  // the number of the last search that has reached it, from its side
    Vertex before;       // in that search
  };

  static constexpr unsigned levels = 12;
  struct Head {
    std::uint32_t left;    // rows
    std::uint32_t search;  // the last one's number
    // Of the lists of estimate/bethe/messages.hpp, those of rows first: numbers first .. end - 1, modulo
    // their room, are taken.
    std::uint32_t first[2 * levels];
    std::uint32_t end[2 * levels];
  };

  struct Places {
    std::uint32_t at[2];
  };

  /// What is kept at a fork: rows that are left, then columns; their edges.
  struct KeptHead {
    Scaled value;
    std::uint32_t left;  // rows
    std::uint32_t edges;
  };
  struct Kept {
    KeptHead* head;
    Vertex* first_of_degree;
    Vertex* vertex;
    Record* record;
    Mate* mate;
    EdgeNumber* number;
    Edge* edge;
    Places* places;
  };

  struct EdgeList {
    const EdgeNumber* of;
    std::uint32_t count;
    COUNTPM_HD const EdgeNumber* begin() const { return of; }
    COUNTPM_HD const EdgeNumber* end() const { return of + count; }
    COUNTPM_HD EdgeNumber operator[](std::uint32_t k) const { return of[k]; }
    COUNTPM_HD std::uint32_t size() const { return count; }
  };

  COUNTPM_HD BetheGraph(const BetheLayout& layout, std::byte* memory)
      : size_(layout.size),
        most_degree_(layout.most_degree),
        waiting_(layout.waiting),
        head_(reinterpret_cast<Head*>(memory)),
        edges_(reinterpret_cast<Edge*>(memory + layout.edges)),
        places_(reinterpret_cast<Places*>(memory + layout.places)),
        records_(reinterpret_cast<Record*>(memory + layout.records)),
        first_of_degree_(reinterpret_cast<Vertex*>(memory + layout.first_of_degree)),
        mates_(reinterpret_cast<Mate*>(memory + layout.mates)),
        long_lists_(reinterpret_cast<EdgeNumber*>(memory + layout.long_lists)),
        lists_(reinterpret_cast<Vertex*>(memory + layout.lists)),
        reached_{reinterpret_cast<Vertex*>(memory + layout.reached_rows),
                 reinterpret_cast<Vertex*>(memory + layout.reached_columns)},
        brought_(reinterpret_cast<double*>(memory + layout.brought)),
        pairs_(reinterpret_cast<Pair*>(memory + layout.pairs)),
        shares_(reinterpret_cast<double*>(memory + layout.shares)),
        layout_(layout),
        memory_(memory) {}

  /// The whole matrix: all messages 1, nothing due, no mates. O(entries).
  void begin(const SampleMatrix& matrix) const;

  COUNTPM_HD std::uint32_t size() const { return size_; }
  /// Rows, and as many columns, that are left.
  COUNTPM_HD std::uint32_t left() const { return head_->left; }
  COUNTPM_HD std::uint32_t most_degree() const { return most_degree_; }
  COUNTPM_HD Head& head() const { return *head_; }
  COUNTPM_HD unsigned side(Vertex v) const { return v < size_ ? 0 : 1; }
  COUNTPM_HD bool is_left(Vertex v) const { return records_[v].left != 0; }
  COUNTPM_HD Record& record(Vertex v) const { return records_[v]; }
  COUNTPM_HD Mate& mate(Vertex v) const { return mates_[v]; }
  /// Valid until an edge comes to v or leaves it.
  COUNTPM_HD EdgeList edges(Vertex v) const { return {list(records_[v]), records_[v].degree}; }
  COUNTPM_HD std::uint32_t degree(Vertex v) const { return records_[v].degree; }
  /// Of the edge in the list of its end on side `s`.
  COUNTPM_HD std::uint32_t place(EdgeNumber e, unsigned s) const { return places_[e].at[s]; }
  COUNTPM_HD Edge& edge(EdgeNumber e) const { return edges_[e]; }
  COUNTPM_HD Vertex neighbour(Vertex v, EdgeNumber e) const { return edges_[e].end[1 - side(v)]; }
  COUNTPM_HD Places& places(EdgeNumber e) const { return places_[e]; }
  /// The one that has come to this degree last, or no_vertex; record(v).next leads to the others.
  COUNTPM_HD Vertex& first_of_degree(std::uint32_t d) const { return first_of_degree_[d]; }

  /// Of estimate/bethe/forks.hpp.
  COUNTPM_HD std::uint32_t forks() const { return layout_.forks; }
  COUNTPM_HD const BetheLayout::Fork& fork(std::uint32_t number) const { return layout_.fork[number]; }
  COUNTPM_HD Kept kept(std::uint32_t number) const;
  /// Puts the edge into the lists of its ends that are beyond a cache line, at its places there.
  COUNTPM_HD void enter_long_lists(EdgeNumber e) const;

  /// An edge that carries a message, whose it is (a lane's number), and in the end its receiver.
  struct Pair {
    union {
      EdgeNumber edge;
      Vertex vertex;
    };
    std::uint32_t owner;
  };

  /// Room for walks: what waits in list `number`; a search's vertices; what the edges of 32 vertices bring,
  /// and they themselves; one number for each edge of a vertex.
  COUNTPM_HD std::uint32_t waiting() const { return waiting_; }
  COUNTPM_HD Vertex& in_list(unsigned number, std::uint32_t at) const {
    return lists_[std::size_t{number} * waiting_ + (at & (waiting_ - 1))];
  }
  COUNTPM_HD Vertex* reached(unsigned s) const { return reached_[s]; }
  COUNTPM_HD double& brought(std::uint32_t p) const { return brought_[p]; }
  COUNTPM_HD Pair& pair(std::uint32_t p) const { return pairs_[p]; }
  COUNTPM_HD double* shares() const { return shares_; }

  /// Takes v away. lost(edge, neighbour) is called first for each of its edges.
  template <class Lost>
  COUNTPM_HD void remove(Vertex v, const Lost& lost) const {
    leave_bin(v);
    Record& record = records_[v];
    record.left = 0;
    record.level = nowhere;
    const unsigned s = side(v);
    for (const EdgeNumber e : edges(v)) {
      lost(edges_[e], edges_[e].end[1 - s]);
      unlink(e, 1 - s);
    }
    record.degree = 0;
    if (s == 0) --head_->left;
  }

  /// Where v has two edges, of weights a and b to x and y: the permanent is factor times that of the graph
  /// without v and with x and y as one vertex, whose edges have the weights (a (weight to y) + b (weight to
  /// x)) / factor. x, the one with more edges, becomes that vertex; the messages stay.
  struct Contraction {
    Vertex kept = 0;         // x
    Vertex other = 0;        // y, which goes
    double kept_share = 0;   // what the weights of x's edges are multiplied by, at most 1
    double other_share = 0;  // what those of y's are
    double factor = 0;
  };
  /// Precondition: degree(v) == 2.
  COUNTPM_HD Contraction contraction(Vertex v) const;
  /// Whether the kept vertex has at most most_contracted_degree edges then, and all weights stay within
  /// 2^-320
  /// .. 2^320.
  COUNTPM_HD bool fits(const Contraction& contraction) const;
  /// Does it; changed(neighbour) is called for every vertex that then has an edge to the kept one.
  /// Precondition: it fits.
  template <class Changed>
  COUNTPM_HD void contract(Vertex v, const Contraction& contraction, const Changed& changed) const {
    remove(v, [](const Edge&, Vertex) {});
    merge(contraction, changed);
  }

 private:
  COUNTPM_HD EdgeNumber* list(Record& record) const {
    return record.degree <= most_contracted_degree ? record.edge : long_lists_ + record.edge[0];
  }
  /// Takes the edge out of the list of its end on side `s`.
  COUNTPM_HD void unlink(EdgeNumber e, unsigned s) const;
  COUNTPM_HD void drop_last(Record& record) const;
  template <class Changed>
  COUNTPM_HD void merge(const Contraction& contraction, const Changed& changed) const;
  /// The edge's weight times `share`, and the message from side `s` over it.
  COUNTPM_HD static void share_out(Edge& edge, unsigned s, double share);
  COUNTPM_HD bool stays_in_range(Vertex v, double share) const;
  COUNTPM_HD void enter_bin(Vertex v) const;
  /// Precondition: the degree is still the one that v has entered with.
  COUNTPM_HD void leave_bin(Vertex v) const;

  static constexpr double most_message = 0x1p+300;
  static constexpr double least_weight = 0x1p-320;
  static constexpr double most_weight = 0x1p+320;

  std::uint32_t size_;
  std::uint32_t most_degree_;
  std::uint32_t waiting_;
  Head* head_;
  Edge* edges_;
  Places* places_;
  Record* records_;
  Vertex* first_of_degree_;
  Mate* mates_;
  EdgeNumber* long_lists_;
  Vertex* lists_;
  Vertex* reached_[2];
  double* brought_;
  Pair* pairs_;
  double* shares_;
  const BetheLayout& layout_;
  std::byte* memory_;
};

COUNTPM_HD inline BetheGraph::Kept BetheGraph::kept(std::uint32_t number) const {
  const BetheLayout::Fork& at = layout_.fork[number];
  return {reinterpret_cast<KeptHead*>(memory_ + at.head),
          reinterpret_cast<Vertex*>(memory_ + at.first_of_degree),
          reinterpret_cast<Vertex*>(memory_ + at.vertices),
          reinterpret_cast<Record*>(memory_ + at.records),
          reinterpret_cast<Mate*>(memory_ + at.mates),
          reinterpret_cast<EdgeNumber*>(memory_ + at.numbers),
          reinterpret_cast<Edge*>(memory_ + at.edges),
          reinterpret_cast<Places*>(memory_ + at.places)};
}

COUNTPM_HD inline void BetheGraph::enter_long_lists(EdgeNumber e) const {
  for (unsigned s = 0; s < 2; ++s) {
    Record& record = records_[edges_[e].end[s]];
    if (record.degree > most_contracted_degree) list(record)[places_[e].at[s]] = e;
  }
}

COUNTPM_HD inline void BetheGraph::enter_bin(Vertex v) const {
  Record& record = records_[v];
  Vertex& first = first_of_degree_[record.degree];
  record.next = first;
  record.previous = no_vertex;
  if (first != no_vertex) records_[first].previous = v;
  first = v;
}

COUNTPM_HD inline void BetheGraph::leave_bin(Vertex v) const {
  const Record& record = records_[v];
  if (record.previous == no_vertex) {
    first_of_degree_[record.degree] = record.next;
  } else {
    records_[record.previous].next = record.next;
  }
  if (record.next != no_vertex) records_[record.next].previous = record.previous;
}

COUNTPM_HD inline void BetheGraph::drop_last(Record& record) const {
  if (record.degree == most_contracted_degree + 1) {
    const EdgeNumber* const edges = long_lists_ + record.edge[0];
    for (std::uint32_t k = 0; k < most_contracted_degree; ++k) record.edge[k] = edges[k];
  }
  --record.degree;
}

COUNTPM_HD inline void BetheGraph::unlink(EdgeNumber e, unsigned s) const {
  const Vertex v = edges_[e].end[s];
  Record& record = records_[v];
  leave_bin(v);
  EdgeNumber* const edges = list(record);
  const EdgeNumber last = edges[record.degree - 1];
  const std::uint32_t at = places_[e].at[s];
  edges[at] = last;
  places_[last].at[s] = at;
  drop_last(record);
  enter_bin(v);
}

COUNTPM_HD inline BetheGraph::Contraction BetheGraph::contraction(Vertex v) const {
  EdgeNumber to_kept = records_[v].edge[0];
  EdgeNumber to_other = records_[v].edge[1];
  if (degree(neighbour(v, to_kept)) < degree(neighbour(v, to_other))) {
    to_kept = records_[v].edge[1];
    to_other = records_[v].edge[0];
  }
  const double kept_weight = edges_[to_kept].weight;
  const double other_weight = edges_[to_other].weight;
  Contraction result;
  result.kept = neighbour(v, to_kept);
  result.other = neighbour(v, to_other);
  result.factor = kept_weight > other_weight ? kept_weight : other_weight;
  // v takes one of them: the merged vertex stands for the other.
  result.kept_share = other_weight / result.factor;
  result.other_share = kept_weight / result.factor;
  return result;
}

COUNTPM_HD inline bool BetheGraph::stays_in_range(Vertex v, double share) const {
  for (const EdgeNumber e : edges(v)) {
    const double weight = edges_[e].weight * share;
    if (!(weight >= least_weight && weight <= most_weight / 2)) return false;
  }
  return true;
}

COUNTPM_HD inline bool BetheGraph::fits(const Contraction& contraction) const {
  return degree(contraction.kept) + degree(contraction.other) - 2 <= most_contracted_degree &&
         stays_in_range(contraction.kept, contraction.kept_share) &&
         stays_in_range(contraction.other, contraction.other_share);
}

COUNTPM_HD inline void BetheGraph::share_out(Edge& edge, unsigned s, double share) {
  edge.weight *= share;
  const double message = edge.message[s] / share;
  edge.message[s] = message > most_message ? most_message : message;
}

template <class Changed>
COUNTPM_HD void BetheGraph::merge(const Contraction& contraction, const Changed& changed) const {
  const Vertex kept = contraction.kept;
  const Vertex other = contraction.other;
  const unsigned s = side(kept);
  Record& own = records_[kept];
  Record& gone = records_[other];
  leave_bin(kept);
  leave_bin(other);
  gone.left = 0;
  gone.level = nowhere;
  const std::uint32_t before = own.degree;
  for (std::uint32_t k = 0; k < before; ++k) share_out(edges_[own.edge[k]], s, contraction.kept_share);
  for (std::uint32_t m = 0; m < gone.degree; ++m) {
    const EdgeNumber e = gone.edge[m];
    const Vertex to = edges_[e].end[1 - s];
    share_out(edges_[e], s, contraction.other_share);
    std::uint32_t twin = 0;
    while (twin < before && edges_[own.edge[twin]].end[1 - s] != to) ++twin;
    if (twin < before) {
      Edge& both = edges_[own.edge[twin]];
      const double weight = both.weight + edges_[e].weight;
      both.message[s] = (both.brought_to(1 - s) + edges_[e].brought_to(1 - s)) / weight;
      both.weight = weight;
      unlink(e, 1 - s);
      changed(to);
      continue;
    }
    edges_[e].end[s] = kept;
    places_[e].at[s] = own.degree;
    own.edge[own.degree++] = e;
  }
  gone.degree = 0;
  enter_bin(kept);
  if (s == 0) --head_->left;
}

/// A BetheGraph with memory of its own.
class BetheMemory {
 public:
  explicit BetheMemory(const BetheLayout& layout) : layout_(layout), memory_(layout.bytes) {}
  /// The graph of the whole matrix.
  BetheMemory(const BetheLayout& layout, const SampleMatrix& matrix);

  const BetheLayout& layout() const { return layout_; }
  BetheGraph graph() { return {layout_, memory_.data()}; }
  const std::byte* data() const { return memory_.data(); }
  /// Begins as the other does, whose layout differs at most in `waiting`.
  void copy_image(const BetheMemory& other);

 private:
  BetheLayout layout_;
  std::vector<std::byte, HugePageAllocator<std::byte>> memory_;
};

}  // namespace countpm
