#pragma once
// Which units of a task are done, and what they add up to: for journals and whoever goes on with one.
#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "kernels/arithmetic/arithmetic.hpp"
#include "src/units/in_order.hpp"
#include "src/units/unit_queue.hpp"

namespace countpm {

/// Units done, and the sum of their values.
struct FinishedRange {
  UnitRange range;
  Partial value;
  double seconds = 0;  // of one thread
};

/// The finished ranges of one task: disjoint, in order. Neighbours merge within each of some 512 stretches of
/// the units, so that what is kept is bounded and a stretch can still be run again; floating-point values do
/// not, for their sum depends on the order, but the first of very many (take_all). Thread-safe.
class Ledger {
 public:
  Ledger(std::uint64_t units, Arithmetic arithmetic) : Ledger(units, std::move(arithmetic), {{0, units}}) {}
  /// share: the units that are to be done at all, in ranges that are disjoint and in order.
  Ledger(std::uint64_t units, Arithmetic arithmetic, const std::vector<UnitRange>& share);

  /// False, and nothing happens, where one of the units is done already or is none of the share.
  bool add(FinishedRange finished);

  std::vector<FinishedRange> ranges() const;
  /// What there is no need to do: done, or none of the share. Disjoint, in order.
  std::vector<UnitRange> settled() const;
  std::uint64_t units() const { return units_; }
  std::uint64_t share_units() const { return share_units_; }
  std::uint64_t units_done() const;
  bool has_new() const { return has_new_.load(std::memory_order_relaxed); }
  /// What has been added since the last call, merged: what a journal does not have yet.
  std::vector<FinishedRange> take_new();
  /// All ranges, none of which is new any more.
  std::vector<FinishedRange> take_all();
  const Arithmetic& arithmetic() const { return arithmetic_; }

 private:
  std::uint64_t stretch_of(std::uint64_t unit) const { return unit / stretch_; }
  void merge_into(std::map<std::uint64_t, FinishedRange>& ranges, FinishedRange&& finished) const;

  std::uint64_t units_;
  std::uint64_t stretch_;
  Arithmetic arithmetic_;
  std::vector<UnitRange> outside_;  // what is none of the share
  std::uint64_t share_units_;
  mutable std::mutex mutex_;
  std::map<std::uint64_t, FinishedRange> ranges_;  // by first unit
  std::map<std::uint64_t, FinishedRange> new_;
  std::uint64_t done_ = 0;
  std::atomic<bool> has_new_{false};
};

/// Adds up a task's ranges in order of their units, in whatever order they come, so that floating-point sums
/// are the same for every number of threads and however often the count was interrupted.
class OrderedSum {
 public:
  explicit OrderedSum(const Arithmetic& arithmetic) : arithmetic_(&arithmetic), value_(zero(arithmetic)) {}

  void add(const UnitRange& range, Partial value);
  /// Of what there is. Once.
  Partial total();

 private:
  const Arithmetic* arithmetic_;
  InOrder<Partial> in_order_;
  Partial value_;
};

}  // namespace countpm
