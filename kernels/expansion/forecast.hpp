#pragma once
// How many nodes an expansion will have, without expanding it: Knuth's random descents. D. E. Knuth,
// Estimating the efficiency of backtrack programs, Math. Comp. 29 (1975).
#include <optional>

#include "kernels/expansion/expansion.hpp"

namespace countpm {

/// Of a whole expansion; both log2.
struct ExpansionForecast {
  double work = 0;     // in nodes; never below 0
  double seconds = 0;  // of one core, the descents' own time weighted like their work
};

/// A descent follows every block of a product and one half of a split, drawn by lot, with twice the weight:
/// its weighted sum of nodes has the right mean, and so has its weighted sum of seconds. Runs 64 descents, or
/// less where they look at more than about 4 M entries, or where `seconds` are over (one at least); the same
/// seed gives the same work if `seconds` is not given. Where not even one descent ends within the entries,
/// the rows left are taken to cost as many doublings each as those before.
template <class Value>
ExpansionForecast forecast_expansion(const Product<Value>& product, const ExpansionOptions& options,
                                     std::uint64_t seed, std::optional<double> seconds = std::nullopt);

extern template ExpansionForecast forecast_expansion(const Product<std::int64_t>&, const ExpansionOptions&,
                                                     std::uint64_t, std::optional<double>);
extern template ExpansionForecast forecast_expansion(const Product<mpq_class>&, const ExpansionOptions&,
                                                     std::uint64_t, std::optional<double>);
extern template ExpansionForecast forecast_expansion(const Product<ComplexRational>&, const ExpansionOptions&,
                                                     std::uint64_t, std::optional<double>);

}  // namespace countpm
