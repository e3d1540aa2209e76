// Options that change the graph that was read.
#include "apps/option_rows.hpp"

namespace countpm::app {

std::vector<OptionInfo> input_options() {
  return {repeatable(
      value_row("remove", ValueType::text, "LABEL,...", "",
                "take these vertices away with their edges (monomers); may be given several times; "
                "left:LABEL or right:LABEL where both sides of a bipartite graph have the label",
                {"count", "explain", "estimate", "list", "marginals", "sample", "series", "compare"},
                [](Request& request, std::string_view value) { request.read.remove.emplace_back(value); }))};
}

}  // namespace countpm::app
