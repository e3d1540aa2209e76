#pragma once
// Runs a DenseProgram on a device, or on several that hold each table together: a template over CudaDevice
// and CpuDevice.
//
// A GPU's part of all tables lives in one array: of the table at hand at one of its ends, and of the next one
// at the other; of a tree, those that wait from its beginning on. Each GPU makes its own slab of the next
// one, from the slabs of all: it reads another's memory where it can, and else copies of it. Steps are queued
// and nothing is asked of the device between them, but for the large ones to be over, and for those of
// several GPUs, which wait for one another.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "kernels/frontier/gpu/dense_column.hpp"
#include "kernels/frontier/gpu/dense_layout.hpp"
#include "kernels/frontier/gpu/dense_slabs.hpp"
#include "kernels/frontier/gpu/dense_step_data.hpp"
#include "kernels/frontier/gpu/plan.hpp"
#include "kernels/frontier/tables/narrow_prime_ring.hpp"
#include "kernels/method.hpp"

namespace countpm {

template <class Device>
class DenseMachine {
 public:
  /// devices: one, or several that hold each table together; they outlive it. value_bytes: of a state, modulo
  /// each modulus.
  DenseMachine(std::vector<const Device*> devices, const AnyBlock& block, const Arithmetic& arithmetic,
               ValueBytes value_bytes, std::uint32_t low_bits)
      : devices_(std::move(devices)),
        arithmetic_(arithmetic),
        bytes_(std::move(value_bytes)),
        low_bits_(low_bits),
        states_(devices_.size(), 0),
        copied_(devices_.size(), 0),
        queued_(devices_.size(), 0) {
    for (const Modulus& modulus : arithmetic.moduli) {
      with_table_ring(modulus, [&](const auto& ring) {
        using R = std::decay_t<decltype(ring)>;
        columns_.push_back(std::make_unique<RingDenseColumn<Device, R>>(devices_, ring, block));
      });
    }
    for (const Device* device : devices_) {
      Share& share = *shares_.emplace_back(std::make_unique<Share>(*device, low_bits));
      for (const Device* other : devices_) share.reads.push_back(other == device || device->reads(*other));
    }
  }

  std::uint32_t low_bits() const { return low_bits_; }

  /// The value of the state that is left, modulo those moduli. progress: the moves made so far. Precondition:
  /// the program was made for low_bits(). Throws Stopped, and UnableError where the tables do not fit the
  /// memory, or several devices would join tables.
  Partial run(const DenseProgram& program, const std::vector<std::uint32_t>& moduli, const StopSignal& stop,
              const std::function<void(std::uint64_t moves)>& progress) {
    Partial total = zero(arithmetic_);
    if (program.zero) return total;
    if (program.figures.joins != 0 && devices_.size() > 1) refuse_dense_form();
    take_moduli(moduli);
    try {
      begin(program);
      double moves = 0;
      for (const DenseAction& action : program.actions) {
        moves += act(program, action, stop);
        statistics_.states += action.states;
        statistics_.peak_states = std::max(statistics_.peak_states, action.states);
        if (nothing_queued()) progress(static_cast<std::uint64_t>(moves));
      }
      wait();
      statistics_.moves += static_cast<std::uint64_t>(moves);
      ++statistics_.dense_programs;
      for (const std::uint32_t c : taken_)
        std::get<Residues>(total).residue[c] = columns_[c]->residue(place_of(program.actions.back()));
    } catch (...) {
      // Whoever gives memory back must know that no other GPU reads it.
      wait_after_failure(devices_);
      throw;
    }
    return total;
  }
  const FrontierDeviceStatistics& statistics() const { return statistics_; }
  /// Gives the memory of the tables back, until the next run.
  void release() {
    for (std::size_t gpu = 0; gpu < devices_.size(); ++gpu) {
      states_[gpu] = copied_[gpu] = 0;
      for (const auto& column : columns_) column->reserve(gpu, 0, 0);
    }
  }

 private:
  /// What a GPU has beside the values.
  struct Share {
    Share(const Device& device, std::uint32_t low_bits) : steps(device, low_bits) {}
    DenseStepData<Device> steps;
    std::vector<bool> reads;  // each GPU's memory
    // Of a join, for each pattern of shared vertices:
    typename Device::template Buffer<std::uint64_t> run_lists;
    typename Device::template Buffer<std::uint32_t> scalar_lists;

    DenseLists lists() const { return {run_lists.data(), scalar_lists.data()}; }
  };

  /// Of which there are values from now on.
  void take_moduli(const std::vector<std::uint32_t>& moduli) {
    if (moduli == taken_) return;
    release();  // the others'
    taken_ = moduli;
    value_bytes_ = 0;
    for (const std::uint32_t c : taken_) value_bytes_ += bytes_[c];
  }
  /// Memory for the tables, the one of the empty set, and all that the steps need.
  void begin(const DenseProgram& program) {
    reserve(program);
    for (const auto& share : shares_) share->steps.begin(program);
    const std::uint64_t patterns = program.figures.list_bytes / dense_list_bytes;
    Share& share = *shares_.front();
    if (patterns > share.run_lists.size()) {
      share.run_lists = devices_.front()->template allocate<std::uint64_t>(patterns);
      share.scalar_lists = devices_.front()->template allocate<std::uint32_t>(patterns);
    }
    for (const std::uint32_t c : taken_) columns_[c]->begin(program);
    statistics_.bytes = share.run_lists.size() * dense_list_bytes;
    for (std::size_t gpu = 0; gpu < devices_.size(); ++gpu)
      statistics_.bytes += (states_[gpu] + copied_[gpu]) * value_bytes_ + shares_[gpu]->steps.bytes();
    statistics_.gpus = std::max<std::uint64_t>(statistics_.gpus, devices_.size());
  }
  void reserve(const DenseProgram& program) {
    const std::vector<std::uint64_t> places = dense_places(program, low_bits_, devices_.size());
    std::vector<std::uint64_t> copied(devices_.size(), 0);
    bool enough = true;
    for (std::size_t gpu = 0; gpu < devices_.size(); ++gpu) {
      const GpuInfo& info = devices_[gpu]->gpu();
      const std::uint64_t room =
          (dense_memory(info) - std::min(dense_memory(info), program.figures.list_bytes)) / value_bytes_;
      const std::vector<bool>& reads = shares_[gpu]->reads;
      const bool copies = std::find(reads.begin(), reads.end(), false) != reads.end();
      if (places[gpu] + (copies ? most_dense_run : 0) > room)
        refuse_dense_states(places[gpu], value_bytes_, room, info);
      // Of others' slabs one after the other, each cut up where it has to be.
      if (copies)
        copied[gpu] = std::min(room - places[gpu],
                               std::max(*std::max_element(places.begin(), places.end()), most_dense_run));
      enough = enough && places[gpu] <= states_[gpu] && copied[gpu] <= copied_[gpu];
    }
    if (enough) return;
    release();  // before the new ones are there
    for (std::size_t gpu = 0; gpu < devices_.size(); ++gpu) {
      for (const std::uint32_t c : taken_) columns_[c]->reserve(gpu, places[gpu], copied[gpu]);
      states_[gpu] = places[gpu];
      copied_[gpu] = copied[gpu];
    }
  }

  DensePart part_of(const DenseSlabs& slabs, std::size_t gpu, std::uint64_t below, bool at_end) const {
    const std::uint64_t places = slabs.places(gpu);
    return {gpu, slabs.first[gpu], places, at_end ? states_[gpu] - places : below, false, false};
  }
  /// On the first GPU, where what the action makes begins, or what is as large at the other end.
  std::uint64_t place_of(const DenseAction& action) const { return place_of(action, action.at_end); }
  std::uint64_t place_of(const DenseAction& action, bool at_end) const {
    return at_end ? states_[0] - action.states : action.below;
  }

  /// How many values were pulled or multiplied.
  double act(const DenseProgram& program, const DenseAction& action, const StopSignal& stop) {
    using Kind = DenseAction::Kind;
    switch (action.kind) {
      case Kind::start:
        for (const std::uint32_t c : taken_) columns_[c]->start(place_of(action));
        return 0;
      case Kind::step:
        make_step(program, action, stop);
        return program.steps[action.index].moves;
      case Kind::move:
        for (const std::uint32_t c : taken_)
          columns_[c]->move(place_of(action, !action.at_end), place_of(action), action.states);
        return 0;
      case Kind::reorder:
        reorder(program.reorders[action.index], action, stop);
        return 0;
      case Kind::join:
        join(program.joins[action.index], action, stop);
        return program.joins[action.index].pairs;
    }
    return 0;
  }

  void reorder(const DenseReorder& reorder, const DenseAction& action, const StopSignal& stop) {
    DenseReorderLaunch launch{shares_[0]->steps.tables().binomials,
                              &reorder,
                              place_of(action, !action.at_end),
                              place_of(action),
                              0,
                              0};
    for_launches(action.states, 2, stop, [&](std::uint64_t first, std::uint64_t last) {
      launch.first = first;
      launch.last = last;
      for (const std::uint32_t c : taken_) columns_[c]->reorder(launch);
    });
  }

  void join(const DenseJoin& join, const DenseAction& action, const StopSignal& stop) {
    const Share& share = *shares_[0];
    const DenseListsKernel lists{share.steps.tables().binomials, join.shape, share.lists()};
    devices_[0]->launch(lists, blocks_for<DenseListsKernel>(*devices_[0], join.shape.patterns()), 0);
    // The one that waited, and the one on top behind it.
    const std::uint64_t waiting = action.below;
    const std::uint64_t top = action.below + join.waiting_states;
    DenseJoinLaunch launch{share.steps.tables().binomials,
                           &join.shape,
                           share.lists(),
                           join.waiting_gives_runs ? top : waiting,
                           join.waiting_gives_runs ? waiting : top,
                           place_of(action),
                           0,
                           0};
    const auto pairs = static_cast<std::uint64_t>(join.pairs / static_cast<double>(join.to_states));
    for_launches(join.to_states, pairs + 1, stop, [&](std::uint64_t first, std::uint64_t last) {
      launch.first = first;
      launch.last = last;
      for (const std::uint32_t c : taken_) columns_[c]->join(launch);
    });
  }

  /// launch(first, last) for places 0 .. places - 1 of the first GPU, each of which takes so many values.
  template <class Launch>
  void for_launches(std::uint64_t places, std::uint64_t values, const StopSignal& stop,
                    const Launch& launch) {
    const std::uint64_t most = std::max<std::uint64_t>(values_a_launch() / values, 1);
    for (std::uint64_t first = 0; first < places; first += most) {
      stop.check();
      const std::uint64_t last = first + std::min(most, places - first);
      launch(first, last);
      ++statistics_.slices;
      queued_[0] += (last - first) * values * taken_.size();
      if (queued_[0] >= values_a_launch() / 2) wait();
    }
  }
  std::uint64_t values_a_launch() const {
    return devices_.front()->gpu().emulated ? frontier_tuning::dense_launch_values_emulated
                                            : frontier_tuning::dense_launch_values;
  }

  void make_step(const DenseProgram& program, const DenseAction& action, const StopSignal& stop) {
    const std::size_t number = action.index;
    const bool at_end = !action.at_end;  // where the old table is
    const std::size_t gpus = devices_.size();
    const DenseShape& shape = program.steps[number].shape;
    const DenseSlabs from = old_table_slabs(shape, low_bits_, gpus);
    const DenseSlabs to = new_table_slabs(shape, low_bits_, gpus);
    // Where all is on the first GPU, it has its own order.
    const bool shared = from.shared() || to.shared();
    if (shared && !nothing_queued()) wait();
    std::vector<DenseLaunch> launches;
    std::vector<std::vector<DensePart>> others(gpus);  // that a GPU cannot read
    for (std::size_t gpu = 0; gpu < gpus; ++gpu) {
      DenseLaunch& launch = launches.emplace_back(shares_[gpu]->steps.launch(program, number));
      launch.round.classes = dense_classes(shape, to, gpu);
      launch.target = part_of(to, gpu, action.below, !at_end);
      for (std::size_t other = 0; other < gpus && launch.target.places > 0; ++other) {
        const DensePart part = part_of(from, other, action.below, at_end);
        if (part.places == 0) continue;
        if (shares_[gpu]->reads[other]) {
          launch.sources.push_back(part);
        } else {
          cut_up(from, part, copied_[gpu], others[gpu]);
        }
      }
    }
    run(launches, stop);
    for (std::size_t k = 0; add_copied(launches, others, k); ++k) run(launches, stop);
    if (shared) wait();
  }
  /// A slab in pieces of so many places at most, which end where runs do.
  static void cut_up(const DenseSlabs& slabs, DensePart part, std::uint64_t most,
                     std::vector<DensePart>& pieces) {
    while (part.places > 0) {
      DensePart piece = part;
      piece.copied = true;
      if (part.places > most) piece.places = run_begin(slabs, part.first + most) - part.first;
      pieces.push_back(piece);
      part.first += piece.places;
      part.at += piece.places;
      part.places -= piece.places;
    }
  }
  /// Copies the k-th piece that each GPU cannot read, to be added up; false where there is none.
  bool add_copied(std::vector<DenseLaunch>& launches, const std::vector<std::vector<DensePart>>& others,
                  std::size_t k) const {
    bool any = false;
    for (std::size_t gpu = 0; gpu < launches.size(); ++gpu) {
      if (k >= others[gpu].size()) continue;
      for (const std::uint32_t c : taken_) columns_[c]->copy(gpu, others[gpu][k]);
      launches[gpu].sources = {others[gpu][k]};
      launches[gpu].adds = true;
      launches[gpu].first = launches[gpu].last = 0;
      any = true;
    }
    return any;
  }

  /// All GPUs side by side, each to the end of what it has to do.
  void run(std::vector<DenseLaunch>& launches, const StopSignal& stop) {
    const std::uint64_t most = values_a_launch();
    for (bool any = true; any;) {
      any = false;
      for (std::size_t gpu = 0; gpu < launches.size(); ++gpu) {
        DenseLaunch& launch = launches[gpu];
        if (launch.ended()) continue;
        stop.check();
        any = true;
        // Of a state, all kinds of predecessors counted.
        const std::uint64_t values = 1 + launch.round.pull_count;
        const std::uint64_t states = launch.advance(most / values);
        for (const std::uint32_t c : taken_) columns_[c]->pull(gpu, launch);
        ++statistics_.slices;
        queued_[gpu] += states * values * taken_.size();
      }
      if (*std::max_element(queued_.begin(), queued_.end()) >= most / 2) wait();
    }
  }
  void wait() {
    for (const Device* device : devices_) device->wait();
    std::fill(queued_.begin(), queued_.end(), 0);
  }
  bool nothing_queued() const {
    return std::all_of(queued_.begin(), queued_.end(), [](std::uint64_t values) { return values == 0; });
  }

  std::vector<const Device*> devices_;
  const Arithmetic& arithmetic_;
  ValueBytes bytes_;                  // of a state, modulo each modulus
  std::vector<std::uint32_t> taken_;  // the moduli of the run at hand
  std::uint64_t value_bytes_ = 0;     // of a state, modulo these
  std::uint32_t low_bits_;
  std::vector<std::unique_ptr<DenseColumn>> columns_;
  FrontierDeviceStatistics statistics_;
  // Of each GPU:
  std::vector<std::uint64_t> states_;  // that there is room for
  std::vector<std::uint64_t> copied_;  // and for those of others that it cannot read
  std::vector<std::uint64_t> queued_;  // values that it may not have pulled yet
  std::vector<std::unique_ptr<Share>> shares_;
};

}  // namespace countpm
