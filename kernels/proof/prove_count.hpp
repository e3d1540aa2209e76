#pragma once
// The rounds of a proof: the tables of all steps forwards, and backwards each of them on a line.
//
// The tables are kept as far as the memory allows: all of them, or those at the beginning of every segment,
// the others being made again when their segment's turn comes, and in little memory again within it.
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "kernels/proof/eliminations.hpp"
#include "kernels/proof/prime_field.hpp"
#include "kernels/proof/transcript.hpp"

namespace countpm {

/// Bits of states that keys have room for.
inline constexpr unsigned most_state_bits = 256 + 6;

/// How large the tables are.
struct ProofSizes {
  struct Table {
    std::uint64_t blocks = 0;
    std::uint64_t states = 0;
  };
  std::vector<Table> tables;  // the first one, and that after every step
  std::uint64_t states = 0;   // of all
  std::uint64_t widest = 0;   // states of the largest
  double transitions = 0;     // about so many sums on the way
  bool whole = true;          // false: there are more, and counting them was given up
};

/// Which states are reached, without their values: some hundredths of the time of the proof. Stops where
/// there are more than most_states in all, or more than most_in_two in a table and the one before. The plan's
/// states have at most most_state_bits bits. Throws Stopped.
ProofSizes measure_tables(const EliminationPlan& plan, std::uint64_t most_states, int threads,
                          std::uint64_t most_in_two = ~std::uint64_t{0},
                          const std::function<void(std::uint64_t states)>& looked_at = {});

/// Which tables are kept, and which are made again.
struct ProofMemory {
  /// The steps from `first` to before `last`, of which the table before `first` is there. Without parts all
  /// tables between are made and kept. With parts only those that parts begin with are; then each part, from
  /// the last on, is a segment itself.
  struct Segment {
    std::size_t first = 0, last = 0;
    std::vector<Segment> parts;
  };
  Segment whole;
  std::uint64_t bytes = 0;  // at most so many at a time
  double again = 0;         // so many times the forward pass is done beside once
};
/// The least work that the memory allows, with parts of parts where it is scarce (A. Griewank, Achieving
/// logarithmic growth of temporal and spatial complexity in reverse automatic differentiation, Optimization
/// Methods and Software 1 (1992) 35). With less memory than is possible, the least that is found.
ProofMemory plan_memory(const EliminationPlan& plan, const ProofSizes& sizes, std::uint64_t memory_bytes);

/// Weights of the shape's sets, and of its monomers (empty: there are none).
struct ProofWeights {
  std::vector<FieldElement> set;
  std::vector<FieldElement> monomer;
};

struct ProofHooks {
  /// Called with the values of the table before a step (its number), when they are looked at for the last
  /// time: for tests, which change them.
  std::function<void(std::size_t step, FieldElement* value, std::uint64_t states)> table;
  /// Share of the work that is done, from one thread.
  std::function<void(double share)> done;
};

/// What is the sum, modulo p, and the rounds that prove it. Without rounds where the sum is not `claim`.
struct ProofRounds {
  FieldElement sum;
  std::vector<ProofRound> rounds;
};
/// Throws CheckError where tables do not agree with each other, std::bad_alloc, Stopped.
ProofRounds prove_count(const EliminationPlan& plan, const ProofSizes& sizes, const ProofMemory& memory,
                        const PrimeField& field, const ProofWeights& weights, const FieldElement& claim,
                        const HashBytes& statement, int threads, const ProofHooks& hooks = {});

}  // namespace countpm
