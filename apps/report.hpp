#pragma once
// The person's view of results: the short report on standard error and the text of `explain`.
#include <string>

#include "src/api/entries.hpp"

namespace countpm::app {

/// The report of a count, some lines long; `all_checks`: every check with what it compared.
std::string count_report(const CountResult& result, bool all_checks);
/// What `countpm explain` prints, in lines of that width.
std::string explain_report(const Explanation& explanation, double time_limit_seconds, std::size_t width);

}  // namespace countpm::app
