// countpm resume FILE: goes on with a count that has a checkpoint.
#include "apps/commands.hpp"
#include "apps/memory_limit.hpp"
#include "src/countpm.hpp"

namespace countpm::app {

int run_resume(const Request& request) {
  const std::string& file = request.arguments.front();
  const JournalStatus status = journal_status(file);
  Request resumed;
  resumed.command = "count";
  resumed.count.emulated_gpus = request.count.emulated_gpus;
  resumed.count.channel = request.count.channel;
  for (const auto& [name, value] : status.options) apply_option(resumed, name, value);
  for (const auto& [name, value] : request.given) apply_option(resumed, name, value);
  resumed.arguments = {request.arguments.size() > 1 ? request.arguments[1] : status.input};
  resumed.count.checkpoint.file = file;
  resumed.count.checkpoint.resume = true;
  // main() saw the limit of this command line alone.
  if (request.count.memory_limit_bytes == 0)
    apply_memory_limit(resumed.count.memory_limit_bytes, resumed.count.threads);
  return run_count(resumed);
}

}  // namespace countpm::app
