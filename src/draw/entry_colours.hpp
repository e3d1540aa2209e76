#pragma once
// How pictures colour what entries and edges are to the perfect matchings.
#include <array>

#include "src/draw/colours.hpp"
#include "src/matchings/pattern_views.hpp"

namespace countpm::draw {

struct EntryColour {
  EntryKind kind;
  Colour colour;
  const char* of_entry;  // what it means in a matrix
  const char* of_edge;   // and in a graph
};

/// A dot that stands for several entries has the colour of the last of these; an edge lies on top of those
/// before it.
inline constexpr std::array<EntryColour, 6> entry_colours{
    {{EntryKind::dropped, red, "in no perfect (or maximum) matching: dropped",
      "in no perfect (or maximum) matching"},
     {EntryKind::forced, deep_teal, "in every perfect matching: a block of its own",
      "in every perfect matching"},
     {EntryKind::surplus, deep_yellow,
      "in a part with too many columns or too many rows: why no matching is perfect",
      "in a part with too many vertices on one side: why no matching is perfect"},
     {EntryKind::square, blue, "in the square part", "in the part that a matching covers"},
     {EntryKind::unknown, blue, "entry", "edge"},
     {EntryKind::shared, blue, "in some perfect matchings: to be counted, block by block",
      "in some perfect matchings"}}};

}  // namespace countpm::draw
