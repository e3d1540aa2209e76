// countpm estimate INPUT: a value with its error.
#include "apps/estimate.hpp"

#include <optional>
#include <string_view>

#include "apps/answer.hpp"
#include "apps/commands.hpp"
#include "apps/estimate_report.hpp"
#include "apps/ln_weights.hpp"
#include "apps/ranks.hpp"
#include "graph/errors.hpp"
#include "graph/text.hpp"
#include "src/estimate/follow_estimate.hpp"
#include "src/series/follow_questions.hpp"

namespace countpm::app {

int show_estimate(const Request& request, ReportPage& page, const std::string& note) {
  StructurePicture picture(request);
  std::optional<LogWeights> weights;
  if (request.ln_weights) weights.emplace(*request.ln_weights, request.overwrite);
  // Of replicates each has the others told what they need.
  const std::string& input = request.arguments.front();
  const Source source = !request.estimate.on_ranks        ? Source::from_argument(input)
                        : request.estimate.replicates > 1 ? source_on_ranks(request, input)
                                                          : source_for_all(request);
  EstimateResult result = asked(request, {request.estimate.time_limit_seconds, &page, &picture},
                                [&](const ReadOptions& read, const CountOptions& options) {
                                  EstimateOptions wanted = request.estimate;
                                  if (weights)
                                    wanted.weights = [&](const SampleWeights& some) { weights->take(some); };
                                  return estimate(source, read, options, wanted);
                                });
  if (weights) weights->close();
  if (!note.empty()) result.notes.push_back(note);
  // In place of a count that turns out to be exact is a count.
  const bool as_count = !note.empty() && result.exact_count;
  const auto text = [&] {
    return as_count ? *result.exact_count + "\n"
                    : estimate_line(result, request.estimate.ln_error.has_value());
  };
  const bool reported = show(request, result, text, [&] { return estimate_report(result, request.checks); });
  if (result.missed && !reported && !request.quiet)
    write_error("countpm: " + printable(result.missed->text) + "\n");
  if (page.wanted()) page.write(html::estimate_fragment(result, picture.beside(page)));
  picture.finish();
  return 0;
}

namespace {

int follow_rank_0_to_draw(const Request& request) {
  const CountOptions options = options_to_follow(request);
  EstimateOptions asked = request.estimate;
  // Rank 0 writes what all bring.
  if (request.ln_weights) asked.weights = [](const SampleWeights&) {};
  if (asked.replicates > 1) follow_questions(request.read, options, asked);
  follow_estimate(input_of(request), request.read, options, asked);
  return 0;
}

}  // namespace

int run_estimate(const Request& request) {
  if (follows(request)) return follow_rank_0_to_draw(request);
  ReportPage page(request);
  return page.or_refusal([&] { return show_estimate(request, page, {}); });
}

}  // namespace countpm::app
