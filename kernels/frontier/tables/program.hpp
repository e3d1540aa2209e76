#pragma once
// An elimination made ready to run: which bits of a key hold which class, and for every step the streams of
// states that flow from a table to the next.
//
// A class of multiplicity m has a field of bit_width(m) bits from the first table that touches it until it is
// matched in full, the same field in all tables of the stack; free bits are zero. A round of an elimination
// moves states along streams: a stream takes the states that have given values in given fields and puts
// others there. The bits replaced are constant over a stream, so that it keeps the order of the keys: every
// round merges sorted streams into a sorted table.
// Members of a class count as alike while they are taken: a table's values are to be multiplied by
// m (m - 1) ... (k factors) for every frontier class with k of its m members matched. Only so do values
// simply multiply where tables are joined. The factors come in when a class is eliminated that is matched in
// part, and for the classes that leave in full, m! each, once and for all in the end (Program::factor).
// Classes whose last neighbour goes must be full: they leave with it, not with their own step, and states
// that leave them open are never made. Not so classes with an inner edge or loops: their free members may
// still take one another. Such a class has a field for its own step, whether it was touched before or not;
// round t of it lets the states with t members matched take one more with a neighbour, or two more with each
// other in m - 1 - t ways, and hands on those with t + 1 or more. So it is with classes whose members have
// loops (ClassGraph::loop): in round t one more may take itself. In a graph with tiles a vertex that is free
// takes a neighbour, itself or a tile, all of whose other vertices must be free and not eliminated.
// The lowest 6 bits, the places within a block (key.hpp), go to the classes that stay longest: blocks are
// full then. With the first come there, all blocks of K_30 had one state, and a run took 6 times
// as long.
#include <gmpxx.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/frontier/order/elimination.hpp"
#include "kernels/orders/class_graph.hpp"

namespace countpm {

/// `width` bits at `offset`; never across a multiple of 64, nor across bit 6 (key.hpp).
struct Field {
  std::uint32_t offset = 0;
  std::uint32_t width = 0;  // 0: none
};

/// States with `from` in the field; it becomes `to`.
struct FieldChange {
  Field field;
  std::uint32_t from = 0;
  std::uint32_t to = 0;
};

/// Values are multiplied by top (top - 1) ... (`count` factors), and by the value of matrix entry `entry`
/// unless that is no_entry.
struct StepWeight {
  static constexpr std::uint64_t no_entry = ~std::uint64_t{0};
  std::uint64_t entry = no_entry;
  std::uint32_t top = 1;
  std::uint32_t count = 0;
};

/// counted.width != 0: takes states with any value c < limit in that field, makes it c + 1.
struct StreamPlan {
  std::vector<FieldChange> changes;
  Field counted;
  std::uint32_t limit = 0;
  std::uint32_t weight = 0;  // its number in the round
};

struct RoundPlan {
  std::vector<StreamPlan> streams;
  std::vector<StepWeight> weights;
};

/// Fields of classes that both tables know: counts add up to at most `limit`, or to just that (full) and the
/// field is cleared.
struct SharedField {
  Field field;
  std::uint32_t limit = 1;
  bool full = false;
};
struct JoinPlan {
  std::vector<SharedField> shared;
};

struct ProgramStep {
  enum class Kind : std::uint8_t { push, round, join };
  Kind kind = Kind::push;
  std::uint32_t index = 0;  // into rounds or joins
};

struct Program {
  std::vector<ProgramStep> steps;
  std::vector<RoundPlan> rounds;
  std::vector<JoinPlan> joins;
  std::uint32_t key_bits = 0;
  mpz_class factor = 1;           // of the last state's value
  double log2_other_factors = 0;  // bounds the product of those that come in on the way
};

/// O(sum over steps of degree * multiplicity, and of the frontiers at joins). Throws std::invalid_argument
/// where the elimination is none of this graph: a class missing or twice, an edge between tables to be
/// joined, a stack that does not work out.
Program make_program(const ClassGraph& graph, const Elimination& elimination);

/// A linear elimination from its two ends. `front` makes the first half of the steps, and its states say
/// which classes of the frontier, all of multiplicity 1, are matched there. `back` eliminates what is left,
/// last first, and has for every set of frontier classes, in the same fields, the sum over what is left
/// without them. The count is the sum of the products of the two tables' values where their states are the
/// same, times both factors: half of the steps from each end, with values of half the length, and no pairs of
/// states that a join would have to go through.
struct BothEnds {
  Program front;
  Program back;
};

/// Empty where the elimination has joins, or few steps, or from its middle on twins in every frontier.
/// O(sum over steps of degree * multiplicity).
std::optional<BothEnds> make_both_ends(const ClassGraph& graph, const Elimination& elimination);

/// The order in which `back` would go through all of it.
Elimination reversed(const Elimination& elimination);

}  // namespace countpm
