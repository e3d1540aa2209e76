// The options of series.
#include "apps/option_rows.hpp"
#include "apps/parse_value.hpp"

namespace countpm::app {

std::vector<OptionInfo> series_options() {
  return {
      flag_row("no-counts", "leave the counts out; how many digits each has stands in a column of its own",
               {"series"}, [](Request& r, std::string_view) { r.no_counts = true; }),
      flag_row("ratio",
               "add a column: each count divided by the first one, such as Z with monomers over Z without",
               {"series"}, [](Request& r, std::string_view) { r.ratio = true; }),
      number_row("jobs", "N", "0", 0, 256,
                 "count N graphs at a time, each with its share of the threads and the memory; rows stay in "
                 "order. 0: small graphs as many at a time as there are threads, others one by one with all "
                 "threads",
                 {"series"}, [](Request& r, std::string_view v) { r.jobs = *parse_integer(v); }),
  };
}

void share_with_series(std::vector<OptionInfo>& table) {
  // What counts a single input counts many. Not --double-check's like, which would hide in a table.
  share_options(table, {"method",       "device",  "gpus",      "gpu-memory", "threads",     "time-limit",
                        "memory-limit", "no-rule", "order",     "seed",       "arithmetic",  "precision",
                        "format",       "as",      "weights",   "maximum",    "multi",       "loops",
                        "json",         "csv",     "quiet",     "progress",   "no-progress", "svg",
                        "title",        "width",   "no-legend", "output",     "overwrite",   "help"},
                "series");
}

}  // namespace countpm::app
