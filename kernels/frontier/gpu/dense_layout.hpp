#pragma once
// An elimination as steps over whole tables: every set of frontier vertices that the numbers of rows and
// columns allow has its place, reachable or not.
//
// A set is a word with a bit for each frontier vertex: of a column whether it is used, of a row whether it is
// free. With R rows and C columns eliminated just R - C more frontier columns than frontier rows are used, so
// that all sets of a table have equally many ones, R - C + the rows in the frontier. Sets are ranked as
// numbers, and the rank of c_1 < c_2 < ... is the sum of the C(c_i, i) (the combinatorial number system).
//
// Eliminating v makes a new table whose sets each pull the values of their predecessors: the same set with v
// used before, and for each neighbour u of v that is used in it, the set with u and v free. The other
// neighbours that are new must be free. Vertices that leave (v, and those whose last neighbour v is, which
// must be used) are taken out of the word and the others move up; new ones come in at its top.
//
// So the lowest bits of a new set are the lowest bits of its predecessor, with those of the vertices that
// leave put in, and a neighbour's turned round. Sets of the same higher bits follow one another: a run of
// places, and so are their predecessors of one kind. Where a run lies is found once, and the places in it by
// tables over the low bits.
//
// Of a tree, tables wait on a stack until they are joined: frontier/ranked/ranked_join.hpp says how. A table
// that is to be joined is written anew, its bits in the order that the join wants; the joined table's order
// is as good as any for what follows.
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/frontier/order/elimination.hpp"
#include "kernels/orders/class_graph.hpp"

namespace countpm {

/// Of a table.
inline constexpr std::uint64_t most_dense_states = std::uint64_t{1} << 60;
/// GPUs that one table lies on.
inline constexpr std::uint32_t most_dense_slabs = 16;
/// Slabs that a launch reads.
inline constexpr std::uint32_t most_dense_sources = 32;

/// The most low bits: two tables of 2^12 numbers of 16 bits are 16 KiB.
inline constexpr std::uint32_t most_dense_low_bits = 12;

/// A kind of predecessor. The new set's high bits (those above DenseStep::to_low) are as they must be where
/// (high & high_mask) == high_value, and the old set's are they, without the new vertices and with zeros for
/// those that have left, xor high_flip. Of the low bits: the new set's, with zeros for those that have left,
/// are as they must be where (low & low_mask) == low_value, and the old set's are low xor low_flip.
struct DensePull {
  std::uint64_t high_mask = 0;
  std::uint64_t high_value = 0;
  std::uint64_t high_flip = 0;
  std::uint32_t low_mask = 0;
  std::uint32_t low_value = 0;
  std::uint32_t low_flip = 0;
  std::uint32_t weight = 0;  // its number in the program
};

/// The numbers of a step, for the host and the device. Widths are at most 64.
struct DenseShape {
  std::uint32_t from_width = 0;
  std::uint32_t from_ones = 0;
  std::uint32_t from_low = 0;  // low bits of an old set
  std::uint32_t to_width = 0;
  std::uint32_t to_ones = 0;
  std::uint32_t to_low = 0;       // of a new one
  std::uint32_t kept_width = 0;   // bits of a new set that are no new vertices
  std::uint32_t removed_low = 0;  // of the vertices that leave, those in the low bits
};

/// A step's high parts by the number of ones in them, a class each: a word of DenseShape::to_low bits has
/// least + c ones beside a high part of class c, whose numbers are first[c] .. first[c + 1] - 1.
struct DenseClasses {
  std::uint64_t first[most_dense_low_bits + 2] = {};
  std::uint64_t start[most_dense_low_bits + 2] = {};  // of a slab: those of the class before it
  std::uint32_t count = 0;
  std::uint32_t least = 0;
};

struct DenseStep {
  DenseShape shape;
  std::uint64_t from_states = 1;
  std::uint64_t to_states = 1;
  double moves = 0;  // values pulled
  std::vector<DensePull> pulls;
  std::vector<std::uint8_t> removed;  // their bits in an old set, ascending
};

/// A table written anew, its bits in another order.
struct DenseReorder {
  std::uint32_t width = 0;
  std::uint32_t ones = 0;
  std::uint64_t states = 1;
  std::uint8_t old_bit[64] = {};  // where bit k of a new set was
};

/// The numbers of a join, for the host and the device. Bits from the lowest on: of the one table (the runs)
/// its own vertices, the shared ones that stay, those that leave; of the other (the scalars) the shared ones
/// likewise, then its own; of the joined one those of the runs, the shared ones that stay, those of the
/// scalars.
struct DenseJoinShape {
  std::uint32_t own_of_runs = 0;
  std::uint32_t own_of_scalars = 0;
  std::uint32_t kept = 0;
  std::uint32_t closing = 0;
  std::uint32_t shared_rows = 0;  // bits of the shared ones that are rows
  std::uint32_t runs_ones = 0;
  std::uint32_t scalars_ones = 0;
  std::uint32_t to_ones = 0;

  std::uint32_t shared() const { return kept + closing; }
  std::uint32_t to_width() const { return own_of_runs + kept + own_of_scalars; }
  std::uint64_t patterns() const { return std::uint64_t{1} << shared(); }
};

struct DenseJoin {
  DenseJoinShape shape;
  bool waiting_gives_runs = false;  // and not the table on top
  std::uint64_t waiting_states = 1;
  std::uint64_t top_states = 1;
  std::uint64_t to_states = 1;
  double pairs = 0;  // values multiplied
};

/// What is done next. Tables lie in one array: those that wait one after the other from its beginning, and
/// the one on top, and what is made of it, in turns at the end and behind those that wait.
struct DenseAction {
  /// start: the table of the empty set. move: to the other place.
  enum class Kind : std::uint8_t { start, step, move, reorder, join };
  Kind kind = Kind::step;
  std::uint32_t index = 0;   // of the step, the reorder or the join
  std::uint64_t below = 0;   // places of the tables that wait, of a join once it is done
  std::uint64_t states = 1;  // of what it makes
  bool at_end = false;       // where it makes that
};

/// What it will cost.
struct DenseFigures {
  double log2_states = 0;      // alive at once: what waits, an old table and a new one
  double log2_peak = 0;        // of the largest table
  double log2_all = 0;         // of all tables together
  double log2_moves = 0;       // values pulled, and pairs joined
  double rounds = 0;           // launches, but for those of large tables
  double kinds = 0;            // of predecessors, of all steps
  double runs = 0;             // of new sets, of all steps
  double stretches = 0;        // of predecessors in a run, as many as a warp pulls at once (dense_stretch)
  double short_stretches = 0;  // the same of values of 16 bytes
  std::uint32_t width = 0;     // of the widest frontier, in vertices
  std::uint32_t joins = 0;
  double pairs = 0;              // of the moves
  std::uint64_t list_bytes = 0;  // of memory, beside the tables
};

struct DenseProgram {
  /// Of weights[0], by which the predecessors with v used before are multiplied: one.
  static constexpr std::uint64_t no_entry = ~std::uint64_t{0};
  bool zero = false;  // some table has no set at all: the count is zero, and there are no steps
  std::vector<DenseAction> actions;
  std::vector<DenseStep> steps;
  std::vector<DenseReorder> reorders;
  std::vector<DenseJoin> joins;
  std::vector<std::uint64_t> weights;  // entries of the matrix
  std::uint64_t states = 1;            // alive at once, at most
  DenseFigures figures;
};

/// Where tables are joined, frontiers have no more vertices.
inline constexpr std::size_t most_joined_width = 62;
/// Bytes for each pattern of shared vertices, beside the tables.
inline constexpr std::uint64_t dense_list_bytes = sizeof(std::uint64_t) + sizeof(std::uint32_t);

/// Twins are vertices of their own. Nothing for graphs with odd cycles, frontiers of more than 64 vertices
/// (62 of a join), joins over more than most_shared_on_gpus of them, tables of 2^60 sets or more, and graphs
/// of more than 2^20 members or edges between the members of classes. Precondition: make_program() takes the
/// elimination. O(steps * width + edges).
std::optional<DenseProgram> make_dense_program(const ClassGraph& graph, const Elimination& elimination,
                                               std::uint32_t low_bits = most_dense_low_bits);

DenseClasses dense_classes(const DenseShape& shape);
/// Places that a warp pulls at once, of values of so many bytes.
std::uint64_t dense_stretch(std::uint64_t value_bytes);
/// How many sets follow one another that have one high part and so many ones in the low part.
std::uint64_t dense_run(const DenseShape& shape, std::uint32_t ones);

/// C(n, k) at [n * 65 + k], for n and k up to 64.
std::vector<std::uint64_t> dense_binomials();

/// For sets of low bits: in order of their number of ones, then of their values; the first place of each
/// number; and for each set its place among those of as many ones. Those of fewer bits come first in every
/// part.
struct DenseLowSets {
  std::vector<std::uint16_t> sets;
  std::array<std::uint32_t, most_dense_low_bits + 2> first{};
  std::vector<std::uint16_t> rank;
};
DenseLowSets dense_low_sets(std::uint32_t low_bits);

}  // namespace countpm
