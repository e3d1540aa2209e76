#include "apps/log_only.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "apps/json.hpp"
#include "apps/option_rows.hpp"
#include "apps/output.hpp"
#include "apps/progress_scope.hpp"
#include "apps/report.hpp"
#include "apps/report_lines.hpp"
#include "apps/text.hpp"
#include "kernels/method.hpp"
#include "src/count/log_count.hpp"

namespace countpm::app {
namespace {

void refuse_other_options(const Request& request) {
  const CountOptions& options = request.count;
  const char* other = nullptr;
  const LogForm form =
      options.method == "auto" ? LogForm::sparse : method_named(options.method).traits().log_form;
  if (form == LogForm::none) other = "a --method other than planar and condensation";
  if ((options.device == "gpu" || options.gpus > 0) && form != LogForm::dense)
    other = "--device gpu without --method condensation";
  if (options.gpus > 1) other = "--gpus above 1";
  if (options.double_check) other = "--double-check";
  if (request.estimate_beyond_limits) other = "--on-limit estimate";
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

LogCountResult log_count_with_progress(const Request& request) {
  ProgressScope scope(request);
  ReadOptions read = request.read;
  read.hash = request.json;
  CountOptions options = request.count;
  scope.watch(options);
  return log_count(Source::from_argument(request.arguments.front()), read, options);
}

/// As many decimals as the error leaves, and one more.
std::string decimal(const LogCountResult& result) {
  if (std::isinf(result.ln_z)) return "-inf";
  const int places = std::clamp(1 - static_cast<int>(std::floor(std::log10(result.error_estimate))), 0, 17);
  return fmt::format("{:.{}f}", result.ln_z, places);
}

std::string name_of_result(const LogCountResult& result) {
  return result.of_absolute ? "ln |Z|" : "ln Z";
}

std::string report(const LogCountResult& result) {
  std::string text = line("input", input_text(result));
  text +=
      line("logarithm",
           fmt::format("{} of {}{}: no count, but a floating-point value with a bound on its error",
                       name_of_result(result), name_of(result.problem), result.weighted ? ", weighted" : ""));
  if (result.violator) {
    text += line("zero since", violator_text(*result.violator));
  } else {
    text += line(
        "error",
        fmt::format("at most {:.1e}, relative {:.1e}: all roundings of the elimination together",
                    result.error_estimate, result.error_estimate / std::max(std::abs(result.ln_z), 1e-300)));
    text += line("per vertex", fmt::format("{:.15g}", result.ln_z / static_cast<double>(result.vertices)));
  }
  if (!result.gpu.empty()) text += line("device", result.gpu);
  text += line("time", times_text(result.seconds));
  for (const std::string& note : result.notes) text += line("note", note);
  return text;
}

}  // namespace

OptionInfo log_only_option() {
  return flag_row(
      "log-only",
      "planar inputs and lattices on a torus: ln Z in floating point with a bound on its error; no count",
      {"count"}, [](Request& request, std::string_view) { request.log_only = true; });
}

int run_log_only(const Request& request) {
  refuse_other_options(request);
  const LogCountResult result = log_count_with_progress(request);
  write_output(request.json ? indented(to_json(result)) : decimal(result) + "\n");
  flush_output();
  if (!request.quiet && (error_is_terminal() || request.report)) write_error(report(result));
  return 0;
}

}  // namespace countpm::app
