// countpm verify RESULT INPUT: looks at a result again, by other ways, and says what that proves.
#include <fmt/format.h>

#include "apps/commands.hpp"
#include "apps/exit_codes.hpp"
#include "apps/json.hpp"
#include "apps/output.hpp"
#include "apps/progress_scope.hpp"
#include "graph/text.hpp"
#include "src/verify/verify_result.hpp"

namespace countpm::app {
namespace {

/// A count of many digits by its first and last ones.
std::string shortened(const std::string& count) {
  constexpr std::size_t most = 60;
  constexpr std::size_t kept = 20;
  if (count.size() <= most) return count;
  return fmt::format("{}...{} ({} characters)", count.substr(0, kept), count.substr(count.size() - kept),
                     count.size());
}

/// The last line.
std::string conclusion(const VerifyReport& report, const StoredResult& stored) {
  const char* const word = report.extent == Extent::whole  ? "verified"
                           : report.extent == Extent::part ? "verified in part"
                                                           : "not verified";
  return printable(fmt::format("{}: {}, {}", word, shortened(stored.count), report.how)) + "\n";
}

std::string to_text(const VerifyReport& report, const StoredResult& stored) {
  std::string text;
  for (const VerificationStep& step : report.steps)
    text += fmt::format("{:<12} {}: {}\n", word_of(step.verdict), step.name, printable(step.detail));
  if (!report.refuted()) text += conclusion(report, stored);
  return text;
}

}  // namespace

int run_verify(const Request& request) {
  StoredResult stored;
  VerifyReport report;
  {
    ProgressScope scope(request);
    CountOptions watched = request.count;
    scope.watch(watched);  // before a result is read, which may come through a pipe
    stored = read_stored_result(request.arguments[0]);
    Request counted;
    apply_kept_options(counted, stored.options, stored.file);
    CountOptions options = counted.count;
    options.threads = request.count.threads;
    options.time_limit_seconds = request.count.time_limit_seconds;
    options.memory_limit_bytes = request.count.memory_limit_bytes;
    options.gpus = 0;
    options.progress = watched.progress;
    options.interrupted = watched.interrupted;
    report = verify_result(stored, Source::from_argument(request.arguments[1]), counted.read, options);
  }
  write_output(request.json ? indented(json_of(VerifiedObject{report, stored})) : to_text(report, stored));
  flush_output();
  if (!report.refuted()) {
    if (report.extent == Extent::whole) return exit_code::done;
    if (!request.quiet) write_error("countpm: " + conclusion(report, stored));
    return exit_code::not_verified;
  }
  const VerificationStep& last = report.steps.back();
  const std::string message = fmt::format("the count is refuted: {}: {}", last.name, last.detail);
  if (!request.json) throw CheckError(message);
  // The object is written, and an error would be another one.
  write_error("countpm: " + printable(message) + "\n");
  return exit_code::check_failed;
}

}  // namespace countpm::app
