#include "kernels/frontier/ranked/run_ranked.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <utility>
#include <vector>

#include "graph/errors.hpp"
#include "kernels/arithmetic/to_mpz.hpp"
#include "kernels/frontier/ranked/ranked_table.hpp"
#include "kernels/frontier/ranked/run_join.hpp"

namespace countpm {
namespace {

// Fewer values are made by one thread: starting others takes longer.
constexpr std::uint64_t states_for_threads = std::uint64_t{1} << 15;
constexpr std::uint64_t states_a_chunk = std::uint64_t{1} << 14;
constexpr std::uint64_t most_chunks = 1024;
// The signal is asked every so many values pulled.
constexpr std::uint64_t pulls_between_polls = std::uint64_t{1} << 18;

class StepRunner {
 public:
  StepRunner(const RankedProgram& program, const RankedStep& step, const RankedTable& from, RankedTable& to,
             RunCode code, const StopSignal& stop)
      : counts_(set_counts(program.rule)),
        step_(step),
        from_(from),
        to_(to),
        stop_(stop),
        negative_(program.negative),
        from_words_(
            std::clamp(std::min(words_for_bits(from.bits, negative_), from.words), to.words - 1, to.words)),
        kernel_(run_kernel(to.words, from_words_, negative_, code)),
        cut_(cut_step(step, counts_)),
        runs_(step, cut_, counts_) {}

  void run(int threads) {
    const std::uint64_t chunks = std::clamp<std::uint64_t>(step_.to_states / states_a_chunk, 1, most_chunks);
    const auto last = static_cast<std::int64_t>(chunks);
    if (step_.to_states < states_for_threads) threads = 1;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (std::int64_t c = 0; c < last; ++c) {
      if (!stop_.requested())
        run_chunk(first_of(static_cast<std::uint64_t>(c), chunks),
                  first_of(static_cast<std::uint64_t>(c) + 1, chunks));
    }
    stop_.check();
    to_.bits = HighestWords{top_.load(), next_.load()}.bits(to_.words);
  }

 private:
  /// The high part that a chunk begins with: chunks are of whole blocks.
  std::uint64_t first_of(std::uint64_t chunk, std::uint64_t chunks) const {
    if (chunk == chunks) return std::uint64_t{1} << (step_.to.width - cut_.to_low);
    const std::uint64_t rank = step_.to_states / chunks * chunk;
    return counts_.high_part(step_.to, cut_.to_low, rank);
  }

  void run_chunk(std::uint64_t first, std::uint64_t end) {
    const int most = std::max(cut_.most_ones, 1);
    std::uint64_t high = next_with_ones(first, cut_.least_ones, most);
    if (high >= end) return;
    std::uint64_t at = counts_.rank(high, cut_.to_low, step_.to.number);
    const std::uint64_t start = at;
    std::uint64_t pulled = 0;
    for (; high < end; high = next_with_ones(high + 1, cut_.least_ones, most)) {
      const int ones = std::popcount(high);
      if (ones > cut_.most_ones) break;
      const std::int64_t number = counts_.rest(step_.to.number, ones);
      const std::uint64_t size = counts_(cut_.to_low, number);
      if (size == 0) continue;
      pulled += size * fill(high, number, size, at);
      at += size;
      if (pulled >= pulls_between_polls) {
        pulled = 0;
        if (stop_.requested()) return;
      }
    }
    HighestWords highest;
    highest.look_at(to_, start, at, negative_);
    top_ |= highest.top;
    next_ |= highest.next;
  }

  /// The block of a high part; returns from how many kinds of sets it pulled, and one.
  std::uint64_t fill(std::uint64_t high, std::int64_t number, std::uint64_t size, std::uint64_t at) const {
    const std::uint64_t set = high << cut_.to_low;
    const std::uint64_t old = step_.old_place(set);
    const std::uint64_t high_bits = ~((std::uint64_t{1} << cut_.to_low) - 1);
    RunTask task;
    task.to = to_.values.data() + at;
    task.to_stride = to_.stride;
    task.from_stride = from_.stride;
    task.to_words = to_.words;
    std::uint64_t pulled = 1;
    for (std::size_t p = 0; p < step_.pulls.size(); ++p) {
      const RankedPull& pull = step_.pulls[p];
      if ((set & pull.mask & high_bits) != (pull.value & high_bits)) continue;
      const std::span<const RankedRun> runs = runs_.of(number, p);
      if (runs.empty()) continue;
      const std::uint64_t old_high = (old ^ pull.flip) >> cut_.from_low;
      task.from = from_.values.data() + counts_.rank(old_high, cut_.from_low, step_.from.number);
      task.runs = runs.data();
      task.count = runs.size();
      task.weight = pull.weight;
      if (pulled++ == 1) {
        if (runs.front().length == size && pull.weight.is_one()) {
          kernel_.write(task);
          continue;
        }
        clear(task.to, size);
      }
      (pull.weight.is_one() ? kernel_.add : kernel_.add_times)(task);
    }
    if (pulled == 1) clear(task.to, size);
    return pulled;
  }

  void clear(std::uint64_t* to, std::uint64_t size) const {
    for (std::uint32_t w = 0; w < to_.words; ++w, to += to_.stride)
      std::fill(to, to + size, std::uint64_t{0});
  }

  const SetCounts& counts_;
  const RankedStep& step_;
  const RankedTable& from_;
  RankedTable& to_;
  const StopSignal& stop_;
  bool negative_;
  std::uint32_t from_words_;
  RunKernel kernel_;
  RankedCut cut_;
  RankedRuns runs_;
  std::atomic<std::uint64_t> top_{0};  // of the values made
  std::atomic<std::uint64_t> next_{0};
};

/// Values grow by so many bits at most.
std::uint32_t growth_of(const RankedStep& step) {
  __extension__ using Wide = unsigned __int128;
  Wide sum = 0;
  for (const RankedPull& pull : step.pulls) sum += pull.weight.magnitude;
  std::uint32_t bits = 0;
  while (bits < 127 && Wide{1} << bits < sum) ++bits;
  return bits;
}

/// Goes through a program.
class RankedMachine {
 public:
  RankedMachine(const RankedProgram& program, const StopSignal& stop, const RankedOptions& options)
      : program_(program), stop_(stop), options_(options) {
    // Both at their largest: what a table has is touched when it is used.
    for (std::size_t k = 0; k < 2; ++k)
      tables_[k].values.ensure(std::max<std::uint64_t>(program.bytes.places[k] / sizeof(std::uint64_t), 1));
  }

  void run() {
    for (const RankedAction& action : program_.actions) {
      stop_.check();
      if (action.kind == EliminationStep::Kind::push) {
        push(action.unit_words);
      } else if (action.kind == EliminationStep::Kind::eliminate) {
        eliminate(program_.steps[action.index]);
      } else {
        join(program_.joins[action.index]);
      }
      if (options_.progress) options_.progress(moves_ / std::max(program_.moves, 1.0));
    }
  }

  mpz_class result() const { return to_mpz(top().values.data(), top().words, program_.negative); }

 private:
  RankedTable& top() { return tables_[at_]; }
  const RankedTable& top() const { return tables_[at_]; }
  /// Where the next one is made.
  RankedTable& turn_to_other() {
    at_ = 1 - at_;
    return top();
  }

  void push(std::uint32_t words) {
    waiting_.emplace_back();
    RankedTable& table = top();
    if (waiting_.size() > 1) {
      RankedTable& waits = waiting_.back();
      waits.values.ensure(table.size());
      std::copy_n(table.values.data(), table.size(), waits.values.data());
      waits.stride = table.stride;
      waits.words = table.words;
      waits.bits = table.bits;
    }
    std::fill_n(table.values.data(), words, std::uint64_t{0});
    table.values[0] = 1;
    table.stride = 1;
    table.words = words;
    table.bits = 1;
  }

  void eliminate(const RankedStep& step) {
    RankedTable& from = top();
    RankedTable& to = turn_to_other();
    to.stride = step.to_states;
    to.words = std::min(step.to_words, words_for_bits(from.bits + growth_of(step), program_.negative));
    from.widen(to.words - 1, program_.negative);
    StepRunner(program_, step, from, to, options_.code, stop_).run(options_.threads);
    moves_ += step.moves;
  }

  void join(const RankedJoin& join) {
    RankedTable ordered;
    ordered.values.ensure(waiting_.back().size());
    put_in_order(join.waiting, waiting_.back(), ordered);
    waiting_.pop_back();
    RankedTable& last = top();
    RankedTable& other = turn_to_other();
    put_in_order(join.top, last, other);
    RankedTable& joined = turn_to_other();
    joined.words = std::min(join.result.from_words,
                            words_for_bits(ordered.bits + other.bits + join.shared(), program_.negative));
    run_join(join, program_.negative, ordered, other, joined, options_.threads, stop_);
    HighestWords highest;
    highest.look_at(joined, 0, joined.stride, program_.negative);
    joined.bits = highest.bits(joined.words);
    put_in_order(join.result, joined, turn_to_other());
    moves_ += join.pairs;
  }
  void put_in_order(const RankedRelayout& relayout, const RankedTable& from, RankedTable& to) const {
    run_relayout(relayout, from, to, options_.threads, stop_);
  }

  const RankedProgram& program_;
  const StopSignal& stop_;
  const RankedOptions& options_;
  RankedTable tables_[2];
  std::size_t at_ = 1;                // of these, the one on top of the stack
  std::vector<RankedTable> waiting_;  // below it; the first, below all, is empty
  double moves_ = 0;
};

[[noreturn]] void refuse_ranked_tables(std::uint64_t bytes, std::uint64_t allowed) {
  throw UnableError(fmt::format("tables without keys take {} bytes, and {} are allowed", bytes, allowed),
                    "a larger --memory-limit, or another method");
}

}  // namespace

mpz_class run_ranked(const RankedProgram& program, const StopSignal& stop, const RankedOptions& options) {
  if (program.zero) return 0;
  if (program.bytes.all() > options.memory_bytes)
    refuse_ranked_tables(program.bytes.all(), options.memory_bytes);
  RankedMachine machine(program, stop, options);
  machine.run();
  return machine.result();
}

}  // namespace countpm
