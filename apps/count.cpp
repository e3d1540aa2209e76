// countpm INPUT: only the number on standard output.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>
#include <variant>

#include "apps/answer.hpp"
#include "apps/bounded.hpp"
#include "apps/commands.hpp"
#include "apps/estimate.hpp"
#include "apps/output_file.hpp"
#include "apps/ranks.hpp"
#include "apps/report.hpp"
#include "graph/clock.hpp"
#include "graph/text.hpp"
#include "src/count/advise_estimate.hpp"
#include "src/count/count_or_bounds.hpp"
#include "src/count/follow_count.hpp"
#include "src/estimate/explain_estimates.hpp"
#include "src/number/number.hpp"
#include "src/text/format_duration.hpp"
#include "src/text/ground_state_text.hpp"

namespace countpm::app {
namespace {

CountOrBounds count_with_progress(const Request& request, ReportPage& page, StructurePicture& picture) {
  const Source source = source_for_all(request);
  return asked(request, {request.count.time_limit_seconds, &page, &picture},
               [&](const ReadOptions& read, CountOptions options) -> CountOrBounds {
                 options.recheck = request.json;
                 if (request.on_limit == OnLimit::bounds) return count_or_bounds(source, read, options);
                 return count(source, read, options);
               });
}

int follow_rank_0(const Request& request) {
  const CountOptions options = options_to_follow(request);
  follow(input_of(request), request.read, options);
  return 0;
}

// Where the count has used up more of its time limit, the estimate in its place gets that share of it, and as
// many seconds at least: less is over before there is a sample.
constexpr double least_share_of_limit = 0.2;
constexpr double least_estimate_seconds = 0.2;

/// For the estimate in place of a count: a checkpoint that holds some of the count stays the count's, which
/// can go on; where none was begun, it is the estimate's. What the device that counts is, sampling need not
/// be. It takes what the count has left of the time limit, and counts exactly what fits into that.
Request beyond_limits(Request request, double elapsed) {
  const double limit = request.count.time_limit_seconds;
  const double left = std::max(limit - elapsed, 0.0);
  EstimateOptions& estimate = request.estimate;
  estimate.time_limit_seconds =
      std::min(std::max(estimate.time_limit_seconds, least_estimate_seconds),
               std::max({left, least_share_of_limit * limit, least_estimate_seconds}));
  // What takes milliseconds is no matter.
  estimate.exact_below_seconds = std::min(estimate.exact_below_seconds, std::max(left, 0.01));
  CheckpointOptions& checkpoint = request.count.checkpoint;
  if (!checkpoint.merge.empty() || std::filesystem::exists(checkpoint.file)) checkpoint = {};
  if (request.estimate.device == "gpu") request.estimate.device = "auto";
  request.estimate.gpus = 0;
  request.count.settings = {};        // they are of counts
  request.estimate.on_ranks = false;  // the others follow a count
  return request;
}

// A trial of an estimate, which says how long one takes, has what is left of the time limit, between these.
constexpr double least_trial_seconds = 1;
constexpr double most_trial_seconds = 3;

/// Beside the advice to estimate: how long that takes, by a trial. Nothing where a trial does not say.
std::string trial_text(const Request& request, double elapsed) {
  EstimateOptions trial = beyond_limits(request, elapsed).estimate;
  trial.time_limit_seconds =
      std::clamp(request.count.time_limit_seconds - elapsed, least_trial_seconds, most_trial_seconds);
  trial.exact_below_seconds = 0;
  CountOptions options = request.count;
  options.checkpoint = {};
  options.settings = {};
  options.time_limit_seconds = trial.time_limit_seconds;
  try {
    const SamplingForecast forecast = explain_estimate(source_for_all(request), request.read, options, trial);
    if (forecast.counted || !(forecast.seconds < most_time_limit_seconds)) return {};
    return fmt::format(": by a trial, {} in about {}", forecast.goal, format_duration(forecast.seconds));
  } catch (const UnableError&) {
    return {};
  }
}

[[noreturn]] void refuse_after_trial(const BeyondLimits& error, const Request& request, double elapsed) {
  const bool read_again = request.arguments.front() != "-";
  if (!error.remedy().ends_with(advised_estimate) || !read_again || request.quiet ||
      request.count.channel != nullptr)
    throw error;
  throw UnableError(error.reason(), error.remedy() + trial_text(request, elapsed));
}

/// The coefficient of so many edges in the place of the sum.
void choose_coefficient(CountResult& result, std::uint64_t edges) {
  const Number one = edges < result.coefficients.size() ? result.coefficients[edges] : mpq_class(0);
  result.power = edges;
  result.value = to_value(one, WeightKind::rational, 0);
  result.count = to_string(one);
  result.log10 = log10_of(one);
}

/// "x^2*y^-1 3/2", a line a term; 0 without any.
std::string lines_of(const Polynomial& polynomial) {
  if (polynomial.terms.empty()) return "0\n";
  std::string lines;
  for (const PolynomialTerm& term : polynomial.terms) {
    for (std::size_t l = 0; l < term.exponents.size(); ++l) {
      if (l > 0) lines += '*';
      lines += polynomial.variables[l];
      lines += '^' + std::to_string(term.exponents[l]);
    }
    lines += ' ' + term.coefficient.get_str() + '\n';
  }
  return lines;
}

/// The residue, or a line for each modulus, behind it; behind the weight of ground states.
std::string lines_of(const CountResult& result) {
  std::string lines;
  for (const CountResidue& one : result.residues) {
    if (result.input.ground_states) lines += weight_text(*result.input.ground_states) + " ";
    if (result.residues.size() > 1) lines += one.modulus.get_str() + " ";
    lines += one.residue.get_str() + "\n";
  }
  return lines;
}

/// The number, behind the weight of ground states; of a polynomial a line a term; of a matching polynomial a
/// line a coefficient, its edges first, or the one asked for.
std::string answer(const CountResult& result, bool all) {
  if (!result.residues.empty()) return lines_of(result);
  if (const std::optional<GroundStates>& states = result.input.ground_states)
    return weight_text(*states) + " " + result.count + "\n";
  if (result.polynomial) return lines_of(*result.polynomial);
  if (!all || result.coefficients.empty()) return result.count + "\n";
  std::string lines;
  for (std::size_t k = 0; k < result.coefficients.size(); ++k)
    lines += std::to_string(k) + " " + result.coefficients[k].get_str() + "\n";
  return lines;
}

int count_or_else(const Request& request, ReportPage& page) {
  CountResult result;
  std::optional<OutputFile> proof;
  if (request.proof) proof.emplace(*request.proof, request.overwrite);
  StructurePicture picture(request);
  const double start = seconds_now();
  try {
    CountOrBounds found = count_with_progress(request, page, picture);
    if (const auto* bounded = std::get_if<BoundedCount>(&found)) return show_bounds(request, page, *bounded);
    result = std::get<CountResult>(std::move(found));
  } catch (const UnableError& error) {
    const auto* beyond = dynamic_cast<const BeyondLimits*>(&error);
    if (beyond != nullptr && request.on_limit == OnLimit::refuse)
      refuse_after_trial(*beyond, request, seconds_now() - start);
    if (request.on_limit != OnLimit::estimate) throw;
    const std::string note = std::string("estimating instead of counting: ") + error.what();
    if (!request.quiet) write_error("countpm: " + printable(note) + "\n");
    return show_estimate(beyond_limits(request, seconds_now() - start), page, note);
  }
  if (request.power) choose_coefficient(result, *request.power);
  show(
      request, result, [&] { return answer(result, !request.power); },
      [&] { return count_report(result, request.checks); });
  if (page.wanted()) page.write(html::count_fragment(result, picture.beside(page), request.power));
  picture.finish();
  if (proof) {
    proof->write(result.proof);
    proof->close();
  }
  return 0;
}

}  // namespace

int run_count(const Request& request) {
  if (follows(request)) return follow_rank_0(request);
  ReportPage page(request);
  return page.or_refusal([&] { return count_or_else(request, page); });
}

}  // namespace countpm::app
