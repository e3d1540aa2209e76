#pragma once
// Regions drawn as text: VAX pictures and boards (docs/formats-molecules.md).
#include <optional>
#include <string_view>

#include "graph/read_options.hpp"

namespace countpm {

/// vax or board where every line is of their characters alone, and no other format could have such lines;
/// nothing otherwise. O(head).
std::optional<Format> guess_picture(std::string_view head);

/// Whether every line is of # and blanks, and they are rather comments than a board: fewer than two, or never
/// more than two # beside each other. A larger picture is a board.
bool is_comments_of_cells(std::string_view text);

}  // namespace countpm
