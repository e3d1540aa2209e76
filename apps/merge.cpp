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
  for (const OptionInfo& option : option_table()) {
    if (option.questions.has(Question::merge)) merged.count.checkpoint.free_options.emplace_back(option.name);
  }
  check_outputs(merged, merged.arguments);
  return run_asked(merged);
}

}  // namespace countpm::app
