#pragma once
// Runs a program without joins on a device: a template over CudaDevice and CpuDevice, and over the keys.
//
// All tables live in one array: the one at hand at one of its ends, and the next one grows from the other.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "kernels/frontier/gpu/plan.hpp"
#include "kernels/frontier/gpu/sorted_kernel.hpp"
#include "kernels/frontier/gpu/values.hpp"
#include "kernels/frontier/tables/narrow_prime_ring.hpp"
#include "kernels/frontier/tables/program.hpp"
#include "kernels/gpu/device_sort.hpp"
#include "kernels/method.hpp"

namespace countpm {

template <class Key>
DeviceStream<Key> device_stream(const StreamPlan& plan, std::uint32_t weight) {
  DeviceStream<Key> stream;
  Key made = 0;
  for (const FieldChange& change : plan.changes) {
    stream.mask |= ((Key{1} << change.field.width) - 1) << change.field.offset;
    stream.value |= Key{change.from} << change.field.offset;
    made |= Key{change.to} << change.field.offset;
  }
  if (plan.counted.width != 0) {
    stream.count_mask = (std::uint64_t{1} << plan.counted.width) - 1;
    stream.count_limit = plan.limit;
    stream.count_pruned = plan.counted.offset;
    made += Key{1} << plan.counted.offset;
  }
  // Fields do not overlap: as numbers, too, the new key is the old one with these taken off and those put on.
  stream.delta = made - stream.value;
  stream.down = made < stream.value;
  stream.weight = weight;
  return stream;
}

/// As many blocks as the device has room for, or as have something to do.
template <class Device, class Kernel>
void launch_warps(const Device& device, const Kernel& kernel, std::uint64_t warps) {
  constexpr unsigned warps_a_block = Kernel::threads / 32;
  const std::uint64_t wanted = (warps + warps_a_block - 1) / warps_a_block;
  const unsigned blocks = device.template blocks<Kernel>(0);
  device.launch(kernel, static_cast<unsigned>(std::clamp<std::uint64_t>(wanted, 1, blocks)), 0);
}

/// The values of all tables modulo one modulus.
template <class Key>
class DeviceColumn {
 public:
  virtual ~DeviceColumn() = default;
  virtual void reserve(std::uint64_t states) = 0;
  /// The program's weights; state 0 becomes one.
  virtual void begin(const Program& program) = 0;
  virtual void sum(const SumTask<Key>& task, std::uint64_t from, std::uint64_t to) = 0;
  virtual uint128 residue(std::uint64_t state) const = 0;
};

template <class Device, class Key, class R>
class RingDeviceColumn : public DeviceColumn<Key> {
 public:
  using Element = typename R::Element;

  RingDeviceColumn(const Device& device, const R& ring, const AnyBlock& block)
      : device_(device), values_(device, ring, block) {}

  void reserve(std::uint64_t states) override { values_.reserve(states); }
  void begin(const Program& program) override {
    const R& ring = values_.ring();
    std::vector<Element> weights;
    for (const RoundPlan& round : program.rounds) {
      for (const StepWeight& weight : round.weights) {
        Element value = weight.entry == StepWeight::no_entry ? ring.one() : values_.entry(weight.entry);
        for (std::uint32_t k = 0; k < weight.count; ++k) ring.mul_to(value, ring.from_int64(weight.top - k));
        weights.push_back(value);
      }
    }
    values_.take_weights(weights);
    values_.begin();
  }
  void sum(const SumTask<Key>& task, std::uint64_t from, std::uint64_t to) override {
    launch_warps(device_,
                 SumKernel<Key, R>{task, values_.ring(), values_.weights(), values_.at(from), values_.at(to)},
                 task.records.chunks());
  }
  uint128 residue(std::uint64_t state) const override { return values_.residue(state); }

 private:
  const Device& device_;
  DeviceValues<Device, R> values_;
};

template <class Device, class Key>
class FrontierMachine {
 public:
  /// value_bytes: of a state, modulo each modulus; most_records: of a slice, at least 2.
  FrontierMachine(const Device& device, const AnyBlock& block, const Arithmetic& arithmetic,
                  ValueBytes value_bytes, std::uint64_t most_records)
      : device_(device),
        arithmetic_(arithmetic),
        bytes_(std::move(value_bytes)),
        most_records_(most_records) {
    for (const Modulus& modulus : arithmetic.moduli) {
      with_table_ring(modulus, [&](const auto& ring) {
        using R = std::decay_t<decltype(ring)>;
        columns_.push_back(std::make_unique<RingDeviceColumn<Device, Key, R>>(device_, ring, block));
      });
    }
    counters_ = device_.template allocate<std::uint64_t>(2);
  }

  /// The value of the state that is left, modulo those moduli. log2_states: about as many are alive at once.
  /// progress: the moves made so far, after every slice. Throws Stopped, and UnableError where the tables
  /// outgrow the memory.
  Partial run(const Program& program, double log2_states, const std::vector<std::uint32_t>& moduli,
              const StopSignal& stop, const std::function<void(std::uint64_t moves)>& progress) {
    take_moduli(moduli);
    const double bound = std::exp2(std::min(log2_states, 60.0)) * (1 + 1e-9) + 2;
    std::uint64_t states = std::min(room_.states, static_cast<std::uint64_t>(bound));
    for (;;) {
      try {
        return run_in(states, program, stop, progress);
      } catch (const TablesFull& full) {
        if (states >= room_.states) refuse_states(full.states, state_bytes_, room_, device_.gpu());
        states = std::min(room_.states, std::max(2 * states, full.states));
      }
    }
  }
  const FrontierDeviceStatistics& statistics() const { return statistics_; }
  /// Gives the memory of tables and records back, until the next run.
  void release() {
    release_states();
    release_records();
  }

 private:
  /// So many states would have to be alive at once.
  struct TablesFull {
    std::uint64_t states;
  };
  struct Slice {
    std::vector<std::uint64_t> begin;  // of every stream's stretch
    std::vector<std::uint64_t> end;
    Key base;
    unsigned bits;  // of its keys less the base
  };

  /// Of which there are values from now on.
  void take_moduli(const std::vector<std::uint32_t>& moduli) {
    if (moduli == taken_) return;
    release_states();  // the others'
    taken_ = moduli;
    std::uint64_t value_bytes = 0;
    for (const std::uint32_t c : taken_) value_bytes += bytes_[c];
    state_bytes_ = sizeof(Key) + value_bytes;
    room_ = frontier_room(device_.gpu(), sizeof(Key), value_bytes);
    room_.records = std::min(room_.records, most_records_);
  }

  Partial run_in(std::uint64_t states, const Program& program, const StopSignal& stop,
                 const std::function<void(std::uint64_t moves)>& progress) {
    begin(states, program);
    std::uint64_t moves = 0;
    for (const ProgramStep& step : program.steps) {
      stop.check();
      if (step.kind != ProgramStep::Kind::round) continue;  // a push, the first step
      make_round(program.rounds[step.index], first_stream_[step.index], program.key_bits, stop,
                 [&](std::uint64_t records) { progress(moves += records); });
      statistics_.states += states_;
      statistics_.peak_states = std::max(statistics_.peak_states, states_);
      if (states_ == 0) break;
    }
    statistics_.moves += moves;
    Partial total = zero(arithmetic_);
    if (states_ == 0) return total;
    for (const std::uint32_t c : taken_) std::get<Residues>(total).residue[c] = columns_[c]->residue(place_);
    multiply(total, from_factor(mpq_class(program.factor), arithmetic_), arithmetic_);
    return total;
  }

  /// Memory for the program, its streams and weights, and the table of the empty set.
  void begin(std::uint64_t states, const Program& program) {
    std::vector<DeviceStream<Key>> streams;
    first_stream_.clear();
    std::uint32_t weights = 0;
    std::uint64_t most_streams = 1;
    for (const RoundPlan& round : program.rounds) {
      first_stream_.push_back(streams.size());
      for (const StreamPlan& stream : round.streams)
        streams.push_back(device_stream<Key>(stream, weights + stream.weight));
      weights += static_cast<std::uint32_t>(round.weights.size());
      most_streams = std::max<std::uint64_t>(most_streams, round.streams.size());
    }
    // A slice may have that many candidates more than it was cut for (CutKernel).
    if (most_streams > room_.records / 2) refuse_streams(most_streams, device_.gpu());
    reserve_states(states);
    reserve_records(std::max(most_streams * 2, std::min(room_.records, states * most_streams)));
    streams_ = device_.upload(streams);
    stretches_ = device_.template allocate<std::uint64_t>(2 * most_streams + 1);
    for (const std::uint32_t c : taken_) columns_[c]->begin(program);
    device_.write(keys_, std::vector<Key>{0});
    place_ = 0;
    states_ = 1;
    at_end_ = false;
    statistics_.key_bits = std::max(statistics_.key_bits, program.key_bits);
    statistics_.bytes = all_states_ * state_bytes_ + records_ * 2 * (sizeof(Key) + 4) + scratch_.size();
  }
  void reserve_states(std::uint64_t states) {
    if (states <= all_states_) return;
    release_states();  // before the new ones are there
    keys_ = device_.template allocate<Key>(states);
    for (const std::uint32_t c : taken_) columns_[c]->reserve(states);
    all_states_ = states;
  }
  void reserve_records(std::uint64_t records) {
    if (records <= records_) return;
    release_records();
    for (unsigned k = 0; k < 2; ++k) {
      record_keys_[k] = device_.template allocate<Key>(records);
      record_numbers_[k] = device_.template allocate<std::uint32_t>(records);
    }
    heads_ = device_.template allocate<std::uint32_t>(records / frontier_chunk + 1);
    scratch_ = device_.template allocate<unsigned char>(sort_scratch_bytes<Key>(device_, records));
    records_ = records;
  }
  void release_states() {
    all_states_ = 0;
    keys_ = {};
    for (const auto& column : columns_) column->reserve(0);
  }
  void release_records() {
    records_ = 0;
    for (auto& keys : record_keys_) keys = {};
    for (auto& numbers : record_numbers_) numbers = {};
    heads_ = {};
    scratch_ = {};
  }

  template <class Progress>
  void make_round(const RoundPlan& plan, std::uint64_t first_stream, std::uint32_t key_bits,
                  const StopSignal& stop, const Progress& progress) {
    const DeviceRound<Key> round{keys_.data() + place_, states_, streams_.data() + first_stream,
                                 static_cast<std::uint32_t>(plan.streams.size())};
    std::vector<Slice> slices;
    if (round.stream_count != 0) slices = cut(round, key_bits);
    // The next table grows towards this one; from the far end, its last keys come first.
    if (!at_end_) std::reverse(slices.begin(), slices.end());
    std::uint64_t made = 0;
    for (const Slice& slice : slices) {
      stop.check();
      made += make_slice(round, slice, made, progress);
    }
    place_ = at_end_ ? 0 : all_states_ - made;
    at_end_ = !at_end_;
    states_ = made;
  }

  /// Slices of at most records_ candidates.
  std::vector<Slice> cut(const DeviceRound<Key>& round, std::uint32_t key_bits) const {
    const std::uint64_t streams = round.stream_count;
    const std::uint64_t candidates = round.states * streams;
    const Key last_key = key_bits >= 8 * sizeof(Key) ? ~Key{0} : (Key{1} << key_bits) - 1;
    std::vector<Slice> slices;
    if (candidates <= records_) {
      slices.push_back({std::vector<std::uint64_t>(streams, 0),
                        std::vector<std::uint64_t>(streams, round.states), 0, std::max(key_bits, 1U)});
      return slices;
    }
    const std::uint64_t size = records_ - streams;
    const std::uint64_t count = (candidates + size - 1) / size;
    const auto cut_keys = device_.template allocate<Key>(count);
    const auto begin = device_.template allocate<std::uint64_t>((count + 1) * streams);
    launch_warps(device_,
                 CutKernel<Key>{round, key_bits, last_key, size, count, cut_keys.data(), begin.data()},
                 count + 1);
    const std::vector<Key> from = device_.download(cut_keys, count);
    const std::vector<std::uint64_t> places = device_.download(begin, begin.size());
    for (std::uint64_t k = 0; k < count; ++k) {
      const bool last = k + 1 == count;
      if (!last && from[k + 1] == from[k]) continue;
      Slice slice;
      const auto at = places.begin() + static_cast<std::ptrdiff_t>(k * streams);
      const auto next = at + static_cast<std::ptrdiff_t>(streams);
      slice.begin.assign(at, next);
      slice.end.assign(next, next + static_cast<std::ptrdiff_t>(streams));
      slice.base = from[k];
      slice.bits = bits_of((last ? last_key : from[k + 1] - 1) - slice.base);
      slices.push_back(std::move(slice));
    }
    return slices;
  }
  static unsigned bits_of(Key largest) {
    unsigned bits = 1;
    while (bits < 8 * sizeof(Key) && largest >> bits != 0) ++bits;
    return bits;
  }

  /// The states of a slice, beside the `made` ones of the next table; returns how many.
  template <class Progress>
  std::uint64_t make_slice(const DeviceRound<Key>& round, const Slice& slice, std::uint64_t made,
                           const Progress& progress) {
    std::vector<std::uint64_t> stretches = slice.begin;
    stretches.push_back(0);
    for (std::size_t s = 0; s < slice.begin.size(); ++s)
      stretches.push_back(stretches.back() + slice.end[s] - slice.begin[s]);
    const std::uint64_t candidates = stretches.back();
    if (candidates == 0) return 0;
    device_.write(stretches_, stretches);
    const DeviceSlice on_device{stretches_.data(), stretches_.data() + round.stream_count, candidates};
    device_.clear(counters_);
    launch_warps(device_,
                 ExpandKernel<Key>{round, on_device, slice.base, record_keys_[0].data(),
                                   record_numbers_[0].data(), counters_.data()},
                 (candidates + frontier_chunk - 1) / frontier_chunk);
    const std::uint64_t records = device_.download(counters_, 1)[0];
    ++statistics_.slices;
    if (records == 0) return 0;
    const SortBuffers<Key> buffers{{record_keys_[0].data(), record_keys_[1].data()},
                                   {record_numbers_[0].data(), record_numbers_[1].data()}};
    const unsigned sorted = sort_pairs(device_, buffers, records, slice.bits, scratch_);
    const SortedRecords<Key> in_order{buffers.keys[sorted], buffers.numbers[sorted], records};
    launch_warps(device_, HeadsKernel<Key>{in_order, heads_.data()}, in_order.chunks());
    device_.launch(ScanKernel{heads_.data(), in_order.chunks(), counters_.data() + 1}, 1,
                   ScanKernel::shared_bytes);
    const std::uint64_t states = device_.download(counters_, 1, 1)[0];
    if (states_ + made + states > all_states_) throw TablesFull{states_ + made + states};
    const std::uint64_t to = at_end_ ? made : all_states_ - made - states;
    SumTask<Key> task{round, on_device, in_order, heads_.data(), slice.base, keys_.data() + to};
    for (const std::uint32_t c : taken_) {
      columns_[c]->sum(task, place_, to);
      task.keys = nullptr;
    }
    progress(records);
    return states;
  }

  const Device& device_;
  const Arithmetic& arithmetic_;
  ValueBytes bytes_;  // of a state, modulo each modulus
  std::uint64_t most_records_;
  std::vector<std::uint32_t> taken_;         // the moduli of the run at hand
  std::uint64_t state_bytes_ = sizeof(Key);  // key and values modulo these
  FrontierRoom room_;                        // for such states
  std::vector<std::unique_ptr<DeviceColumn<Key>>> columns_;
  std::vector<std::uint64_t> first_stream_;  // of every round
  FrontierDeviceStatistics statistics_;

  typename Device::template Buffer<Key> keys_;  // of all tables
  std::uint64_t all_states_ = 0;                // that there is room for
  std::uint64_t place_ = 0;                     // of the table at hand
  std::uint64_t states_ = 0;
  bool at_end_ = false;

  std::uint64_t records_ = 0;  // that there is room for
  typename Device::template Buffer<Key> record_keys_[2];
  typename Device::template Buffer<std::uint32_t> record_numbers_[2];
  typename Device::template Buffer<std::uint32_t> heads_;
  typename Device::template Buffer<unsigned char> scratch_;
  typename Device::template Buffer<DeviceStream<Key>> streams_;
  typename Device::template Buffer<std::uint64_t> stretches_;  // of the slice at hand
  typename Device::template Buffer<std::uint64_t> counters_;   // records, new states
};

}  // namespace countpm
