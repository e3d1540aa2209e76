#include "apps/progress_scope.hpp"

#include "apps/output.hpp"
#include "apps/signals.hpp"

namespace countpm::app {
namespace {

ProgressDisplay::Style progress_style(const Request& request) {
  if (request.no_progress || request.quiet) return ProgressDisplay::Style::none;
  if (request.progress == "json") return ProgressDisplay::Style::json;
  if (request.progress == "lines") return ProgressDisplay::Style::lines;
  if (request.progress == "bar" || error_is_terminal()) return ProgressDisplay::Style::bar;
  return request.progress.empty() ? ProgressDisplay::Style::none : ProgressDisplay::Style::lines;
}

}  // namespace

ProgressScope::ProgressScope(const Request& request) : display_(progress_style(request), real_world()) {}

void ProgressScope::watch(CountOptions& options) {
  options.progress = [this](const Progress& progress) { display_.update(progress); };
  options.interrupted = stop_requested;
}

}  // namespace countpm::app
