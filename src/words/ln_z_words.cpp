#include "src/words/ln_z_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace countpm::words {

std::string logarithm_text(const LnZResult& result) {
  if (std::isinf(result.ln_z)) return "-inf";
  const int places = std::clamp(1 - static_cast<int>(std::floor(std::log10(result.ln_z_error))), 0, 17);
  return fmt::format("{:.{}f}", result.ln_z, places);
}

std::string logarithm_name(const LnZResult& result) {
  return result.of_absolute ? "ln |Z|" : "ln Z";
}

std::string logarithm_kind(const LnZResult& result) {
  return fmt::format("{} of {}{}: no count, but a floating-point value with a bound on its error",
                     logarithm_name(result), name_of(result.problem), result.weighted ? ", weighted" : "");
}

std::vector<Fact> facts_of(const LnZResult& result) {
  if (std::isinf(result.ln_z)) return {};
  return {
      {"error", fmt::format("at most {:.1e}, relative {:.1e}: all roundings of the elimination together",
                            result.ln_z_error, result.ln_z_error / std::max(std::abs(result.ln_z), 1e-300))},
      {"per vertex", fmt::format("{:.15g}", result.ln_z / static_cast<double>(result.vertices))}};
}

}  // namespace countpm::words
