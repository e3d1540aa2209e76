#pragma once
// A count whose units others run: who they are, and how they hear of it, is the caller's.
#include "src/api/entries.hpp"

namespace countpm {

class UnitBoard;  // src/distributed/unit_board.hpp

/// As count(), but the units are posted on the board, from another thread than those that take them away. A
/// prediction beyond the time limit is refused only where a single unit is. options.checkpoint may be used:
/// InputInfo::sha256 is to say then which graph it is. Throws UsageError where weights have letters.
CountResult count_on_board(UnitBoard& board, ReadResult read, const CountOptions& options);

}  // namespace countpm
