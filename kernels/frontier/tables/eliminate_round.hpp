#pragma once
// One round of an elimination: from a table to the next, in stretches that threads take. Or a join with a
// small table: every state of that is a stream (join_streams.hpp).
#include <omp.h>

#include <algorithm>
#include <atomic>
#include <vector>

#include "graph/first_failure.hpp"
#include "kernels/frontier/tables/merge_chunk.hpp"
#include "kernels/frontier/tables/table.hpp"
#include "kernels/method.hpp"

namespace countpm {

/// Room that rounds share, so that a small one allocates nothing.
template <unsigned Words>
struct RoundSpace {
  std::vector<Stream<Words>> streams;
  std::vector<std::uint64_t> begin;  // [stretch * streams + stream], one stretch more for the ends
  std::vector<MergeCursor<Words>> cursors;
  std::vector<MergeCount> counts;
  std::vector<std::unique_ptr<MoveBatch>> batches;
  std::vector<WideKey<Words>> samples;
};

/// Carries batches to every column: moves of a round, or products with the states of another table.
template <unsigned Words>
class ColumnSink : public MoveSink {
 public:
  ColumnSink(const ValueColumns& columns, const Table<Words>& from, const Table<Words>* with,
             Table<Words>& to, const StopSignal& stop)
      : columns_(columns), from_(from), with_(with), to_(to), stop_(stop) {}
  void flush(MoveBatch& batch) override {
    for (std::size_t c = 0; c < columns_.columns().size(); ++c) {
      const ValueColumn& column = *columns_.columns()[c];
      if (with_ == nullptr) {
        column.move(*from_.values[c], *to_.values[c], batch);
      } else {
        column.move_products(*from_.values[c], *with_->values[c], *to_.values[c], batch);
      }
    }
    batch.size = 0;
  }
  bool go_on() override { return !stop_.requested(); }

 private:
  const ValueColumns& columns_;
  const Table<Words>& from_;
  const Table<Words>* with_;
  Table<Words>& to_;
  const StopSignal& stop_;
};

/// A round in three parts: plan() finds how large the new table will be, run() fills it; between them the
/// caller sees to the memory.
template <unsigned Words>
class RoundStep {
 public:
  RoundStep(const Table<Words>& from, RoundSpace<Words>& space, const MergeKernel<Words>& kernel, int threads,
            const StopSignal& stop)
      : from_(from), space_(space), kernel_(kernel), threads_(threads), stop_(stop) {}

  /// Blocks and states of the new table: exact, or, for small tables, bounds. Throws Stopped.
  MergeCount plan(const RoundPlan& round);
  /// The same for a join with another table, of which these are the streams.
  MergeCount plan(const Table<Words>& with, std::vector<Stream<Words>> streams);
  /// Precondition: `to` has room for what plan() said. Returns the true figures.
  MergeCount run(const ValueColumns& columns, Table<Words>& to);

  std::uint64_t streams() const { return space_.streams.size(); }

 private:
  // A table that cannot have more states than this is made without being counted first.
  static constexpr std::uint64_t small_states = 1 << 11;
  static constexpr std::uint64_t blocks_a_stretch = 1 << 13;
  static constexpr std::uint64_t most_stretches = 1 << 12;

  MergeTask<Words> task(std::uint64_t stretch, std::uint64_t thread) const {
    MergeTask<Words> result;
    result.heads = from_.set.heads.data();
    result.places = from_.set.places.data();
    result.first = from_.set.first.data();
    result.streams = space_.streams.data();
    result.stream_count = static_cast<std::uint32_t>(space_.streams.size());
    result.begin = space_.begin.data() + stretch * space_.streams.size();
    result.end = result.begin + space_.streams.size();
    result.cursors = space_.cursors.data() + thread * space_.streams.size();
    return result;
  }
  MergeCount plan_streams();
  void cut();

  const Table<Words>& from_;
  const Table<Words>* with_ = nullptr;
  RoundSpace<Words>& space_;
  const MergeKernel<Words>& kernel_;
  int threads_;
  const StopSignal& stop_;
  std::uint64_t stretches_ = 1;
  bool counted_ = true;
};

/// Only counts: nothing is ever handed to it.
class CountingSink : public MoveSink {
 public:
  explicit CountingSink(const StopSignal& stop) : stop_(stop) {}
  void flush(MoveBatch&) override {}
  bool go_on() override { return !stop_.requested(); }

 private:
  const StopSignal& stop_;
};

template <unsigned Words>
MergeCount RoundStep<Words>::plan(const RoundPlan& round) {
  space_.streams.clear();
  for (const StreamPlan& stream : round.streams) space_.streams.push_back(make_stream<Words>(stream));
  return plan_streams();
}

template <unsigned Words>
MergeCount RoundStep<Words>::plan(const Table<Words>& with, std::vector<Stream<Words>> streams) {
  with_ = &with;
  space_.streams = std::move(streams);
  return plan_streams();
}

template <unsigned Words>
MergeCount RoundStep<Words>::plan_streams() {
  const std::uint64_t streams = space_.streams.size();
  stretches_ = std::clamp<std::uint64_t>(from_.set.blocks / blocks_a_stretch, 1, most_stretches);
  const int threads = stretches_ == 1 ? 1 : threads_;
  space_.begin.resize((stretches_ + 1) * streams);
  if (space_.cursors.size() < streams * static_cast<std::uint64_t>(threads)) {
    space_.cursors.resize(streams * static_cast<std::uint64_t>(threads));
  }
  while (space_.batches.size() < static_cast<std::size_t>(threads)) {
    space_.batches.push_back(std::make_unique<MoveBatch>());
  }
  std::fill(space_.begin.begin(), space_.begin.begin() + static_cast<std::ptrdiff_t>(streams), 0);
  std::fill(space_.begin.end() - static_cast<std::ptrdiff_t>(streams), space_.begin.end(), from_.set.blocks);
  const MergeCount most{from_.set.blocks * streams, from_.set.states * streams, 0};
  if (stretches_ == 1 && most.states <= small_states) {
    // Every stream keeps its blocks and states apart in the worst case.
    counted_ = false;
    return most;
  }
  counted_ = true;
  if (stretches_ > 1) cut();
  space_.counts.assign(stretches_, {});
  const auto count = static_cast<std::int64_t>(stretches_);
  FirstFailure failure;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
  for (std::int64_t s = 0; s < count; ++s) {
    failure.guard([&] {
      CountingSink sink(stop_);
      if (sink.go_on()) {
        space_.counts[static_cast<std::size_t>(s)] = kernel_.count(
            task(static_cast<std::uint64_t>(s), static_cast<std::uint64_t>(omp_get_thread_num())), sink);
      }
    });
  }
  failure.rethrow();
  stop_.check();
  MergeCount total;
  for (const MergeCount& c : space_.counts) {
    total.blocks += c.blocks;
    total.states += c.states;
    total.moves += c.moves;
  }
  return total;
}

/// Borders between stretches from a sample of the new heads: the same for any number of threads.
template <unsigned Words>
void RoundStep<Words>::cut() {
  const StateSet<Words>& set = from_.set;
  const std::uint64_t streams = space_.streams.size();
  std::vector<WideKey<Words>>& samples = space_.samples;
  samples.clear();
  const std::uint64_t stride = std::max<std::uint64_t>(set.blocks / (16 * stretches_), 1);
  for (const Stream<Words>& stream : space_.streams) {
    for (std::uint64_t at = stride / 2; at < set.blocks; at += stride) {
      if (stream.takes(set.heads[at]) && (set.places[at] & stream.places) != 0) {
        samples.push_back(set.heads[at].plus(stream.delta));
      }
    }
  }
  std::sort(samples.begin(), samples.end());
  for (std::uint64_t s = 1; s < stretches_; ++s) {
    for (std::uint64_t k = 0; k < streams; ++k) {
      space_.begin[s * streams + k] = samples.empty()
                                          ? set.blocks
                                          : first_not_below(space_.streams[k], set.heads.data(), set.blocks,
                                                            samples[samples.size() * s / stretches_]);
    }
  }
}

template <unsigned Words>
MergeCount RoundStep<Words>::run(const ValueColumns& columns, Table<Words>& to) {
  const int threads = stretches_ == 1 ? 1 : threads_;
  ColumnSink<Words> sink(columns, from_, with_, to, stop_);
  if (!counted_) {
    // The values are cleared as far as there may be states.
    const std::uint64_t most = from_.set.states * space_.streams.size();
    for (std::size_t c = 0; c < to.values.size(); ++c) columns.columns()[c]->clear(*to.values[c], 0, most);
    MergeTarget<Words> target{to.set.heads.data(), to.set.places.data(), to.set.first.data(), 0,
                              space_.batches[0].get()};
    target.batch->size = 0;
    const MergeCount count = kernel_.merge(task(0, 0), target, sink);
    stop_.check();
    to.set.blocks = count.blocks;
    to.set.states = count.states;
    return count;
  }
  std::vector<MergeCount> before(stretches_ + 1);
  for (std::uint64_t s = 0; s < stretches_; ++s) {
    before[s + 1].blocks = before[s].blocks + space_.counts[s].blocks;
    before[s + 1].states = before[s].states + space_.counts[s].states;
    before[s + 1].moves = before[s].moves + space_.counts[s].moves;
  }
  const auto count = static_cast<std::int64_t>(stretches_);
  FirstFailure failure;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
  for (std::int64_t k = 0; k < count; ++k) {
    failure.guard([&] {
      if (!sink.go_on()) return;
      const auto s = static_cast<std::uint64_t>(k);
      const auto thread = static_cast<std::uint64_t>(omp_get_thread_num());
      for (std::size_t c = 0; c < to.values.size(); ++c) {
        columns.columns()[c]->clear(*to.values[c], before[s].states, before[s + 1].states);
      }
      MergeTarget<Words> target{
          to.set.heads.data() + before[s].blocks, to.set.places.data() + before[s].blocks,
          to.set.first.data() + before[s].blocks, before[s].states, space_.batches[thread].get()};
      target.batch->size = 0;
      kernel_.merge(task(s, thread), target, sink);
    });
  }
  failure.rethrow();
  stop_.check();
  to.set.blocks = before[stretches_].blocks;
  to.set.states = before[stretches_].states;
  return before[stretches_];
}

}  // namespace countpm
