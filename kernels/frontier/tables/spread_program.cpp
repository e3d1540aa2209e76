#include "kernels/frontier/tables/spread_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "graph/errors.hpp"
#include "kernels/frontier/tables/eliminate_round.hpp"
#include "kernels/frontier/tables/section.hpp"
#include "kernels/support/for_parts.hpp"

namespace countpm {
namespace {

constexpr std::uint64_t most_states_a_part = (std::uint64_t{1} << 32U) - 1;
// What is made and received at a time, in stretches: made (with room for twice as much), two sent, four
// received, merged; and as much again that the heap leaves unused between them.
constexpr std::uint64_t waves_alive = 20;
constexpr std::uint64_t share_of_buffers = 16;
// Stretches fit the caches of a core. AMD EPYC (Zen 4), 2026-11-27: bench/results/checkpoints-and-ranks.md.
constexpr std::uint64_t largest_stretch_bytes = std::uint64_t{1} << 20U;
constexpr std::uint64_t least_stretch_bytes = std::uint64_t{1} << 13U;
constexpr std::uint64_t samples_a_stretch = 8;  // of one part
constexpr std::uint64_t most_samples = std::uint64_t{1} << 18U;
constexpr std::uint64_t most_stretches = std::uint64_t{1} << 20U;

std::uint64_t stretch_bytes_for(std::uint64_t memory_bytes, int threads) {
  const std::uint64_t share =
      memory_bytes / share_of_buffers / waves_alive / static_cast<std::uint64_t>(threads);
  return std::clamp(share, least_stretch_bytes, largest_stretch_bytes);
}

/// What a part says of itself before a round.
struct Standing {
  std::uint64_t blocks = 0;
  std::uint64_t states = 0;
  std::uint64_t made_bytes = 0;  // that its streams are estimated to make
  std::uint64_t wave_bytes = 0;  // that it has room for at a time
  std::uint64_t slots = 0;       // stretches that it works on at a time
};

/// What one stretch needs while it is made, or merged.
template <unsigned Words>
struct Slot {
  explicit Slot(const ValueColumns& columns) : made(columns), received(columns) {}
  Table<Words> made;
  Table<Words> received;
  std::vector<std::uint64_t> begin;  // of its runs, in `received`
  std::vector<MergeCursor<Words>> cursors;
  std::unique_ptr<MoveBatch> batch = std::make_unique<MoveBatch>();
  std::vector<std::string> sections;
  MergeCount count;
};

template <unsigned Words>
class SpreadMachine {
 public:
  SpreadMachine(ValueColumns& columns, ValueColumns& plain, Exchange& exchange, const StopSignal& stop,
                const SpreadOptions& options)
      : columns_(columns),
        plain_(plain),
        exchange_(exchange),
        parts_(static_cast<std::size_t>(exchange.parts())),
        stop_(stop),
        options_(options),
        kernel_(merge_kernel<Words>(options.code)),
        table_(columns),
        spare_(columns) {
    const std::vector<StepWeight> one(1);
    for (const auto& column : plain_.columns()) column->set_weights(one);
  }

  /// False where the count is zero.
  bool run(const Program& program) {
    bool begun = false;
    for (const ProgramStep& step : program.steps) {
      stop_.check();
      if (step.kind == ProgramStep::Kind::join || (begun && step.kind == ProgramStep::Kind::push))
        throw std::invalid_argument("tables of several parts are not joined");
      if (step.kind == ProgramStep::Kind::push) {
        push();
        begun = true;
        continue;
      }
      if (!round(program.rounds[step.index])) return false;
      statistics_.peak_states = std::max(statistics_.peak_states, table_.set.states);
      if (options_.progress) options_.progress(moves_of_all_);
    }
    return !spread_ || gather_if(most_states_a_part);
  }
  const Table<Words>& last() const { return table_; }
  const SpreadStatistics& statistics() const { return statistics_; }

 private:
  void push() {
    table_.ensure(1, 1);
    table_.set.heads[0] = WideKey<Words>::zero();
    table_.set.places[0] = 1;
    table_.set.first[0] = 0;
    table_.set.blocks = table_.set.states = 1;
    for (std::size_t c = 0; c < table_.values.size(); ++c) columns_.columns()[c]->set_unit(*table_.values[c]);
  }

  /// False where the table is empty, which makes every later one empty.
  bool round(const RoundPlan& plan) {
    for (const auto& column : columns_.columns()) column->set_weights(plan.weights);
    if (!spread_) {
      whole_round(plan);
      if (table_.set.states > options_.whole_states) keep_own();
      return spread_ || table_.set.states > 0;
    }
    streams_.clear();
    for (const StreamPlan& stream : plan.streams) streams_.push_back(make_stream<Words>(stream));
    const std::vector<WideKey<Words>> borders = agree();
    if (states_of_all_ == 0) return false;
    if (states_of_all_ <= options_.whole_states / 4) {
      gather();
      return round(plan);
    }
    ++statistics_.spread_steps;
    spread_round(borders);
    return true;
  }

  void whole_round(const RoundPlan& plan) {
    RoundStep<Words> step(table_, space_, kernel_, options_.threads, stop_);
    const MergeCount most = step.plan(plan);
    allow(most.states,
          table_.bytes() + spare_.bytes() + spare_.bytes_to_grow(most.blocks, most.states, columns_));
    spare_.ensure(most.blocks, most.states);
    const std::uint64_t moves = step.run(columns_, spare_).moves;
    statistics_.moves += moves;
    moves_of_all_ += moves;
    std::swap(table_, spare_);
  }

  /// From the whole table to the blocks that this part owns.
  void keep_own() {
    const auto part = static_cast<std::uint32_t>(exchange_.part());
    std::vector<std::string> sections(parts_);
    append_sections(table_, columns_, sections);
    std::vector<std::uint64_t> begin;
    read_sections<Words>({sections[part]}, columns_, spare_, begin);
    std::swap(table_, spare_);
    spread_ = true;
  }

  /// The whole table on every part; it is small.
  void gather() {
    spread_ = false;
    std::vector<std::string> own(1);
    append_sections(table_, columns_, own);
    send(std::vector<std::string>(parts_, own.front()));
    if (slots_.empty()) slots_.emplace_back(columns_);
    spare_.set.blocks = spare_.set.states = 0;
    merge_wave(1);
    std::swap(table_, spare_);
  }

  /// The same where all together have at most so many states; false where they have none.
  bool gather_if(std::uint64_t most) {
    streams_.clear();
    agree();
    if (states_of_all_ == 0 || states_of_all_ > most) return false;
    gather();
    return true;
  }

  void send(std::vector<std::string> bytes) {
    for (std::size_t p = 0; p < parts_; ++p) {
      if (p != static_cast<std::size_t>(exchange_.part())) statistics_.sent_bytes += bytes[p].size();
    }
    exchange_.give(std::move(bytes));
  }

  std::uint64_t bytes_a_block() const {
    std::uint64_t value_bytes = 0;
    for (const auto& column : columns_.columns()) value_bytes += column->bytes_per_state();
    const std::uint64_t states = table_.set.states / std::max<std::uint64_t>(table_.set.blocks, 1) + 1;
    return sizeof(WideKey<Words>) + sizeof(std::uint64_t) + states * value_bytes;
  }

  /// All parts tell each other how much they have, and samples of the keys that they will make; the borders
  /// between stretches, the same on every part.
  std::vector<WideKey<Words>> agree() {
    const StateSet<Words>& set = table_.set;
    const std::uint64_t own_stretch = stretch_bytes_for(options_.memory_bytes, options_.threads);
    const std::uint64_t block_bytes = bytes_a_block();
    const std::uint64_t streams = std::max<std::uint64_t>(streams_.size(), 1);
    const std::uint64_t stride = std::max({own_stretch / block_bytes / samples_a_stretch,
                                           set.blocks * streams / most_samples, std::uint64_t{1}});
    std::vector<WideKey<Words>> samples;
    for (const Stream<Words>& stream : streams_) {
      for (std::uint64_t at = stride / 2; at < set.blocks; at += stride) {
        if (stream.takes(set.heads[at]) && (set.places[at] & stream.places) != 0)
          samples.push_back(set.heads[at].plus(stream.delta));
      }
    }
    const Standing own{set.blocks, set.states, samples.size() * stride * block_bytes,
                       own_stretch * static_cast<std::uint64_t>(options_.threads),
                       static_cast<std::uint64_t>(options_.threads)};
    std::string bytes(sizeof own + samples.size() * sizeof(WideKey<Words>), '\0');
    std::memcpy(bytes.data(), &own, sizeof own);
    if (!samples.empty())
      std::memcpy(bytes.data() + sizeof own, samples.data(), samples.size() * sizeof(WideKey<Words>));
    send(std::vector<std::string>(parts_, bytes));

    samples.clear();
    states_of_all_ = 0;
    std::uint64_t made_bytes = 0;
    std::uint64_t wave_bytes = std::numeric_limits<std::uint64_t>::max();
    slots_at_work_ = 1;
    for (const std::string& said : exchange_.take(stop_)) {
      Standing standing;
      if (said.size() < sizeof standing || (said.size() - sizeof standing) % sizeof(WideKey<Words>) != 0)
        throw std::runtime_error("a part of a table says what cannot be");
      std::memcpy(&standing, said.data(), sizeof standing);
      states_of_all_ += standing.states;
      made_bytes += standing.made_bytes;
      wave_bytes = std::min(wave_bytes, standing.wave_bytes);
      slots_at_work_ = std::max(slots_at_work_, standing.slots);
      const std::size_t before = samples.size();
      samples.resize(before + (said.size() - sizeof standing) / sizeof(WideKey<Words>));
      if (samples.size() > before)
        std::memcpy(samples.data() + before, said.data() + sizeof standing, said.size() - sizeof standing);
    }
    const std::uint64_t stretch = std::max(wave_bytes / slots_at_work_, least_stretch_bytes);
    const std::uint64_t stretches =
        std::clamp<std::uint64_t>(made_bytes / parts_ / stretch + 1, 1, most_stretches);
    std::sort(samples.begin(), samples.end());
    std::vector<WideKey<Words>> borders;
    for (std::uint64_t s = 1; s < stretches && !samples.empty(); ++s) {
      const WideKey<Words>& border = samples[samples.size() * s / stretches];
      if (borders.empty() || borders.back() < border) borders.push_back(border);
    }
    return borders;
  }

  void spread_round(const std::vector<WideKey<Words>>& borders) {
    const std::uint64_t stretches = borders.size() + 1;
    while (slots_.size() < std::min(slots_at_work_, stretches)) slots_.emplace_back(columns_);
    spare_.set.blocks = spare_.set.states = 0;
    const std::uint64_t waves = (stretches + slots_at_work_ - 1) / slots_at_work_;
    const auto width = [&](std::uint64_t wave) {
      return std::min(slots_at_work_, stretches - wave * slots_at_work_);
    };
    border_.assign(streams_.size(), 0);
    make_wave(borders, 0, width(0));
    for (std::uint64_t wave = 0; wave < waves; ++wave) {
      if (wave + 1 < waves) make_wave(borders, (wave + 1) * slots_at_work_, width(wave + 1));
      merge_wave(width(wave));
    }
    statistics_.waves += waves;
    std::uint64_t made_bytes = 0;
    for (const Slot<Words>& slot : slots_) made_bytes += slot.made.bytes() + slot.received.bytes();
    statistics_.made_bytes = std::max(statistics_.made_bytes, made_bytes);
    moves_of_all_ += moves_of_round_ * parts_;
    statistics_.moves += std::exchange(moves_of_round_, 0);
    std::swap(table_, spare_);
    // Of the table before, no more stays than the next may need again.
    trim_table(table_, table_.set.blocks, table_.set.states);
    trim_table(spare_, table_.set.blocks, table_.set.states);
  }

  /// Merges the streams of so many stretches, and gives what comes out to its owners.
  void make_wave(const std::vector<WideKey<Words>>& borders, std::uint64_t first, std::uint64_t width) {
    const std::uint64_t streams = streams_.size();
    // Of each stream: where the stretches begin, and where the last ends.
    cuts_.resize((width + 1) * streams);
    for (std::uint64_t k = 0; k < streams; ++k) {
      cuts_[k] = border_[k];
      for (std::uint64_t s = 0; s < width; ++s) {
        cuts_[(s + 1) * streams + k] =
            first + s < borders.size()
                ? first_not_below(streams_[k], table_.set.heads.data(), table_.set.blocks, borders[first + s])
                : table_.set.blocks;
      }
      border_[k] = cuts_[width * streams + k];
    }
    for_parts(width, threads_for(width), stop_, [this](std::size_t s) { make_stretch(s); });
    stop_.check();
    std::vector<std::string> bytes(parts_);
    for (std::uint64_t s = 0; s < width; ++s) {
      moves_of_round_ += slots_[s].count.moves;
      for (std::size_t p = 0; p < parts_; ++p) {
        if (s == 0) {
          bytes[p] = std::move(slots_[s].sections[p]);
        } else {
          bytes[p] += slots_[s].sections[p];
        }
      }
    }
    send(std::move(bytes));
  }

  void make_stretch(std::uint64_t number) {
    Slot<Words>& slot = slots_[number];
    const std::uint64_t streams = streams_.size();
    const StateSet<Words>& set = table_.set;
    MergeTask<Words> task;
    task.heads = set.heads.data();
    task.places = set.places.data();
    task.first = set.first.data();
    task.streams = streams_.data();
    task.stream_count = static_cast<std::uint32_t>(streams);
    task.begin = cuts_.data() + number * streams;
    task.end = task.begin + streams;
    slot.cursors.resize(streams);
    task.cursors = slot.cursors.data();
    // Each stream keeps what it takes apart, at most. Between the borders may be most of a table that it does
    // not take: room for that was a third table (bench/results/checkpoints-and-ranks.md, 2026-11-27).
    MergeCount most;
    for (std::uint64_t k = 0; k < streams; ++k) {
      const Stream<Words>& stream = streams_[k];
      for (std::uint64_t at = task.begin[k]; at < task.end[k]; ++at) {
        const std::uint64_t places = set.places[at] & stream.places;
        if (places == 0 || !stream.takes(set.heads[at])) continue;
        ++most.blocks;
        most.states += static_cast<std::uint64_t>(std::popcount(places));
      }
    }
    slot.made.ensure(most.blocks, most.states);
    for (std::size_t c = 0; c < slot.made.values.size(); ++c)
      columns_.columns()[c]->clear(*slot.made.values[c], 0, most.states);
    ColumnSink<Words> sink(columns_, table_, nullptr, slot.made, stop_);
    slot.batch->size = 0;
    slot.count = kernel_.merge(task,
                               {slot.made.set.heads.data(), slot.made.set.places.data(),
                                slot.made.set.first.data(), 0, slot.batch.get()},
                               sink);
    slot.made.set.blocks = slot.count.blocks;
    slot.made.set.states = slot.count.states;
    slot.sections.assign(parts_, {});
    append_sections(slot.made, columns_, slot.sections);
  }

  /// What all parts made of so many stretches, behind what the spare table has.
  void merge_wave(std::uint64_t width) {
    const std::vector<std::string> bytes = exchange_.take(stop_);
    std::vector<std::vector<std::string_view>> sections;
    sections.reserve(parts_);
    for (const std::string& from : bytes) sections.push_back(cut_into_sections<Words>(from, columns_, width));
    for_parts(width, threads_for(width), stop_, [&](std::size_t s) {
      Slot<Words>& slot = slots_[s];
      std::vector<std::string_view> own;
      own.reserve(parts_);
      for (const auto& from : sections) own.push_back(from[s]);
      read_sections(own, columns_, slot.received, slot.begin);
      slot.cursors.resize(std::max(slot.cursors.size(), parts_));
      CountingSink sink(stop_);
      slot.count = kernel_.count(merge_task(slot), sink);
    });
    stop_.check();
    std::vector<MergeCount> before(width + 1);
    before[0] = {spare_.set.blocks, spare_.set.states, 0};
    for (std::uint64_t s = 0; s < width; ++s) {
      before[s + 1].blocks = before[s].blocks + slots_[s].count.blocks;
      before[s + 1].states = before[s].states + slots_[s].count.states;
    }
    make_room(before[width]);
    for_parts(width, threads_for(width), stop_, [&](std::size_t s) {
      Slot<Words>& slot = slots_[s];
      if (slot.count.states == 0) return;
      for (std::size_t c = 0; c < spare_.values.size(); ++c)
        plain_.columns()[c]->clear(*spare_.values[c], before[s].states, before[s + 1].states);
      ColumnSink<Words> sink(plain_, slot.received, nullptr, spare_, stop_);
      slot.batch->size = 0;
      kernel_.merge(merge_task(slot),
                    {spare_.set.heads.data() + before[s].blocks, spare_.set.places.data() + before[s].blocks,
                     spare_.set.first.data() + before[s].blocks, before[s].states, slot.batch.get()},
                    sink);
    });
    stop_.check();
    spare_.set.blocks = before[width].blocks;
    spare_.set.states = before[width].states;
  }

  int threads_for(std::uint64_t width) const { return width == 1 ? 1 : options_.threads; }

  /// The runs of all parts as streams that change nothing.
  MergeTask<Words> merge_task(Slot<Words>& slot) {
    MergeTask<Words> task;
    task.heads = slot.received.set.heads.data();
    task.places = slot.received.set.places.data();
    task.first = slot.received.set.first.data();
    task.streams = unchanged_.data();
    task.stream_count = static_cast<std::uint32_t>(parts_);
    task.begin = slot.begin.data();
    task.end = slot.begin.data() + 1;
    task.cursors = slot.cursors.data();
    return task;
  }

  /// In the spare table, beside the one that it is made from.
  void make_room(const MergeCount& needed) {
    // Growing in small steps would take as many system calls.
    constexpr std::uint64_t step = 64;
    const bool grows = needed.blocks > spare_.set.heads.capacity() ||
                       spare_.bytes_to_grow(needed.blocks, needed.states, columns_) > 0;
    if (!grows) return;
    const std::uint64_t least =
        table_.bytes() + spare_.bytes() + spare_.bytes_to_grow(needed.blocks, needed.states, columns_);
    const std::uint64_t blocks = needed.blocks + needed.blocks / step;
    const std::uint64_t states = std::min(needed.states + needed.states / step, most_states_a_part);
    const std::uint64_t ample =
        table_.bytes() + spare_.bytes() + spare_.bytes_to_grow(blocks, states, columns_);
    const bool tight = ample + buffer_bytes() > options_.memory_bytes;
    allow(needed.states, tight ? least : ample);
    if (tight) {
      grow_table(spare_, needed.blocks, needed.states);
    } else {
      grow_table(spare_, blocks, states);
    }
  }
  std::uint64_t buffer_bytes() const { return spread_buffer_bytes(options_.memory_bytes, options_.threads); }

  /// Throws where this part may not have so many states, or so many bytes of tables.
  void allow(std::uint64_t states, std::uint64_t bytes) {
    const std::uint64_t limit = options_.memory_bytes;
    const std::uint64_t needed = bytes + (spread_ ? buffer_bytes() : 0);
    if (states > most_states_a_part || needed > limit) {
      throw UnableError(
          fmt::format("the frontier's tables need {:.1f} GB for {:.3g} states on part {} of {}, and the "
                      "memory limit is {:.1f} GB",
                      static_cast<double>(needed) / 1e9, static_cast<double>(states), exchange_.part() + 1,
                      parts_, static_cast<double>(limit) / 1e9),
          "more ranks, or another method");
    }
    statistics_.peak_bytes = std::max(statistics_.peak_bytes, bytes);
  }

  ValueColumns& columns_;
  ValueColumns& plain_;  // with weights of one
  Exchange& exchange_;
  std::size_t parts_;
  const StopSignal& stop_;
  const SpreadOptions& options_;
  const MergeKernel<Words>& kernel_;
  Table<Words> table_;  // whole, or the blocks that this part owns
  bool spread_ = false;
  Table<Words> spare_;
  RoundSpace<Words> space_;
  std::vector<Slot<Words>> slots_;
  std::vector<Stream<Words>> streams_;  // of the round
  std::vector<Stream<Words>> unchanged_ = std::vector<Stream<Words>>(parts_);
  std::vector<std::uint64_t> border_;  // of each stream: how far it has been made
  std::vector<std::uint64_t> cuts_;    // [stretch * streams + stream], one stretch more for the ends
  std::uint64_t slots_at_work_ = 1;
  std::uint64_t states_of_all_ = 0;
  std::uint64_t moves_of_round_ = 0;
  std::uint64_t moves_of_all_ = 0;
  SpreadStatistics statistics_;
};

template <unsigned Words>
Partial spread_with(const Program& program, const MakeColumns& make_columns, Exchange& exchange,
                    const StopSignal& stop, const SpreadOptions& options, SpreadStatistics* statistics) {
  const auto columns = make_columns();
  const auto plain = make_columns();
  SpreadMachine<Words> machine(*columns, *plain, exchange, stop, options);
  const bool any = machine.run(program);
  if (statistics != nullptr) *statistics = machine.statistics();
  return columns->result(any ? &machine.last().values : nullptr, program);
}

}  // namespace

std::uint64_t spread_buffer_bytes(std::uint64_t memory_bytes, int threads) {
  return stretch_bytes_for(memory_bytes, std::max(threads, 1)) *
         static_cast<std::uint64_t>(std::max(threads, 1)) * waves_alive;
}

Partial run_spread(const Program& program, const MakeColumns& make_columns, Exchange& exchange,
                   const StopSignal& stop, const SpreadOptions& options, SpreadStatistics* statistics) {
  const auto run = [&](auto words) {
    constexpr unsigned number = decltype(words)::value;
    return spread_with<number>(program, make_columns, exchange, stop, options, statistics);
  };
  if (program.key_bits <= 64) return run(std::integral_constant<unsigned, 1>());
  if (program.key_bits <= 128) return run(std::integral_constant<unsigned, 2>());
  if (program.key_bits <= most_spread_key_bits) return run(std::integral_constant<unsigned, 4>());
  throw std::invalid_argument("keys too wide for tables of several parts");
}

}  // namespace countpm
