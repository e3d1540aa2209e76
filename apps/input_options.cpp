// Options that change the graph that was read.
#include "apps/options.hpp"

namespace countpm::app {

std::vector<OptionInfo> input_options() {
  OptionInfo remove;
  remove.name = "remove";
  remove.type = ValueType::text;
  remove.value_name = "LABEL,...";
  remove.help =
      "take these vertices away with their edges (monomers); may be given several times; left:LABEL or "
      "right:LABEL where both sides of a bipartite graph have the label";
  remove.commands = {"count", "explain", "estimate", "list", "marginals", "sample", "series", "compare"};
  remove.repeatable = true;
  remove.apply = [](Request& request, std::string_view value) { request.read.remove.emplace_back(value); };
  return {remove};
}

}  // namespace countpm::app
