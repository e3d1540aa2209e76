// countpm many FAMILY --recurrence: the linear recurrence that the counts of growing lattices fulfil.
#include <fmt/format.h>

#include "apps/commands.hpp"
#include "apps/json.hpp"
#include "apps/output.hpp"
#include "apps/progress_scope.hpp"
#include "apps/report_lines.hpp"
#include "graph/errors.hpp"
#include "src/report/recurrence_json.hpp"
#include "src/text/format_duration.hpp"
#include "src/words/recurrence_words.hpp"

namespace countpm::app {

int run_recurrence(const Request& request) {
  if (request.count.channel != nullptr)
    throw UsageError("--recurrence counts in one process, without mpirun");
  if (request.arguments.size() != 1)
    throw UsageError(
        fmt::format("--recurrence is of one family of lattices; found {}", request.arguments.size()));
  SeriesOptions options;
  options.read = request.read;
  options.count = request.count;
  options.jobs = static_cast<int>(request.jobs);
  FamilyRecurrence result;
  {
    ProgressScope scope(request);
    scope.watch(options.count);
    result = find_recurrence(request.arguments.front(), options, {}, [] {});
  }
  std::string text;
  for (const words::Fact& fact : words::recurrence_facts(result))
    text += line(fact.head, fact.text, output_width());
  write_output(request.json ? indented(json_of(result)) : text);
  flush_output();
  return 0;
}

}  // namespace countpm::app
