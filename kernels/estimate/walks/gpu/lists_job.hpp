#pragma once
// The walks over lists that a DeviceSampler launches: a template over CudaDevice and CpuDevice.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "graph/clock.hpp"
#include "graph/errors.hpp"
#include "kernels/estimate/samples/device_sampler.hpp"
#include "kernels/estimate/walks/gpu/lists_kernel.hpp"
#include "kernels/estimate/walks/pruning.hpp"
#include "kernels/estimate/walks/walk_task.hpp"
#include "kernels/gpu/device_tables.hpp"
#include "kernels/method.hpp"

namespace countpm {

template <class Device, bool Prunes>
class DeviceLists {
 public:
  DeviceLists(const Device& device, const WalkTask& task) : device_(device) {
    const SampleMatrix& matrix = *task.matrix;
    const std::uint32_t n = matrix.rows.rows;
    ListWalkTask& own = kernel_.task;
    own.matrix.size = n;
    own.matrix.row_start = memory_.upload(matrix.rows.row_start);
    own.matrix.column = memory_.upload(matrix.rows.column);
    own.matrix.column_start = memory_.upload(matrix.columns.row_start);
    own.matrix.row = memory_.upload(matrix.columns.column);
    if (!matrix.weight.empty()) {
      own.matrix.weight = memory_.upload(matrix.weight);
      own.column_weight = memory_.upload(weights_by_column(matrix));
    }
    own.settings = task.settings;
    set_start(task);
    blocks_ = device.template blocks<Kernel>(0);
    const std::uint64_t block_bytes =
        (Kernel::bytes_a_warp(n, matrix.rows.entries()) + task.tail.bytes) * warps_a_block;
    // A quarter of the memory for the walks: more of them would not be faster, and others may need some.
    blocks_ = static_cast<unsigned>(
        std::clamp<std::uint64_t>(device.gpu().memory_bytes / 4 / block_bytes, 1, blocks_));
    own.indices = memory_.template allocate<std::uint32_t>(warps() * (4 * std::size_t{n} + 2));
    own.factors = memory_.template allocate<double>(warps() * 2 * n);
    own.tail = task.tail;
    own.tails = memory_.template allocate<std::byte>(warps() * task.tail.bytes);
    places_ = device.template allocate<ListWalkPlace>(warps());
    counters_ = device.template allocate<std::uint64_t>(2);
    own.places = places_.data();
    own.counters = counters_.data();
    if constexpr (Prunes) {
      own.pruning.own_alive = memory_.template allocate<std::uint32_t>(
          warps() * ListPruningTask::alive_words(matrix.rows.entries()));
      own.pruning.own = memory_.template allocate<std::uint32_t>(warps() * ListPruningTask::own_words(n));
    }
    const std::uint64_t turns = task.settings.scaling
                                    ? matrix.rows.entries() * std::uint64_t{task.settings.steps}
                                : Prunes ? matrix.rows.entries()
                                         : n;
    own.steps = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(few_turns / (turns + 1), 1, few_steps));
  }

  std::uint64_t few() const { return warps(); }

  /// Launches of some steps each until all is done.
  void draw(const SampleNumbers& numbers, Scaled* samples, const StopSignal& stop) {
    ListWalkTask& task = kernel_.task;
    task.numbers = numbers;
    task.samples = samples;
    device_.clear(places_);
    device_.clear(counters_);
    for (;;) {
      stop.check();
      const double start = seconds_now();
      device_.launch(kernel_, blocks_, 0);
      if (device_.download(counters_, 2)[1] == numbers.count) return;
      const double seconds = seconds_now() - start;
      const double wanted = paced(task.steps, seconds, sampling_launch_seconds, 4);
      task.steps = static_cast<std::uint32_t>(std::clamp(wanted, 1.0, most_steps));
    }
  }

 private:
  using Kernel = ListWalkKernel<Prunes>;

  // Of the first launch: some milliseconds.
  static constexpr std::uint32_t few_steps = 64;
  static constexpr std::uint64_t few_turns = std::uint64_t{1} << 20;
  static constexpr double most_steps = 1 << 24;
  static constexpr unsigned warps_a_block = Kernel::threads / 32;

  std::size_t warps() const { return std::size_t{blocks_} * warps_a_block; }

  static std::vector<double> weights_by_column(const SampleMatrix& matrix) {
    std::vector<double> result;
    if (matrix.weight.empty()) return result;
    result.reserve(matrix.weight.size());
    for (const std::uint64_t k : entries_by_column(matrix)) result.push_back(matrix.weight[k]);
    return result;
  }

  /// What begins every walk on the CPU, made once.
  void set_start(const WalkTask& task) {
    const SampleMatrix& matrix = *task.matrix;
    const std::uint32_t n = matrix.rows.rows;
    std::vector<std::uint32_t> order(n);
    std::vector<std::uint32_t> position(n);
    std::vector<std::uint32_t> degree(n);
    std::vector<std::uint32_t> bin_start(n + std::size_t{2});
    std::vector<double> row_factor(n);
    std::vector<double> column_factor(n);
    WalkMatrix view;
    view.size = n;
    view.row_start = matrix.rows.row_start.data();
    WalkState state;
    state.order = order.data();
    state.position = position.data();
    state.degree = degree.data();
    state.bin_start = bin_start.data();
    state.row_factor = row_factor.data();
    state.column_factor = column_factor.data();
    StartFactors factors;
    if (!task.start_rows.empty()) factors = {task.start_rows.data(), task.start_columns.data()};
    begin_walk(view, task.settings, factors, state);
    if constexpr (Prunes) {
      set_pruning(matrix, degree);
    } else {
      if (task.settings.least_degree && !task.settings.scan) sort_by_degree(view, state);
    }
    kernel_.task.start = {memory_.upload(order),      memory_.upload(position),
                          memory_.upload(degree),     memory_.upload(bin_start),
                          memory_.upload(row_factor), memory_.upload(column_factor)};
  }

  /// What is alive at first, and the degrees by it.
  void set_pruning(const SampleMatrix& matrix, std::vector<std::uint32_t>& degree) {
    const Pruning pruning(matrix);
    const std::uint64_t entries = matrix.rows.entries();
    const std::vector<std::uint64_t> row_place = entries_by_column(matrix);
    std::vector<std::uint64_t> column_place(entries);
    std::vector<std::uint32_t> alive(ListPruningTask::alive_words(entries));
    auto* bytes = reinterpret_cast<std::uint8_t*>(alive.data());
    for (std::uint64_t k = 0; k < entries; ++k) {
      column_place[row_place[k]] = k;
      bytes[k] = pruning.alive(k) ? 1 : 0;
      bytes[entries + k] = pruning.alive(row_place[k]) ? 1 : 0;
    }
    for (std::uint32_t i = 0; i < matrix.rows.rows; ++i) degree[i] = pruning.degree(i);
    unsigned lanes = 1;
    while (lanes < 32 && std::uint64_t{2 * lanes} * matrix.rows.rows <= entries) lanes *= 2;
    ListPruningTask& own = kernel_.task.pruning;
    own.alive = memory_.upload(alive);
    own.column_place = memory_.upload(column_place);
    own.row_place = memory_.upload(row_place);
    own.row_mate = memory_.upload(pruning.row_mate());
    own.column_mate = memory_.upload(pruning.column_mate());
    own.entries = entries;
    own.lanes_a_row = lanes;
  }

  template <class T>
  using Buffer = typename Device::template Buffer<T>;

  const Device& device_;
  DeviceTables<Device> memory_{device_};
  Kernel kernel_{};
  unsigned blocks_ = 1;
  Buffer<ListWalkPlace> places_;
  Buffer<std::uint64_t> counters_;
};

}  // namespace countpm
