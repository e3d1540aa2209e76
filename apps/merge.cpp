// countpm merge PART...: one count of its parts.
#include "apps/commands.hpp"
#include "apps/output_file.hpp"
#include "apps/resume.hpp"

namespace countpm::app {

int run_merge(const Request& request) {
  const JournalStatus status = journal_status(request.arguments.front());
  Request merged = resumed_request(request, status, request.input);
  merged.count.checkpoint.file = request.output;
  merged.count.checkpoint.merge = request.arguments;
  merged.count.checkpoint.free_options = session_options();
  check_outputs(merged, merged.arguments);
  return status.estimate.empty() ? run_count(merged) : run_estimate(merged);
}

}  // namespace countpm::app
