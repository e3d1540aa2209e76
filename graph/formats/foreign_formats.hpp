#pragma once
// Files that are none of a format that is read: what their endings and first bytes say, and what to do.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/read_options.hpp"

namespace countpm {

/// Endings of a format that is known and not read. A format that gets a reader leaves this table.
struct ForeignFormat {
  std::vector<std::string_view> endings;
  std::string_view name;    // "SMILES (molecules as lines of text)"
  std::string_view remedy;  // how to get a file that is read; may be empty
};
const std::vector<ForeignFormat>& foreign_formats();

/// By an ending as ending_of() has it; null where the table has none.
const ForeignFormat* foreign_format(std::string_view ending);

/// Its remedy, in which 'FILE' in quotes is the file where its name may stand there as it is.
std::string remedy_for(const ForeignFormat& foreign, const std::string& name);

/// Throws InputError where a text is known by its beginning and is no graph that is read, whatever its ending
/// says: a pointer of Git LFS, a page of HTML, LEDA's or UCINET's format, ...; `read_as`: the format that
/// its ending or --format says. O(head).
void refuse_foreign_text(const std::string& name, std::string_view head, std::optional<Format> read_as);

/// Throws InputError for lines of SMILES, which would be read as edges from molecules to their names.
void refuse_smiles(const std::string& name, std::string_view head);

/// Throws InputError where the first bytes are those of a packed file (xz, bzip2, zip, ...) or of another
/// kind of binary data with a known mark.
void refuse_binary(const std::string& name, bool standard_input, std::string_view head);

}  // namespace countpm
