#include "src/words/sampling_forecast_words.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "src/text/format_duration.hpp"
#include "src/text/format_number.hpp"
#include "src/words/estimate_words.hpp"

namespace countpm::words {
namespace {

constexpr std::size_t shown_pieces = 8;

std::string counted_text(const SamplingForecast& forecast) {
  const std::string time = format_duration(forecast.count_seconds);
  if (forecast.question == SampledQuestion::ratio)
    return fmt::format("both sums are counted, predicted to take {}: nothing is drawn", time);
  if (forecast.question == SampledQuestion::count) return "it is counted exactly: nothing is drawn";
  if (forecast.violator) return "0: there is no perfect matching";
  return forecast.counted ? fmt::format("counted, predicted to take {}", time)
                          : "none: it is beyond the limits ('countpm explain' says by how much)";
}

std::string nothing_text(const SamplingForecast& forecast) {
  switch (forecast.question) {
    case SampledQuestion::ratio:
      return "none: the weights differ by a factor that every matching has";
    case SampledQuestion::edge_probabilities:
      return "none: every edge is in all perfect matchings or in none";
    case SampledQuestion::count:
    case SampledQuestion::comparison:
      break;
  }
  return "none: the reductions leave no block";
}

/// A line for each sampler.
std::vector<Fact> comparison_facts(const SamplingForecast& forecast) {
  std::vector<Fact> facts;
  for (const PieceForecast& piece : forecast.pieces) {
    if (facts.empty() || facts.back().head != piece.sampler) facts.push_back({piece.sampler, ""});
    std::string& text = facts.back().text;
    if (!text.empty()) text += ", ";
    text += piece.obstacle.empty()
                ? fmt::format("{} in {}", counted(piece.samples, "sample"), format_duration(piece.seconds))
                : fmt::format("left out: {}", piece.obstacle);
  }
  for (Fact& fact : facts) {
    const std::string head = &fact == facts.data() ? "estimates" : "";
    fact.text = fmt::format("{}: {}", std::exchange(fact.head, head), fact.text);
  }
  return facts;
}

std::vector<Fact> piece_facts(const SamplingForecast& forecast) {
  std::vector<Fact> facts;
  for (std::size_t p = 0; p < forecast.pieces.size() && p < shown_pieces; ++p) {
    const PieceForecast& piece = forecast.pieces[p];
    if (!piece.of.empty() && (p == 0 || piece.of != forecast.pieces[p - 1].of))
      facts.push_back({"sum", piece.of});
    facts.push_back(
        {fmt::format("{} {}", forecast.question == SampledQuestion::count ? "block" : "piece", p + 1),
         piece_text(piece)});
    facts.push_back({"trials", trials_text(piece)});
    if (piece.population) facts.push_back({"states", population_text(*piece.population)});
    if (!piece.second.empty()) facts.push_back({"check", checked_text(piece.second, piece.second_samples)});
  }
  if (forecast.pieces.size() > shown_pieces)
    facts.push_back({"", fmt::format("... and {} more pieces (--json shows all)",
                                     forecast.pieces.size() - shown_pieces)});
  return facts;
}

}  // namespace

std::string sizes_text(bool general, std::uint64_t rows, std::uint64_t entries) {
  return general ? fmt::format("{}, {}", counted(rows, "vertex", "vertices"), counted(entries, "edge"))
                 : fmt::format("{}, {}", counted(rows, "row"), counted(entries, "entry", "entries"));
}

std::string piece_text(const PieceForecast& piece) {
  const std::string sizes = sizes_text(piece.general, piece.rows, piece.entries);
  if (piece.samples == 0)
    return fmt::format("{}: by {}; the trials do not show how many samples it takes", sizes, piece.sampler);
  return fmt::format("{}: some {} by {}, predicted to take {}", sizes, counted(piece.samples, "sample"),
                     piece.sampler, format_duration(piece.seconds));
}

std::string trials_text(const PieceForecast& piece) {
  return fmt::format("the first {} of them, effective size {:.0f}; {}; {}", piece.trials,
                     piece.effective_trials,
                     std::isnan(piece.pareto_k) ? std::string("no Pareto k")
                                                : fmt::format("Pareto k {:.2f}", piece.pareto_k),
                     piece.doubt.empty() ? "no doubt" : "by themselves they leave a doubt: " + piece.doubt);
}

std::string doubt_text(SampledQuestion question) {
  const std::string reasons =
      "a few of the samples carry most of the sum, their tail is too heavy (Pareto k above 0.7), or the "
      "samples of the check contradict them";
  switch (question) {
    case SampledQuestion::ratio:
      return fmt::format("if {}: the ratio is then shown without an error, at the end of the time limit",
                         reasons);
    case SampledQuestion::edge_probabilities:
      return fmt::format("if {}: the errors are then said to be in doubt, at the end of the time limit",
                         reasons);
    case SampledQuestion::count:
      return fmt::format(
          "if {}: the interval is then a wide one, from Markov's inequality to a proven upper bound, at the "
          "end of the "
          "time limit",
          reasons);
    case SampledQuestion::comparison:
      break;
  }
  return "if a few of the samples carry most of the sum, or their tail is too heavy (Pareto k above 0.7): "
         "the "
         "interval is then a wide one, from Markov's inequality to a proven upper bound, and marked as a "
         "doubt";
}

std::string total_text(const SamplingForecast& forecast) {
  const std::string limit = format_duration(forecast.time_limit_seconds);
  if (std::isinf(forecast.seconds))
    return fmt::format("not known; samples end with the time limit of {}", limit);
  const std::string total = format_duration(forecast.seconds);
  if (forecast.question == SampledQuestion::comparison)
    return fmt::format("{}; {} the time limit of {} for each estimate", total,
                       forecast.feasible ? "within" : "with some cut short by", limit);
  if (forecast.feasible) return fmt::format("{}; within the time limit of {}", total, limit);
  return fmt::format(
      "{}; the time limit of {} ends the samples before the goal; --time-limit {} should suffice", total,
      limit, time_limit_text(time_limit_margin * forecast.seconds));
}

std::vector<Fact> facts_of(const SamplingForecast& forecast) {
  std::vector<Fact> facts{{"problem", problem_name(forecast)}};
  for (const std::string& note : forecast.notes) facts.push_back({"note", note});
  const bool comparison = forecast.question == SampledQuestion::comparison;
  if (forecast.violator && !comparison) {
    facts.push_back({"why none", violator_text(*forecast.violator)});
    return facts;
  }
  if (comparison || forecast.counted)
    facts.push_back({comparison ? "exact" : "count", counted_text(forecast)});
  if (!comparison && forecast.counted) return facts;
  if (!forecast.goal.empty()) facts.push_back({"goal", forecast.goal});
  if (forecast.pieces.empty()) {
    facts.push_back({"samples", nothing_text(forecast)});
    return facts;
  }
  for (const Fact& fact : comparison ? comparison_facts(forecast) : piece_facts(forecast))
    facts.push_back(fact);
  facts.push_back({"doubt", doubt_text(forecast.question)});
  facts.push_back({"total", total_text(forecast)});
  return facts;
}

std::string question_name(SampledQuestion question) {
  switch (question) {
    case SampledQuestion::ratio:
      return "ratio";
    case SampledQuestion::edge_probabilities:
      return "edge probabilities";
    case SampledQuestion::count:
      return "count";
    case SampledQuestion::comparison:
      break;
  }
  return "comparison";
}

}  // namespace countpm::words
