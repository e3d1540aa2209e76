#pragma once
// Many lattices by one text: "lattice:square:2x2..64x64", "lattice:square:2x2..2x64:step=2",
// "lattice:aztec:1..40", "lattice:square:8x8:remove=r3c3+r3c{4..7}".
#include <string>
#include <vector>

namespace countpm {

/// The specs that `spec` stands for, in order:
/// [lattice:]SHAPE:FIRST..LAST[:step=N][:weights=...][:remove=...] goes from the sizes FIRST to the sizes
/// LAST over all whole sizes on the straight line between them, or every N-th of these. No size shrinks, and
/// one grows at least. Or the sizes are fixed, and {A..B} among the parameters behind them stands for each of
/// the numbers from A to B; several of the same length go on side by side. A spec without ".." stands for
/// itself. Throws UsageError for any mistake, those of lattice_info() too, and for more than 100,000
/// lattices. O(length of the answer).
std::vector<std::string> lattice_range(const std::string& spec);

/// Whether there is a range in it: of sizes, or of numbers in braces.
bool is_lattice_range(const std::string& spec);
/// Whether its sizes grow.
bool is_growing_range(const std::string& spec);

}  // namespace countpm
