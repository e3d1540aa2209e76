#include "apps/progress_scope.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <string>

#include "apps/exit_codes.hpp"
#include "apps/json.hpp"
#include "apps/output.hpp"
#include "apps/signals.hpp"
#include "src/text/format_duration.hpp"

namespace countpm::app {
namespace {

ProgressDisplay::Style progress_style(const Request& request) {
  if (request.progress == "none" || request.quiet) return ProgressDisplay::Style::none;
  if (request.progress == "json") return ProgressDisplay::Style::json;
  if (request.progress == "lines") return ProgressDisplay::Style::lines;
  if (request.progress == "bar" || error_is_terminal()) return ProgressDisplay::Style::bar;
  return request.progress.empty() ? ProgressDisplay::Style::none : ProgressDisplay::Style::lines;
}

// After the limit: what looks at it ends by itself, and says more.
constexpr double patience_seconds = 0.2;
constexpr double patience_with_checkpoint = 1;
// A month; beyond it nobody waits for the last resort.
constexpr double longest_watched_seconds = 2.6e6;

}  // namespace

ProgressScope::ProgressScope(const Request& request)
    : request_(request), display_(progress_style(request), real_world()) {}

void ProgressScope::watch(CountOptions& options, double limit) {
  watch_limit(options, limit);
  options.progress = [this, kept = options.checkpoint.used()](const Progress& progress) {
    if (progress.stage != "plan") {
      // Before there are units, nothing is to be saved.
      if (kept) allow_time_to_stop();
      if (limit_) limit_->begun();
      begun_.store(true);
    }
    display_.update(progress);
  };
  options.interrupted = stop_requested;
}

void ProgressScope::watch_limit(const CountOptions& options, double limit) {
  const bool goes_on = request_.command == "many" || request_.command == "compare" ||
                       request_.on_limit != OnLimit::refuse || options.channel != nullptr;
  if (goes_on || limit > longest_watched_seconds) return;
  // A checkpoint's first units may have begun without being told of yet.
  const double patience = options.checkpoint.used() ? patience_with_checkpoint : patience_seconds;
  limit_.emplace(limit + patience, [this, limit] {
    if (!claim_final_message()) return;
    if (error_is_terminal()) write_error("\r\033[K");
    const std::string message = fmt::format(
        "the time limit of {} is over before anything was counted; a longer --time-limit gets "
        "further; how much more it takes is not known yet",
        format_duration(limit));
    write_error("countpm: " + message + "\n");
    if (last_words_) last_words_(message);
    if (request_.json) write_error_object(error_text({"unable", message, exit_code::unable}, false));
    _exit(exit_code::unable);
  });
}

}  // namespace countpm::app
