#include "src/words/draw_forecast_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "src/text/format_duration.hpp"
#include "src/text/format_number.hpp"
#include "src/text/format_quantity.hpp"
#include "src/words/sampling_forecast_words.hpp"

namespace countpm::words {
namespace {

constexpr std::size_t most_shown_pieces = 8;

std::string seconds_text(double seconds) {
  return seconds > 0 ? format_log10_duration(std::log10(seconds)) : format_duration(0);
}

std::string memory_text(double bytes) {
  return bytes < 0x1p60 ? format_bytes(static_cast<std::uint64_t>(bytes))
                        : fmt::format("2^{:.0f} bytes", std::log2(bytes));
}

std::string method_text(const DrawMethod& method) {
  if (!method.obstacle.empty() && method.seconds == 0)
    return fmt::format("{} cannot: {}", method.method, method.obstacle);
  std::string text =
      fmt::format("{}{}, predicted to take {}{}", method.chosen ? "by " : "not by ", method.method,
                  seconds_text(method.seconds), method.measured ? " (measured)" : "");
  if (!method.obstacle.empty()) return text + "; " + method.obstacle;
  if (method.bytes > 0) text += fmt::format(", with {} of memory", memory_text(method.bytes));
  return text;
}

std::vector<Fact> piece_facts(const DrawForecast& forecast) {
  std::vector<Fact> facts;
  for (std::size_t p = 0; p < forecast.pieces.size() && p < most_shown_pieces; ++p) {
    const DrawPiece& piece = forecast.pieces[p];
    facts.push_back({fmt::format("piece {}", p + 1), sizes_text(piece.general, piece.rows, piece.entries)});
    for (const DrawMethod& method : piece.methods) facts.push_back({"", method_text(method)});
  }
  if (forecast.pieces.size() > most_shown_pieces)
    facts.push_back({"", fmt::format("... and {} more pieces (--json shows all)",
                                     forecast.pieces.size() - most_shown_pieces)});
  return facts;
}

std::string draws_text(const DrawForecast& forecast) {
  return counted(forecast.draws, matching_text(forecast));
}

std::string approximate_text(const DrawForecast& forecast, const ApproximateForecast& approximate) {
  if (!approximate.obstacle.empty()) return fmt::format("not by samples: {}", approximate.obstacle);
  std::string text = fmt::format(
      "{}, predicted to take {}, by {} of them; chances are off by about {:.2g} (total variation)",
      approximate.sampler, seconds_text(approximate.seconds), counted(approximate.trials, "draw"),
      approximate.off);
  if (!approximate.doubt.empty()) text += "; in doubt: " + approximate.doubt;
  return (forecast.asked_approximate ? "approximately, by " : "approximately, --sampler ") + text;
}

/// Whether a method that is chosen lacks memory.
bool lacks_memory(const DrawForecast& forecast) {
  return std::any_of(forecast.pieces.begin(), forecast.pieces.end(), [](const DrawPiece& piece) {
    return std::any_of(piece.methods.begin(), piece.methods.end(),
                       [](const DrawMethod& method) { return method.chosen && !method.obstacle.empty(); });
  });
}

std::string total_text(const DrawForecast& forecast) {
  const std::string total = seconds_text(forecast.seconds);
  if (lacks_memory(forecast))
    return fmt::format("refused: beyond the memory limit of {}", format_bytes(forecast.memory_limit_bytes));
  const std::string limit = format_duration(forecast.time_limit_seconds);
  if (forecast.seconds <= forecast.time_limit_seconds)
    return std::isinf(forecast.time_limit_seconds)
               ? total
               : fmt::format("{}; within the time limit of {}", total, limit);
  return fmt::format("{}; refused: beyond the time limit of {}; {}", total, limit,
                     advised_time_limit(0, forecast.seconds));
}

}  // namespace

std::vector<Fact> facts_of(const DrawForecast& forecast) {
  std::vector<Fact> facts{{"problem", problem_name(forecast)}};
  for (const std::string& note : forecast.notes) facts.push_back({"note", note});
  if (forecast.violator) {
    facts.push_back({"why none", violator_text(*forecast.violator)});
    return facts;
  }
  facts.push_back({"draws", fmt::format("{}, seed {}", draws_text(forecast), forecast.seed)});
  if (forecast.draws == 0) return facts;
  for (const Fact& fact : piece_facts(forecast)) facts.push_back(fact);
  if (forecast.pieces.empty() && !forecast.asked_approximate)
    facts.push_back({"pieces", "none: every edge is in all perfect matchings or in none"});
  if (forecast.approximate)
    facts.push_back({forecast.asked_approximate ? "how" : "otherwise",
                     approximate_text(forecast, *forecast.approximate)});
  if (!forecast.approximate || forecast.approximate->obstacle.empty() || !forecast.asked_approximate)
    facts.push_back({"total", total_text(forecast)});
  return facts;
}

std::string foretold_text(const DrawForecast& forecast) {
  std::vector<std::string> names;
  for (const DrawPiece& piece : forecast.pieces) {
    for (const DrawMethod& method : piece.methods) {
      if (method.chosen && std::find(names.begin(), names.end(), method.method) == names.end())
        names.push_back(method.method);
    }
  }
  std::string text = draws_text(forecast);
  if (!names.empty()) text += fmt::format(" by {}", fmt::join(names, ", "));
  text += fmt::format(", predicted to take {}", seconds_text(forecast.seconds));
  if (forecast.bytes > 0) text += fmt::format(", with {} of memory", memory_text(forecast.bytes));
  return text;
}

}  // namespace countpm::words
