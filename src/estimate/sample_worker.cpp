#include "src/estimate/sample_worker.hpp"

#include <fmt/format.h>

#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "graph/clock.hpp"
#include "graph/errors.hpp"
#include "kernels/support/spare_threads.hpp"
#include "src/estimate/guarantee.hpp"
#include "src/estimate/replicates.hpp"
#include "src/input/with_graph.hpp"
#include "src/run/scheduler.hpp"
#include "src/sampling/make_samplers.hpp"
#include "src/sampling/planned_samplers.hpp"
#include "src/sampling/split_blocks.hpp"

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

/// A replicate's plan has a seed of its own.
std::uint64_t seed_of_plan(const JournalHeader& plan, const CountOptions& own, std::uint64_t replicates) {
  for (std::uint64_t k = 0; plan.estimate && k < replicates; ++k) {
    if (plan.estimate->seed == seed_of_replicate(own.seed, k)) return plan.estimate->seed;
  }
  return own.seed;
}

/// An order's samples, on threads.
class OrderedSamples : public Work {
 public:
  OrderedSamples(const SampleDrawer& drawer, Monitor& monitor) : drawer_(drawer), monitor_(monitor) {}

  void draw(SampleBatch& batch, int threads) {
    Scheduler scheduler(*this, 0, threads, monitor_.stop_signal());
    scheduler.put(0, batch.range);
    scheduler.run();
    monitor_.throw_if_stopped();
    for (auto& [first, part] : parts_) {
      batch.moments.join(part.moments);
      batch.hits.insert(batch.hits.end(), part.hits.begin(), part.hits.end());
      batch.ln_weights.insert(batch.ln_weights.end(), part.ln_weights.begin(), part.ln_weights.end());
      batch.seconds += part.seconds;
    }
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
    SampleBatch part;
    part.range = range;
    drawer_.draw(part, monitor_.stop_signal());
    part.seconds = seconds_now() - start;
    const std::lock_guard lock(mutex_);
    parts_.emplace(range.first, std::move(part));
  }
  void stop_others() override { monitor_.request_stop(); }

  const SampleDrawer& drawer_;
  Monitor& monitor_;
  std::mutex mutex_;
  std::map<std::uint64_t, SampleBatch> parts_;  // by the first of their samples
};

}  // namespace

SampleWorker::SampleWorker(ReadResult read, const std::string& plan, const CountOptions& count_options,
                           const EstimateOptions& options) {
  CountOptions own = led_elsewhere(count_options);
  header_ = parse_journal(plan, "the plan").header;
  own.seed = seed_of_plan(header_, own, options.replicates);
  refuse_other_plan(header_, own, this_worker);
  with_graph(GraphQuestion::estimate, std::move(read), own, [&](Monitor& monitor, ReadResult checked) {
    std::optional<GraphToSample> graph = graph_to_sample(std::move(checked), own, monitor);
    if (!graph)
      throw InputError("the plan", 0, "a graph with perfect matchings", "one without: the graph is another");
    Resources resources = resources_for(own);
    if (options.guarantee) {
      threads_ = resources.threads;
      make_all_trials(
          sampled_as_before(std::move(graph->reduced), header_.blocks, graph->weight_kind, "the plan"),
          own.seed, monitor);
      return true;
    }
    const SpareThreads spare(resources.threads);
    std::vector<SampledBlock> sampled = planned_samplers(*std::move(graph), header_, options, own.seed);
    check_samplers(sampled, header_, this_worker);
    std::vector<std::string> notes;
    fit_threads_to_samplers(sampled, resources, notes);
    threads_ = resources.threads;
    make_all_samplers(std::move(sampled), static_cast<bool>(options.weights));
    return true;
  });
}

void SampleWorker::make_all_samplers(std::vector<SampledBlock> sampled, bool weights) {
  sampled_ = std::move(sampled);
  for (std::size_t series = 0; series < series_a_block * sampled_.size(); ++series) {
    const SampledBlock* const block = series_of(sampled_, series);
    auto drawer = block != nullptr ? std::make_unique<BlockDrawer>(block->sampler) : nullptr;
    if (drawer && weights && series % series_a_block == 0) drawer->keep_weights();
    drawers_.push_back(std::move(drawer));
  }
}

void SampleWorker::make_all_trials(const std::vector<AnyBlock>& hard, std::uint64_t seed, Monitor& monitor) {
  const std::vector<const JournalSampling*> planned = header_.samplings();
  guaranteed_ = guaranteed_blocks(hard, seed, threads_, monitor);
  drawers_.resize(series_a_block * hard.size());
  for (std::size_t b = 0; b < hard.size(); ++b) {
    drawers_[series_a_block * b] = std::make_unique<TrialDrawer>(
        guaranteed_[b], share_bits_of(planned.at(b)->sampler, this_worker), trial_means_);
  }
}

std::string SampleWorker::run(std::size_t series, const UnitRange& samples,
                              const CountOptions& options) const {
  const SampleDrawer* const drawer = series < drawers_.size() ? drawers_[series].get() : nullptr;
  if (drawer == nullptr || samples.first >= samples.last || samples.last > most_samples_of_a_series)
    throw UsageError(
        fmt::format("the plan has no samples {} to {} of series {}", samples.first, samples.last, series));
  const CountOptions own = led_elsewhere(options);
  Monitor monitor(own);
  return monitor.explained([&] {
    SampleBatch batch;
    batch.series = series;
    batch.range = samples;
    OrderedSamples(*drawer, monitor).draw(batch, threads_);
    return batch_line(header_, batch);
  });
}

}  // namespace countpm
