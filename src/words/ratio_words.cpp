#include "src/words/ratio_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "src/api/estimate_result.hpp"
#include "src/text/format_duration.hpp"
#include "src/text/format_number.hpp"
#include "src/words/estimate_words.hpp"

namespace countpm::words {
namespace {

const double ln_of_10 = std::log(10.0);
constexpr double least_shown_error = 1e-12;
constexpr std::size_t longest_fraction = 60;

double shown_error(const RatioResult& result) {
  return std::max(std::expm1(std::max(result.high - result.ln, result.ln - result.low)), least_shown_error);
}

}  // namespace

std::string ratio_value_text(const RatioResult& result) {
  if (result.exact) return result.exact->get_str();
  if (!result.doubt.empty()) return format_log10(result.ln / ln_of_10, 2);
  const int digits = std::clamp(static_cast<int>(std::ceil(-std::log10(shown_error(result)))) + 2, 2, 12);
  return format_log10(result.ln / ln_of_10, digits);
}

std::string ratio_text(const RatioResult& result) {
  const std::string value = ratio_value_text(result);
  if (result.exact && value.size() <= longest_fraction) return value + " exactly";
  if (result.exact) return format_log10(result.ln / ln_of_10, 12) + ", both counted";
  if (!result.doubt.empty()) return fmt::format("about {}, in doubt (seed {})", value, result.seed);
  return fmt::format("{} +- {} ({:.6g}% confidence, seed {})", value,
                     format_percent(shown_error(result), Rounding::up), 100 * result.confidence, result.seed);
}

std::string log_ratio_text(const RatioResult& result, const LetterRange& range) {
  std::string value = fmt::format("{:.12g}, both counted", result.ln);
  if (!result.exact) {
    const double error = std::max(result.ln_error, least_shown_error);
    const int places = std::clamp(1 - static_cast<int>(std::floor(std::log10(error))), 0, 12);
    value = result.doubt.empty() ? fmt::format("{:.{}f} +- {:.2g} (standard error, seed {})", result.ln,
                                               places, error, result.seed)
                                 : fmt::format("about {:.4g}, in doubt (seed {})", result.ln, result.seed);
  }
  return fmt::format("ln Z({0}={1}) - ln Z({0}={2}): {3}", range.letter, range.to.get_str(),
                     range.from.get_str(), value);
}

std::vector<Fact> facts_of(const RatioResult& result) {
  std::vector<Fact> facts;
  if (result.exact) {
    facts.push_back({"ratio", std::isinf(result.ln)
                                  ? std::string("0: the first has no perfect matching")
                                  : fmt::format("both counted; ln of it {:.12g}", result.ln)});
    return facts;
  }
  facts.push_back(
      {"ln ratio", fmt::format("{:.10g} +- {:.2g} (standard error)", result.ln, result.ln_error)});
  if (!result.doubt.empty()) facts.push_back({"doubt", result.doubt});
  if (!result.goal_missed.empty()) facts.push_back({"goal", result.goal_missed});
  if (result.sampler.empty()) {
    facts.push_back({"samples", "none: the weights differ by a factor that every matching has"});
    return facts;
  }
  if (result.apart)
    facts.push_back({"samples", "each sum by samples of its own, as samples of both would say less"});
  facts.push_back(
      {"weights",
       fmt::format("effective sample size {:.0f} of {}; {}: {}", result.effective_samples, result.samples,
                   std::isnan(result.pareto_k) ? std::string("no Pareto k")
                                               : fmt::format("Pareto k {:.2f}", result.pareto_k),
                   meaning_of_pareto_k(result.pareto_k, result.doubt.empty()))});
  facts.push_back({"sampler", fmt::format("{}, seed {}, {}; {}", result.sampler, result.seed,
                                          counted(static_cast<std::uint64_t>(result.threads), "thread"),
                                          format_duration(result.seconds))});
  if (!result.second.empty()) facts.push_back({"check", checked_text(result.second, result.second_samples)});
  return facts;
}

}  // namespace countpm::words
