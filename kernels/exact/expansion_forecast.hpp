#pragma once
// How many nodes an expansion will have, without expanding it: Knuth's random descents. D. E. Knuth,
// Estimating the efficiency of backtrack programs, Math. Comp. 29 (1975).
#include "kernels/exact/expansion.hpp"

namespace countpm {

/// log2 of the estimated work of the product's expansion, in nodes. A descent follows every block of a
/// product and one half of a split, drawn by lot, with twice the weight: its weighted sum of nodes has the
/// right mean. Never below 0. Costs at most about 4 M entries looked at; where not even one descent ends
/// within that, the rows left are taken to cost as many doublings each as those before.
template <class Value>
double forecast_expansion(const Product<Value>& product, const ExpansionOptions& options, std::uint64_t seed);

extern template double forecast_expansion(const Product<std::int64_t>&, const ExpansionOptions&,
                                          std::uint64_t);
extern template double forecast_expansion(const Product<mpq_class>&, const ExpansionOptions&, std::uint64_t);
extern template double forecast_expansion(const Product<ComplexRational>&, const ExpansionOptions&,
                                          std::uint64_t);

}  // namespace countpm
