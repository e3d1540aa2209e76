#pragma once
// Words that head the columns of a table of edges: "source,target,weight", "from<TAB>to", "u v".
#include <string_view>

namespace countpm {

enum class HeaderWord { none, from, to, weight };

/// Which column a word heads, in any case of letters, with "_", "-" and blanks left out ("Node 1",
/// "from_id").
HeaderWord header_word(std::string_view word);

/// Whether two words that head the ends of edges are hardly ever vertices ("source target"; "u v" may be).
bool are_telling_heads(std::string_view from, std::string_view to);

/// Whether a word heads numbers of rows ("id", "index", "").
bool counts_rows(std::string_view head);

}  // namespace countpm
