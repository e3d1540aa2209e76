#pragma once
// Two tables without keys made one.
//
// Sets of the two tables go together where every shared vertex is used in one of them at most, and, if it
// leaves with the join, in just one. The joined set is of both tables' own vertices and the shared ones that
// stay, and its value the sum of the products over all such pairs: a subset convolution over the shared
// vertices, here pair by pair, because there are few of these and the sets that can go with each other are
// the fewer, the more ones are prescribed.
//
// The bits are put in order first: of one table (the runs) its own vertices lowest, so that all values for
// one pattern of shared vertices are neighbours; of the other (the scalars) its own highest. The joined table
// has the own vertices of the runs lowest, then the shared ones, then those of the scalars. A block of it is
// the sum, over the ways to split the used shared vertices in two, of a value of the scalars times a run of
// the runs. Last, the bits are put in the order that what follows wants.
#include <cstdint>
#include <vector>

#include "kernels/frontier/ranked/set_family.hpp"

namespace countpm {

/// A table written anew, its bits in another order; and the words that its values may need before and after.
struct RankedRelayout {
  SetFamily family;
  std::uint64_t states = 1;
  std::uint32_t from_words = 1;
  std::uint32_t to_words = 1;
  std::vector<std::uint32_t> old_bit;  // where bit k of a new set was

  std::uint64_t bytes() const { return states * to_words * sizeof(std::uint64_t); }
};

struct RankedJoin {
  bool waiting_gives_runs = false;  // and not the table on top
  RankedRelayout waiting;           // bits from the lowest on: the runs' own vertices, or the shared ones ...
  RankedRelayout top;               // ... those that stay first; then what is left
  RankedRelayout result;            // from the joined table's order
  std::uint32_t kept = 0;           // shared vertices that stay, and that leave
  std::uint32_t closing = 0;
  std::uint64_t shared_rows = 0;  // bits of these that are rows
  std::uint32_t own_of_runs = 0;  // vertices that only the one table has
  std::uint32_t own_of_scalars = 0;
  double pairs = 0;
  double runs = 0;
  double looks = 0;  // ways to split what is used, of which not all have sets

  std::uint32_t shared() const { return kept + closing; }
  const RankedRelayout& runs_table() const { return waiting_gives_runs ? waiting : top; }
  const RankedRelayout& scalars_table() const { return waiting_gives_runs ? top : waiting; }
  /// Beside the tables: where the values for each pattern of shared vertices are.
  std::uint64_t list_bytes() const { return std::uint64_t{12} << shared(); }
};

/// Where a join shares more vertices than that, it is none of these; on GPUs, which make as much of a second
/// as CPUs of minutes.
inline constexpr std::uint32_t most_shared = 20;
inline constexpr std::uint32_t most_shared_on_gpus = 26;

/// Fills in pairs, runs and looks; all else is known. O(shared^3). Precondition: no more than
/// most_shared_on_gpus are shared.
void count_join_pairs(RankedJoin& join, const SetCounts& counts);

}  // namespace countpm
