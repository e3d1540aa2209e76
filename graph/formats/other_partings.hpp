#pragma once
// Signs that part every line as well as what was taken for it: "a=b,c" is an edge to c, or from a.
#include <string_view>

#include "graph/graph.hpp"
#include "graph/read_options.hpp"

namespace countpm {

/// For edge lists and CSV whose format was not asked for: warns of a sign within labels that stands once in
/// every line and has other words beside it (| ; = : ~ & and arrows); where it and what was taken to part
/// fields part every line evenly ("1,2|3,4"), throws InputError with both readings. O(bytes).
void tell_of_other_partings(std::string_view bytes, const Graph& graph, const ReadOptions& options,
                            InputInfo& info);

}  // namespace countpm
