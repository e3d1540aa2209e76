#pragma once
// Runs a DenseProgram on a GPU whose memory its tables do not fit, modulo one modulus: slabs wait in host
// memory, as a SlabSchedule says. A template over CudaDevice and CpuDevice.
//
// Copies in both directions and kernels go on at the same time, each in its own queue, and wait for one
// another slab by slab: a copy into a slot for those that read it before, and so on. The copies for the next
// slab are queued before the kernels of the one at hand.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "kernels/frontier/gpu/dense_column.hpp"
#include "kernels/frontier/gpu/dense_layout.hpp"
#include "kernels/frontier/gpu/dense_schedule.hpp"
#include "kernels/frontier/gpu/dense_slabs.hpp"
#include "kernels/frontier/gpu/dense_step_data.hpp"
#include "kernels/frontier/gpu/plan.hpp"
#include "kernels/frontier/tables/narrow_prime_ring.hpp"

namespace countpm {

template <class Device>
class WaitingMachine {
 public:
  /// The device outlives it. value_bytes: of a state, modulo each modulus.
  WaitingMachine(const Device& device, const AnyBlock& block, const Arithmetic& arithmetic,
                 ValueBytes value_bytes, std::uint32_t low_bits)
      : device_(device),
        in_(device.gpu()),
        out_(device.gpu()),
        devices_{&device},
        arithmetic_(arithmetic),
        bytes_(std::move(value_bytes)),
        low_bits_(low_bits),
        step_data_(device, low_bits) {
    for (const Modulus& modulus : arithmetic.moduli) {
      with_table_ring(modulus, [&](const auto& ring) {
        using R = std::decay_t<decltype(ring)>;
        columns_.push_back(std::make_unique<RingDenseColumn<Device, R>>(devices_, ring, block));
      });
    }
  }

  /// The value of the state that is left, modulo that modulus. progress: the moves made so far. Precondition:
  /// the program was made for low_bits. Throws Stopped, and UnableError where the memory does not suffice.
  Partial run(const DenseProgram& program, std::uint32_t modulus, const StopSignal& stop,
              const std::function<void(std::uint64_t moves)>& progress) {
    Partial total = zero(arithmetic_);
    if (program.zero) return total;
    try {
      begin(program, modulus);
      double moves = 0;
      queued_copies_ = 0;
      for (std::size_t k = 0; k < schedule_.actions.size(); ++k) {
        const SlabAction& action = schedule_.actions[k];
        stop.check();
        if (action.kind != SlabAction::Kind::pull) {
          copy_in_turn(k, stop);
          continue;
        }
        copy_ahead(k, stop);
        moves += pull(program, action, stop);
        if (queued_values_ == 0) progress(static_cast<std::uint64_t>(moves));
      }
      wait();
      statistics_.moves += static_cast<std::uint64_t>(moves);
      ++statistics_.dense_programs;
      if (device_.download(missed_, 1)[0] != 0)
        throw std::logic_error("a slab was made without all slabs that its values come from");
      std::get<Residues>(total).residue[modulus] =
          column().residue(schedule_.last_slot * schedule_.room.places);
    } catch (...) {
      // Nobody may copy from and to what is given back.
      wait_after_failure(std::initializer_list<const Device*>{&in_, &out_, &device_});
      throw;
    }
    return total;
  }
  const FrontierDeviceStatistics& statistics() const { return statistics_; }
  /// Gives the memory of the tables back, the host's too, until the next run.
  void release() {
    if (taken_) column().reserve(0, 0, 0);
    taken_ = false;
    places_.clear();
  }

 private:
  using Mark = typename Device::Mark;
  using Kind = SlabAction::Kind;
  /// What was asked for last: of a slot, and of a place in host memory.
  struct SlotMarks {
    Mark pulled;  // values of it, or to it
    Mark loaded;
    Mark stored;
  };
  struct Place {
    std::vector<typename Device::HostBuffer> pieces;
    Mark loaded;
    Mark stored;
  };
  // Locking more at once would hold Ctrl-C up.
  static constexpr std::uint64_t piece_bytes = std::uint64_t{1} << 28;
  static constexpr std::size_t pulls_ahead = 2;  // whose copies are queued before the one at hand

  const DenseColumn& column() const { return *columns_[modulus_]; }
  DenseColumn& column() { return *columns_[modulus_]; }
  std::uint64_t slot_bytes() const { return schedule_.room.places * bytes_[modulus_]; }

  void begin(const DenseProgram& program, std::uint32_t modulus) {
    const std::uint64_t places = dense_memory(device_.gpu()) / bytes_[modulus];
    const auto room = slab_room(program, low_bits_, places);
    if (!room) refuse_dense_states(program.states, bytes_[modulus], places, device_.gpu());
    const std::uint64_t bytes_before = taken_ ? slot_bytes() : 0;
    const bool same_memory = taken_ && modulus == modulus_ && *room == schedule_.room;
    if (taken_ && !same_memory) column().reserve(0, 0, 0);
    taken_ = false;
    modulus_ = modulus;
    schedule_ = make_slab_schedule(program, low_bits_, *room);
    const std::uint64_t host_bytes = schedule_.figures.host_places * slot_bytes();
    if (host_bytes > device_.gpu().host_bytes) refuse_waiting(host_bytes, device_.gpu());
    if (slot_bytes() != bytes_before) places_.clear();
    if (!same_memory) column().reserve(0, room->slots * room->places, 0);
    taken_ = true;
    if (places_.size() < schedule_.figures.host_places) places_.resize(schedule_.figures.host_places);
    slots_.assign(room->slots, {});
    for (Place& place : places_) place.loaded = place.stored = Mark();
    step_data_.begin(program);
    // g++ 13 and 14 take the copy of a vector that is made here for one beyond its end (-Warray-bounds).
    static const std::vector<std::uint32_t> none_missed{0};
    missed_ = device_.upload(none_missed);
    column().begin(program);
    column().start(0);
    table_ = 0;
    queued_values_ = 0;
    statistics_.bytes = room->slots * slot_bytes();
    statistics_.host_bytes = std::max(statistics_.host_bytes, host_bytes);
    statistics_.gpus = std::max<std::uint64_t>(statistics_.gpus, 1);
  }

  void copy_in_turn(std::size_t number, const StopSignal& stop) {
    if (number < queued_copies_) return;
    copy(schedule_.actions[number], stop);
    queued_copies_ = number + 1;
  }
  /// Those after a pull, and after some more pulls, up to the first that has to wait for one of them.
  void copy_ahead(std::size_t number, const StopSignal& stop) {
    std::vector<bool> waits(slots_.size(), false);
    std::size_t pulls = 0;
    for (; number < schedule_.actions.size() && pulls <= pulls_ahead; ++number) {
      const SlabAction& action = schedule_.actions[number];
      if (action.kind == Kind::pull) {
        ++pulls;
        waits[action.slot] = true;
        for (const SlabAction::Source& source : action.sources) {
          if (source.slot != SlabAction::no_slot) waits[source.slot] = true;
        }
        continue;
      }
      if (waits[action.slot] && number >= queued_copies_) break;
      copy_in_turn(number, stop);
    }
  }

  void copy(const SlabAction& action, const StopSignal& stop) {
    SlotMarks& slot = slots_[action.slot];
    Place& place = places_[action.place];
    std::uint64_t left = action.values * bytes_[modulus_];
    std::byte* on_gpu = column().bytes_at(action.slot * schedule_.room.places);
    const bool load = action.kind == Kind::load;
    const Device& queue = load ? in_ : out_;
    queue.come_after(slot.pulled);
    if (load) queue.come_after(slot.stored);
    queue.come_after(load ? place.stored : place.loaded);
    for (std::size_t piece = 0; left > 0; ++piece) {
      if (piece == place.pieces.size()) {
        stop.check();
        place.pieces.push_back(
            device_.allocate_on_host(std::min(slot_bytes() - piece * piece_bytes, piece_bytes)));
      }
      const std::uint64_t bytes = std::min(left, piece_bytes);
      if (load) {
        queue.copy_from_host(place.pieces[piece].data(), on_gpu, bytes);
      } else {
        queue.copy_to_host(on_gpu, place.pieces[piece].data(), bytes);
      }
      on_gpu += bytes;
      left -= bytes;
    }
    const Mark mark = queue.mark();
    (load ? slot.loaded : slot.stored) = mark;
    (load ? place.loaded : place.stored) = mark;
    (load ? statistics_.loaded_bytes : statistics_.stored_bytes) += action.values * bytes_[modulus_];
  }

  /// How many moves that is.
  double pull(const DenseProgram& program, const SlabAction& action, const StopSignal& stop) {
    const DenseStep& step = program.steps[action.table - 1];
    take_step(program, action.table);
    const std::uint64_t places = schedule_.room.places;
    DenseLaunch launch = step_data_.launch(program, action.table - 1);
    launch.round.classes = dense_classes(step.shape, to_, action.slab);
    launch.target = {0, to_.first[action.slab], to_.places(action.slab), action.slot * places, false, false};
    launch.adds = action.adds;
    launch.missed = missed_.data();
    SlotMarks& target = slots_[action.slot];
    device_.come_after(target.loaded);
    device_.come_after(target.stored);
    const bool all_listed = action.sources.size() <= most_dense_sources;
    for (const SlabAction::Source& source : action.sources) {
      const bool here = source.slot != SlabAction::no_slot;
      if (!here && !all_listed) continue;
      if (here) device_.come_after(slots_[source.slot].loaded);
      launch.sources.push_back({0, from_.first[source.slab], from_.places(source.slab),
                                here ? source.slot * places : 0, false, !here});
    }
    if (!all_listed) launch.sources.push_back({0, 0, from_.first.back(), 0, false, true});
    while (!launch.ended()) {
      stop.check();
      const std::uint64_t most = device_.gpu().emulated ? frontier_tuning::dense_launch_values_emulated
                                                        : frontier_tuning::dense_launch_values;
      const std::uint64_t values = 1 + launch.round.pull_count;
      queued_values_ += launch.advance(most / values) * values;
      column().pull(0, launch);
      ++statistics_.slices;
      if (queued_values_ >= most / 2) {
        device_.wait();
        queued_values_ = 0;
      }
    }
    target.pulled = device_.mark();
    for (const SlabAction::Source& source : action.sources) {
      if (source.slot != SlabAction::no_slot) slots_[source.slot].pulled = target.pulled;
    }
    if (action.adds) return 0;
    statistics_.states += to_.places(action.slab);
    statistics_.peak_states = std::max(statistics_.peak_states, step.to_states);
    return step.moves * static_cast<double>(to_.places(action.slab)) / static_cast<double>(step.to_states);
  }
  /// Slabs of the tables before and after the step that makes this one.
  void take_step(const DenseProgram& program, std::uint32_t table) {
    if (table == table_) return;
    table_ = table;
    const DenseShape& shape = program.steps[table - 1].shape;
    from_ = old_table_slabs(shape, low_bits_, schedule_.slabs[table - 1]);
    to_ = new_table_slabs(shape, low_bits_, schedule_.slabs[table]);
  }
  void wait() {
    device_.wait();
    in_.wait();
    out_.wait();
    queued_values_ = 0;
  }

  const Device& device_;
  Device in_;  // the same GPU: its copies from the host, beside the rest, and those to the host
  Device out_;
  std::vector<const Device*> devices_;
  const Arithmetic& arithmetic_;
  ValueBytes bytes_;  // of a state, modulo each modulus
  std::uint32_t low_bits_;
  DenseStepData<Device> step_data_;
  std::vector<std::unique_ptr<DenseColumn>> columns_;
  typename Device::template Buffer<std::uint32_t> missed_;  // 1: a predecessor was
  FrontierDeviceStatistics statistics_;
  // Of the run at hand:
  std::uint32_t modulus_ = 0;
  bool taken_ = false;  // its column has memory
  SlabSchedule schedule_;
  std::vector<SlotMarks> slots_;
  std::vector<Place> places_;
  std::uint32_t table_ = 0;  // that is being made
  DenseSlabs from_;
  DenseSlabs to_;
  std::size_t queued_copies_ = 0;    // those of the actions before it are
  std::uint64_t queued_values_ = 0;  // that may not be pulled yet
};

}  // namespace countpm
