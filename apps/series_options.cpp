// The options of series.
#include <algorithm>
#include <array>

#include "apps/options.hpp"

namespace countpm::app {
namespace {

OptionInfo flag(std::string_view name, std::string_view help, void (*apply)(Request&, std::string_view)) {
  OptionInfo option;
  option.name = name;
  option.help = help;
  option.commands = {"series"};
  option.apply = apply;
  return option;
}

// What counts a single input counts many. Not --double-check's like, which would hide in a table.
constexpr std::array<std::string_view, 22> shared{
    "method", "device",     "gpus",      "threads",  "time-limit",  "memory-limit", "no-rule", "order",
    "seed",   "arithmetic", "precision", "format",   "as",          "weights",      "multi",   "loops",
    "json",   "csv",        "quiet",     "progress", "no-progress", "svg"};

}  // namespace

std::vector<OptionInfo> series_options() {
  return {
      flag("no-counts",
           "leave the counts' decimals out; their number of digits stands in a column of its own",
           [](Request& r, std::string_view) { r.no_counts = true; }),
      flag("ratio",
           "one column more: each count over the first line's, such as Z with monomers over Z without",
           [](Request& r, std::string_view) { r.ratio = true; }),
  };
}

void share_with_series(std::vector<OptionInfo>& table) {
  for (OptionInfo& option : table) {
    const bool help = option.name == "help";
    if (help || std::find(shared.begin(), shared.end(), option.name) != shared.end())
      option.commands.emplace_back("series");
  }
}

}  // namespace countpm::app
