// countpm INPUT: the number alone on standard output.
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "apps/commands.hpp"
#include "apps/estimate.hpp"
#include "apps/json.hpp"
#include "apps/log_only.hpp"
#include "apps/output.hpp"
#include "apps/progress_scope.hpp"
#include "apps/report.hpp"
#include "apps/report_page.hpp"
#include "apps/resume.hpp"
#include "apps/signals.hpp"
#include "graph/text.hpp"
#include "src/distributed/follower.hpp"
#include "src/distributed/leader.hpp"
#include "src/machine/channel.hpp"

namespace countpm::app {
namespace {

std::string standard_input() {
  std::ostringstream text;
  text << std::cin.rdbuf();
  return text.str();
}

CountResult count_with_progress(const Request& request, ReportPage& page) {
  ProgressScope scope(request);
  scope.before_the_end([&](const std::string& message) { page.refuse_at_limit(message); });
  ReadOptions read = request.read;
  read.hash = request.json || page.wanted();  // so that the result can be verified
  CountOptions options = request.count;
  scope.watch(options);
  options.recheck = request.json;
  options.checkpoint.options = kept_options(request);
  if (options.checkpoint.used()) options.checkpoint.notice = say_notice;
  Source source = Source::from_argument(request.arguments.front());
  if (options.channel != nullptr && source.kind == Source::Kind::standard_input) {
    // mpirun gives it to rank 0 alone.
    source = Source::from_bytes(standard_input(), source.name);
    share_input(*options.channel, source.bytes);
  }
  return count(source, read, options);
}

int follow_rank_0(const Request& request) {
  CountOptions options = request.count;
  options.interrupted = stop_requested;
  allow_time_to_stop();
  follow(Source::from_argument(request.arguments.front()), request.read, options);
  return 0;
}

/// For the estimate in place of a count: a checkpoint that holds some of the count stays the count's, which
/// can go on; where none was begun, it is the estimate's. What the device that counts is, sampling need not
/// be.
Request beyond_limits(Request request) {
  CheckpointOptions& checkpoint = request.count.checkpoint;
  if (!checkpoint.merge.empty() || std::filesystem::exists(checkpoint.file)) checkpoint = {};
  if (request.estimate.device == "gpu") request.estimate.device = "auto";
  request.estimate.gpus = 0;
  return request;
}

int count_or_estimate(const Request& request, ReportPage& page) {
  CountResult result;
  try {
    result = count_with_progress(request, page);
  } catch (const UnableError& error) {
    if (!request.estimate_beyond_limits) throw;
    const std::string note = std::string("estimating instead of counting: ") + error.what();
    if (!request.quiet) write_error("countpm: " + printable(note) + "\n");
    return show_estimate(beyond_limits(request), page, note);
  }
  write_output(request.json ? indented(to_json(result)) : result.count + "\n");
  flush_output();
  if (!request.quiet && (error_is_terminal() || request.report || request.checks)) {
    write_error(count_report(result, request.checks));
  }
  if (page.wanted()) page.write(html::count_fragment(result, page.beside()));
  return 0;
}

}  // namespace

int run_count(const Request& request) {
  if (request.log_only) return run_log_only(request);
  if (request.count.channel != nullptr && request.count.channel->rank() != 0) return follow_rank_0(request);
  ReportPage page(request);
  return page.or_refusal([&] { return count_or_estimate(request, page); });
}

}  // namespace countpm::app
