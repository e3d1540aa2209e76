#pragma once
// The inner loop of a round: merges the streams of one table into a stretch of the next.
#include <cstdint>
#include <string_view>

#include "kernels/frontier/tables/key.hpp"
#include "kernels/frontier/tables/state_set.hpp"
#include "kernels/frontier/tables/value_column.hpp"

namespace countpm {

/// Gets the moves of a stretch, batch by batch; does not throw.
class MoveSink {
 public:
  virtual ~MoveSink() = default;
  /// Carries the moves out and empties the batch.
  virtual void flush(MoveBatch& batch) = 0;
  /// Asked every 2^14 blocks: false ends the merge.
  virtual bool go_on() = 0;
};

/// Where a stream is in the table taken from.
template <unsigned Words>
struct MergeCursor {
  std::uint64_t at;
  std::uint64_t end;
  std::uint64_t taken;  // places of the block that the stream takes, as they were
  WideKey<Words> head;  // the new one
  std::uint32_t stream;
};

/// A stretch of the new table: all heads from the streams' places `begin` to their places `end`.
template <unsigned Words>
struct MergeTask {
  const WideKey<Words>* heads = nullptr;  // of the table taken from
  const std::uint64_t* places = nullptr;
  const std::uint32_t* first = nullptr;
  const Stream<Words>* streams = nullptr;
  std::uint32_t stream_count = 0;
  const std::uint64_t* begin = nullptr;   // one a stream: its first block in this stretch ...
  const std::uint64_t* end = nullptr;     // ... and the one after its last
  MergeCursor<Words>* cursors = nullptr;  // room for one a stream
};

/// What a stretch has.
struct MergeCount {
  std::uint64_t blocks = 0;
  std::uint64_t states = 0;
  std::uint64_t moves = 0;
};

/// Blocks are written from heads[0] on, states numbered from first_state on.
template <unsigned Words>
struct MergeTarget {
  WideKey<Words>* heads = nullptr;
  std::uint64_t* places = nullptr;
  std::uint32_t* first = nullptr;
  std::uint64_t first_state = 0;
  MoveBatch* batch = nullptr;
};

/// The same loops compiled for different instruction sets; both give the same tables.
template <unsigned Words>
struct MergeKernel {
  std::string_view name;
  /// Counts only.
  MergeCount (*count)(const MergeTask<Words>&, MoveSink&);
  /// Writes the blocks, and hands the moves to the sink.
  MergeCount (*merge)(const MergeTask<Words>&, const MergeTarget<Words>&, MoveSink&);
};

enum class MergeCode { best, portable };
/// The fastest that this processor runs, or the portable one.
template <unsigned Words>
const MergeKernel<Words>& merge_kernel(MergeCode code = MergeCode::best);

}  // namespace countpm
