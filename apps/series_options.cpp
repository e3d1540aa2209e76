// The options of series.
#include "apps/option_rows.hpp"

namespace countpm::app {

std::vector<OptionInfo> series_options() {
  return {
      flag_row("no-counts",
               "leave the counts' decimals out; their number of digits stands in a column of its own",
               {"series"}, [](Request& r, std::string_view) { r.no_counts = true; }),
      flag_row("ratio",
               "one column more: each count over the first line's, such as Z with monomers over Z without",
               {"series"}, [](Request& r, std::string_view) { r.ratio = true; }),
  };
}

void share_with_series(std::vector<OptionInfo>& table) {
  // What counts a single input counts many. Not --double-check's like, which would hide in a table.
  share_options(table, {"method",  "device",   "gpus",        "threads",    "time-limit", "memory-limit",
                        "no-rule", "order",    "seed",        "arithmetic", "precision",  "format",
                        "as",      "weights",  "multi",       "loops",      "json",       "csv",
                        "quiet",   "progress", "no-progress", "svg",        "overwrite",  "help"},
                "series");
}

}  // namespace countpm::app
