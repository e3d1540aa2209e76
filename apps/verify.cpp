// countpm verify RESULT INPUT: looks at a result again, by other ways, and says what that proves. countpm
// verify PROOF [INPUT]: checks a count that carries a proof.
#include <fmt/format.h>

#include "apps/commands.hpp"
#include "apps/exit_codes.hpp"
#include "apps/json.hpp"
#include "apps/output.hpp"
#include "apps/progress_scope.hpp"
#include "apps/resume.hpp"
#include "graph/text.hpp"
#include "src/proof_check/proof_report.hpp"
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

std::string to_text(const ProofReport& report) {
  std::string text = printable("statement    " + report.statement()) + "\n";
  text += report.planar
              ? fmt::format("proof        embedding, orientation and Pfaffian modulo the prime {}\n",
                            report.prime)
              : fmt::format("proof        {} rounds modulo the prime {}\n", report.rounds, report.prime);
  if (!report.input.empty()) {
    const std::string rest = report.not_compared.empty() ? ""
                             : report.not_compared.ends_with("values")
                                 ? fmt::format("; not compared: {}", report.not_compared)
                                 : fmt::format("; {} are as the proof says", report.not_compared);
    text += printable(fmt::format("input        {} has the same graph{}", report.input, rest)) + "\n";
  }
  return text + printable("proved: " + report.count) + "\n";
}

int tell(const Request& request, const ProofReport& report) {
  if (request.json) {
    write_output(indented(json_of(ProofObject{report})));
  } else if (report.proved) {
    write_output(to_text(report));
  }
  flush_output();
  if (report.proved) return exit_code::done;
  const std::string message = fmt::format("{}: the proof is refused: {}", report.file, report.reason);
  if (!request.json) throw CheckError(message);
  // The object is written, and an error would be another one.
  write_error("countpm: " + printable(message) + "\n");
  return exit_code::check_failed;
}

}  // namespace

int run_verify(const Request& request) {
  StoredResult stored;
  VerifyReport report;
  std::optional<ProofReport> proof;
  const bool with_input = request.arguments.size() > 1;
  {
    ProgressScope scope(request);
    CountOptions watched = request.count;
    scope.watch(watched);  // before a result is read, which may come through a pipe
    const std::string text = text_of_result(request.arguments[0]);
    if (seems_proof(text)) {
      const auto input =
          with_input ? std::optional(Source::from_argument(request.arguments[1])) : std::nullopt;
      proof = check_proof_file(request.arguments[0], text, input, request.read, watched);
    } else if (!with_input) {
      throw UsageError(
          fmt::format("{} is no proof, and a result is verified by its input: countpm verify RESULT INPUT",
                      quoted(request.arguments[0], 400)));
    } else {
      stored = stored_result_of_text(text, request.arguments[0]);
      const Request counted = request_of_result(stored, request, watched);
      report =
          verify_result(stored, Source::from_argument(request.arguments[1]), counted.read, counted.count);
    }
  }
  if (proof) return tell(request, *proof);
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
