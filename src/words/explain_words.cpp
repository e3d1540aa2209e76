#include "src/words/explain_words.hpp"

#include <fmt/format.h>

#include <cmath>

#include "src/text/format_duration.hpp"
#include "src/text/format_number.hpp"
#include "src/text/format_quantity.hpp"
#include "src/words/count_words.hpp"
#include "src/words/result_words.hpp"

namespace countpm::words {
namespace {

// Of the machine's cores: less is what any system does.
constexpr double least_shown_load = 0.05;

/// "10^7.11", rounded outwards; "1" for what is 1 but for its own roundings.
std::string power_text(double log10, Rounding rounding) {
  constexpr double of_one = 1e-9;
  if (std::abs(log10) < of_one) return "1";
  const double hundredths = rounding == Rounding::down ? std::floor(log10 * 100) : std::ceil(log10 * 100);
  return fmt::format("10^{:.2f}", hundredths / 100 + 0.0);
}

}  // namespace

std::string problem_text(const Explanation& explanation) {
  if (explanation.problem == Problem::exact_covers)
    return fmt::format("{} of {} by {} and {}", problem_name(explanation),
                       counted(explanation.vertices, "vertex", "vertices"),
                       counted(explanation.edges, "edge"), sets_text(explanation));
  const bool extended = explanation.matched && explanation.matched->free > 0;
  return fmt::format("{}: {} of a {} x {} matrix{}", problem_name(explanation),
                     explanation.problem == Problem::matchings                   ? "the loop hafnian"
                     : explanation.problem == Problem::general_perfect_matchings ? "the hafnian"
                                                                                 : "the permanent",
                     explanation.rows, explanation.columns,
                     extended ? ", with lines added for the free vertices" : "");
}

std::string structure_text(const Explanation& explanation) {
  if (explanation.problem == Problem::exact_covers)
    return counted(explanation.structure_blocks, "component") + " by edges and sets";
  if (explanation.problem == Problem::matchings)
    return fmt::format("{}; every edge is in a matching", counted(explanation.structure_blocks, "component"));
  const std::string size = counted(explanation.matching_size, "edge");
  if (explanation.violator)
    return fmt::format("the largest matching has {}: none is perfect, and the count is 0", size);
  const bool general = explanation.problem == Problem::general_perfect_matchings;
  const std::string kind = explanation.matched ? "maximum" : "perfect";
  const std::string free =
      explanation.matched && explanation.matched->free > 0
          ? fmt::format(" leaves {} free", counted(explanation.matched->free, "vertex", "vertices"))
          : "";
  return fmt::format("a {} matching of {}{}; {}; {} in no {} matching dropped", kind, size, free,
                     counted(explanation.structure_blocks, "block"),
                     general ? counted(explanation.entries_dropped, "edge")
                             : counted(explanation.entries_dropped, "entry", "entries"),
                     kind);
}

std::string left_text(const Explanation& explanation) {
  return explanation.blocks.empty() ? "nothing: the factor is the count"
                                    : counted(explanation.blocks.size(), "block") + " to count";
}

std::string block_text(const BlockForecast& block) {
  return fmt::format("{}, count below 2^{:.1f}, {}", size_text(block), block.log2_bound, block.arithmetic);
}

std::string load_text(const MachineLoad& load) {
  if (load.busy < least_shown_load * load.cores)
    return fmt::format("measured on this machine, whose {} no other program kept busy",
                       counted(static_cast<std::uint64_t>(load.cores), "core"));
  return fmt::format(
      "measured with {:.1f} of {} busy with other programs: without them, counting may be faster than this",
      load.busy, counted(static_cast<std::uint64_t>(load.cores), "core"));
}

std::string bounds_text(const BoundsReport& bounds) {
  return fmt::format("from {} ({}) to {} ({}), for certain", power_text(bounds.log10_lower, Rounding::down),
                     bounds.lower_by, power_text(bounds.log10_upper, Rounding::up), bounds.upper_by);
}

ForecastWords forecast_words(const MethodForecast& method) {
  ForecastWords words;
  if (method.obstacle) words.rate = method.obstacle->text;
  // What needs too much memory has its figures all the same.
  if (method.obstacle && method.obstacle->kind != RefusalKind::memory) return words;
  words.time = format_log10_duration(method.log10_seconds);
  words.memory = format_bytes(method.memory_bytes);
  words.work = format_power(method.log10_work);
  if (!method.obstacle) {
    words.rate = fmt::format("{} ({}{})", method.work_name, method.measured ? "measured" : "nominal",
                             method.device == "cpu" ? "" : ", " + method.device);
  }
  return words;
}

std::string proof_text(const ProofForecast& proof) {
  if (proof.planar)
    return fmt::format("{}: by the graph's embedding in the plane; a file of {}",
                       format_duration(proof.seconds), format_bytes(proof.file_bytes));
  std::string text = fmt::format(
      "{}, {} of memory: tables of {} together, {} in the largest; a file of {} ({})",
      format_duration(proof.seconds), format_bytes(proof.memory_bytes), counted(proof.states, "state"),
      proof.widest, format_bytes(proof.file_bytes), counted(proof.rounds, "round"));
  if (proof.again > 0) text += fmt::format("; tables are made {:.1f} times, to save memory", 1 + proof.again);
  return text;
}

std::string total_text(const Explanation& explanation, double time_limit_seconds) {
  if (!explanation.blocks.empty() && std::isinf(explanation.log10_total_seconds))
    return "out of reach: a block has no method that can count it";
  const std::string total =
      explanation.blocks.empty() ? "no counting" : format_log10_duration(explanation.log10_total_seconds);
  std::string text =
      fmt::format("{}; {} the time limit of {}", total, explanation.feasible ? "within" : "beyond",
                  format_duration(time_limit_seconds));
  const double seconds = std::pow(10, explanation.log10_total_seconds);
  if (explanation.feasible || explanation.assumed.any() || !(seconds < most_time_limit_seconds)) return text;
  return fmt::format("{}; {}", text, advised_time_limit(0, seconds));
}

}  // namespace countpm::words
