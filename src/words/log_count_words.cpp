#include "src/words/log_count_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace countpm::words {

std::string logarithm_text(const LogCountResult& result) {
  if (std::isinf(result.ln_z)) return "-inf";
  const int places = std::clamp(1 - static_cast<int>(std::floor(std::log10(result.error_estimate))), 0, 17);
  return fmt::format("{:.{}f}", result.ln_z, places);
}

std::string logarithm_name(const LogCountResult& result) {
  return result.of_absolute ? "ln |Z|" : "ln Z";
}

std::string logarithm_kind(const LogCountResult& result) {
  return fmt::format("{} of {}{}: no count, but a floating-point value with a bound on its error",
                     logarithm_name(result), name_of(result.problem), result.weighted ? ", weighted" : "");
}

std::vector<Fact> facts_of(const LogCountResult& result) {
  if (std::isinf(result.ln_z)) return {};
  return {{"error", fmt::format("at most {:.1e}, relative {:.1e}: all roundings of the elimination together",
                                result.error_estimate,
                                result.error_estimate / std::max(std::abs(result.ln_z), 1e-300))},
          {"per vertex", fmt::format("{:.15g}", result.ln_z / static_cast<double>(result.vertices))}};
}

}  // namespace countpm::words
