// countpm explain INPUT: what a count would do and cost.
#include <nlohmann/json.hpp>
#include <optional>

#include "apps/commands.hpp"
#include "apps/json.hpp"
#include "apps/output.hpp"
#include "apps/picture_file.hpp"
#include "apps/progress_scope.hpp"
#include "apps/report.hpp"
#include "src/draw/matrix.hpp"

namespace countpm::app {

int run_explain(const Request& request) {
  ReadOptions read = request.read;
  read.hash = request.json;
  CountOptions options = request.count;
  std::optional<ProgressScope> scope(std::in_place, request);
  scope->watch(options);
  options.progress = {};
  std::optional<PictureFile> file;
  std::optional<draw::Picture> picture;
  PatternSink patterns;
  if (request.svg) {
    file.emplace(*request.svg, request.overwrite);
    patterns = [&](const PatternStages& stages) {
      if (stages.pattern.entries() == 0)
        throw UnableError("a graph without edges has no picture", "leave --svg out");
      file->limited(request,
                    [&] { picture = draw::draw_patterns(stages, quoted(request.arguments.front(), 100)); });
    };
  }
  const Explanation explanation =
      explain(Source::from_argument(request.arguments.front()), read, options, patterns);
  scope.reset();
  write_output(request.json ? indented(to_json(explanation))
                            : explain_report(explanation, options.time_limit_seconds));
  flush_output();
  if (picture) file->limited(request, [&] { file->write(request, *picture); });
  return 0;
}

}  // namespace countpm::app
