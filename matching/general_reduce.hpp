#pragma once
// The reductions of general graphs: from a symmetric matrix to irreducible blocks and a factor.
#include "matching/reduce.hpp"

namespace countpm {

/// haf(graph) = factor * product over blocks of per(block), or haf(block) where it is general. `graph` is a
/// symmetric matrix without a diagonal. Vertices of degree 1 and 2 go by the rules single and double; what
/// is left falls into components, of which the two-colourable ones are reduced as bipartite blocks. Where
/// entries have cancelled (or, with `settled` false, where anything has changed) the matching and the
/// forbidden edges are found anew. settled: `graph` is a piece of analyse_general with complete = true.
/// Worklist driven: near-linear on long chains; no recursion. Poll, overflow and the rest as for reduce().
template <class Value>
Reduced<Value> reduce_general(const SparseMatrix<Value>& graph, const RuleSet& rules, bool settled = true,
                              const Poll& poll = {});

extern template Reduced<std::int64_t> reduce_general(const SparseMatrix<std::int64_t>&, const RuleSet&, bool,
                                                     const Poll&);
extern template Reduced<mpq_class> reduce_general(const SparseMatrix<mpq_class>&, const RuleSet&, bool,
                                                  const Poll&);
extern template Reduced<ComplexRational> reduce_general(const SparseMatrix<ComplexRational>&, const RuleSet&,
                                                        bool, const Poll&);

}  // namespace countpm
