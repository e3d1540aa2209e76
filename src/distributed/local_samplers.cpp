#include "src/distributed/local_samplers.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace countpm {
namespace {

// As in src/sampling/sampling.cpp: batches take about so long, those of a GPU longer.
constexpr double batch_seconds = 0.05;
constexpr double gpu_batch_seconds = 0.2;
// A piece is worth a line in a message, a fifth of what is worth the ranks; and the dispatcher has four bytes
// for each.
constexpr double least_piece_share = 0.2;
constexpr std::uint64_t most_pieces = 1 << 15;
// As in local_runners.cpp: what a rank holds beside what runs.
constexpr double sampling_lead_seconds = 0.1;
constexpr double gpu_sampling_lead_seconds = 0.5;

}  // namespace

SampleGrid SampleGrid::of(std::size_t series, const UnitRange& samples, double seconds_a_sample,
                          double worth_seconds) {
  SampleGrid grid{series, samples, 1};
  const std::uint64_t few = (samples.size() + most_pieces - 1) / most_pieces;
  const double fit = std::floor(least_piece_share * worth_seconds / std::max(seconds_a_sample, 1e-12));
  const auto largest = static_cast<double>(std::max<std::uint64_t>(samples.size(), 1));
  grid.size = std::max({few, static_cast<std::uint64_t>(std::clamp(fit, 1.0, largest)), std::uint64_t{1}});
  return grid;
}

UnitRange SampleGrid::samples_of(const UnitRange& pieces) const {
  return {std::min(samples.first + pieces.first * size, samples.last),
          std::min(samples.first + pieces.last * size, samples.last)};
}

UnitRange SampleGrid::pieces_of(const UnitRange& some) const {
  if (some.first < samples.first || some.last > samples.last) return {};
  const UnitRange pieces{(some.first - samples.first) / size, (some.last - samples.first + size - 1) / size};
  const UnitRange whole = samples_of(pieces);
  return whole.first == some.first && whole.last == some.last ? pieces : UnitRange{};
}

int drawing_threads(int threads, bool cpu, std::size_t gpus) {
  if (gpus == 0) return std::max(threads, 1);
  return cpu ? threads_beside(gpus, threads) : 0;
}

LocalSamplers::LocalSamplers(SampleDrawer& drawer, const SampleGrid& grid, double seconds_a_sample,
                             const SampleMeans& means, const StopSignal& stop)
    : drawer_(drawer),
      grid_(grid),
      expected_seconds_(seconds_a_sample * static_cast<double>(grid.size)),
      stop_(stop),
      scheduler_(*this, drawer.gpus(), drawing_threads(means.threads, means.cpu, drawer.gpus()), stop) {
  scheduler_.put(0, {});  // so that there is a task, whether anything is drawn or not
  scheduler_.start();
}

WorkerTraits LocalSamplers::traits_of(int cpu_threads, std::size_t gpus) {
  WorkerTraits traits;
  traits.slots = std::max(static_cast<unsigned>(gpus) + static_cast<unsigned>(cpu_threads), 1U);
  traits.lead_seconds = gpus == 0 ? sampling_lead_seconds : gpu_sampling_lead_seconds;
  traits.rate = traits.slots;
  return traits;
}

void LocalSamplers::give(const UnitRange& pieces, double seconds_left) {
  scheduler_.expect_end(seconds_left);
  scheduler_.put(0, pieces);
}

std::vector<LocalSamplers::Drawn> LocalSamplers::take_results() {
  const std::lock_guard lock(mutex_);
  return std::exchange(results_, {});
}

Pace LocalSamplers::on_cpu(std::size_t) const {
  Pace pace;
  pace.seconds = batch_seconds;
  if (expected_seconds_ > 0) pace.rate = 1 / expected_seconds_;
  return pace;
}

GpuRunner LocalSamplers::on_gpu(std::size_t, std::size_t gpu) {
  GpuRunner runner;
  runner.pace.seconds = gpu_batch_seconds;
  runner.pace.least = (drawer_.few_on(gpu) + grid_.size - 1) / grid_.size;
  runner.run = [this, gpu](const UnitRange& pieces) {
    timed(pieces, true, [&](SampleBatch& batch) { drawer_.draw_on(gpu, batch, stop_); });
  };
  return runner;
}

void LocalSamplers::run(std::size_t, const UnitRange& pieces) {
  timed(pieces, false, [&](SampleBatch& batch) { drawer_.draw(batch, stop_); });
}

template <class Draw>
void LocalSamplers::timed(const UnitRange& pieces, bool by_gpu, const Draw& draw) {
  const double start = seconds_now();
  Drawn drawn;
  drawn.by_gpu = by_gpu;
  drawn.batch.series = grid_.series;
  drawn.batch.range = grid_.samples_of(pieces);
  draw(drawn.batch);
  drawn.batch.seconds = seconds_now() - start;
  const std::lock_guard lock(mutex_);
  results_.push_back(std::move(drawn));
}

}  // namespace countpm
