// The options of chem.
#include "apps/option_rows.hpp"

namespace countpm::app {

std::vector<OptionInfo> chem_options() {
  return {
      value_row("structures", ValueType::file, "FILE", "",
                "write the Kekule structures as an SDF: at most 10000, or the first N with --limit N",
                {"chem"}, [](Request& r, std::string_view value) { r.structures = value; }),
      value_row("sheet", ValueType::file, "FILE", "",
                "draw the Kekule structures side by side: at most 100, or the first N with --limit N",
                {"chem"}, [](Request& r, std::string_view value) { r.sheet = value; }),
  };
}

void share_with_chem(std::vector<OptionInfo>& table) {
  share_options(table,
                {"threads", "time-limit", "memory-limit", "format", "as",        "multi",       "remove",
                 "limit",   "svg",        "title",        "width",  "no-legend", "output",      "overwrite",
                 "csv",     "json",       "report",       "quiet",  "progress",  "no-progress", "help"},
                "chem");
}

}  // namespace countpm::app
