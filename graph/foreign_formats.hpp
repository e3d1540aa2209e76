#pragma once
// Files that are none of a format that is read: what their endings and first bytes say, and what to do.
#include <string>
#include <string_view>
#include <vector>

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

/// Throws InputError where the first bytes are those of a packed file (xz, bzip2, zip, ...) or of another
/// kind of binary data with a known mark.
void refuse_binary(const std::string& name, bool standard_input, std::string_view head);

}  // namespace countpm
