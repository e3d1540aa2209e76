#pragma once
// Lines of SMILES, which are molecules, and would be edges from a molecule to its name.
#include <string_view>

namespace countpm {

/// Whether a column of the first lines has SMILES alone, some of which are nothing else, and the column
/// beside it, where there is one, has other words. O(head).
bool looks_like_smiles(std::string_view head);

}  // namespace countpm
