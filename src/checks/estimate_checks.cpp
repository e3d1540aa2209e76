#include "src/checks/estimate_checks.hpp"

#include <fmt/format.h>

namespace countpm {
void verify_nesting_bound(double log2_nesting, const CertifiedBounds& bounds, Checks& checks) {
  const auto nesting = fmt::format("2^{:.6g}", log2_nesting);
  const auto least = fmt::format("at least 2^{:.6g}", bounds.log2_lower);
  if (log2_nesting < bounds.log2_lower - log_rounding(bounds.log2_upper))
    Checks::failed("nesting bound", least, nesting);
  checks.passed("nesting bound", nesting + ", certainly " + least);
}

void verify_interval(double low, double high, double least, double most, bool doubtful, Checks& checks) {
  constexpr const char* name = "interval";
  if (doubtful)
    return checks.not_applicable(name, "the samples are in doubt, and the interval reaches to these bounds");
  const auto interval = fmt::format("from 10^{:.6g} to 10^{:.6g}", low, high);
  const auto certain = fmt::format("within 10^{:.6g} and 10^{:.6g}", least, most);
  if (low > most + log_rounding(most) || high < least - log_rounding(most))
    Checks::failed(name, certain, interval);
  checks.passed(name, interval + ", certainly " + certain);
}

}  // namespace countpm
