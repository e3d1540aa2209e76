// countpm INPUT: the number alone on standard output.
#include <nlohmann/json.hpp>

#include "apps/commands.hpp"
#include "apps/devices.hpp"
#include "apps/json.hpp"
#include "apps/output.hpp"
#include "apps/progress.hpp"
#include "apps/report.hpp"
#include "apps/signals.hpp"

namespace countpm::app {
namespace {

ProgressDisplay::Style progress_style(const Request& request) {
  if (request.no_progress || request.quiet) return ProgressDisplay::Style::none;
  if (error_is_terminal()) return ProgressDisplay::Style::bar;
  return request.progress ? ProgressDisplay::Style::lines : ProgressDisplay::Style::none;
}

// Takes the bar away however the count ends.
class ClearAtEnd {
 public:
  explicit ClearAtEnd(ProgressDisplay& display) : display_(display) {}
  ~ClearAtEnd() { display_.clear(); }
  ClearAtEnd(const ClearAtEnd&) = delete;
  ClearAtEnd& operator=(const ClearAtEnd&) = delete;

 private:
  ProgressDisplay& display_;
};

CountResult count_with_progress(const Request& request) {
  ProgressDisplay display(progress_style(request), real_world());
  const ClearAtEnd clear(display);
  ReadOptions read = request.read;
  read.hash = request.json;
  CountOptions options = request.count;
  options.progress = [&](const Progress& progress) { display.update(progress); };
  options.interrupted = stop_requested;
  return count(Source::from_argument(request.arguments.front()), read, options);
}

}  // namespace

int run_count(const Request& request) {
  refuse_missing_devices(request);
  const CountResult result = count_with_progress(request);
  write_output(request.json ? indented(to_json(result)) : result.count + "\n");
  flush_output();
  if (!request.quiet && (error_is_terminal() || request.report || request.checks)) {
    write_error(count_report(result, request.checks));
  }
  return 0;
}

}  // namespace countpm::app
