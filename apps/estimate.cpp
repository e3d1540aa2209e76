// countpm estimate INPUT: a value with its error.
#include "apps/estimate.hpp"

#include <optional>
#include <string_view>

#include "apps/commands.hpp"
#include "apps/estimate_report.hpp"
#include "apps/explain_samples.hpp"
#include "apps/json.hpp"
#include "apps/log_weights.hpp"
#include "apps/output.hpp"
#include "apps/progress_scope.hpp"
#include "apps/ranks.hpp"
#include "apps/ratio.hpp"
#include "apps/resume.hpp"
#include "apps/signed.hpp"
#include "apps/structure_picture.hpp"
#include "graph/errors.hpp"
#include "graph/text.hpp"
#include "src/estimate/follow_estimate.hpp"
#include "src/series/follow_questions.hpp"

namespace countpm::app {

int show_estimate(const Request& request, ReportPage& page, const std::string& note) {
  EstimateResult result;
  StructurePicture picture(request);
  std::optional<LogWeights> weights;
  if (request.log_weights) weights.emplace(*request.log_weights, request.overwrite);
  {
    ProgressScope scope(request);
    scope.before_the_end([&](const std::string& message) { page.refuse_at_limit(message); });
    ReadOptions read = request.read;
    read.hash = request.json || page.wanted();
    CountOptions options = request.count;
    scope.watch(options, request.estimate.time_limit_seconds);
    picture.watch(options);
    options.checkpoint.options = kept_options(request);
    if (options.checkpoint.used()) options.checkpoint.notice = say_notice;
    // Of replicates each has the others told what they need.
    const std::string& input = request.arguments.front();
    const Source source = !request.estimate.on_ranks        ? Source::from_argument(input)
                          : request.estimate.replicates > 1 ? source_on_ranks(request, input)
                                                            : source_for_all(request);
    result = scope.advising_checkpoints(options, [&] {
      EstimateOptions asked = request.estimate;
      if (weights) asked.weights = [&](const SampleWeights& some) { weights->take(some); };
      return estimate(source, read, options, asked);
    });
  }
  if (weights) weights->close();
  if (!note.empty()) result.notes.push_back(note);
  // In place of a count that turns out to be exact is a count.
  const bool as_count = !note.empty() && result.exact_count;
  write_output(request.json ? indented(json_of(result))
               : as_count   ? *result.exact_count + "\n"
                            : estimate_line(result, request.estimate.log_error.has_value()));
  flush_output();
  const bool reported = !request.quiet && (error_is_terminal() || request.report || request.checks);
  if (reported) write_error(estimate_report(result, request.checks));
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
  if (request.log_weights) asked.weights = [](const SampleWeights&) {};
  if (asked.replicates > 1) follow_questions(request.read, options, asked);
  follow_estimate(Source::from_argument(request.arguments.front()), request.read, options, asked);
  return 0;
}

}  // namespace

int run_estimate(const Request& request) {
  if (is_given(request, "rel-error") && is_given(request, "log-error"))
    throw UsageError("--rel-error and --log-error exclude each other: each says when to stop");
  if (request.signed_sum) return run_signed(request);
  if (request.explain) return run_explain_samples(request);
  if (request.ratio_to || request.integrate) return run_ratio(request);
  if (follows(request)) return follow_rank_0_to_draw(request);
  ReportPage page(request);
  return page.or_refusal([&] { return show_estimate(request, page, {}); });
}

}  // namespace countpm::app
