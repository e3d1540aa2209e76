// countpm split INPUT --parts K: the journals of K parts of a count.
#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "apps/commands.hpp"
#include "apps/json.hpp"
#include "apps/output.hpp"
#include "apps/progress_scope.hpp"
#include "graph/errors.hpp"
#include "graph/text.hpp"
#include "src/api/entries.hpp"
#include "src/estimate/estimate_parts.hpp"
#include "src/text/format_duration.hpp"
#include "src/text/format_number.hpp"

namespace countpm::app {
namespace {

/// How the names begin: as asked, and in a folder (made, where its name ends so) after the input.
std::string prefix_of(const Request& request) {
  const Source source = Source::from_argument(request.arguments.front());
  std::string stem = source.kind == Source::Kind::lattice
                         ? source.name
                         : std::filesystem::path(source.name).filename().string();
  for (char& c : stem) {
    if (c == ':' || c == '/') c = '-';
  }
  if (request.output.empty()) return stem;
  if (request.output.ends_with('/')) {
    std::error_code error;
    std::filesystem::create_directories(request.output, error);
    if (error) {
      throw UnableError(
          fmt::format("the folder {} cannot be made: {}", quoted(request.output), error.message()),
          "try another place for --output");
    }
  }
  if (std::filesystem::is_directory(request.output))
    return (std::filesystem::path(request.output) / stem).string();
  return request.output;
}

/// Options of an estimate without --estimate, and the other way round.
void check_split(const Request& request) {
  for (const auto& [name, value] : request.given) {
    if (!takes_option("count", name) && takes_option("estimate", name) && !request.split_estimate)
      throw UsageError(fmt::format("--{} is an option of estimates: --estimate splits one", name));
    if (takes_option("count", name) && !takes_option("estimate", name) && request.split_estimate)
      throw UsageError(fmt::format("--{} is no option of estimates", name));
  }
}

}  // namespace

int run_split(const Request& request) {
  check_split(request);
  std::vector<std::string> files;
  const std::string prefix = prefix_of(request);
  for (std::uint64_t k = 1; k <= request.parts; ++k) files.push_back(fmt::format("{}-{}.part", prefix, k));
  SplitObject done{request.arguments.front(), files, {}, {}, 0};
  std::string what;  // for a message
  {
    ProgressScope scope(request);
    CountOptions options = request.count;
    const Source source = Source::from_argument(request.arguments.front());
    options.checkpoint.options = kept_options(request);
    if (request.split_estimate) {
      scope.watch(options, request.estimate.time_limit_seconds);
      const EstimateSplit result = split_estimate(source, request.read, options, request.estimate, files);
      done.samples = result.samples;
      done.predicted_seconds = result.predicted_seconds;
      what = fmt::format("{} in {}, predicted to take one thread {}; 'countpm resume' draws a part",
                         counted(result.samples, request.estimate.guarantee ? "trial" : "sample"),
                         counted(request.parts, "part"), format_duration(result.predicted_seconds));
    } else {
      scope.watch(options);
      const SplitResult result = split(source, request.read, options, files);
      done.units = result.units;
      done.predicted_seconds = result.predicted_seconds;
      what = fmt::format("{} in {}, predicted to take {} on this machine; 'countpm resume' counts a part",
                         counted(result.units, "unit"), counted(request.parts, "part"),
                         format_duration(result.predicted_seconds));
    }
  }
  if (request.json) write_output(indented(json_of(done)));
  for (const std::string& file : files) {
    if (!request.json) write_output(escaped(file) + "\n");
  }
  flush_output();
  if (!request.quiet) write_error(fmt::format("countpm: {}, 'countpm merge' joins them\n", what));
  return 0;
}

}  // namespace countpm::app
