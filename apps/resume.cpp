// countpm resume FILE: goes on with a count or an estimate that has a checkpoint, or counts a part of one.
#include "apps/resume.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "apps/command_line.hpp"
#include "apps/commands.hpp"
#include "apps/memory_limit.hpp"
#include "apps/output.hpp"
#include "apps/output_file.hpp"
#include "apps/progress_scope.hpp"
#include "apps/status.hpp"
#include "graph/text.hpp"
#include "src/estimate/estimate_parts.hpp"
#include "src/text/format_number.hpp"

namespace countpm::app {
namespace {

int run_part(const Request& request) {
  const std::string& file = request.count.checkpoint.file;
  const bool of_estimate = request.command == "estimate";
  if (request.html) {
    throw UsageError(fmt::format(
        "--html: {} is a part, which has no number to show; give it to 'countpm merge'", quoted(file, 400)));
  }
  if (request.count.channel != nullptr)
    throw UsageError("a part is done by one process: start it without mpirun or srun's MPI");
  {
    ProgressScope scope(request);
    CountOptions options = request.count;
    if (of_estimate) {
      scope.watch(options, request.estimate.time_limit_seconds);
    } else {
      scope.watch(options);
    }
    options.checkpoint.notice = say_notice;
    const Source source = input_of(request);
    if (of_estimate) {
      resume_estimate_part(source, request.read, options, request.estimate);
    } else {
      resume_part(source, request.read, options);
    }
  }
  const JournalStatus status = journal_status(file);
  std::uint64_t units = 0;
  for (const JournalTaskStatus& task : status.tasks) units += task.units_done;
  if (request.json) write_output(status_json(status, file));
  flush_output();
  if (!request.quiet) {
    const std::uint64_t samples = status.samplings.empty() ? 0 : status.samplings.front().samples;
    write_error(fmt::format("countpm: part {} of {} is done, {}; 'countpm merge' joins the parts\n",
                            status.part, status.parts,
                            of_estimate ? counted(samples, "sample") : counted(units, "unit")));
  }
  return 0;
}

}  // namespace

Request request_of_result(const StoredResult& stored, const Request& request, const CountOptions& watched) {
  Request counted;
  apply_kept_options(counted, stored.options, stored.file);
  CountOptions& options = counted.count;
  options.threads = request.count.threads;
  options.time_limit_seconds = request.count.time_limit_seconds;
  options.memory_limit_bytes = request.count.memory_limit_bytes;
  options.gpus = 0;
  options.progress = watched.progress;
  options.interrupted = watched.interrupted;
  return counted;
}

void say_notice(const std::string& text) {
  write_error("countpm: " + printable(text) + "\n");
}

namespace {

/// The options that the checkpoint keeps, without what a device or a number of GPUs that is given now takes
/// the place of.
std::vector<std::pair<std::string, std::string>> stored_options(const Request& request,
                                                                const JournalStatus& status) {
  const bool device = is_given(request, "device");
  const bool gpus = is_given(request, "gpus");
  std::vector<std::pair<std::string, std::string>> kept;
  for (const auto& [name, value] : status.options) {
    if (device && !gpus && name == "gpus") continue;
    if (gpus && !device && name == "device" && value == "cpu") continue;
    kept.emplace_back(name, value);
  }
  return kept;
}

}  // namespace

Request resumed_request(const Request& request, const JournalStatus& status, const std::string& input) {
  Request resumed;
  resumed.command = status.estimate.empty() ? "count" : "estimate";
  resumed.count.emulated_gpus = request.count.emulated_gpus;
  resumed.count.channel = request.count.channel;
  apply_kept_options(resumed, stored_options(request, status), request.arguments.front());
  for (const auto& [name, value] : request.given) {
    if (name == "output" || name == "input") continue;
    if (!takes_option(resumed.command, name)) {
      throw UsageError(fmt::format("--{} is not an option of {}, which {} is the checkpoint of", name,
                                   resumed.command, quoted(request.arguments.front(), 400)));
    }
    apply_option(resumed, name, value);
  }
  // As the file has it: from whatever folder the option was given.
  if (!status.ratio_to.empty()) resumed.ratio_to = request.ratio_to.value_or(status.ratio_to);
  if (status.ratio_to.empty() && resumed.ratio_to)
    throw UsageError(fmt::format("{} is no ratio's checkpoint, and has no use for --ratio-to",
                                 quoted(request.arguments.front(), 400)));
  resumed.begun_as = command_line(resumed.command, {status.input}, status.options);
  resumed.asked_as = command_line(request);
  resumed.arguments = {input.empty() ? status.input : input};
  // main() saw the limit of this command line alone.
  if (request.count.memory_limit_bytes == 0 && resumed.count.memory_limit_bytes > 0)
    apply_memory_limit(resumed.count);
  return resumed;
}

int run_resume(const Request& request) {
  const std::string& file = request.arguments.front();
  const JournalStatus status = journal_status(file);
  Request resumed =
      resumed_request(request, status, request.arguments.size() > 1 ? request.arguments[1] : "");
  resumed.count.checkpoint.file = file;
  resumed.count.checkpoint.resume = true;
  check_outputs(resumed, resumed.arguments);
  if (status.part != 0) return run_part(resumed);
  return run_asked(resumed);
}

}  // namespace countpm::app
