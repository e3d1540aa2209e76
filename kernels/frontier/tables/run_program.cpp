#include "kernels/frontier/tables/run_program.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "graph/errors.hpp"
#include "kernels/frontier/tables/eliminate_round.hpp"
#include "kernels/frontier/tables/join_streams.hpp"
#include "kernels/frontier/tables/join_tables.hpp"
#include "kernels/frontier/tables/table.hpp"

namespace countpm {
namespace {

constexpr std::uint64_t most_states = std::uint64_t{1} << 32;

template <unsigned Words>
class Machine {
 public:
  Machine(ValueColumns& columns, const StopSignal& stop, const RunOptions& options)
      : columns_(columns),
        stop_(stop),
        options_(options),
        kernel_(merge_kernel<Words>(options.code)),
        spare_(columns) {}

  /// Nothing where the count is zero: a table ran empty, which makes every later one empty.
  bool run(const Program& program) {
    for (const ProgramStep& step : program.steps) {
      stop_.check();
      switch (step.kind) {
        case ProgramStep::Kind::push:
          push();
          break;
        case ProgramStep::Kind::round:
          round(program.rounds[step.index]);
          break;
        case ProgramStep::Kind::join:
          join(program.joins[step.index]);
          break;
      }
      const std::uint64_t states = stack_.back().set.states;
      statistics_.states += states;
      statistics_.peak_states = std::max(statistics_.peak_states, states);
      if (states == 0) return false;
      if (options_.progress && !options_.progress(statistics_.moves)) {
        statistics_.complete = false;
        return false;
      }
    }
    return true;
  }
  const Table<Words>& last() const { return stack_.back(); }
  const RunStatistics& statistics() const { return statistics_; }

 private:
  void push() {
    Table<Words> table(columns_);
    table.ensure(1, 1);
    table.set.heads[0] = WideKey<Words>::zero();
    table.set.places[0] = 1;
    table.set.first[0] = 0;
    table.set.blocks = table.set.states = 1;
    for (std::size_t c = 0; c < table.values.size(); ++c) {
      columns_.columns()[c]->set_unit(*table.values[c]);
    }
    stack_bytes_ += table.bytes();
    stack_.push_back(std::move(table));
  }

  void round(const RoundPlan& plan) {
    Table<Words>& from = stack_.back();
    RoundStep<Words> step(from, space_, kernel_, options_.threads, stop_);
    const MergeCount most = step.plan(plan);
    make_room(most.blocks, most.states, 0);
    for (const auto& column : columns_.columns()) column->set_weights(plan.weights);
    const MergeCount count = step.run(columns_, spare_);
    statistics_.moves += count.moves;
    for (std::size_t c = 0; c < spare_.values.size(); ++c) {
      columns_.columns()[c]->finish_round(*from.values[c], *spare_.values[c], spare_.set.states,
                                          step.streams());
    }
    stack_bytes_ += spare_.bytes() - from.bytes();
    std::swap(from, spare_);
  }

  void join(const JoinPlan& plan) {
    Table<Words>& left = stack_[stack_.size() - 2];
    Table<Words>& right = stack_.back();
    const bool left_is_small = left.set.states < right.set.states;
    const Table<Words>& small = left_is_small ? left : right;
    const Table<Words>& large = left_is_small ? right : left;
    auto streams = options_.join == JoinCode::sorted ? std::nullopt
                                                     : join_streams<Words>(small.set, large.set.states, plan);
    const std::uint64_t additions =
        streams ? merge(large, small, std::move(*streams)) : sort_pairs(left, right, plan);
    for (std::size_t c = 0; c < spare_.values.size(); ++c) {
      columns_.columns()[c]->finish_join(*left.values[c], *right.values[c], *spare_.values[c],
                                         spare_.set.states, additions);
    }
    stack_bytes_ += spare_.bytes() - left.bytes() - right.bytes();
    std::swap(left, spare_);
    stack_.pop_back();
  }

  /// The join of the two into the spare table; returns the most products that one state may have got.
  std::uint64_t merge(const Table<Words>& large, const Table<Words>& small,
                      std::vector<Stream<Words>> streams) {
    RoundStep<Words> step(large, space_, kernel_, options_.threads, stop_);
    const MergeCount most = step.plan(small, std::move(streams));
    make_room(most.blocks, most.states, 0);
    statistics_.moves += step.run(columns_, spare_).moves;
    return step.streams();
  }
  std::uint64_t sort_pairs(const Table<Words>& left, const Table<Words>& right, const JoinPlan& plan) {
    JoinStep<Words> step(left, right, plan, options_.threads, stop_);
    const std::uint64_t pairs = step.count_pairs();
    const std::uint64_t extra = step.bytes_of_sides() + pairs * JoinStep<Words>::bytes_per_pair;
    make_room(0, 0, extra);
    const MergeCount count = step.plan();
    make_room(count.blocks, count.states, extra);
    step.run(columns_, spare_);
    statistics_.moves += count.moves;
    return step.additions();
  }

  /// Room in the spare table for the next one, within the limit; `extra` bytes are held beside it.
  void make_room(std::uint64_t blocks, std::uint64_t states, std::uint64_t extra) {
    const std::uint64_t limit = options_.memory_bytes;
    const auto needed = [&] {
      return stack_bytes_ + spare_.bytes() + extra + spare_.bytes_to_grow(blocks, states, columns_);
    };
    // A table that was larger once keeps its memory until it is in the way.
    if (needed() > limit) spare_.release();
    if (states >= most_states || needed() > limit) {
      throw UnableError(
          fmt::format(
              "the frontier's tables need {:.1f} GB for {:.3g} states and the memory limit is {:.1f} GB",
              static_cast<double>(needed()) / 1e9, static_cast<double>(states),
              static_cast<double>(limit) / 1e9),
          states >= most_states ? "another method: --method pruned"
                                : fmt::format("--memory-limit {:.0f}G, or another method",
                                              static_cast<double>(needed()) / 1e9 + 1));
    }
    statistics_.peak_bytes = std::max(statistics_.peak_bytes, needed());
    spare_.ensure(blocks, states);
  }

  ValueColumns& columns_;
  const StopSignal& stop_;
  const RunOptions& options_;
  const MergeKernel<Words>& kernel_;
  std::vector<Table<Words>> stack_;
  std::uint64_t stack_bytes_ = 0;
  Table<Words> spare_;
  RoundSpace<Words> space_;
  RunStatistics statistics_;
};

template <unsigned Words>
Partial run_with(const Program& program, ValueColumns& columns, const StopSignal& stop,
                 const RunOptions& options, RunStatistics* statistics) {
  Machine<Words> machine(columns, stop, options);
  const bool any = machine.run(program);
  if (statistics != nullptr) *statistics = machine.statistics();
  return columns.result(any ? &machine.last().values : nullptr, program);
}

}  // namespace

Partial run_program(const Program& program, ValueColumns& columns, const StopSignal& stop,
                    const RunOptions& options, RunStatistics* statistics) {
  if (program.key_bits <= 64) return run_with<1>(program, columns, stop, options, statistics);
  if (program.key_bits <= 128) return run_with<2>(program, columns, stop, options, statistics);
  if (program.key_bits <= 256) return run_with<4>(program, columns, stop, options, statistics);
  if (program.key_bits <= 512) return run_with<8>(program, columns, stop, options, statistics);
  if (program.key_bits <= 1024) return run_with<16>(program, columns, stop, options, statistics);
  if (program.key_bits <= most_key_bits) return run_with<32>(program, columns, stop, options, statistics);
  throw UnableError(fmt::format("a frontier of {} bits is wider than the {} that there are keys for",
                                program.key_bits, most_key_bits),
                    "another method");
}

}  // namespace countpm
