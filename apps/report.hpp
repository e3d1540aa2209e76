#pragma once
// The person's view of results: the short report on standard error and the text of `explain`.
#include <string>

#include "src/api/countpm.hpp"

namespace countpm::app {

/// "undirected graph, 24 vertices, 30 edges (edgelist)"
std::string input_text(const InputSummary& summary);
/// "left {a, b, c} has only the neighbours {x, y}", long lists cut.
std::string violator_text(const ViolatorReport& violator);
/// The report of a count, some lines long; `all_checks`: every check with what it compared.
std::string count_report(const CountResult& result, bool all_checks);
/// What `countpm explain` prints.
std::string explain_report(const Explanation& explanation, double time_limit_seconds);

}  // namespace countpm::app
