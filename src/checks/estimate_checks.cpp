#include "src/checks/estimate_checks.hpp"

#include <fmt/format.h>

namespace countpm {
namespace {

constexpr double log10_of_a_million = 6;

}  // namespace

void verify_nesting_bound(double log2_nesting, const CertifiedBounds& bounds, Checks& checks) {
  const auto nesting = fmt::format("2^{:.6g}", log2_nesting);
  const auto least = fmt::format("at least 2^{:.6g}", bounds.log2_lower);
  if (log2_nesting < bounds.log2_lower - log_rounding(bounds.log2_upper))
    Checks::failed("nesting bound", least, nesting);
  checks.passed("nesting bound", nesting + ", certainly " + least);
}

bool IntervalWithinBounds::misses() const {
  return low > most + log_rounding(most) || high < least - log_rounding(most);
}

void verify_interval(const IntervalWithinBounds& interval, bool doubtful, Checks& checks) {
  constexpr const char* name = "interval";
  const auto certain = fmt::format("within 10^{:.6g} and 10^{:.6g}", interval.least, interval.most);
  if (interval.mean > interval.most + log10_of_a_million)
    Checks::failed(name, certain, fmt::format("a mean of 10^{:.6g}", interval.mean));
  if (doubtful)
    return checks.not_applicable(name, "the samples are in doubt, and the interval reaches to these bounds");
  checks.passed(
      name, fmt::format("from 10^{:.6g} to 10^{:.6g}, certainly {}", interval.low, interval.high, certain));
}

}  // namespace countpm
