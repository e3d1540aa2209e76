#include "src/estimate/estimate_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "graph/errors.hpp"
#include "kernels/support/spare_threads.hpp"
#include "matching/loop_matching.hpp"
#include "src/checks/checks.hpp"
#include "src/estimate/guarantee.hpp"
#include "src/estimate/redraw.hpp"
#include "src/estimate/report_block.hpp"
#include "src/estimate/trial_parts.hpp"
#include "src/input/report.hpp"
#include "src/journal/checkpoint.hpp"
#include "src/journal/journaled_count.hpp"
#include "src/machine/gpu_start.hpp"
#include "src/machine/resources.hpp"
#include "src/sampling/block_key.hpp"
#include "src/sampling/check_options.hpp"
#include "src/sampling/make_samplers.hpp"
#include "src/sampling/planned_samplers.hpp"
#include "src/sampling/sampling.hpp"
#include "src/sampling/split_blocks.hpp"
#include "src/watch/monitor.hpp"

namespace countpm {
namespace {

void refuse_without_samples(const EstimateOptions& options) {
  const char* const what = options.replicates > 1 ? "an estimate of several replicates"
                           : options.weights      ? "an estimate whose samples' weights are kept"
                                                  : nullptr;
  if (what != nullptr) throw UsageError(fmt::format("{} cannot be drawn in parts", what));
  if (options.guarantee && (options.device == "gpu" || options.gpus > 0))
    throw UsageError("parts of a guarantee are drawn on the CPU: without --device gpu and --gpus");
  if (options.samples == 0 && !options.guarantee)
    throw UsageError(
        "an estimate in parts has to know how many samples there are before any is drawn, which an error to "
        "be "
        "reached does not say: give --samples N");
  if (options.samples > most_samples_of_a_series)
    throw UsageError(fmt::format("an estimate in parts has at most {} samples", most_samples_of_a_series));
}

/// Those of whoever merges have second samplers, not the parts.
EstimateOptions without_second(EstimateOptions options) {
  options.second = SecondOpinion::none;
  return options;
}

bool have_matchings(const std::vector<AnyBlock>& blocks) {
  return std::none_of(blocks.begin(), blocks.end(),
                      [](const AnyBlock& block) { return has_monomers(block) && !has_loop_matching(block); });
}

[[noreturn]] void throw_nothing_to_sample() {
  throw UnableError("nothing of this graph is left to sample",
                    "'countpm' and 'countpm estimate' have its count");
}

/// One part, of a graph that has been read.
class PartOfEstimate {
 public:
  PartOfEstimate(const CountOptions& count_options, const EstimateOptions& options, Checkpoint& checkpoint,
                 Monitor& monitor)
      : count_options_(count_options),
        options_(without_second(options)),
        checkpoint_(checkpoint),
        journal_(*checkpoint.journal()),
        monitor_(monitor) {}

  void draw(ReadResult read) {
    const std::string& file = count_options_.checkpoint.name();
    monitor_.enter("getting ready to sample");
    std::optional<GraphToSample> graph = graph_to_sample(std::move(read), count_options_, monitor_);
    if (!graph) throw_other_block(file, "blocks to sample, of a graph without perfect matchings");
    if (journal_.header.estimate->rule != random_rule)
      throw InputError(file, 2, fmt::format("random numbers by rule {}", random_rule),
                       fmt::format("those by rule {}", journal_.header.estimate->rule));
    const std::vector<AnyBlock> hard =
        sampled_as_before(std::move(graph->reduced), journal_.header.blocks, graph->weight_kind, file);
    if (options_.guarantee) return draw_trials(hard);
    Resources resources = resources_for(count_options_);
    const SpareThreads spare(resources.threads);
    std::vector<SampledBlock> sampled = make_samplers(hard, options_, count_options_.seed);
    check_samplers(sampled, journal_.header, "this machine");
    for (std::size_t b = 0; b < hard.size(); ++b)
      check_possible(journal_.drawn[b], log2_most_sample(hard[b]), file);
    std::vector<std::string> notes;
    fit_threads_to_samplers(sampled, resources, notes);
    const UnitRange share = *journal_.header.part->samples;
    checkpoint_.begin({}, progress_of(monitor_));
    for (std::size_t b = 0; b < sampled.size(); ++b) {
      sampled[b].first_sample = share.first;
      sampled[b].ledger = &checkpoint_.sample_ledger(b);
      sampled[b].drawn = sampled[b].ledger->get();
    }
    Checks checks;
    redraw_journaled_samples(
        journal_,
        [&](std::size_t b, std::uint64_t first, std::uint64_t count) {
          return sampled[b].sampler.run(share.first + first, count, monitor_.stop_signal());
        },
        resources.threads, options_.time_limit_seconds - monitor_.elapsed(), monitor_, checks);
    if (!share.empty() && !sample(sampled, share.size(), resources.threads)) refuse_unfinished();
    checkpoint_.finish_estimate();
  }

 private:
  void draw_trials(const std::vector<AnyBlock>& hard) {
    const std::string& file = count_options_.checkpoint.name();
    const JournalPart& part = *journal_.header.part;
    if (part.trials.empty()) throw InputError(file, 2, "a part of a guarantee", "one of samples");
    const int threads = resources_for(count_options_).threads;
    const std::vector<GuaranteedBlock> blocks =
        guaranteed_blocks(hard, count_options_.seed, threads, monitor_);
    checkpoint_.begin({}, progress_of(monitor_));
    Checks checks;
    redraw_journaled_samples(
        journal_,
        [&](std::size_t b, std::uint64_t first, std::uint64_t count) {
          const TrialShare& share = part.trials[b];
          SampleMoments trials;
          trials.samples = count;
          trials.nonzero =
              blocks[b]
                  .trials.hits(share.range.first + first, count, share.share_bits, monitor_.stop_signal())
                  .size();
          return trials;
        },
        threads, options_.time_limit_seconds - monitor_.elapsed(), monitor_, checks);
    draw_trials_of_part(blocks, part, checkpoint_, threads, monitor_);
    checkpoint_.finish_estimate();
  }

  bool sample(std::vector<SampledBlock>& sampled, std::uint64_t samples, int threads) {
    SamplingLimits limits;
    limits.samples = samples;
    limits.deadline_seconds = options_.time_limit_seconds;
    limits.threads = threads;
    CountOptions drawing = count_options_;
    drawing.device = options_.device;
    drawing.gpus = options_.gpus;
    limits.cpu = options_.device != "gpu";
    if (!limits.cpu) {
      for (const SampledBlock& block : sampled) {
        const std::string obstacle = block.sampler.device_obstacle();
        if (!obstacle.empty())
          throw UnableError("these samples cannot be drawn on a GPU: " + obstacle, "--device cpu draws them");
      }
    }
    if (!limits.cpu || options_.gpus > 0) limits.gpus = choose_gpus(drawing);
    if (options_.device == "auto" && options_.gpus == 0) {
      limits.more_gpus = [drawing] { return choose_gpus(drawing); };
      limits.start_gpus = [drawing] { return start_gpu_behind(drawing); };
    }
    monitor_.describe(sampler_names(sampled), 1, sampled.size());
    return sample_blocks(sampled, limits, monitor_);
  }

  [[noreturn]] void refuse_unfinished() {
    monitor_.lift_limit();
    throw UnableError(fmt::format("the time limit ended the part before all of its samples were drawn; {}",
                                  checkpoint_.close()),
                      "'countpm resume' goes on; --time-limit none has it drawn to its end");
  }

  const CountOptions& count_options_;
  EstimateOptions options_;
  Checkpoint& checkpoint_;
  const Journal& journal_;
  Monitor& monitor_;
};

}  // namespace

EstimateSplit split_estimate(const Source& source, const ReadOptions& read_options,
                             const CountOptions& count_options, const EstimateOptions& options,
                             const std::vector<std::string>& files) {
  check_estimate_options(options);
  refuse_without_samples(options);
  const CountOptions own = monitored(count_options, options);
  check_options(own);
  if (files.empty()) throw UsageError("an estimate is split into 1 part or more: there is no file to write");
  const ReadOptions reading = reading_of_parts(source, read_options);
  check_new_parts(files);
  Monitor monitor(own);
  EstimateSplit result;
  TrialsAhead trials;  // of a guarantee
  JournalHeader header = monitor.explained([&] {
    monitor.enter("reading the input");
    ReadResult read = read_graph(source, reading);
    const InputInfo input = read.info;
    std::optional<GraphToSample> graph = graph_to_sample(std::move(read), own, monitor);
    if (!graph) throw_nothing_to_sample();
    const Resources resources = resources_for(own);
    const SplitLimits limits{own, options, graph->weight_kind, resources};
    monitor.enter("planning");
    const BlockSplit split = split_blocks(std::move(graph->reduced), limits, monitor);
    if (split.hard.empty() || !have_matchings(split.hard)) throw_nothing_to_sample();
    monitor.enter("getting ready to sample");
    if (options.guarantee) {
      trials = trials_ahead(split.hard, *options.guarantee, own.seed, monitor);
      result.predicted_seconds = trials.predicted_seconds;
      return estimate_header(input, split, std::vector<std::string>(split.hard.size(), trials_plan(0)),
                             limits);
    }
    const SpareThreads spare(resources.threads);
    const std::vector<SampledBlock> sampled = make_samplers(split.hard, without_second(options), own.seed);
    std::vector<std::string> samplers;
    for (const SampledBlock& block : sampled) {
      samplers.push_back(block.sampler.plan());
      result.predicted_seconds += block.sampler.work() * 1e-9 * static_cast<double>(options.samples);
    }
    return estimate_header(input, split, samplers, limits);
  });
  header.version = version();
  result.samples = options.guarantee ? trials.trials : options.samples;
  std::vector<std::string> texts;
  for (std::size_t k = 0; k < files.size(); ++k) {
    header.id = random_journal_id();
    JournalPart part{k + 1, files.size(), {}, {}, {}};
    if (options.guarantee) {
      part.trials = trials_of_part(trials, k, files.size());
    } else {
      part.samples = share_of_part(options.samples, k, files.size());
    }
    part.share.resize(header.tasks().size());
    header.part = std::move(part);
    texts.push_back(header_lines(header));
  }
  write_parts(files, texts);
  return result;
}

void resume_estimate_part(const Source& source, const ReadOptions& read_options,
                          const CountOptions& count_options, const EstimateOptions& options) {
  check_estimate_options(options);
  refuse_without_samples(options);
  const CountOptions own = monitored(count_options, options);
  check_options(own);
  check_device(own, options);
  if (!own.checkpoint.used()) throw UsageError("a part is a checkpoint, and none is named");
  const ReadOptions reading = reading_of_parts(source, read_options);
  Monitor monitor(own);
  const std::unique_ptr<Checkpoint> checkpoint =
      monitor.explained([&] { return open_checkpoint(own.checkpoint); });
  const Journal* const journal = checkpoint->journal();
  if (journal == nullptr || !journal->header.part || !journal->header.part->of_estimate())
    throw UsageError("the checkpoint is no part of an estimate");
  annotate_interruption(checkpoint.get(), [&] {
    monitor.explained([&] {
      monitor.enter("reading the input");
      ReadResult read = read_graph(source, reading);
      monitor.throw_if_stopped();
      check_same_input(*checkpoint, read.info, own);
      PartOfEstimate(own, options, *checkpoint, monitor).draw(std::move(read));
    });
    // A part is its file, and nothing else.
    if (const std::string trouble = checkpoint->trouble(); !trouble.empty())
      throw UnableError("the part is drawn, but " + trouble, "'countpm resume' goes on with what is there");
  });
}

}  // namespace countpm
