#pragma once
// Runs a DenseProgram on a device: a template over CudaDevice and CpuDevice.
//
// All tables live in one array: the one at hand at one of its ends, and the next one at the other. Steps are
// queued and nothing is asked of the device between them, but for the large ones to be over.
#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "kernels/frontier/gpu/dense_kernel.hpp"
#include "kernels/frontier/gpu/dense_layout.hpp"
#include "kernels/frontier/gpu/plan.hpp"
#include "kernels/frontier/gpu/values.hpp"
#include "kernels/frontier/tables/narrow_prime_ring.hpp"
#include "kernels/gpu/device_tables.hpp"
#include "kernels/method.hpp"

namespace countpm {

/// High parts of a step that are launched at once.
struct DenseLaunch {
  DenseRound round;
  DenseTables tables;
  std::uint64_t first = 0;
  std::uint64_t last = 0;
};

/// The values of all tables modulo one modulus.
class DenseColumn {
 public:
  virtual ~DenseColumn() = default;
  virtual void reserve(std::uint64_t states) = 0;
  /// The program's weights; state 0 becomes one.
  virtual void begin(const DenseProgram& program) = 0;
  virtual void pull(const DenseLaunch& launch, std::uint64_t from, std::uint64_t to) const = 0;
  virtual uint128 residue(std::uint64_t state) const = 0;
};

template <class Device, class R>
class RingDenseColumn : public DenseColumn {
 public:
  RingDenseColumn(const Device& device, const R& ring, const AnyBlock& block)
      : device_(device), values_(device, ring, block) {}

  void reserve(std::uint64_t states) override { values_.reserve(states); }
  void begin(const DenseProgram& program) override {
    std::vector<typename R::Element> weights;
    weights.reserve(program.weights.size());
    for (const std::uint64_t entry : program.weights)
      weights.push_back(entry == DenseProgram::no_entry ? values_.ring().one() : values_.entry(entry));
    values_.begin(weights);
  }
  void pull(const DenseLaunch& launch, std::uint64_t from, std::uint64_t to) const override {
    using Kernel = DenseKernel<R>;
    const std::size_t shared = launch.tables.shared_bytes();
    constexpr std::uint64_t warps_a_block = Kernel::threads / 32;
    const std::uint64_t most = device_.template blocks<Kernel>(shared);
    const std::uint64_t high_parts = launch.last - launch.first;
    // Every warp comes to several chunks, so that all end at about the same time.
    const std::uint64_t chunk = std::clamp<std::uint64_t>(high_parts / (most * warps_a_block * 8), 1,
                                                          frontier_tuning::dense_most_chunk);
    const std::uint64_t warps = (high_parts + chunk - 1) / chunk;
    const std::uint64_t blocks = std::min(most, (warps + warps_a_block - 1) / warps_a_block);
    device_.launch(Kernel{launch.tables, launch.round, launch.first, launch.last, chunk, values_.ring(),
                          values_.weights(), values_.at(from), values_.at(to)},
                   static_cast<unsigned>(blocks), shared);
  }
  uint128 residue(std::uint64_t state) const override { return values_.residue(state); }

 private:
  const Device& device_;
  DeviceValues<Device, R> values_;
};

template <class Device>
class DenseMachine {
 public:
  /// value_bytes: of a state, modulo each modulus.
  DenseMachine(const Device& device, const AnyBlock& block, const Arithmetic& arithmetic,
               ValueBytes value_bytes, std::uint32_t low_bits)
      : device_(device), arithmetic_(arithmetic), bytes_(std::move(value_bytes)), low_bits_(low_bits) {
    for (const Modulus& modulus : arithmetic.moduli) {
      with_table_ring(modulus, [&](const auto& ring) {
        using R = std::decay_t<decltype(ring)>;
        columns_.push_back(std::make_unique<RingDenseColumn<Device, R>>(device_, ring, block));
      });
    }
    const DenseLowSets low = dense_low_sets(low_bits);
    tables_.binomials = memory_.upload(dense_binomials());
    tables_.low_sets = memory_.upload(low.sets);
    tables_.low_ranks = memory_.upload(low.rank);
    std::copy(low.first.begin(), low.first.end(), tables_.low_first);
    tables_.low_bits = low_bits;
  }

  std::uint32_t low_bits() const { return low_bits_; }

  /// The value of the state that is left, modulo those moduli. progress: the moves made so far. Precondition:
  /// the program was made for low_bits(). Throws Stopped, and UnableError where the tables do not fit the
  /// memory.
  Partial run(const DenseProgram& program, const std::vector<std::uint32_t>& moduli, const StopSignal& stop,
              const std::function<void(std::uint64_t moves)>& progress) {
    Partial total = zero(arithmetic_);
    if (program.zero) return total;
    take_moduli(moduli);
    begin(program);
    std::uint64_t place = 0;
    std::uint64_t queued = 0;  // values that the device may not have pulled yet
    double moves = 0;
    for (std::size_t k = 0; k < program.steps.size(); ++k) {
      const DenseStep& step = program.steps[k];
      const std::uint64_t to = place == 0 ? states_ - step.to_states : 0;
      make_step(step, round_of(program, k), place, to, queued, stop);
      place = to;
      moves += step.moves;
      statistics_.states += step.to_states;
      statistics_.peak_states = std::max(statistics_.peak_states, step.to_states);
      if (queued == 0) progress(static_cast<std::uint64_t>(moves));
    }
    device_.wait();
    statistics_.moves += static_cast<std::uint64_t>(moves);
    ++statistics_.dense_programs;
    for (const std::uint32_t c : taken_) std::get<Residues>(total).residue[c] = columns_[c]->residue(place);
    return total;
  }
  const FrontierDeviceStatistics& statistics() const { return statistics_; }
  /// Gives the memory of the tables back, until the next run.
  void release() {
    states_ = 0;
    for (const auto& column : columns_) column->reserve(0);
  }

 private:
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
    const std::uint64_t room = dense_room(device_.gpu(), value_bytes_);
    if (program.states > room) refuse_dense_states(program.states, value_bytes_, room, device_.gpu());
    if (program.states > states_) {
      release();  // before the new ones are there
      for (const std::uint32_t c : taken_) columns_[c]->reserve(program.states);
      states_ = program.states;
    }
    std::vector<DensePull> pulls;
    std::vector<std::uint8_t> removed;
    first_pull_.clear();
    first_removed_.clear();
    for (const DenseStep& step : program.steps) {
      first_pull_.push_back(pulls.size());
      first_removed_.push_back(removed.size());
      pulls.insert(pulls.end(), step.pulls.begin(), step.pulls.end());
      removed.insert(removed.end(), step.removed.begin(), step.removed.end());
    }
    pulls_ = device_.upload(pulls);
    removed_ = device_.upload(removed);
    for (const std::uint32_t c : taken_) columns_[c]->begin(program);
    statistics_.bytes = states_ * value_bytes_ + pulls.size() * sizeof(DensePull);
  }

  DenseRound round_of(const DenseProgram& program, std::size_t number) const {
    const DenseStep& step = program.steps[number];
    DenseRound round;
    round.shape = step.shape;
    round.classes = dense_classes(step.shape);
    round.pulls = pulls_.data() + first_pull_[number];
    round.pull_count = static_cast<std::uint32_t>(step.pulls.size());
    round.removed = removed_.data() + first_removed_[number];
    round.removed_count = static_cast<std::uint32_t>(step.removed.size());
    return round;
  }

  void make_step(const DenseStep& step, const DenseRound& round, std::uint64_t from, std::uint64_t to,
                 std::uint64_t& queued, const StopSignal& stop) {
    const std::uint64_t most = device_.gpu().emulated ? frontier_tuning::dense_launch_values_emulated
                                                      : frontier_tuning::dense_launch_values;
    // Of a state, all kinds of predecessors counted.
    const std::uint64_t values = 1 + step.pulls.size();
    DenseLaunch launch{round, tables_, 0, 0};
    for (std::uint64_t left = step.to_states; left > 0;) {
      stop.check();
      const std::uint64_t states = next_launch(launch, most / values);
      for (const std::uint32_t c : taken_) columns_[c]->pull(launch, from, to);
      ++statistics_.slices;
      left -= states;
      queued += states * values * taken_.size();
      if (queued < most / 2) continue;
      device_.wait();
      queued = 0;
    }
  }
  /// From where the launch ended so far, one high part or more, of at most so many states; how many states.
  static std::uint64_t next_launch(DenseLaunch& launch, std::uint64_t most) {
    launch.first = launch.last;
    const DenseClasses& classes = launch.round.classes;
    std::uint64_t states = 0;
    for (std::uint32_t c = 0; c < classes.count; ++c) {
      if (launch.last >= classes.first[c + 1]) continue;
      const std::uint64_t run = dense_run(launch.round.shape, classes.least + c);
      const std::uint64_t fit = most > states ? (most - states) / run : 0;
      const std::uint64_t more =
          std::min(classes.first[c + 1] - launch.last, std::max<std::uint64_t>(fit, states == 0 ? 1 : 0));
      launch.last += more;
      states += more * run;
      if (launch.last < classes.first[c + 1]) break;
    }
    return states;
  }

  const Device& device_;
  const Arithmetic& arithmetic_;
  ValueBytes bytes_;                  // of a state, modulo each modulus
  std::vector<std::uint32_t> taken_;  // the moduli of the run at hand
  std::uint64_t value_bytes_ = 0;     // of a state, modulo these
  std::uint32_t low_bits_;
  std::vector<std::unique_ptr<DenseColumn>> columns_;
  FrontierDeviceStatistics statistics_;
  std::uint64_t states_ = 0;  // that there is room for

  DenseTables tables_;
  DeviceTables<Device> memory_{device_};
  std::vector<std::size_t> first_pull_;  // of every step
  std::vector<std::size_t> first_removed_;
  typename Device::template Buffer<DensePull> pulls_;
  typename Device::template Buffer<std::uint8_t> removed_;
};

}  // namespace countpm
