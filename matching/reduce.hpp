#pragma once
// The reductions: from a square matrix to irreducible blocks and a factor, with nothing lost.
#include <functional>
#include <utility>
#include <vector>

#include "matching/block.hpp"
#include "matching/rules.hpp"

namespace countpm {

/// Called now and then by long work, from its thread; throws to stop it. Empty: never.
using Poll = std::function<void()>;

/// per(input) = factor * product over blocks of per(block). factor is zero (and blocks empty) exactly when
/// the permanent was found to be zero.
template <class Value>
struct Reduced {
  /// mpq_class, or ComplexRational where Value is.
  using Factor = std::conditional_t<std::is_same_v<Value, ComplexRational>, ComplexRational, mpq_class>;
  Factor factor{};
  std::vector<Block<Value>> blocks;  // each fully indecomposable, every row and column with >= 3 entries
                                     // (where single and double are on)
  RuleTally tally;
  bool overflow = false;  // int64 only: a step was left out because an entry would have overflowed; the wider
                          // type would go further
};

/// Splits into Dulmage-Mendelsohn blocks and applies the rules single and double until none applies,
/// splitting again whenever an entry goes. Forbert-Marx is not applied here (it makes a sum of two): see
/// forbert_marx.hpp. Twins are merged last, when `merge_twins` and the rule is on. Any square matrix, also 0
/// x 0 (factor 1, no blocks). Worklist driven: near-linear on long chains; no recursion. H. Forbert, D. Marx,
/// Calculation of the permanent of a sparse positive matrix, Comput. Phys. Commun. 150 (2003).
/// `poll` is called before every application of a rule (one on long numbers can take milliseconds), so it
/// must be cheap: an atomic load, say. It is not called where int64 matrices of up to 64 rows are worked on.
/// What it throws passes through, and nothing is kept. Memory: O(rows + entries) and the values alive.
template <class Value>
Reduced<Value> reduce(const SparseMatrix<Value>& matrix, const RuleSet& rules, bool merge_twins = true,
                      const Poll& poll = {});

extern template Reduced<std::int64_t> reduce(const SparseMatrix<std::int64_t>&, const RuleSet&, bool,
                                             const Poll&);
extern template Reduced<mpq_class> reduce(const SparseMatrix<mpq_class>&, const RuleSet&, bool, const Poll&);
extern template Reduced<ComplexRational> reduce(const SparseMatrix<ComplexRational>&, const RuleSet&, bool,
                                                const Poll&);

}  // namespace countpm
