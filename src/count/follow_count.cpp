#include "src/count/follow_count.hpp"

#include <algorithm>
#include <chrono>
#include <deque>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "graph/errors.hpp"
#include "src/count/planned_count.hpp"
#include "src/distributed/follower.hpp"
#include "src/distributed/local_runners.hpp"
#include "src/distributed/protocol.hpp"
#include "src/distributed/rank_exchange.hpp"
#include "src/distributed/spread_phase.hpp"
#include "src/input/report.hpp"
#include "src/journal/journal_fields.hpp"
#include "src/journal/journaled_count.hpp"
#include "src/machine/channel.hpp"
#include "src/plan/block_tasks.hpp"
#include "src/watch/monitor.hpp"
#include "src/watch/stopwatch.hpp"

namespace countpm {
namespace {

using Json = nlohmann::json;

constexpr auto nap_until_told = std::chrono::milliseconds(2);
constexpr std::uint64_t most_phases = std::uint64_t{1} << 30;

CountOptions here(CountOptions options) {
  options.time_limit_seconds = std::numeric_limits<double>::infinity();
  options.progress = {};
  options.read = {};
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
    read_options_.letters = true;
  }

  void run() {
    monitor_.explained([this] { run_stages(); });
  }

 private:
  void run_stages() {
    if (source_.kind == Source::Kind::standard_input)
      source_ = Source::from_bytes(await_word(channel_, "input", monitor_), source_.name);
    read();
    // Without a perfect matching there is nothing to do: rank 0 says that it is over.
    plan(await({"plan"}).second);
    while (true) {
      const auto [word, text] = await({"phase", "spread"});
      if (word == "phase") {
        run_phase(text);
      } else {
        run_spread(text);
      }
    }
  }

  /// The next of these words from rank 0, and its text. What comes too late is left aside, and parts of a
  /// table that will be shared are kept.
  std::pair<std::string, std::string> await(const std::vector<std::string>& wanted) {
    while (true) {
      monitor_.throw_if_stopped();
      std::optional<Message> message;
      if (later_.empty()) {
        message = channel_.receive();
      } else {
        message = std::move(later_.front());
        later_.pop_front();
      }
      if (!message) {
        std::this_thread::sleep_for(nap_until_told);
        continue;
      }
      if (is_part(*message)) {
        early_.push_back(*std::move(message));
        continue;
      }
      auto [word, text] = protocol::parts(message->text);
      if (word == "end") throw EndOfCount();
      if (std::find(wanted.begin(), wanted.end(), word) != wanted.end()) return {word, std::move(text)};
      if (word == "room?") {
        const std::uint64_t bytes =
            reduced_ ? reduced_->resources.memory_bytes : resources_for(options_).memory_bytes;
        constexpr std::uint64_t most = ~std::uint64_t{0} >> 1U;
        channel_.send(0, protocol::message("room", Json{{"bytes", std::min(bytes, most)}}.dump()));
      } else if (word != "flush" && word != "run" && word != "input") {
        throw CheckError("rank 0 says '" + countpm::quoted(word) + "' where '" + wanted.front() +
                         "' is awaited");
      }
    }
  }

  void run_spread(const std::string& text) {
    const SpreadOrder order = parse_spread_order(text, header_.id, plans_.size());
    const std::vector<Message> early = std::exchange(early_, {});
    for (Message& message : follow_spread_phase(channel_, order, plans_[order.phase.task], early, monitor_))
      later_.push_back(std::move(message));
  }

  void read() {
    ReadResult read = read_graph(source_, read_options_);
    info_ = read.info;
    // Weights with letters have the digits that rank 0 says.
    if (read.graph.letters) {
      with_letters_ = std::move(read.graph);
    } else {
      reduce(std::move(read.graph), {});
    }
  }

  void reduce(Graph graph, const PlanBefore& before) {
    Stopwatch watch;
    reduced_.emplace(reduce_count(std::move(graph), info_, options_, watch, monitor_, before));
  }

  void plan(const std::string& text) {
    const std::string name = "the plan of rank 0";
    header_ = parse_journal(text, name).header;
    if (header_.version != version())
      throw UsageError("this is countpm " + std::string(version()) + ", and rank 0 is " + header_.version);
    if (header_.sha256 != info_.sha256)
      throw UsageError("the input here, " + info_.path + ", is another than rank 0's");
    if (with_letters_) reduce(*std::exchange(with_letters_, std::nullopt), {&header_, info_.path});
    if (!reduced_->reduced)
      throw UsageError(info_.path + " has no perfect matching here, and rank 0 counts some");
    plans_made_ = plan_as_told(*reduced_, header_, info_.path, options_, monitor_);
    add_tasks(plans_, plans_made_.blocks);
    add_tasks(plans_, plans_made_.recounts);
    threads_ = fitting_threads(plans_, reduced_->resources.threads, reduced_->resources.memory_bytes);
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
      if (is_part(*message)) {
        early_.push_back(*message);
        continue;
      }
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
  std::optional<Graph> with_letters_;  // before there is a plan
  std::optional<ReducedCount> reduced_;
  JournalHeader header_;
  ToldPlans plans_made_;
  std::vector<Task> plans_;  // as JournalHeader::tasks()
  int threads_ = 1;
  std::deque<Message> later_;   // what came while a table was shared, and is for after that
  std::vector<Message> early_;  // parts of a table that came before rank 0's word of it
};

}  // namespace

void follow(const Source& source, const ReadOptions& read_options, const CountOptions& options) {
  check_options(options, true);
  Follower(source, read_options, options).run();
}

}  // namespace countpm
