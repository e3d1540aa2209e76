#pragma once
// What comes in about ranges of numbers, in whatever order, handed on in the order of the numbers.
#include <cstdint>
#include <map>
#include <utility>

#include "src/units/unit_queue.hpp"

namespace countpm {

/// Nothing is handed on before everything of smaller numbers has been. Not thread-safe. Memory: what waits.
template <class Value>
class InOrder {
 public:
  /// next: the first number that is to come.
  explicit InOrder(std::uint64_t next = 0) : next_(next) {}

  /// Calls take(range, value) for this range and those that waited for it, or keeps it. Ranges are disjoint.
  template <class Take>
  void add(const UnitRange& range, Value&& value, const Take& take) {
    if (range.first != next_) {
      waiting_.emplace(range.first, std::pair(range.last, std::move(value)));
      return;
    }
    next_ = range.last;
    take(range, std::move(value));
    while (!waiting_.empty() && waiting_.begin()->first == next_) take_first(take);
  }
  /// Calls take for all that waits, though some before it never came.
  template <class Take>
  void finish(const Take& take) {
    while (!waiting_.empty()) take_first(take);
  }

 private:
  template <class Take>
  void take_first(const Take& take) {
    auto node = waiting_.extract(waiting_.begin());
    const UnitRange range{node.key(), node.mapped().first};
    next_ = range.last;
    take(range, std::move(node.mapped().second));
  }

  std::uint64_t next_;
  std::map<std::uint64_t, std::pair<std::uint64_t, Value>> waiting_;  // by first: last, and what came
};

}  // namespace countpm
