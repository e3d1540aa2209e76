#include "src/checks/estimate_checks.hpp"

#include <fmt/format.h>

#include <cmath>

namespace countpm {
namespace {

/// What roundings may add to a logarithm of this size.
double rounding(double log) {
  return 1e-9 * (1 + std::abs(log));
}

}  // namespace

void verify_nesting_bound(double log2_nesting, const CertifiedBounds& bounds, Checks& checks) {
  const auto nesting = fmt::format("2^{:.6g}", log2_nesting);
  const auto least = fmt::format("at least 2^{:.6g}", bounds.log2_lower);
  if (log2_nesting < bounds.log2_lower - rounding(bounds.log2_upper))
    Checks::failed("nesting bound", least, nesting);
  checks.passed("nesting bound", nesting + ", certainly " + least);
}

void verify_interval(double low, double high, double least, double most, bool doubtful, Checks& checks) {
  constexpr const char* name = "interval";
  if (doubtful)
    return checks.not_applicable(name, "the samples are in doubt, and the interval reaches to these bounds");
  const auto interval = fmt::format("from 10^{:.6g} to 10^{:.6g}", low, high);
  const auto certain = fmt::format("within 10^{:.6g} and 10^{:.6g}", least, most);
  if (low > most + rounding(most) || high < least - rounding(most)) Checks::failed(name, certain, interval);
  checks.passed(name, interval + ", certainly " + certain);
}

}  // namespace countpm
