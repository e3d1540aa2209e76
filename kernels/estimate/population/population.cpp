#include "kernels/estimate/population/population.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <vector>

#include "graph/errors.hpp"
#include "kernels/estimate/population/gpu/form.hpp"
#include "kernels/estimate/population/resample.hpp"
#include "kernels/estimate/walks/bit_walk.hpp"

namespace countpm {
namespace {

constexpr double sample_children = 0x1p21;
constexpr double least_affordable = 16;
// Of the entries of a row about so many are open to a state.
constexpr double open_share = 0.5;

std::uint32_t words_of(const PopulationPlan& plan) {
  const std::uint32_t words = std::max(1U, (plan.width + 63) / 64);
  if (words <= 4) return words;
  return words <= 16 ? std::bit_ceil(words) : words <= 64 ? 64 : words <= 256 ? 256 : 1024;
}

template <unsigned Words>
std::uint64_t hash(const BitSet<Words>& set) {
  std::uint64_t h = 0;
  for (unsigned w = 0; w < Words; ++w) {
    h = (h ^ set.word[w]) * 0x9e3779b97f4a7c15U;
    h ^= h >> 29;
  }
  return h;
}

template <unsigned Words>
class Walk final : public PopulationWalk {
 public:
  Walk(const PopulationPlan& plan, std::uint32_t members) : plan_(plan), members_(members) {}

  Scaled draw(CounterRandom& random, const StopSignal& stop) override {
    Scaled total;
    states_.assign(1, State{{}, 1.0});
    for (std::size_t t = 0; t < plan_.steps(); ++t) {
      stop.check();
      step(t);
      if (next_.empty()) return {0, 0};
      normalise(total);
      if (next_.size() > members_) reduce(random);
      std::swap(states_, next_);
      if (trace_ != nullptr) record_states();
    }
    total.multiply(states_.front().priority);
    return total;
  }

  Scaled record(CounterRandom& random, const StopSignal& stop, PopulationTrace& trace) override {
    trace.words = Words;
    trace.sets.assign(1, std::vector<std::uint64_t>(Words, 0));
    trace.priority.assign(1, {1.0});
    trace_ = &trace;
    const Scaled sample = draw(random, stop);
    trace_ = nullptr;
    return sample;
  }

 private:
  using Set = BitSet<Words>;
  struct State {
    Set used;
    double priority;
  };

  // Of many states every so-manieth.
  void record_states() {
    std::vector<std::uint64_t>& sets = trace_->sets.emplace_back();
    std::vector<double>& priority = trace_->priority.emplace_back();
    const std::size_t recorded = std::min(states_.size(), trace_->most_states);
    for (std::size_t k = 0; k < recorded; ++k) {
      const State& state = states_[k * states_.size() / recorded];
      sets.insert(sets.end(), state.used.word, state.used.word + Words);
      priority.push_back(state.priority);
    }
  }

  void step(std::size_t t) {
    const PopulationPlan::Entry* first = plan_.entries.data() + plan_.first_entry[t];
    const PopulationPlan::Entry* last = plan_.entries.data() + plan_.first_entry[t + 1];
    const GuessFactors& guess = plan_.fitted;
    const bool fitted = !guess.empty();
    Set closing{};
    for (const auto* entry = first; entry != last; ++entry) {
      if (entry->last) closing.flip(entry->bit);
    }
    next_.clear();
    begin_table(states_.size() * static_cast<std::size_t>(last - first));
    for (const State& state : states_) {
      double priority = state.priority;
      std::uint32_t unused_closing = 0;  // columns that this row alone can still use
      const PopulationPlan::Entry* forced = nullptr;
      for (const auto* entry = first; entry != last; ++entry) {
        if (state.used.has(entry->bit)) {
          priority *= entry->kept;
        } else if (entry->last) {
          ++unused_closing;
          forced = entry;
        }
      }
      if (unused_closing > 1) continue;
      std::uint64_t near_used = 0;
      std::int32_t exponent = 0;
      if (fitted) {
        near_used = guess.near_used(t, [&](std::uint32_t bit) { return state.used.has(bit); });
        exponent = guess.of_steps.sum(t, near_used);
      }
      const auto take = [&](const PopulationPlan::Entry& entry) {
        Set used = state.used;
        used.word[entry.bit / 64] |= std::uint64_t{1} << entry.bit % 64;
        for (unsigned w = 0; w < Words; ++w) used.word[w] &= ~closing.word[w];
        double taken = entry.taken;
        if (fitted) {
          const auto e = static_cast<std::size_t>(&entry - plan_.entries.data());
          taken *= powers_(exponent + guess.of_entries.sum(e, near_used));
        }
        add(used, priority * taken);
      };
      if (forced != nullptr) {
        take(*forced);
        continue;
      }
      for (const auto* entry = first; entry != last; ++entry) {
        if (!state.used.has(entry->bit)) take(*entry);
      }
    }
  }

  void begin_table(std::size_t most_states) {
    const std::size_t wanted = std::bit_ceil(2 * most_states + 1);
    if (slot_.size() < wanted) {
      slot_.assign(wanted, {0, 0});
      now_ = 0;
    }
    mask_ = wanted - 1;
    if (++now_ == 0) {
      std::fill(slot_.begin(), slot_.end(), Slot{0, 0});
      now_ = 1;
    }
  }

  void add(const Set& used, double priority) {
    for (std::size_t at = hash(used) >> 8 & mask_;; at = (at + 1) & mask_) {
      Slot& slot = slot_[at];
      if (slot.mark != now_) {
        slot = {now_, static_cast<std::uint32_t>(next_.size())};
        next_.push_back({used, priority});
        return;
      }
      State& there = next_[slot.state];
      bool same = true;
      for (unsigned w = 0; w < Words; ++w) same = same && there.used.word[w] == used.word[w];
      if (same) {
        there.priority += priority;
        return;
      }
    }
  }

  void reduce(CounterRandom& random) {
    ThresholdSearch search(next_.size(), members_);
    std::uint64_t parts = 0;
    for (const State& state : next_) parts += search.part(state.priority);
    search.begin(parts);
    std::uint64_t large = 0;
    do {
      large = 0;
      parts = 0;
      for (const State& state : next_) {
        const bool is_large = state.priority >= search.threshold();
        large += is_large ? 1 : 0;
        parts += is_large ? 0 : search.part(state.priority);
      }
    } while (search.go_on(large, parts));
    const KeepByShares keep(search.threshold(), members_, random.next());
    std::uint64_t below = 0;
    std::size_t kept = 0;
    for (const State& state : next_) {
      const std::uint64_t share = keep.share(state.priority);
      below += share;
      if (keep.kept(below) == kept) continue;
      next_[kept] = state;
      next_[kept++].priority = keep.kept_priority(state.priority, share);
    }
    next_.resize(kept);
  }

  // The largest priority into [1/2, 1).
  void normalise(Scaled& total) {
    double largest = 0;
    for (const State& state : next_) largest = std::max(largest, state.priority);
    if (!(largest > 0) || !std::isfinite(largest)) refuse_population_weights();
    const int shift = exponent_of(largest);
    if (shift == 0) return;
    const PowerOfTwo scale(-shift);
    for (State& state : next_) state.priority = scale.times(state.priority);
    total.exponent += shift;
  }

  struct Slot {
    std::uint32_t mark;
    std::uint32_t state;
  };

  const PopulationPlan& plan_;
  std::uint32_t members_;
  PopulationTrace* trace_ = nullptr;  // while a sample is recorded
  GuessPowers powers_;
  std::vector<State> states_;
  std::vector<State> next_;
  std::vector<Slot> slot_;  // a hash table over next_; taken where the mark is now_
  std::size_t mask_ = 0;
  std::uint32_t now_ = 0;
};

}  // namespace

std::uint64_t population_bytes(const PopulationPlan& plan, std::uint32_t members) {
  const std::uint64_t state = 8 * (std::uint64_t{words_of(plan)} + 1);
  const std::uint64_t children = std::uint64_t{members} * std::max(plan.highest_degree, 1U);
  // Vectors may be twice as large as what they hold, slots up to 4 for each child.
  return 4 * children * state + 8 * std::bit_ceil(2 * children + 1);
}

double population_price(const PopulationPlan& plan) {
  return (3 + static_cast<double>(words_of(plan))) / 4;
}

std::uint32_t affordable_population(const PopulationPlan& plan) {
  const double entries = open_share * static_cast<double>(plan.entries.size()) + 1;
  const double price = population_price(plan);
  return static_cast<std::uint32_t>(
      std::clamp<double>(sample_children / (entries * price), least_affordable, largest_affordable));
}

std::string population_obstacle(const PopulationPlan& plan) {
  if (plan.width <= most_device_width) return {};
  return fmt::format("populations with more than {} columns live at a time have no form for GPUs",
                     most_device_width);
}

void refuse_population_weights() {
  throw UnableError("weights are too far apart for populations in doubles",
                    "try another --sampler, scaling+ first");
}

std::unique_ptr<PopulationWalk> make_population_walk(const PopulationPlan& plan, std::uint32_t members) {
  switch (words_of(plan)) {
    case 1:
      return std::make_unique<Walk<1>>(plan, members);
    case 2:
      return std::make_unique<Walk<2>>(plan, members);
    case 3:
      return std::make_unique<Walk<3>>(plan, members);
    case 4:
      return std::make_unique<Walk<4>>(plan, members);
    case 8:
      return std::make_unique<Walk<8>>(plan, members);
    case 16:
      return std::make_unique<Walk<16>>(plan, members);
    case 64:
      return std::make_unique<Walk<64>>(plan, members);
    case 256:
      return std::make_unique<Walk<256>>(plan, members);
    default:
      return std::make_unique<Walk<1024>>(plan, members);
  }
}

}  // namespace countpm
