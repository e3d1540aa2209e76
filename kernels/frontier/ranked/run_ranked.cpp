#include "kernels/frontier/ranked/run_ranked.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "graph/errors.hpp"
#include "kernels/arithmetic/to_mpz.hpp"
#include "kernels/frontier/ranked/ranked_table.hpp"
#include "kernels/frontier/ranked/run_join.hpp"
#include "kernels/frontier/ranked/step_runner.hpp"

namespace countpm {
namespace {

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
    StepRunner(program_, step, from, to, options_.code, stop_).run(options_.threads, [&](double share) {
      if (options_.progress) options_.progress((moves_ + share * step.moves) / std::max(program_.moves, 1.0));
    });
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
