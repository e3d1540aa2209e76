#pragma once
// From an instance to the blocks that remain to be counted: cut along its structure, then the reductions.
#include <cstdint>
#include <variant>
#include <vector>

#include "graph/instance.hpp"
#include "matching/block.hpp"
#include "matching/reduce.hpp"
#include "matching/structure.hpp"
#include "src/structure/analysis.hpp"

namespace countpm {

/// What was factored out: exact, whatever the weights are.
using Factor = std::variant<mpq_class, ComplexRational>;

/// A Dulmage-Mendelsohn block of two or more rows, or a component of a general graph, and what the reductions
/// left of it: per(original) = factor * product of per(reduced), with haf for per where a block is general. A
/// block with monomers is left as it is.
struct ReducedBlock {  // NOLINT(bugprone-exception-escape): numbers are moved by swapping
  AnyBlock original;
  Factor factor;
  std::vector<AnyBlock> reduced;
};

/// The whole of an instance with a perfect matching: its count is `factor` (from the blocks of one entry, and
/// the orders of free vertices) times the blocks.
struct ReducedInstance {  // NOLINT(bugprone-exception-escape): numbers are moved by swapping
  Factor factor;
  std::vector<ReducedBlock> blocks;
  RuleTally tally;
};

/// Cuts the instance's matrix along its structure, which has no violator, and reduces every block. int64
/// blocks whose reduction would overflow are reduced again over unbounded integers. Near-linear in the
/// entries. `poll` is reduce()'s, called for every block too: what it throws passes through. rules.whole: the
/// matrix is one block, with all of its entries.
ReducedInstance reduce_blocks(const Instance& instance, const Analysis& analysis, const RuleSet& rules,
                              const Poll& poll = {});

/// Reduces one block; adds to the tally. `poll` is reduce()'s.
ReducedBlock reduce_block(AnyBlock original, const RuleSet& rules, RuleTally& tally, const Poll& poll = {});

/// The same count in another form, for a second opinion. per(A) = per(transpose(A)): the transposed block
/// (no multiplicities). A general block is its own transpose: its vertices are renumbered at random (always
/// the same way).
AnyBlock relabelled(const AnyBlock& block);

/// The number of rows and of entries; of a general block, of vertices and edges.
std::uint64_t rows_of(const AnyBlock& block);
std::uint64_t entries_of(const AnyBlock& block);

/// The product of many numbers by halves, so that a million small ones cost no quadratic time.
mpq_class product(std::vector<mpq_class> factors);

}  // namespace countpm
