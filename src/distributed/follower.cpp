#include "src/distributed/follower.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "graph/imaginary_unit.hpp"
#include "src/distributed/local_runners.hpp"
#include "src/distributed/protocol.hpp"
#include "src/input/report.hpp"
#include "src/journal/journal_fields.hpp"
#include "src/journal/journaled_count.hpp"
#include "src/machine/channel.hpp"
#include "src/plan/block_tasks.hpp"
#include "src/plan/planned_block.hpp"
#include "src/structure/analysis.hpp"
#include "src/structure/blocks.hpp"
#include "src/watch/monitor.hpp"

namespace countpm {
namespace {

using Json = nlohmann::json;

constexpr auto idle_nap = std::chrono::milliseconds(2);
constexpr std::uint64_t most_phases = std::uint64_t{1} << 30;

std::string host_name() {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0) return "?";
  return name.data();
}

void tell_failure(Channel& channel, const char* kind, const std::string& what) {
  const Json failure = {{"kind", kind}, {"host", host_name()}, {"what", what}};
  channel.send(0, protocol::message("failed", failure.dump(-1, ' ', false, Json::error_handler_t::replace)));
}

CountOptions here(CountOptions options) {
  options.time_limit_seconds = std::numeric_limits<double>::infinity();
  options.progress = {};
  return options;
}

class Follower {
 public:
  Follower(Source source, const ReadOptions& read_options, const CountOptions& options)
      : channel_(*options.channel),
        source_(std::move(source)),
        read_options_(read_options),
        options_(here(options)),
        monitor_(options_) {
    read_options_.hash = true;
  }

  void run() {
    monitor_.explained([this] { run_stages(); });
  }

 private:
  void run_stages() {
    if (source_.kind == Source::Kind::standard_input)
      source_ = Source::from_bytes(await_word(channel_, "input", monitor_), source_.name);
    read();
    if (!blocks_) return;  // without a perfect matching there is nothing to do
    plan(await_word(channel_, "plan", monitor_));
    while (true) run_phase(await_word(channel_, "phase", monitor_));
  }

  void read() {
    const Poll poll = [this] { monitor_.throw_if_stopped(); };
    ReadResult read = read_graph(source_, read_options_);
    info_ = read.info;
    if (info_.exact) replace_imaginary_unit(read.graph);
    instance_ = instance_of(std::move(read.graph), options_.matchings);
    std::vector<std::string> notes;
    Analysis analysis = analyse(*instance_, info_, poll, notes);
    if (analysis.violator) return;
    blocks_ = reduce_blocks(*instance_, analysis, options_.rules, poll).blocks;
  }

  void plan(const std::string& text) {
    const Journal journal = parse_journal(text, "the plan of rank 0");
    header_ = journal.header;
    if (header_.version != version())
      throw UsageError("this is countpm " + std::string(version()) + ", and rank 0 is " + header_.version);
    if (header_.sha256 != info_.sha256)
      throw UsageError("the input here, " + info_.path + ", is another than rank 0's");
    Resources resources = resources_for(options_);
    if (options_.device == "auto") resources.gpus = choose_gpus(options_);
    blocks_plans_ = plan_as_before(std::move(*blocks_), header_.blocks, info_.path, instance_->weight_kind,
                                   options_, resources, monitor_, true);
    refuse_if_beyond_limits(blocks_plans_, options_, resources, 0);
    if (!header_.recounts.empty()) {
      recounts_ = plan_recounts_as_before(blocks_plans_, header_.recounts, info_.path, instance_->weight_kind,
                                          options_, resources, monitor_, true);
      refuse_if_beyond_limits(recounts_, options_, resources, 0);
    }
    add_tasks(plans_, blocks_plans_);
    add_tasks(plans_, recounts_);
    threads_ = fitting_threads(plans_, resources.threads, resources.memory_bytes);
  }

  void run_phase(const std::string& text) {
    const fields::Json phase = fields::parse(text);
    std::vector<std::size_t> numbers;
    std::vector<Task> tasks;
    if (plans_.empty()) fields::refuse("a phase without tasks");
    for (const fields::Json& number : fields::list_at(phase, "tasks")) {
      numbers.push_back(fields::whole(number, "tasks", 0, plans_.size() - 1));
      tasks.push_back(plans_[numbers.back()]);
    }
    if (tasks.empty()) fields::refuse("a phase without tasks");
    StopSignal stop;
    LocalRunners runners(tasks, threads_, stop);
    const WorkerTraits traits = runners.traits();
    // Predicted seconds are those of rank 0.
    constexpr double most = 1e300;
    const double rate = runners.nominal_units_a_second() /
                        std::max(fields::number_at(phase, "units_a_second", 0, most), 1 / most);
    const Json ready = {{"phase", fields::whole_at(phase, "phase", 0, most_phases)},
                        {"slots", traits.slots},
                        {"lead", traits.lead_seconds},
                        {"rate", rate}};
    channel_.send(0, protocol::message("ready", ready.dump()));
    try {
      while (hear(runners, numbers)) {
        runners.rethrow();
        monitor_.throw_if_stopped();
        if (!send_results(runners, numbers)) std::this_thread::sleep_for(protocol::nap);
      }
    } catch (...) {
      stop.request();
      throw;
    }
    stop.request();
  }

  /// False: the phase is over.
  bool hear(LocalRunners& runners, const std::vector<std::size_t>& numbers) {
    while (const std::optional<Message> message = channel_.receive()) {
      const auto [word, text] = protocol::parts(message->text);
      if (word == "end") throw EndOfCount();
      if (word == "flush") return false;
      if (word != "run") throw CheckError("rank 0 says '" + countpm::quoted(word) + "' in a phase");
      const fields::Json run = fields::parse(text);
      const auto number = static_cast<std::size_t>(fields::whole_at(run, "task", 0, plans_.size() - 1));
      const auto task = std::find(numbers.begin(), numbers.end(), number);
      if (task == numbers.end()) throw CheckError("rank 0 gives units of a task of another phase");
      const std::uint64_t units = plans_[number].job->units();
      const UnitRange range{fields::whole_at(run, "first", 0, units - 1),
                            fields::whole_at(run, "last", 1, units)};
      if (range.first >= range.last) fields::refuse("no units");
      std::optional<std::uint64_t> alone;
      if (run.contains("alone")) alone = fields::whole_at(run, "alone", 0, units - 1);
      runners.give({static_cast<std::size_t>(task - numbers.begin()), range}, alone,
                   fields::number_at(run, "seconds_left", 0, 1e300));
    }
    return true;
  }

  bool send_results(LocalRunners& runners, const std::vector<std::size_t>& numbers) {
    std::string lines;
    for (LocalResult& result : runners.take_results())
      lines += record_line(header_, {numbers[result.task], std::move(result.finished)});
    if (lines.empty()) return false;
    channel_.send(0, protocol::message("results", lines));
    return true;
  }

  Channel& channel_;
  Source source_;
  ReadOptions read_options_;
  CountOptions options_;
  Monitor monitor_;
  InputInfo info_;
  std::optional<Instance> instance_;
  std::optional<std::vector<ReducedBlock>> blocks_;
  JournalHeader header_;
  std::vector<PlannedBlock> blocks_plans_;
  std::vector<PlannedBlock> recounts_;
  std::vector<Task> plans_;  // as JournalHeader::tasks()
  int threads_ = 1;
};

}  // namespace

std::string await_word(Channel& channel, const std::string& wanted, const Monitor& monitor) {
  while (true) {
    monitor.throw_if_stopped();
    const std::optional<Message> message = channel.receive();
    if (!message) {
      std::this_thread::sleep_for(idle_nap);
      continue;
    }
    auto [word, text] = protocol::parts(message->text);
    if (word == "end") throw EndOfCount();
    if (word == wanted) return text;
    if (word != "flush" && word != "run" && word != "draw" && word != "input")
      throw CheckError("rank 0 says '" + countpm::quoted(word) + "' where '" + wanted + "' is awaited");
  }
}

void tell_what_is_thrown(Channel& channel, const std::function<void()>& work) {
  try {
    work();
  } catch (const InputError& error) {
    tell_failure(channel, "usage", error.what());
  } catch (const UsageError& error) {
    tell_failure(channel, "usage", error.what());
  } catch (const UnableError& error) {
    tell_failure(channel, "unable", error.what());
  } catch (const CheckError& error) {
    tell_failure(channel, "check", error.what());
  } catch (const InterruptedError& error) {
    tell_failure(channel, "interrupted", error.what());
  } catch (const std::bad_alloc&) {
    tell_failure(channel, "unable", "out of memory");
  } catch (const nlohmann::json::exception& error) {
    tell_failure(channel, "check", std::string("rank 0 says what is no JSON: ") + error.what());
  } catch (const std::invalid_argument& error) {
    tell_failure(channel, "check", std::string("rank 0 says what cannot be: ") + error.what());
  } catch (const std::exception& error) {
    tell_failure(channel, "internal", std::string("internal fault: ") + error.what());
  }
}

void await_end(Channel& channel) {
  while (true) {
    const std::optional<Message> message = channel.receive();
    if (!message) {
      std::this_thread::sleep_for(idle_nap);
    } else if (protocol::parts(message->text).first == "end") {
      return;
    }
  }
}

ReadResult read_as_rank_0(const Source& source, const ReadOptions& read_options, Channel& channel,
                          const Monitor& monitor) {
  ReadOptions reading = read_options;
  reading.hash = true;
  if (source.kind != Source::Kind::standard_input) return read_graph(source, reading);
  return read_graph(Source::from_bytes(await_word(channel, "input", monitor), source.name), reading);
}

void follow(const Source& source, const ReadOptions& read_options, const CountOptions& options) {
  check_options(options);
  Follower(source, read_options, options).run();
}

void follow_to_end(Channel& channel, const std::function<void()>& work) {
  try {
    tell_what_is_thrown(channel, work);
    await_end(channel);
  } catch (const EndOfCount&) {
  }
  channel.send(0, protocol::message("bye"));
}

}  // namespace countpm
