#pragma once
// A set of units, kept as ranges.
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <vector>

#include "src/units/unit_queue.hpp"

namespace countpm {

/// Not thread-safe. Memory: its ranges, which do not touch.
class RangeSet {
 public:
  /// Adds what is not in it yet.
  void add(UnitRange range) {
    if (range.empty()) return;
    remove(range);
    auto after = ranges_.lower_bound(range.first);
    if (after != ranges_.end() && after->first == range.last) {
      range.last = after->second;
      size_ -= after->second - after->first;
      after = ranges_.erase(after);
    }
    if (after != ranges_.begin() && std::prev(after)->second == range.first) {
      const auto before = std::prev(after);
      range.first = before->first;
      size_ -= before->second - before->first;
      ranges_.erase(before);
    }
    put(range);
  }
  /// Takes away what of it is there. O(ranges that it meets, log of all).
  void remove(const UnitRange& range) {
    if (range.empty()) return;
    for (auto at = first_behind(range.first); at != ranges_.end() && at->first < range.last;) {
      const UnitRange old{at->first, at->second};
      at = ranges_.erase(at);
      size_ -= old.size();
      put({old.first, std::max(old.first, range.first)});
      put({std::min(old.last, range.last), old.last});
    }
  }
  /// Whether any unit of the range is in it.
  bool meets(const UnitRange& range) const {
    const auto at = first_behind(range.first);
    return !range.empty() && at != ranges_.end() && at->first < range.last;
  }
  /// What of the range is not in it, in order.
  std::vector<UnitRange> lacks(const UnitRange& range) const {
    std::vector<UnitRange> rest;
    std::uint64_t next = range.first;
    for (auto at = first_behind(range.first); at != ranges_.end() && at->first < range.last; ++at) {
      if (next < at->first) rest.push_back({next, at->first});
      next = at->second;
    }
    if (next < range.last) rest.push_back({next, range.last});
    return rest;
  }
  /// The first range; empty where there is none.
  UnitRange front() const {
    return ranges_.empty() ? UnitRange{} : UnitRange{ranges_.begin()->first, ranges_.begin()->second};
  }
  bool empty() const { return ranges_.empty(); }
  /// Units.
  std::uint64_t size() const { return size_; }

 private:
  using Ranges = std::map<std::uint64_t, std::uint64_t>;  // first -> last

  void put(const UnitRange& range) {
    if (range.empty()) return;
    ranges_.emplace(range.first, range.last);
    size_ += range.size();
  }
  /// The first range that ends behind the unit.
  template <class Self>
  static auto first_behind(Self& ranges, std::uint64_t unit) {
    const auto after = ranges.upper_bound(unit);
    if (after == ranges.begin()) return after;
    const auto before = std::prev(after);
    return before->second > unit ? before : after;
  }
  Ranges::iterator first_behind(std::uint64_t unit) { return first_behind(ranges_, unit); }
  Ranges::const_iterator first_behind(std::uint64_t unit) const { return first_behind(ranges_, unit); }

  Ranges ranges_;
  std::uint64_t size_ = 0;
};

}  // namespace countpm
