#pragma once
// Texts of words or fields that more than one program writes, each in its own way: which of them a text is in
// is told from all of it.
#include <optional>
#include <string>
#include <string_view>

#include "graph/formats/formats.hpp"
#include "graph/graph.hpp"
#include "graph/read_options.hpp"

namespace countpm {

/// So much of a text tells which of the plain formats it is in.
inline constexpr std::size_t table_head = std::size_t{1} << 20U;

struct TableGuess {
  bool may_be = false;
  Format format = Format::edge_list;  // that its ending or --format says, or its first lines
  FormatBy by = FormatBy::content;
};

/// Whether the text that begins so may be a table: an edge list, CSV, dense text, or of no known format.
TableGuess guess_table_of(const std::string& name, std::string_view head, const ReadOptions& options);

/// The graph, where the text is another table than the plain readers of info.format take; then info.format
/// says which. Nothing: they are to read it. Throws InputError with all readings where there are several.
/// O(bytes) time; memory a multiple of the text where it is not plain.
std::optional<Graph> read_table(std::string_view bytes, const std::string& name, const ReadOptions& options,
                                InputInfo& info);

}  // namespace countpm
