#pragma once
// An elimination as steps over tables without keys.
//
// A set is a word with a bit for each frontier vertex. Of a matrix: of a column whether it is used, of a row
// whether it is free. With R rows and C columns eliminated just R - C more frontier columns than frontier
// rows are used, so that all sets of a table have equally many ones, R - C + the rows in the frontier. Of a
// graph with odd cycles: whether it is used, and the number of ones is odd where that of the vertices
// eliminated is. A table has one value for each such set, in the order of the words, reached or not: no keys,
// no sorting, no merging.
//
// Eliminating v makes a new table whose sets pull the values of those that they come from: the same set with
// v used before, and for each neighbour u of v that is used in it, the set with u and v free. The other
// neighbours that are new must be free. Vertices that leave (v, and those whose last neighbour v is, which
// must be used) are taken out of the word, new ones put in.
//
// Bits below the lowest that changes are the same in a set and in the one that it comes from, so that sets
// of the same higher bits are a run of places in both tables: runs are added up, not single values
// (runs/ranked_runs.hpp). They are the longer, the higher the bits that change. There are two ways to give
// bits to vertices, and the one with fewer runs is taken. By traffic, that of the least lowest: the values
// pulled, in all steps, in runs that end because the vertex comes, leaves or is taken. Or by time: a new
// vertex comes in above the lowest nine bits, what leaves later below what leaves sooner, and falls further
// where others below it leave; that is for lattices, where all vertices are alike.
//
// Of a tree, tables wait on a stack until they are joined (ranked_join.hpp); the line after a join gives bits
// to the vertices anew.
//
// Vertices that nothing so far tells apart have neighbouring bits, a field of them (alike_vertices.hpp), and
// a table has one of the sets that differ by their order alone: old sets that are not there are put in order.
// Runs are then of bits below the lowest field that one of the two tables has only.
//
// Values are whole numbers, of as many words as a bound proves enough (value_bits.hpp): half the words of the
// count's in the widest tables.
#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/frontier/order/elimination.hpp"
#include "kernels/frontier/ranked/ranked_join.hpp"
#include "kernels/frontier/ranked/set_family.hpp"
#include "kernels/frontier/tables/integer_weights.hpp"

namespace countpm {

/// What a value is multiplied by. 1 by default.
struct RankedWeight {
  std::uint64_t magnitude = 1;
  bool negative = false;

  bool is_one() const { return magnitude == 1 && !negative; }
};

/// A kind of set that new ones pull from. New sets with `value` under `mask` do: from their kept bits, moved
/// to where they were, xor `flip`.
struct RankedPull {
  std::uint64_t mask = 0;
  std::uint64_t value = 0;
  std::uint64_t flip = 0;
  RankedWeight weight;
};

/// Neighbouring bits of a new set, and how far up they were in the old one; below 0: down.
struct BitMove {
  std::uint64_t mask = 0;
  int up = 0;
};

struct RankedStep {
  SetFamily from;
  SetFamily to;
  std::uint64_t from_states = 1;
  std::uint64_t to_states = 1;
  std::uint32_t from_words = 1;  // of a value
  std::uint32_t to_words = 1;
  std::vector<BitMove> kept;
  std::vector<std::uint32_t> removed;  // bits of old sets, ascending
  std::vector<std::uint32_t> fresh;    // bits of new sets, ascending
  std::vector<RankedPull> pulls;
  double moves = 0;  // values pulled

  /// A new set's kept bits where they were; of bits above `low` only, too, if it is shifted back.
  std::uint64_t old_place(std::uint64_t set) const {
    std::uint64_t old = 0;
    for (const BitMove& move : kept)
      old |= move.up >= 0 ? (set & move.mask) << move.up : (set & move.mask) >> -move.up;
    return old;
  }
};

/// What is done to the stack of tables.
struct RankedAction {
  EliminationStep::Kind kind = EliminationStep::Kind::push;
  std::uint32_t index = 0;       // of the step or the join
  std::uint32_t unit_words = 1;  // push: of the one value
};

/// Bytes that a program holds at once. The table on top is in one of two places, and each step makes the next
/// one in the other; tables that wait for a join have places of their own.
struct RankedBytes {
  std::uint64_t places[2]{};  // at most; the first step's table is in the first
  std::uint64_t waiting = 0;  // and what a join needs beside its tables, at most

  std::uint64_t all() const { return places[0] + places[1] + waiting; }
};

/// Vertices in the frontier of a table without keys.
inline constexpr std::uint32_t most_ranked_width = 62;

struct RankedProgram {
  SetRule rule = SetRule::ones;
  bool zero = false;      // some table has no set at all: the count is zero, and nothing is to be done
  bool negative = false;  // values may be: words are in two's complement
  std::vector<RankedAction> actions;
  std::vector<RankedStep> steps;
  std::vector<RankedJoin> joins;
  std::uint32_t width = 0;        // of the widest frontier, in vertices
  std::uint64_t peak_states = 1;  // of the largest table
  RankedBytes bytes;
  double moves = 0;          // values pulled, and pairs joined
  double sets = 0;           // of all tables
  double sets_apart = 0;     // that they would have if vertices that are alike had bits of their own
  std::uint32_t groups = 0;  // of vertices that come to the frontier together and are alike then
};

/// Whether frontier vertices that are alike have a field of bits together: for tests, whatever is faster.
enum class AlikeRule : std::uint8_t { best, apart, together };

/// Values that are pulled like that: 0 for what no set has.
std::uint64_t moves_of(const RankedStep& step, const RankedPull& pull);

/// Twins are vertices of their own, which are alike. Nothing where there is no such form: monomers, tiles,
/// weights of more than 63 bits, frontiers of more than most_ranked_width vertices, joins over more than
/// most_shared of them, tables of 2^40 sets or more, and what eliminate_members() refuses. words_enough: what
/// the result is wanted modulo, or more. O(steps * edges of a vertex * width^2 + edges * log(edges)).
/// Precondition: make_program() takes the elimination.
std::optional<RankedProgram> make_ranked_program(const ClassGraph& graph, const IntegerWeights& weights,
                                                 const Elimination& elimination,
                                                 std::uint32_t words_enough = ~std::uint32_t{0},
                                                 AlikeRule alike = AlikeRule::best);

}  // namespace countpm
