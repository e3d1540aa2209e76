// countpm explain INPUT: what a count would do and cost.
#include <nlohmann/json.hpp>

#include "apps/commands.hpp"
#include "apps/json.hpp"
#include "apps/output.hpp"
#include "apps/report.hpp"
#include "apps/signals.hpp"

namespace countpm::app {

int run_explain(const Request& request) {
  ReadOptions read = request.read;
  read.hash = request.json;
  CountOptions options = request.count;
  options.interrupted = stop_requested;
  const Explanation explanation = explain(Source::from_argument(request.arguments.front()), read, options);
  write_output(request.json ? indented(to_json(explanation))
                            : explain_report(explanation, options.time_limit_seconds));
  flush_output();
  return 0;
}

}  // namespace countpm::app
