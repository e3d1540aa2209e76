#include "apps/progress_scope.hpp"

#include "apps/output.hpp"
#include "apps/signals.hpp"

namespace countpm::app {
namespace {

ProgressDisplay::Style progress_style(const Request& request) {
  if (request.no_progress || request.quiet) return ProgressDisplay::Style::none;
  if (error_is_terminal()) return ProgressDisplay::Style::bar;
  return request.progress ? ProgressDisplay::Style::lines : ProgressDisplay::Style::none;
}

}  // namespace

ProgressScope::ProgressScope(const Request& request) : display_(progress_style(request), real_world()) {}

void ProgressScope::watch(CountOptions& options) {
  options.progress = [this](const Progress& progress) { display_.update(progress); };
  options.interrupted = stop_requested;
}

}  // namespace countpm::app
