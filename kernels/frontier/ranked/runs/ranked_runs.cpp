#include "kernels/frontier/ranked/runs/ranked_runs.hpp"

#include <algorithm>
#include <bit>

namespace countpm {
namespace {

constexpr double mean_block = 1024;
constexpr std::uint64_t largest_block = std::uint64_t{1} << 15;

std::uint64_t bits_under(std::uint32_t count) {
  return (std::uint64_t{1} << count) - 1;
}

/// Bits of a new set, up to which the fields of both tables are the same.
std::uint32_t same_fields(const RankedStep& step) {
  const std::vector<SetField>& from = step.from.fields;
  const std::vector<SetField>& to = step.to.fields;
  std::size_t k = 0;
  while (k < from.size() && k < to.size() && from[k] == to[k]) ++k;
  std::uint32_t same = step.to.width;
  if (k < from.size()) same = std::min(same, from[k].low);
  if (k < to.size()) same = std::min(same, to[k].low);
  return same;
}

/// Bits of a new set, up to which nothing differs from the old set that a pull takes.
std::uint32_t same_bits(const RankedStep& step, const RankedPull& pull, std::uint32_t to_low) {
  std::uint32_t same = std::min(to_low, same_fields(step));
  if (!step.removed.empty()) same = std::min(same, step.removed.front());
  if (!step.fresh.empty()) same = std::min(same, step.fresh.front());
  if (pull.flip != 0) same = std::min(same, static_cast<std::uint32_t>(std::countr_zero(pull.flip)));
  for (const SetField& field : step.to.fields) {
    if (field.low < same && same < field.end()) same = field.low;
  }
  return same;
}

/// The ones that the high parts of a family have, and how many of these there are.
void find_high_parts(const SetFamily& family, const SetCounts& counts, RankedCut& cut) {
  const auto high = static_cast<int>(family.width - cut.to_low);
  const auto number = static_cast<int>(family.number);
  cut.least_ones = 0;
  cut.most_ones = high;
  if (counts.rule() == SetRule::ones) {
    cut.least_ones = std::max(0, number - static_cast<int>(cut.to_low));
    cut.most_ones = std::min(high, number);
  }
  cut.blocks = 0;
  const PartsByOnes parts = SetCounts::high_parts(family, cut.to_low, 0, 0);
  for (int k = cut.least_ones; k <= cut.most_ones; ++k) {
    if (counts(cut.to_low, counts.rest(number, k)) != 0) cut.blocks += parts[static_cast<std::size_t>(k)];
  }
}

}  // namespace

RankedCut cut_step(const RankedStep& step) {
  const SetCounts counts(step.to);
  std::vector<std::uint32_t> new_place;
  for (std::uint32_t at = 0, fresh = 0; at < step.to.width; ++at) {
    if (fresh < step.fresh.size() && step.fresh[fresh] == at) {
      ++fresh;
    } else {
      new_place.push_back(at);
    }
  }
  // Nothing below the cut, if no other is possible.
  RankedCut best;
  find_high_parts(step.to, counts, best);
  std::uint32_t removed = 0;
  for (std::uint32_t kept = 0; kept <= new_place.size(); ++kept) {
    // The low parts are what is below kept vertex number `kept`, or all.
    RankedCut cut;
    if (kept == new_place.size()) {
      cut.to_low = step.to.width;
      cut.from_low = step.from.width;
    } else {
      std::uint32_t at = kept + removed;
      for (; removed < step.removed.size() && step.removed[removed] == at; ++removed) ++at;
      cut.to_low = new_place[kept];
      cut.from_low = at;
    }
    if (cuts_a_field(step.to.fields, cut.to_low) || cuts_a_field(step.from.fields, cut.from_low)) continue;
    find_high_parts(step.to, counts, cut);
    std::uint64_t largest = 0;
    for (int ones = cut.least_ones; ones <= cut.most_ones; ++ones)
      largest = std::max(largest, counts(cut.to_low, counts.rest(step.to.number, ones)));
    const double mean = static_cast<double>(step.to_states) / cut.blocks;
    if (kept > 0 && (mean > mean_block || largest > largest_block)) break;
    best = cut;
  }
  return best;
}

RankedRuns::RankedRuns(const RankedStep& step, const RankedCut& cut, const StopSignal& stop)
    : pulls_(step.pulls.size()) {
  const SetCounts counts(step.to);
  const SetCounts old_counts(step.from);
  std::vector<SetField> new_fields = step.to.fields;
  std::erase_if(new_fields, [&](const SetField& field) { return field.low >= cut.to_low; });
  const std::uint64_t to_mask = bits_under(cut.to_low);
  const std::uint64_t from_mask = bits_under(cut.from_low);
  const bool by_ones = counts.rule() == SetRule::ones;
  lists_.resize((by_ones ? cut.to_low + std::size_t{1} : 2) * pulls_);
  for (int ones = cut.least_ones; ones <= cut.most_ones; ++ones) {
    const std::int64_t number = counts.rest(step.to.number, ones);
    if (counts(cut.to_low, number) == 0) continue;
    for (std::size_t p = 0; p < pulls_; ++p) {
      stop.check();
      List& list = lists_[static_cast<std::size_t>(number) * pulls_ + p];
      if (list.count != 0) continue;  // of the same parity
      list.first = runs_.size();
      const RankedPull& pull = step.pulls[p];
      const std::uint32_t same = same_bits(step, pull, cut.to_low);
      // A run for each word of the bits from there on.
      const int least = by_ones ? std::max(0, static_cast<int>(number) - static_cast<int>(same)) : 0;
      const int most = by_ones ? static_cast<int>(number) : 64;
      const std::uint64_t end = std::uint64_t{1} << (cut.to_low - same);
      const std::uint64_t mask = (pull.mask & to_mask) >> same;
      const std::uint64_t value = (pull.value & to_mask) >> same;
      std::vector<SetField> old_fields = step.from.fields;
      std::erase_if(old_fields,
                    [&](const SetField& field) { return field.low < same || field.low >= cut.from_low; });
      std::uint64_t to = 0;
      const auto next = [&](std::uint64_t word) {
        return next_in_order(new_fields, word, same, least, std::max(most, 1), end);
      };
      for (std::uint64_t high = next(0); high < end; high = next(high + 1)) {
        if (std::popcount(high) > most) break;
        const std::uint64_t length = counts(same, counts.rest(number, std::popcount(high)));
        std::uint64_t old = (step.old_place(high << same) ^ pull.flip) & from_mask;
        if (length != 0 && (high & mask) == value && put_in_order(old_fields, old)) {
          const std::int64_t old_number =
              counts.rest(number, std::popcount(high) - std::popcount(old >> same));
          const std::uint64_t from = old_counts.rank(old >> same, same, old_number);
          longest_from_ = std::max(longest_from_, from + length);
          RankedRun* const last = runs_.size() > list.first ? &runs_.back() : nullptr;
          if (last != nullptr && last->to + last->length == to && last->from + last->length == from) {
            last->length += static_cast<std::uint32_t>(length);
          } else {
            runs_.push_back({static_cast<std::uint32_t>(to), static_cast<std::uint32_t>(from),
                             static_cast<std::uint32_t>(length)});
          }
        }
        to += length;
      }
      list.count = runs_.size() - list.first;
    }
  }
}

double runs_in_step(const RankedStep& step, const RankedCut& cut) {
  const SetCounts counts(step.to);
  double runs = 0;
  for (const RankedPull& pull : step.pulls) {
    const std::uint32_t same = same_bits(step, pull, cut.to_low);
    // Words of the bits from there on, of which those of the mask are given.
    const PartsByOnes words = SetCounts::high_parts(step.to, same, pull.mask, pull.value);
    for (std::uint32_t k = 0; k <= step.to.width - same; ++k) {
      if (counts(same, counts.rest(step.to.number, static_cast<int>(k))) != 0) runs += words[k];
    }
  }
  return runs;
}

double runs_in_program(const RankedProgram& program) {
  double runs = 0;
  for (const RankedStep& step : program.steps) runs += runs_in_step(step, cut_step(step));
  return runs;
}

}  // namespace countpm
