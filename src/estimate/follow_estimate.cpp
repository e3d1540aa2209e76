#include "src/estimate/follow_estimate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "graph/errors.hpp"
#include "kernels/support/spare_threads.hpp"
#include "src/distributed/follower.hpp"
#include "src/distributed/local_samplers.hpp"
#include "src/distributed/protocol.hpp"
#include "src/estimate/guarantee.hpp"
#include "src/input/report.hpp"
#include "src/journal/journal_fields.hpp"
#include "src/journal/journaled_count.hpp"
#include "src/machine/channel.hpp"
#include "src/sampling/check_options.hpp"
#include "src/sampling/make_samplers.hpp"
#include "src/sampling/planned_samplers.hpp"
#include "src/sampling/split_blocks.hpp"
#include "src/watch/monitor.hpp"

namespace countpm {
namespace {

using Json = nlohmann::json;

const char* const this_rank = "this rank";

CountOptions own_options(CountOptions options) {
  options.time_limit_seconds = std::numeric_limits<double>::infinity();
  options.progress = {};
  options.checkpoint = {};
  return options;
}

/// One rank's samplers, and what it draws by them.
class FollowingSamplers {
 public:
  FollowingSamplers(Channel& channel, const CountOptions& count_options, const EstimateOptions& options,
                    Monitor& monitor)
      : channel_(channel), count_options_(count_options), options_(options), monitor_(monitor) {}

  void get_ready(ReadResult read) {
    const InputInfo input = read.info;
    std::optional<GraphToSample> graph = graph_to_sample(std::move(read), count_options_, monitor_);
    if (!graph) return;
    const JournalHeader blocks = header_of(await_word(channel_, "plan", monitor_));
    refuse_other_plan(blocks, count_options_, this_rank);
    const JournalHeader own = journal_header(input, {}, {}, count_options_);
    if (blocks.sha256 != own.sha256 || (input.lattice && blocks.input != own.input))
      throw UsageError("the input here, " + input.path + ", is another than rank 0's");
    Resources resources = resources_for(own_device());
    if (options_.guarantee) {
      make_all_trials(*std::move(graph), blocks, resources.threads);
    } else {
      const SpareThreads spare(resources.threads);
      sampled_ = planned_samplers(*std::move(graph), blocks, options_, count_options_.seed);
      std::vector<std::string> notes;
      fit_threads_to_samplers(sampled_, resources, notes);
    }
    means_.threads = resources.threads;
    means_.cpu = options_.device != "gpu";
    if (options_.device != "cpu" && !options_.weights) means_.gpus = choose_gpus(own_device());
    header_ = header_of(await_word(channel_, "samplers", monitor_));
    if (options_.guarantee) {
      check_trials();
    } else {
      check_samplers(sampled_, header_, this_rank);
    }
    const WorkerTraits traits = LocalSamplers::traits_of(
        drawing_threads(means_.threads, means_.cpu, means_.gpus.size()), means_.gpus.size());
    const Json ready = {{"slots", traits.slots}, {"lead", traits.lead_seconds}};
    channel_.send(0, protocol::message("ready", ready.dump()));
  }

  bool has_some() const { return !sampled_.empty() || !guaranteed_.empty(); }

  /// Until rank 0 ends it.
  [[noreturn]] void draw() {
    PatientNap nap;
    while (true) {
      monitor_.throw_if_stopped();
      const bool heard = hear();
      if (drawing_) drawing_->samplers.rethrow();
      if (send_results() || heard) {
        nap.reset();
      } else {
        nap.sleep();
      }
    }
  }

 private:
  /// What draws the samples of a round.
  struct Drawing {
    Drawing(std::unique_ptr<SampleDrawer> own, const SampleGrid& of, double seconds_a_sample,
            const SampleMeans& means)
        : drawer(std::move(own)), grid(of), samplers(*drawer, of, seconds_a_sample, means, stop) {}
    ~Drawing() { stop.request(); }
    Drawing(const Drawing&) = delete;
    Drawing& operator=(const Drawing&) = delete;
    StopSignal stop;
    std::unique_ptr<SampleDrawer> drawer;
    SampleGrid grid;
    LocalSamplers samplers;
  };

  static JournalHeader header_of(const std::string& text) {
    return parse_journal(text, "the plan of rank 0").header;
  }

  /// As the options of the estimate say.
  CountOptions own_device() const {
    CountOptions options = count_options_;
    options.device = options_.device;
    options.gpus = options_.gpus;
    return options;
  }

  void make_all_trials(GraphToSample graph, const JournalHeader& blocks, int threads) {
    const std::vector<AnyBlock> hard =
        sampled_as_before(std::move(graph.reduced), blocks.blocks, graph.weight_kind, "the plan");
    guaranteed_ = guaranteed_blocks(hard, count_options_.seed, threads, monitor_);
  }

  void check_trials() const {
    for (const JournalSampling* const sampling : header_.samplings())
      share_bits_of(sampling->sampler, this_rank);
  }

  /// What draws samples of that series, and by how much of this machine.
  std::pair<std::unique_ptr<SampleDrawer>, SampleMeans> drawer_of(std::size_t series,
                                                                  const fields::Json& order) {
    if (options_.guarantee) {
      if (series % series_a_block != 0 || series / series_a_block >= guaranteed_.size())
        fields::refuse("no trials");
      const auto share_bits =
          static_cast<unsigned>(fields::whole_at(order, "share_bits", 0, RejectionTrials::most_share_bits));
      return {std::make_unique<TrialDrawer>(guaranteed_[series / series_a_block], share_bits, means_),
              SampleMeans{means_.threads, means_.cpu}};
    }
    SampledBlock* const block = series_of(sampled_, series);
    if (block == nullptr) fields::refuse("no samples");
    // As by one process, second samplers are the CPU's.
    if (series % series_a_block != 0)
      return {std::make_unique<BlockDrawer>(block->sampler), SampleMeans{means_.threads, true}};
    auto drawer = std::make_unique<BlockDrawer>(block->sampler, &means_.gpus, &block->on_gpus);
    if (options_.weights) drawer->keep_weights();
    return {std::move(drawer), SampleMeans{means_.threads, means_.cpu}};
  }

  bool hear() {
    const std::optional<Message> message = channel_.receive();
    if (!message) return false;
    const auto [word, text] = protocol::parts(message->text);
    if (word == "end") throw EndOfCount();
    if (word == "flush") {
      drawing_.reset();
    } else if (word == "draw") {
      take(fields::parse(text));
    } else {
      throw CheckError("rank 0 says '" + countpm::quoted(word) + "' to a rank that draws samples");
    }
    return true;
  }

  void take(const fields::Json& order) {
    constexpr double most_seconds_of_all = 1e300;
    SampleGrid grid;
    grid.series =
        fields::whole_at(order, "series", 0, series_a_block * std::max(sampled_.size(), guaranteed_.size()));
    const fields::Json& samples = fields::list_at(order, "samples");
    grid.samples = {fields::whole(fields::nth(samples, 0), "samples", 0, fields::most_samples),
                    fields::whole(fields::nth(samples, 1), "samples", 1, fields::most_samples)};
    grid.size = fields::whole_at(order, "size", 1, fields::most_samples);
    if (grid.samples.first >= grid.samples.last) fields::refuse("no samples");
    const UnitRange pieces{fields::whole_at(order, "first", 0, grid.pieces()),
                           fields::whole_at(order, "last", 1, grid.pieces())};
    if (pieces.first >= pieces.last) fields::refuse("no samples");
    if (!drawing_ || !(drawing_->grid == grid)) {
      drawing_.reset();
      const double seconds = fields::number_at(order, "seconds_a_sample", 0, fields::most_seconds);
      auto [drawer, means] = drawer_of(grid.series, order);
      drawing_ = std::make_unique<Drawing>(std::move(drawer), grid, seconds, means);
    }
    drawing_->samplers.give(pieces, fields::number_at(order, "seconds_left", 0, most_seconds_of_all));
  }

  bool send_results() {
    if (!drawing_) return false;
    std::string lines;
    for (const LocalSamplers::Drawn& drawn : drawing_->samplers.take_results())
      lines += batch_line(header_, drawn.batch);
    if (lines.empty()) return false;
    channel_.send(0, protocol::message("results", lines));
    return true;
  }

  Channel& channel_;
  const CountOptions& count_options_;
  const EstimateOptions& options_;
  Monitor& monitor_;
  JournalHeader header_;
  std::vector<SampledBlock> sampled_;
  std::vector<GuaranteedBlock> guaranteed_;  // in their place
  TrialMeans means_;                         // of samples, too
  std::unique_ptr<Drawing> drawing_;
};

}  // namespace

void follow_estimate(const Source& source, const ReadOptions& read_options, const CountOptions& count_options,
                     const EstimateOptions& options) {
  check_estimate_options(options);
  const CountOptions own = own_options(monitored(count_options, options));
  check_options(own);
  check_device(own, options);
  Monitor monitor(own);
  monitor.explained([&] {
    Source given = source;
    if (given.kind == Source::Kind::standard_input)
      given = Source::from_bytes(await_word(*own.channel, "input", monitor), given.name);
    ReadOptions reading = read_options;
    reading.hash = true;
    FollowingSamplers following(*own.channel, own, options, monitor);
    following.get_ready(read_graph(given, reading));
    if (following.has_some()) following.draw();
  });
}

}  // namespace countpm
