#include "src/units/ledger.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace countpm {
namespace {

constexpr std::uint64_t most_stretches = 512;
// Of floating-point values so many ranges stay as they are: 3 MB of a journal. Of more those at the beginning
// become one, but for the last of them, which can be run again.
constexpr std::size_t most_ranges_apart = std::size_t{1} << 14U;
constexpr std::uint64_t units_kept_apart = 1024;

/// Whether the unit range overlaps one of the ranges.
bool overlaps(const std::map<std::uint64_t, FinishedRange>& ranges, const UnitRange& range) {
  auto after = ranges.lower_bound(range.first);
  if (after != ranges.end() && after->first < range.last) return true;
  return after != ranges.begin() && std::prev(after)->second.range.last > range.first;
}

/// The same of ranges in order.
bool overlaps(const std::vector<UnitRange>& ranges, const UnitRange& range) {
  const auto behind = std::partition_point(ranges.begin(), ranges.end(),
                                           [&](const UnitRange& other) { return other.last <= range.first; });
  return behind != ranges.end() && behind->first < range.last;
}

/// Joins the ranges from unit 0 on up to the first gap. Sums of all units begin with these, in this order,
/// from zero, to which adding is exact: so they are the same.
void join_beginning(std::map<std::uint64_t, FinishedRange>& ranges, const Arithmetic& arithmetic) {
  std::uint64_t gap = 0;
  for (const auto& [first, finished] : ranges) {
    if (first != gap) break;
    gap = finished.range.last;
  }
  if (gap <= units_kept_apart) return;
  FinishedRange& sum = ranges.begin()->second;
  auto next = std::next(ranges.begin());
  while (next != ranges.end() && next->second.range.last <= gap - units_kept_apart) {
    sum.range.last = next->second.range.last;
    sum.seconds += next->second.seconds;
    countpm::add(sum.value, next->second.value, arithmetic);
    next = ranges.erase(next);
  }
}

}  // namespace

std::vector<UnitRange> rest_of(std::uint64_t units, const std::vector<UnitRange>& ranges) {
  std::vector<UnitRange> rest;
  std::uint64_t next = 0;
  for (const UnitRange& range : ranges) {
    if (next < range.first) rest.push_back({next, range.first});
    next = range.last;
  }
  if (next < units) rest.push_back({next, units});
  return rest;
}

Ledger::Ledger(std::uint64_t units, Arithmetic arithmetic, const std::vector<UnitRange>& share)
    : units_(units),
      stretch_(std::max<std::uint64_t>((units + most_stretches - 1) / most_stretches, 1)),
      arithmetic_(std::move(arithmetic)),
      outside_(rest_of(units, share)),
      share_units_(units) {
  for (const UnitRange& range : outside_) share_units_ -= range.size();
}

bool Ledger::add(FinishedRange finished) {
  const UnitRange range = finished.range;
  if (range.first >= range.last || range.last > units_ || overlaps(outside_, range)) return false;
  const std::lock_guard lock(mutex_);
  if (overlaps(ranges_, range)) return false;
  done_ += range.size();
  merge_into(new_, FinishedRange(finished));
  merge_into(ranges_, std::move(finished));
  has_new_ = true;
  return true;
}

void Ledger::merge_into(std::map<std::uint64_t, FinishedRange>& ranges, FinishedRange&& finished) const {
  const bool exact = arithmetic_.kind == Arithmetic::Kind::residues;
  auto at = ranges.emplace(finished.range.first, std::move(finished)).first;
  // Ranges that GPUs took may span several stretches: the first unit's counts.
  const auto joins = [&](const FinishedRange& left, const FinishedRange& right) {
    return exact && left.range.last == right.range.first &&
           stretch_of(left.range.first) == stretch_of(right.range.first);
  };
  const auto join = [&](FinishedRange& left, const FinishedRange& right) {
    left.range.last = right.range.last;
    left.seconds += right.seconds;
    countpm::add(left.value, right.value, arithmetic_);
  };
  if (at != ranges.begin()) {
    const auto before = std::prev(at);
    if (joins(before->second, at->second)) {
      join(before->second, at->second);
      ranges.erase(at);
      at = before;
    }
  }
  const auto after = std::next(at);
  if (after != ranges.end() && joins(at->second, after->second)) {
    join(at->second, after->second);
    ranges.erase(after);
  }
}

std::vector<FinishedRange> Ledger::ranges() const {
  const std::lock_guard lock(mutex_);
  std::vector<FinishedRange> result;
  result.reserve(ranges_.size());
  for (const auto& [first, finished] : ranges_) result.push_back(finished);
  return result;
}

std::vector<UnitRange> Ledger::settled() const {
  std::vector<UnitRange> result = outside_;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [first, finished] : ranges_) result.push_back(finished.range);
  }
  std::sort(result.begin(), result.end(),
            [](const UnitRange& a, const UnitRange& b) { return a.first < b.first; });
  return result;
}

std::uint64_t Ledger::units_done() const {
  const std::lock_guard lock(mutex_);
  return done_;
}

std::vector<FinishedRange> Ledger::take_new() {
  const std::lock_guard lock(mutex_);
  std::vector<FinishedRange> result;
  result.reserve(new_.size());
  for (auto& [first, finished] : new_) result.push_back(std::move(finished));
  new_.clear();
  has_new_ = false;
  return result;
}

std::vector<FinishedRange> Ledger::take_all() {
  const std::lock_guard lock(mutex_);
  new_.clear();
  has_new_ = false;
  if (arithmetic_.kind == Arithmetic::Kind::floating && ranges_.size() > most_ranges_apart)
    join_beginning(ranges_, arithmetic_);
  std::vector<FinishedRange> result;
  result.reserve(ranges_.size());
  for (const auto& [first, finished] : ranges_) result.push_back(finished);
  return result;
}

void OrderedSum::add(const UnitRange& range, Partial value) {
  in_order_.add(range, std::move(value),
                [this](const UnitRange&, Partial&& next) { countpm::add(value_, next, *arithmetic_); });
}

Partial OrderedSum::total() {
  in_order_.finish([this](const UnitRange&, Partial&& next) { countpm::add(value_, next, *arithmetic_); });
  return std::move(value_);
}

}  // namespace countpm
