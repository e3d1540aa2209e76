// The options of long runs: checkpoints and progress; and which of the others resume and status take.
#include <algorithm>
#include <array>

#include "apps/option_rows.hpp"

namespace countpm::app {
namespace {

// How a count is shown, and where it is kept, is no part of what it is.
constexpr std::array<std::string_view, 9> not_kept{"checkpoint", "json",        "report", "checks", "quiet",
                                                   "progress",   "no-progress", "help",   "version"};

}  // namespace

std::vector<OptionInfo> run_options() {
  using R = Request&;
  using V = std::string_view;
  const Names long_running{"count", "estimate", "marginals", "sample"};
  return {
      value_row("checkpoint", ValueType::file, "FILE", "",
                "keep what is done in FILE, which must not be there yet: 'countpm resume FILE' goes on after "
                "an interruption, on any machine",
                {"count"}, [](R r, V v) { r.count.checkpoint.file = v; }),
      bare("auto",
           choice_row(
               "progress", "[STYLE]", "", {"auto", "bar", "lines", "json"},
               "show progress on standard error even when that is no terminal; auto: a bar on a terminal, "
               "else lines, one every 10 seconds; json: an object a line every second (docs/json.md)",
               long_running, [](R r, V v) { r.progress = v; })),
      flag_row("no-progress", "no progress bar", long_running, [](R r, V) { r.no_progress = true; }),
  };
}

void share_with_resume(std::vector<OptionInfo>& table) {
  // What may change between a count and going on with it. All else is as the checkpoint says.
  share_options(table,
                {"device", "gpus", "threads", "time-limit", "memory-limit", "json", "report", "checks",
                 "quiet", "progress", "no-progress", "help"},
                "resume");
  share_options(table, {"json", "help"}, "status");
}

std::vector<std::pair<std::string, std::string>> kept_options(const Request& request) {
  std::vector<std::pair<std::string, std::string>> kept;
  for (const auto& option : request.given) {
    if (std::find(not_kept.begin(), not_kept.end(), option.first) == not_kept.end()) kept.push_back(option);
  }
  return kept;
}

}  // namespace countpm::app
