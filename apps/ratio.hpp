#pragma once
// countpm estimate A --ratio-to B, and estimate INPUT --integrate x=1:4.
#include <string_view>

#include "apps/options.hpp"

namespace countpm::app {

/// Writes the ratio and its error. Throws UsageError for options that ratios do not know.
int run_ratio(const Request& request);
/// The same for them alone.
void refuse_unknown_to_ratios(const Request& request);
bool is_unknown_to_ratios(std::string_view option);

}  // namespace countpm::app
