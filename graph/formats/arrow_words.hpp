#pragma once
// Words that stand between the two ends of an edge: "a -- b", "a -> b", "a to b".
#include <string_view>
#include <vector>

#include "graph/formats/word_table.hpp"

namespace countpm {

/// -- -> <-> => and the like, which are hardly ever labels themselves.
bool is_arrow(std::string_view word);
/// : | ; = to and the like.
bool is_separator(std::string_view word);
bool points_one_way(std::string_view word);

/// Whether split_glued_arrows() knows it.
bool splits_glued(std::string_view arrow);
/// "a--b" in every row, perhaps before a weight: as three fields.
void split_glued_arrows(std::vector<TableRow>& rows);

}  // namespace countpm
