// The options of long runs: checkpoints and progress; and which of the others resume and status take.
#include <algorithm>
#include <array>

#include "apps/options.hpp"

namespace countpm::app {
namespace {

// What may change between a count and going on with it. All else is as the checkpoint says.
constexpr std::array<std::string_view, 12> shared_with_resume{
    "device", "gpus",   "threads", "time-limit", "memory-limit", "json",
    "report", "checks", "quiet",   "progress",   "no-progress",  "help"};
constexpr std::array<std::string_view, 2> shared_with_status{"json", "help"};

// How a count is shown, and where it is kept, is no part of what it is.
constexpr std::array<std::string_view, 9> not_kept{"checkpoint", "json",        "report", "checks", "quiet",
                                                   "progress",   "no-progress", "help",   "version"};

template <class Names>
bool is_among(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

std::vector<OptionInfo> run_options() {
  OptionInfo checkpoint;
  checkpoint.name = "checkpoint";
  checkpoint.type = ValueType::file;
  checkpoint.value_name = "FILE";
  checkpoint.help =
      "keep what is done in FILE, which must not be there yet: 'countpm resume FILE' goes on after an "
      "interruption, "
      "on any machine";
  checkpoint.commands = {"count"};
  checkpoint.apply = [](Request& r, std::string_view v) { r.count.checkpoint.file = v; };

  OptionInfo progress;
  progress.name = "progress";
  progress.type = ValueType::choice;
  progress.value_name = "[STYLE]";
  progress.choices = {"auto", "bar", "lines", "json"};
  progress.bare_value = "auto";
  progress.help =
      "show progress on standard error even when that is no terminal; auto: a bar on a terminal, else lines, "
      "one "
      "every 10 seconds; json: an object a line every second (docs/json.md)";
  progress.commands = {"count", "estimate", "marginals", "sample"};
  progress.apply = [](Request& r, std::string_view v) { r.progress = v; };

  OptionInfo no_progress;
  no_progress.name = "no-progress";
  no_progress.help = "no progress bar";
  no_progress.commands = {"count", "estimate", "marginals", "sample"};
  no_progress.apply = [](Request& r, std::string_view) { r.no_progress = true; };
  return {checkpoint, progress, no_progress};
}

void share_with_resume(std::vector<OptionInfo>& table) {
  for (OptionInfo& option : table) {
    if (is_among(shared_with_resume, option.name)) option.commands.emplace_back("resume");
    if (is_among(shared_with_status, option.name)) option.commands.emplace_back("status");
  }
}

std::vector<std::pair<std::string, std::string>> kept_options(const Request& request) {
  std::vector<std::pair<std::string, std::string>> kept;
  for (const auto& option : request.given) {
    if (!is_among(not_kept, option.first)) kept.push_back(option);
  }
  return kept;
}

}  // namespace countpm::app
