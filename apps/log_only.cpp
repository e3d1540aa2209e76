#include "apps/log_only.hpp"

#include <fmt/format.h>

#include "apps/json.hpp"
#include "apps/option_rows.hpp"
#include "apps/output.hpp"
#include "apps/progress_scope.hpp"
#include "apps/report_lines.hpp"
#include "apps/report_page.hpp"
#include "apps/structure_picture.hpp"
#include "kernels/method.hpp"
#include "src/words/log_count_words.hpp"

namespace countpm::app {

void check_log_only(const Request& request) {
  const CountOptions& options = request.count;
  const char* other = nullptr;
  const LogForm form =
      options.method == "auto" ? LogForm::sparse : method_named(options.method).traits().log_form;
  if (form == LogForm::none) other = "a --method other than planar and condensation";
  if ((options.device == "gpu" || options.gpus > 0) && form != LogForm::dense)
    other = "--device gpu without --method condensation";
  if (options.gpus > 1) other = "--gpus above 1";
  if (options.double_check) other = "--double-check";
  if (request.on_limit == OnLimit::estimate) other = "--on-limit estimate";
  if (request.on_limit == OnLimit::bounds) other = "--on-limit bounds";
  if (options.matchings != MatchingSize::perfect) other = "--maximum";
  if (request.read.degree) other = "--degree";
  if (request.checks) other = "--checks";
  if (options.audit_share > 0) other = "--audit";
  if (other != nullptr) throw UsageError(fmt::format("--log-only and {} exclude each other", other));
  if (!options.checkpoint.file.empty()) {
    throw UsageError(
        "--log-only and --checkpoint exclude each other: a logarithm is computed in one go, without units "
        "that "
        "could be kept");
  }
}

namespace {

LogCountResult log_count_with_progress(const Request& request, ReportPage& page, StructurePicture& picture) {
  ProgressScope scope(request);
  scope.before_the_end([&](const std::string& message) { page.refuse_at_limit(message); });
  ReadOptions read = request.read;
  read.hash = request.json || page.wanted();
  CountOptions options = request.count;
  scope.watch(options);
  picture.watch(options);
  return log_count(Source::from_argument(request.arguments.front()), read, options);
}

std::string report(const LogCountResult& result) {
  std::string text = line("input", words::input_text(result));
  text += line("logarithm", words::logarithm_kind(result));
  if (result.violator) text += line("why zero", words::violator_text(*result.violator));
  for (const words::Fact& fact : words::facts_of(result)) text += line(fact.head, fact.text);
  if (!result.gpu.empty()) text += line("device", result.gpu);
  text += line("time", words::times_text(result.seconds));
  for (const std::string& note : result.notes) text += line("note", note);
  return text;
}

}  // namespace

OptionInfo log_only_option() {
  return flag_row("log-only",
                  "no count, but ln Z in floating point with a bound on its error (planar inputs, and "
                  "lattices on a torus)",
                  {"count", "series"}, [](Request& request, std::string_view) { request.log_only = true; });
}

int run_log_only(const Request& request) {
  check_log_only(request);
  ReportPage page(request);
  StructurePicture picture(request);
  const LogCountResult result =
      page.or_refusal([&] { return log_count_with_progress(request, page, picture); });
  write_output(request.json ? indented(json_of(result)) : words::logarithm_text(result) + "\n");
  flush_output();
  if (!request.quiet && (error_is_terminal() || request.report)) write_error(report(result));
  if (page.wanted()) page.write(html::log_count_fragment(result, picture.beside(page)));
  picture.finish();
  return 0;
}

}  // namespace countpm::app
