#include "src/report/estimate_json.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "src/report/input_json.hpp"
#include "src/report/json.hpp"
#include "src/words/sampling_forecast_words.hpp"

namespace countpm {
namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson population_json(const std::optional<PopulationReport>& population) {
  if (!population) return nullptr;
  OrderedJson fitted = nullptr;
  if (const auto& guess = population->guess) {
    fitted = {{"states", guess->states},
              {"factors", guess->factors},
              {"seconds", guess->seconds},
              {"pilot_states", guess->pilot_states},
              {"variance_before", finite_or_null(guess->variance_before)},
              {"variance_after", finite_or_null(guess->variance_after)},
              {"kept", guess->kept}};
  }
  return {{"states", population->states}, {"guess", std::move(fitted)}};
}

OrderedJson piece_json(const PieceForecast& piece, bool of_all) {
  const auto size = [&](std::uint64_t number) { return of_all ? OrderedJson(nullptr) : OrderedJson(number); };
  const bool known = piece.obstacle.empty() && piece.samples > 0;
  return {{"rows", size(piece.rows)},
          {"edges", size(piece.entries)},
          {"general", piece.general},
          {"of", text_or_null(piece.of)},
          {"sampler", piece.sampler},
          {"samples", known ? OrderedJson(piece.samples) : OrderedJson(nullptr)},
          {"seconds", known ? finite_or_null(piece.seconds) : OrderedJson(nullptr)},
          {"second", check_json(piece.second, piece.second_samples)},
          {"trials", piece.trials},
          {"effective_trials", piece.effective_trials},
          {"pareto_k", finite_or_null(piece.pareto_k)},
          {"population", population_json(piece.population)},
          {"doubt", text_or_null(piece.doubt)},
          {"obstacle", text_or_null(piece.obstacle)}};
}

}  // namespace

OrderedJson text_or_null(const std::string& text) {
  return text.empty() ? OrderedJson(nullptr) : OrderedJson(text);
}

OrderedJson second_json(const std::optional<SecondEstimate>& second) {
  if (!second) return nullptr;
  return {{"sampler", second->sampler},
          {"log10", finite_or_null(second->log10)},
          {"least_log10", finite_or_null(second->least_log10)},
          {"samples", second->samples},
          {"planned", second->planned},
          {"nonzero", second->nonzero},
          {"effective_samples", second->effective_samples},
          {"contradicts", second->contradicts},
          {"seconds", second->seconds}};
}

OrderedJson estimated_block_json(const EstimatedBlock& block) {
  return {{"rows", block.rows},
          {"edges", block.entries},
          {"general", block.general},
          {"method", block.method},
          {"exact", block.exact},
          {"log10", finite_or_null(block.log10)},
          {"relative_error", finite_or_null(block.relative_error)},
          {"samples", block.samples},
          {"nonzero", block.nonzero},
          {"effective_samples", block.effective_samples},
          {"largest_share", block.largest_share},
          {"pareto_k", finite_or_null(block.pareto_k)},
          {"doubt", text_or_null(block.doubt)},
          {"seconds", block.seconds},
          {"population", population_json(block.population)},
          {"second", second_json(block.second)}};
}

OrderedJson missed_json(const std::optional<MissedGoal>& missed) {
  if (!missed) return nullptr;
  const auto asked = [](auto value) { return value > 0 ? OrderedJson(value) : OrderedJson(nullptr); };
  return {{"because", missed->because},
          {"relative_error", asked(missed->relative_error)},
          {"log_error", asked(missed->log_error)},
          {"samples", asked(missed->samples)},
          {"advised_seconds", asked(missed->advised_seconds)},
          {"text", missed->text}};
}

OrderedJson ln_z_json(const EstimateResult& result) {
  const double value = result.estimate ? result.estimate->log() : result.exact_log10 * std::log(10.0);
  const double error = result.estimate ? result.estimate->log_error() : 0;
  const auto vertices = static_cast<double>(std::max<std::uint64_t>(result.vertices, 1));
  return {{"value", finite_or_null(value)},
          {"standard_error", finite_or_null(error)},
          {"per_vertex", finite_or_null(value / vertices)},
          {"per_vertex_standard_error", finite_or_null(error / vertices)}};
}

OrderedJson replicates_json(const std::vector<Replicate>& replicates) {
  OrderedJson list = OrderedJson::array();
  for (const Replicate& one : replicates) {
    list.push_back({{"seed", one.seed},
                    {"sampler", one.sampler},
                    {"log10", finite_or_null(one.log10)},
                    {"ln_z_standard_error", finite_or_null(one.log_error)},
                    {"samples", one.samples},
                    {"effective_samples", one.effective_samples},
                    {"pareto_k", finite_or_null(one.pareto_k)},
                    {"doubt", one.doubt.empty() ? OrderedJson(nullptr) : OrderedJson(one.doubt)},
                    {"seconds", one.seconds}});
  }
  return list;
}

OrderedJson check_json(const std::string& second, std::uint64_t samples) {
  if (second.empty()) return nullptr;
  return {{"sampler", second}, {"samples", samples}};
}

OrderedJson sampled_json(const SampledMarginals& result) {
  return {
      {"sampler", result.sampler.empty() ? OrderedJson(nullptr) : OrderedJson(result.sampler)},
      {"samples", result.samples},
      {"effective_samples", result.effective_samples},
      {"pareto_k", finite_or_null(result.pareto_k)},
      {"pareto_k_means", meaning_of_pareto_k(result.pareto_k, result.doubt.empty())},
      {"doubt", result.doubt.empty() ? OrderedJson(nullptr) : OrderedJson(result.doubt)},
      {"second", check_json(result.second, result.second_samples)},
      {"goal_missed", result.goal_missed.empty() ? OrderedJson(nullptr) : OrderedJson(result.goal_missed)},
      {"seed", result.seed}};
}

OrderedJson to_json(const SamplingForecast& forecast) {
  const bool comparison = forecast.question == SampledQuestion::comparison;
  OrderedJson other = nullptr;
  if (forecast.other)
    other = {{"path", forecast.other->path}, {"sha256", text_or_null(forecast.other->sha256)}};
  OrderedJson pieces = OrderedJson::array();
  for (const PieceForecast& piece : forecast.pieces) pieces.push_back(piece_json(piece, comparison));
  return {{"version", version()},
          {"input", input_json(forecast)},
          {"question", words::question_name(forecast.question)},
          {"ratio_to", std::move(other)},
          {"problem", words::problem_name(forecast)},
          {"goal", text_or_null(forecast.goal)},
          {"counted", forecast.counted},
          {"count_seconds", forecast.count_seconds},
          {"pieces", std::move(pieces)},
          {"doubt_means", words::doubt_text(forecast.question)},
          {"seconds", finite_or_null(forecast.seconds)},
          {"time_limit_seconds", finite_or_null(forecast.time_limit_seconds)},
          {"feasible", forecast.feasible},
          {"seed", forecast.seed},
          {"threads", forecast.threads},
          {"violator", to_json(forecast.violator)},
          {"notes", forecast.notes},
          {"warnings", forecast.input.warnings}};
}

OrderedJson drawn_json(const DrawnApproximately& result) {
  return {{"approximately",
           {{"sampler", result.sampler.empty() ? OrderedJson(nullptr) : OrderedJson(result.sampler)},
            {"draws", result.draws},
            {"samples", result.samples},
            {"effective_samples", result.effective_samples},
            {"total_variation", result.off},
            {"pareto_k", finite_or_null(result.pareto_k)},
            {"doubt", result.doubt.empty() ? OrderedJson(nullptr) : OrderedJson(result.doubt)},
            {"seed", result.seed}}}};
}

OrderedJson spread_json(const std::optional<ReplicateSpread>& spread) {
  if (!spread) return nullptr;
  return {{"observed", spread->observed},
          {"shown", spread->shown},
          {"chi_square", spread->chi_square},
          {"probability", spread->probability},
          {"contradicts", spread->contradicts}};
}

}  // namespace countpm
