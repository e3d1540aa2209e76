#include "src/estimate/follow_estimate.hpp"

#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "graph/errors.hpp"
#include "src/distributed/follower.hpp"
#include "src/distributed/local_samplers.hpp"
#include "src/distributed/protocol.hpp"
#include "src/estimate/check_options.hpp"
#include "src/estimate/make_samplers.hpp"
#include "src/estimate/planned_samplers.hpp"
#include "src/input/report.hpp"
#include "src/journal/journal_fields.hpp"
#include "src/journal/journaled_count.hpp"
#include "src/machine/channel.hpp"
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
    sampled_ = planned_samplers(*std::move(graph), blocks, options_, count_options_.seed);
    Resources resources = resources_for(own_device());
    std::vector<std::string> notes;
    fit_threads_to_samplers(sampled_, resources, notes);
    threads_ = resources.threads;
    if (options_.device != "cpu") gpus_ = choose_gpus(own_device());
    header_ = header_of(await_word(channel_, "samplers", monitor_));
    check_samplers(sampled_, header_, this_rank);
    const WorkerTraits traits = LocalSamplers::traits_of(
        drawing_threads(threads_, options_.device != "gpu", gpus_.size()), gpus_.size());
    const Json ready = {{"slots", traits.slots}, {"lead", traits.lead_seconds}};
    channel_.send(0, protocol::message("ready", ready.dump()));
  }

  bool has_some() const { return !sampled_.empty(); }

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
    Drawing(const SampledBlock& block, const SampleGrid& of, double seconds_a_sample,
            const SampleMeans& means)
        : grid(of), samplers(block.sampler, of, seconds_a_sample, means, stop) {}
    ~Drawing() { stop.request(); }
    Drawing(const Drawing&) = delete;
    Drawing& operator=(const Drawing&) = delete;
    StopSignal stop;
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
    grid.series = fields::whole_at(order, "series", 0, series_a_block * sampled_.size());
    const fields::Json& samples = fields::list_at(order, "samples");
    grid.samples = {fields::whole(fields::nth(samples, 0), "samples", 0, fields::most_samples),
                    fields::whole(fields::nth(samples, 1), "samples", 1, fields::most_samples)};
    grid.size = fields::whole_at(order, "size", 1, fields::most_samples);
    SampledBlock* const block = series_of(sampled_, grid.series);
    if (block == nullptr || grid.samples.first >= grid.samples.last) fields::refuse("no samples");
    const UnitRange pieces{fields::whole_at(order, "first", 0, grid.pieces()),
                           fields::whole_at(order, "last", 1, grid.pieces())};
    if (pieces.first >= pieces.last) fields::refuse("no samples");
    if (!drawing_ || !(drawing_->grid == grid)) {
      drawing_.reset();
      const double seconds = fields::number_at(order, "seconds_a_sample", 0, fields::most_seconds);
      // As by one process, second samplers are the CPU's.
      SampleMeans means{threads_, true};
      if (grid.series % series_a_block == 0) {
        means.cpu = options_.device != "gpu";
        means.gpus = gpus_.empty() ? nullptr : &gpus_;
        means.on_gpus = &block->on_gpus;
      }
      drawing_ = std::make_unique<Drawing>(*block, grid, seconds, means);
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
  int threads_ = 1;
  std::vector<GpuInfo> gpus_;
  std::unique_ptr<Drawing> drawing_;
};

}  // namespace

void follow_estimate(const Source& source, const ReadOptions& read_options, const CountOptions& count_options,
                     const EstimateOptions& options) {
  check_estimate_options(options);
  refuse_undivided(options);
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
