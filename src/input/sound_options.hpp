#pragma once
// Options as a program hands them over: the command line's own limits hold for them too.
#include <functional>

#include "graph/errors.hpp"
#include "src/api/entries.hpp"

namespace countpm {

inline constexpr int most_emulated_gpus = 64;
inline constexpr unsigned most_digits = 100'000;

/// Throws UsageError for numbers that no option has: enumerations beyond their last, NaN, threads and
/// emulated GPUs without measure, shares beyond 0 .. 1, names with a zero byte.
void check_numbers(const CountOptions& options);

/// Whether the options ask for perfect matchings (cycle covers) of this graph: the smaller of two equal sides
/// is covered by those alone.
bool asks_for_perfect(const Graph& graph, const Options& options);

/// Throws UsageError where the function that results go to is empty.
template <class Signature>
void require_sink(const std::function<Signature>& sink, const char* what) {
  if (!sink) throw UsageError(std::string("there is no function that takes ") + what);
}

}  // namespace countpm
