#pragma once
// How the places of a step follow one another.
//
// A set is cut in two. Its low part are the bits below a kept one, and those that were below that one are the
// old set's low part: so the low parts of a new and an old set go with each other, and so do the high ones.
// The new sets of one high part are a block of places, as many as there are low parts with the number of ones
// that is left (that number is the block's class), and so are the old sets that a pull takes them from. Where
// a block lies is found by ranks; which runs of places within the two blocks belong together depends on the
// class and the pull only, and is listed once for each step. No cut goes through a field of either table, so
// that the bits of old sets are put in order high and low part by itself.
#include <cstdint>
#include <span>
#include <vector>

#include "graph/stop_signal.hpp"
#include "kernels/frontier/ranked/ranked_program.hpp"

namespace countpm {

/// Places `to`, `to` + 1, ... of a block pull from `from`, `from` + 1, ... of another.
struct RankedRun {
  std::uint32_t to;
  std::uint32_t from;
  std::uint32_t length;
};

/// Where a step cuts its sets.
struct RankedCut {
  std::uint32_t from_low = 0;  // bits of an old set's low part
  std::uint32_t to_low = 0;
  int least_ones = 0;  // in the high part of a new set
  int most_ones = 0;
  double blocks = 1;  // of the new table
};

/// Blocks of a thousand values or less, on average.
RankedCut cut_step(const RankedStep& step);

class RankedRuns {
 public:
  /// Throws Stopped.
  RankedRuns(const RankedStep& step, const RankedCut& cut, const StopSignal& stop);

  /// Of a block's class (the number of ones in its low parts, or that modulo 2) and a pull, ascending in
  /// both.
  std::span<const RankedRun> of(std::int64_t number, std::size_t pull) const {
    const List& list = lists_[static_cast<std::size_t>(number) * pulls_ + pull];
    return {runs_.data() + list.first, list.count};
  }
  /// Places from an old block's first on that runs reach to.
  std::uint64_t longest_from() const { return longest_from_; }

 private:
  struct List {
    std::size_t first = 0;
    std::size_t count = 0;
  };
  std::size_t pulls_;
  std::vector<List> lists_;
  std::vector<RankedRun> runs_;
  std::uint64_t longest_from_ = 0;
};

/// The runs that all of a step's blocks have together, about: those of a pull are as long as its lowest
/// changed bit is high.
double runs_in_step(const RankedStep& step, const RankedCut& cut);
double runs_in_program(const RankedProgram& program);

}  // namespace countpm
