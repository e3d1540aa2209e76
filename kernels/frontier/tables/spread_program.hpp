#pragma once
// Runs the program of an elimination in a line over tables that several parts share: every part has the
// blocks of states that a hash of their heads gives it, so that all have as many.
//
// A round: all parts agree on borders between stretches of the new table, from samples of its keys. Stretch
// by stretch, each part merges the streams of the blocks that it has, and sends what comes out, sorted, to
// the parts that own it; these merge what comes from all. While a stretch is on its way the next is made.
// So a part holds its share of a table and of the next one, and some stretches. The first and the last
// tables, which are small, stand whole on every part, each of which makes them itself: the value in the end
// is everybody's. Time: O(moves * rings / parts) a round, of which the states made are sent, but for one in
// `parts`. Residues alone: what floating sums round to would depend on the parts.
#include <cstdint>
#include <functional>

#include "kernels/frontier/tables/merge_chunk.hpp"
#include "kernels/frontier/tables/program.hpp"
#include "kernels/frontier/tables/run_program.hpp"
#include "kernels/support/exchange.hpp"

namespace countpm {

struct SpreadOptions {
  int threads = 1;                                 // of this part
  std::uint64_t memory_bytes = ~std::uint64_t{0};  // of this part, for tables and what is under way
  MergeCode code = MergeCode::best;
  /// Tables of no more states stand whole on every part.
  std::uint64_t whole_states = std::uint64_t{1} << 14U;
  /// Called after every step with the moves that all parts have made so far, if they made as many as this
  /// one.
  std::function<void(std::uint64_t moves)> progress;
};

struct SpreadStatistics {
  std::uint64_t moves = 0;         // of this part
  std::uint64_t peak_states = 0;   // the most that this part had of a table
  std::uint64_t peak_bytes = 0;    // most memory for tables at once, here
  std::uint64_t made_bytes = 0;    // most memory for stretches as they are made, and as they come, here
  std::uint64_t sent_bytes = 0;    // to other parts
  std::uint64_t spread_steps = 0;  // whose tables were shared
  std::uint64_t waves = 0;         // of stretches, in all steps
};

/// The widest keys whose tables are shared, in bits.
inline constexpr std::uint32_t most_spread_key_bits = 256;

/// What a part takes beside its tables, at most: stretches made, sent and received.
std::uint64_t spread_buffer_bytes(std::uint64_t memory_bytes, int threads);

/// The value of the one state that is left, on every part; the same for any number of parts and threads.
/// Precondition: no joins, keys of at most most_spread_key_bits, columns of residues (make_columns is called
/// twice). Throws Stopped, and UnableError where this part's share outgrows its memory or 2^32 states.
Partial run_spread(const Program& program, const MakeColumns& make_columns, Exchange& exchange,
                   const StopSignal& stop, const SpreadOptions& options,
                   SpreadStatistics* statistics = nullptr);

}  // namespace countpm
