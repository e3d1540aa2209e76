#include "src/words/explain_words.hpp"

#include <fmt/format.h>

#include <cmath>

#include "src/text/format_number.hpp"
#include "src/text/format_quantity.hpp"
#include "src/words/count_words.hpp"

namespace countpm::words {

std::string problem_text(const Explanation& explanation) {
  return fmt::format("{}: the {} of a {} x {} matrix", name_of(explanation.problem),
                     explanation.problem == Problem::general_perfect_matchings ? "hafnian" : "permanent",
                     explanation.rows, explanation.columns);
}

std::string structure_text(const Explanation& explanation) {
  const std::string size = counted(explanation.matching_size, "edge");
  if (explanation.violator)
    return fmt::format("the largest matching has {}: none is perfect, and the count is 0", size);
  const bool general = explanation.problem == Problem::general_perfect_matchings;
  return fmt::format("a perfect matching of {}; {}; {} in no perfect matching dropped", size,
                     counted(explanation.structure_blocks, "block"),
                     general ? counted(explanation.entries_dropped, "edge")
                             : counted(explanation.entries_dropped, "entry", "entries"));
}

std::string left_text(const Explanation& explanation) {
  return explanation.blocks.empty() ? "nothing: the factor is the count"
                                    : counted(explanation.blocks.size(), "block") + " to count";
}

std::string block_text(const BlockForecast& block) {
  return fmt::format("{}, count below 2^{:.1f}, {}", size_text(block), block.log2_bound, block.arithmetic);
}

std::string bounds_text(const BoundsReport& bounds) {
  return fmt::format("from 10^{:.2f} ({}) to 10^{:.2f} ({}), for certain",
                     std::floor(bounds.log10_lower * 100) / 100, bounds.lower_by,
                     std::ceil(bounds.log10_upper * 100) / 100, bounds.upper_by);
}

ForecastWords forecast_words(const MethodForecast& method) {
  ForecastWords words;
  if (method.obstacle) words.rate = method.obstacle->text;
  // What needs too much memory has its figures all the same.
  if (method.obstacle && method.obstacle->kind != RefusalKind::memory) return words;
  words.time = format_log10_seconds(method.log10_seconds);
  words.memory = format_bytes(method.memory_bytes);
  words.work = format_power(method.log10_work);
  if (!method.obstacle) {
    words.rate = fmt::format("{} ({}{})", method.work_name, method.measured ? "measured" : "nominal",
                             method.device == "cpu" ? "" : ", " + method.device);
  }
  return words;
}

std::string total_text(const Explanation& explanation, double time_limit_seconds) {
  if (!explanation.blocks.empty() && std::isinf(explanation.log10_total_seconds))
    return "out of reach: a block has no method that can count it";
  const std::string total =
      explanation.blocks.empty() ? "no counting" : format_log10_seconds(explanation.log10_total_seconds);
  return fmt::format("{}; {} the time limit of {}", total, explanation.feasible ? "within" : "beyond",
                     format_seconds(time_limit_seconds));
}

}  // namespace countpm::words
