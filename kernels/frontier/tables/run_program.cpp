#include "kernels/frontier/tables/run_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <future>
#include <memory>
#include <optional>
#include <type_traits>
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
    for (std::size_t c = 0; c < spare_.values.size(); ++c) {
      columns_.columns()[c]->set_weights(plan.weights);
      columns_.columns()[c]->begin_round(plan, *from.values[c], *spare_.values[c]);
    }
    make_room(most.blocks, most.states, 0);
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
    for (std::size_t c = 0; c < spare_.values.size(); ++c)
      columns_.columns()[c]->begin_join(*left.values[c], *right.values[c], *spare_.values[c]);
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

/// The sum over the states that both tables have of the products of their values, into the one state of `to`.
template <unsigned Words>
void multiply_tables(const Table<Words>& front, const Table<Words>& back, const ValueColumns& columns,
                     Table<Words>& to, const StopSignal& stop) {
  for (std::size_t c = 0; c < to.values.size(); ++c) {
    columns.columns()[c]->begin_join(*front.values[c], *back.values[c], *to.values[c]);
    to.values[c]->ensure(1);
    columns.columns()[c]->clear(*to.values[c], 0, 1);
  }
  const auto batch = std::make_unique<MoveBatch>();
  std::uint64_t products = 0;
  const auto flush = [&] {
    stop.check();
    for (std::size_t c = 0; c < to.values.size(); ++c)
      columns.columns()[c]->move_products(*front.values[c], *back.values[c], *to.values[c], *batch);
    products += batch->size;
    batch->size = 0;
  };
  const StateSet<Words>& a = front.set;
  const StateSet<Words>& b = back.set;
  for (std::uint64_t i = 0, j = 0; i < a.blocks && j < b.blocks;) {
    if (a.heads[i] < b.heads[j]) {
      ++i;
    } else if (b.heads[j] < a.heads[i]) {
      ++j;
    } else {
      for (std::uint64_t both = a.places[i] & b.places[j]; both != 0; both &= both - 1) {
        const std::uint64_t below = (both & (~both + 1)) - 1;
        if (batch->size == MoveBatch::capacity) flush();
        const std::uint32_t k = batch->size++;
        batch->from[k] = a.first[i] + static_cast<std::uint32_t>(std::popcount(a.places[i] & below));
        batch->with[k] = b.first[j] + static_cast<std::uint32_t>(std::popcount(b.places[j] & below));
        batch->to[k] = 0;
      }
      ++i;
      ++j;
    }
  }
  flush();
  to.set.states = products > 0 ? 1 : 0;
  for (std::size_t c = 0; c < to.values.size(); ++c)
    columns.columns()[c]->finish_join(*front.values[c], *back.values[c], *to.values[c], to.set.states,
                                      products);
}

template <unsigned Words>
Partial run_both_with(const BothEnds& ends, const MakeColumns& make_columns, const StopSignal& stop,
                      const RunOptions& options) {
  const auto front_columns = make_columns();
  const auto back_columns = make_columns();
  // Each end may take all threads of large tables, in turns, or one of small ones.
  RunOptions own = options;
  const bool side_by_side = options.threads > 1;
  own.threads = side_by_side ? std::max(1, options.threads / 2) : 1;
  own.memory_bytes = options.memory_bytes / 2;
  std::atomic<std::uint64_t> moves{0};
  const auto progress = [&](std::uint64_t& known) -> std::function<bool(std::uint64_t)> {
    if (!options.progress) return {};
    return [&options, &moves, &known](std::uint64_t now) {
      const std::uint64_t all = moves += now - known;
      known = now;
      return options.progress(all);
    };
  };
  std::uint64_t front_moves = 0;
  std::uint64_t back_moves = 0;
  RunOptions of_front = own;
  RunOptions of_back = own;
  of_front.progress = progress(front_moves);
  of_back.progress = progress(back_moves);
  Machine<Words> front(*front_columns, stop, of_front);
  Machine<Words> back(*back_columns, stop, of_back);
  auto other = std::async(side_by_side ? std::launch::async : std::launch::deferred,
                          [&] { return back.run(ends.back); });
  bool any = false;
  try {
    any = front.run(ends.front);
  } catch (...) {
    if (side_by_side) other.wait();
    throw;
  }
  any = other.get() && any;
  Program whole;
  whole.factor = ends.front.factor * ends.back.factor;
  if (!any) return front_columns->result(nullptr, whole);
  Table<Words> product(*front_columns);
  multiply_tables(front.last(), back.last(), *front_columns, product, stop);
  return front_columns->result(product.set.states > 0 ? &product.values : nullptr, whole);
}

template <unsigned Words>
Partial run_with(const Program& program, ValueColumns& columns, const StopSignal& stop,
                 const RunOptions& options, RunStatistics* statistics) {
  Machine<Words> machine(columns, stop, options);
  const bool any = machine.run(program);
  if (statistics != nullptr) *statistics = machine.statistics();
  return columns.result(any ? &machine.last().values : nullptr, program);
}

/// Calls run with the words that keys of so many bits take.
template <class Run>
Partial with_words(std::uint32_t key_bits, const Run& run) {
  if (key_bits <= 64) return run(std::integral_constant<unsigned, 1>());
  if (key_bits <= 128) return run(std::integral_constant<unsigned, 2>());
  if (key_bits <= 256) return run(std::integral_constant<unsigned, 4>());
  if (key_bits <= 512) return run(std::integral_constant<unsigned, 8>());
  if (key_bits <= 1024) return run(std::integral_constant<unsigned, 16>());
  if (key_bits <= most_key_bits) return run(std::integral_constant<unsigned, 32>());
  throw UnableError(fmt::format("a frontier of {} bits is wider than the {} that there are keys for",
                                key_bits, most_key_bits),
                    "another method");
}

}  // namespace

Partial run_both_ends(const BothEnds& ends, const MakeColumns& make_columns, const StopSignal& stop,
                      const RunOptions& options) {
  return with_words(std::max(ends.front.key_bits, ends.back.key_bits), [&](auto words) {
    constexpr unsigned number = decltype(words)::value;
    return run_both_with<number>(ends, make_columns, stop, options);
  });
}

Partial run_program(const Program& program, ValueColumns& columns, const StopSignal& stop,
                    const RunOptions& options, RunStatistics* statistics) {
  return with_words(program.key_bits, [&](auto words) {
    constexpr unsigned number = decltype(words)::value;
    return run_with<number>(program, columns, stop, options, statistics);
  });
}

}  // namespace countpm
