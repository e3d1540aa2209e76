// Which options help shows together, and in which order.
#include "apps/options.hpp"

namespace countpm::app {

const std::vector<OptionGroup>& option_groups() {
  static const std::vector<OptionGroup> groups{
      {"Input",
       {"weights",     "at",    "maximum",    "ground-state", "degree",        "as",     "format",   "remove",
        "multi",       "loops", "first-line", "ends",         "weight-column", "strict", "monomers", "rings",
        "ring-weight", "power", "rows",       "cols"}},
      {"Method",
       {"method", "device", "gpus", "gpu-memory", "order", "no-rule", "arithmetic", "precision", "seed"}},
      {"Limits", {"time-limit", "memory-limit", "threads"}},
      {"Output",
       {"output", "json", "csv", "svg", "draw", "scale", "title", "width", "no-legend", "heights", "html",
        "log-weights", "overwrite", "report", "checks", "quiet"}},
      {"Long runs", {"checkpoint", "progress", "no-progress"}},
      {"Other", {"help", "version"}},
  };
  return groups;
}

}  // namespace countpm::app
