#include "src/estimate/sample_worker.hpp"

#include <fmt/format.h>

#include <limits>
#include <mutex>
#include <optional>
#include <utility>

#include "graph/clock.hpp"
#include "graph/errors.hpp"
#include "src/estimate/make_samplers.hpp"
#include "src/estimate/planned_samplers.hpp"
#include "src/input/with_graph.hpp"
#include "src/run/scheduler.hpp"

namespace countpm {
namespace {

const char* const this_worker = "this worker";

/// Limits of time are those of whoever leads.
CountOptions led_elsewhere(CountOptions options) {
  options.time_limit_seconds = std::numeric_limits<double>::infinity();
  options.progress = {};
  options.checkpoint = {};
  options.device = "cpu";
  options.gpus = 0;
  return options;
}

/// An order's samples, on threads.
class OrderedSamples : public Work {
 public:
  OrderedSamples(const BlockSampler& sampler, Monitor& monitor) : sampler_(sampler), monitor_(monitor) {}

  void draw(SampleBatch& batch, int threads) {
    Scheduler scheduler(*this, 0, threads, monitor_.stop_signal());
    scheduler.put(0, batch.range);
    scheduler.run();
    monitor_.throw_if_stopped();
    batch.moments = std::move(moments_);
    batch.seconds = seconds_;
  }

 private:
  Pace on_cpu(std::size_t) const override {
    constexpr double share_seconds = 0.05;
    Pace pace;
    pace.seconds = share_seconds;
    return pace;
  }
  void run(std::size_t, const UnitRange& range) override {
    const double start = seconds_now();
    const SampleMoments some = sampler_.run(range.first, range.size(), monitor_.stop_signal());
    const std::lock_guard lock(mutex_);
    moments_.join(some);
    seconds_ += seconds_now() - start;
  }
  void stop_others() override { monitor_.request_stop(); }

  const BlockSampler& sampler_;
  Monitor& monitor_;
  std::mutex mutex_;
  SampleMoments moments_;
  double seconds_ = 0;
};

}  // namespace

SampleWorker::SampleWorker(ReadResult read, const std::string& plan, const CountOptions& count_options,
                           const EstimateOptions& options) {
  const CountOptions own = led_elsewhere(count_options);
  header_ = parse_journal(plan, "the plan").header;
  refuse_other_plan(header_, own, this_worker);
  with_graph(std::move(read), own, [&](Monitor& monitor, ReadResult checked) {
    std::optional<GraphToSample> graph = graph_to_sample(std::move(checked), own, monitor);
    if (!graph)
      throw InputError("the plan", 0, "a graph with perfect matchings", "one without: the graph is another");
    sampled_ = planned_samplers(*std::move(graph), header_, options, own.seed);
    check_samplers(sampled_, header_, this_worker);
    Resources resources = resources_for(own);
    std::vector<std::string> notes;
    fit_threads_to_samplers(sampled_, resources, notes);
    threads_ = resources.threads;
    return true;
  });
}

std::string SampleWorker::run(std::size_t series, const UnitRange& samples,
                              const CountOptions& options) const {
  const SampledBlock* const block = series_of(sampled_, series);
  if (block == nullptr || samples.first >= samples.last || samples.last > most_samples_of_a_series)
    throw UsageError(
        fmt::format("the plan has no samples {} to {} of series {}", samples.first, samples.last, series));
  const CountOptions own = led_elsewhere(options);
  Monitor monitor(own);
  return monitor.explained([&] {
    SampleBatch batch;
    batch.series = series;
    batch.range = samples;
    OrderedSamples(block->sampler, monitor).draw(batch, threads_);
    return batch_line(header_, batch);
  });
}

}  // namespace countpm
