#pragma once
// Runs a program: tables of states on a stack, values beside them in every ring of an arithmetic.
#include <cstdint>
#include <functional>
#include <memory>

#include "kernels/frontier/tables/merge_chunk.hpp"
#include "kernels/frontier/tables/program.hpp"
#include "kernels/frontier/tables/value_column.hpp"
#include "kernels/method.hpp"

namespace countpm {

/// best: joins with a small table merge streams, the others sort pairs. sorted: all sort pairs.
enum class JoinCode { best, sorted };

struct RunOptions {
  int threads = 1;
  std::uint64_t memory_bytes = ~std::uint64_t{0};  // for all tables together
  MergeCode code = MergeCode::best;
  JoinCode join = JoinCode::best;
  /// Called after every step with the moves made so far; false ends the run early with no result.
  std::function<bool(std::uint64_t moves)> progress;
};

struct RunStatistics {
  std::uint64_t moves = 0;        // (state, choice) pairs, pairs joined
  std::uint64_t states = 0;       // of all tables
  std::uint64_t peak_states = 0;  // of the largest
  std::uint64_t peak_bytes = 0;   // most memory held at once
  bool complete = true;
};

/// The widest keys that there are, in bits: more classes in tables at once than this are refused.
inline constexpr std::uint32_t most_key_bits = 2048;

/// The value of the one state that is left; the same for any number of threads. Throws Stopped, and
/// UnableError where the tables would outgrow the memory (before they do) or 2^32 states. Time: O(blocks *
/// streams + moves * rings) a round; memory: a table, the next, and what waits on the stack, each with 20
/// bytes a block of up to 64 states and the values.
Partial run_program(const Program& program, ValueColumns& columns, const StopSignal& stop,
                    const RunOptions& options, RunStatistics* statistics = nullptr);

using MakeColumns = std::function<std::unique_ptr<ValueColumns>()>;

/// The same from both ends at once, by two threads where there are two: each end has columns of its own, and
/// half of the memory.
Partial run_both_ends(const BothEnds& ends, const MakeColumns& make_columns, const StopSignal& stop,
                      const RunOptions& options);

}  // namespace countpm
