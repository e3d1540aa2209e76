#pragma once
// Many lattices by one text: "lattice:square:2x2..64x64", "lattice:square:2x2..2x64:step=2",
// "lattice:aztec:1..40".
#include <string>
#include <vector>

namespace countpm {

/// The specs that `spec` stands for, in order:
/// [lattice:]SHAPE:FIRST..LAST[:step=N][:weights=...][:remove=...] goes from the sizes FIRST to the sizes
/// LAST over all whole sizes on the straight line between them, or every N-th of these. No size shrinks, and
/// one grows at least. A spec without ".." stands for itself. Throws UsageError for any mistake, those of
/// lattice_info() too, and for more than 100,000 lattices. O(length of the answer).
std::vector<std::string> lattice_range(const std::string& spec);

/// Whether there is a range in it: ".." among its sizes.
bool is_lattice_range(const std::string& spec);

}  // namespace countpm
