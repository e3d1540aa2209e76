// The options of long runs: checkpoints and progress; and which of the others resume and status take.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "apps/option_rows.hpp"
#include "apps/parse_value.hpp"
#include "src/machine/assume.hpp"

namespace countpm::app {
namespace {

// How a count is shown, and where it is kept, is no part of what it is.
constexpr std::array<std::string_view, 14> not_kept{
    "checkpoint", "json",  "report",      "checks", "quiet", "progress",  "help",
    "version",    "parts", "no-progress", "output", "html",  "overwrite", "estimate"};

// What count takes and split does not: a part is counted, and shown, another time.
constexpr std::array<std::string_view, 11> not_for_split{
    "checkpoint", "up-to-symmetry", "json", "report", "checks",   "log-only",
    "on-limit",   "version",        "html", "output", "overwrite"};

// What split takes of an estimate's own options: parts know how many samples, or trials, they draw.
constexpr std::array<std::string_view, 13> of_split_estimate{
    "samples",        "confidence",  "exact-below", "all-sampled", "sampler",    "second",   "prune",
    "scale-interval", "scale-steps", "exact-tail",  "strata",      "population", "guarantee"};

template <class List>
bool is_among(const List& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

std::vector<OptionInfo> run_options() {
  using R = Request&;
  using V = std::string_view;
  const Names long_running{"count", "estimate", "marginals", "sample"};
  return {
      value_row("checkpoint", ValueType::file, "FILE", "",
                "keep what is done in FILE, a new file: after an interruption 'countpm resume FILE' goes on, "
                "on any "
                "machine",
                {"count", "estimate"}, [](R r, V v) { r.count.checkpoint.file = v; }),
      bare("auto",
           choice_row(
               "progress", "[STYLE]", "", {"auto", "bar", "lines", "json"},
               "show progress on standard error, even where that is not a terminal. auto: a bar on a "
               "terminal, "
               "elsewhere a line every 10 seconds; json: an object per line, every second (docs/json.md)",
               long_running, [](R r, V v) { r.progress = v; })),
      bounded(value_row("audit", ValueType::share, "SHARE", "",
                        "run a random share of the units of work again, by other code or on another device, "
                        "and give no "
                        "number if one differs (docs/many-machines.md)",
                        {"count"}, [](R r, V v) { r.count.audit_share = parse_share(v).value_or(1); }),
              0, 1),
      value_row("assume", ValueType::text, "LIST", "",
                "forecast for another machine than this one: gpu=h100 or gpu=h200, gpus=N, machines=N, "
                "threads=N, with commas between (docs/forecasts.md)",
                {"explain"}, [](R r, V v) { r.count.assumed = parse_assumed(v); }),
      number_row("parts", "K", "2", 1, 10'000,
                 "how many parts to make; all of them are written, even if some have nothing to do",
                 {"split"}, [](R r, V v) { r.parts = *parse_integer(v); }),
      flag_row("estimate",
               "split an estimate: each part draws its share of the --samples, or of the trials that a "
               "--guarantee is "
               "expected to take, and together they are those of 'countpm estimate' with the same options",
               {"split"}, [](R r, V) { r.split_estimate = true; }),
      with_letter(
          'o',
          with_uses(
              {{"split",
                "how the parts' names begin: FILE-1.part, FILE-2.part, ...; FILE/ is a folder, in which "
                "they are named after the input"},
               {"merge", "write what the parts have together to the checkpoint FILE"},
               {"series",
                "write the table to FILE instead of standard output; after Ctrl-C, the rows until then"},
               {"compare",
                "write the table to FILE instead of standard output; after Ctrl-C, the rows until then"}},
              value_row("output", ValueType::file, "FILE", "",
                        "write the answer to FILE instead of standard output; nothing is written unless the "
                        "answer is whole",
                        {"count", "explain", "estimate", "list", "marginals", "sample", "lattice", "split",
                         "merge"},
                        [](R r, V v) { r.output = v; }))),
      value_row("input", ValueType::file, "INPUT", "",
                "where the input is, if it has moved since it was split", {"merge"},
                [](R r, V v) { r.input = v; }),
      flag_row("no-progress", "no progress bar", long_running, [](R r, V) { r.no_progress = true; }),
  };
}

void share_with_resume(std::vector<OptionInfo>& table) {
  for (const std::string& name : session_options()) {
    for (const char* command : {"resume", "merge"}) share_options(table, {name}, command);
  }
  share_options(table, {"output", "ratio-to"}, "resume");
  share_options(table, {"json", "help"}, "status");
  share_options(table,
                {"threads", "time-limit", "memory-limit", "json", "quiet", "progress", "no-progress", "help"},
                "verify");
  for (OptionInfo& option : table) {
    if (is_among(option.commands, "count") && !is_among(not_for_split, option.name))
      option.commands.emplace_back("split");
    if (is_among(of_split_estimate, option.name) && !is_among(option.commands, "split"))
      option.commands.emplace_back("split");
  }
}

std::vector<std::string> session_options() {
  // What may change between a count and going on with it. All else is as the checkpoint says.
  return {"device", "gpus",   "gpu-memory", "threads",  "time-limit",  "memory-limit", "json", "audit",
          "report", "checks", "quiet",      "progress", "no-progress", "help",         "html", "overwrite"};
}

std::vector<std::pair<std::string, std::string>> kept_options(const Request& request) {
  std::vector<std::pair<std::string, std::string>> kept;
  for (const auto& option : request.given) {
    if (!is_among(not_kept, option.first)) kept.push_back(option);
  }
  return kept;
}

void apply_kept_options(Request& request, const std::vector<std::pair<std::string, std::string>>& options,
                        const std::string& file) {
  for (const auto& [name, value] : options) {
    // A count that is beyond its limits may have left its checkpoint to an estimate.
    const bool taken = takes_option("count", name) || takes_option("estimate", name);
    if (!taken || is_among(not_kept, name))
      throw InputError(file, 0, "options that a checkpoint keeps", fmt::format("--{}", quoted(name)));
    apply_option(request, name, value);
  }
}

}  // namespace countpm::app
