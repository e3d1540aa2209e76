// Goals, for 10^6 units: a journal of at most 20 MB at any time, gone on with within 2 s, and a rank 0 that
// has 5 % of a core to do with it all.
//   bench_journal_units [UNITS [GPUS [HOURS [FOLDER]]]]
// Virtual GPUs of 10 % different speeds bring units, 20 % different in length, so that all take HOURS (1.3).
// What rank 0 does is done: the dispatcher, records read, the ledger, and a journal in FOLDER (where
// temporary files go), written every 20 virtual ms and anew when it has doubled, as
// src/journal/checkpoint.cpp does. In the middle the journal is gone on with: read, and made into a ledger
// and a dispatcher. CPU seconds.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <exception>
#include <filesystem>
#include <optional>
#include <queue>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bench/clock.hpp"
#include "src/api/version.hpp"
#include "src/distributed/dispatcher.hpp"
#include "src/journal/checkpoint.hpp"

namespace {

using namespace countpm;

constexpr double write_seconds = 0.02;
constexpr std::uint64_t least_rewrite_growth = std::uint64_t{1} << 18;
constexpr double lead_seconds = 1.1;

struct Journey {
  std::uint64_t units = 1'000'000;
  std::size_t gpus = 10'000;
  double hours = 1.3;
  std::string file;
  bool exact = true;
};

JournalHeader header_of(const Journey& journey) {
  JournalTask task;
  task.fingerprint = std::string(32, '0');
  task.rows = task.entries = 64;
  task.method = "ryser";
  if (journey.exact) {
    task.arithmetic.moduli = choose_primes(6);  // a 64 x 64 count has 296 bits
  } else {
    task.arithmetic.kind = Arithmetic::Kind::floating;
  }
  task.units = journey.units;
  task.predicted_seconds = journey.hours * 3600 * static_cast<double>(journey.gpus);
  JournalHeader header;
  header.version = version();
  header.id = random_journal_id();
  header.input = "lattice:square:2x2";
  header.sha256 = std::string(64, '0');
  header.blocks.push_back({true, false, {task}});
  return header;
}

class Run {
 public:
  explicit Run(const Journey& journey)
      : journey_(journey),
        header_(header_of(journey)),
        ledger_(journey.units, task().arithmetic),
        file_(journey.file),
        unit_seconds_(task().predicted_seconds / static_cast<double>(journey.units)),
        dispatcher_({{journey.units, unit_seconds_, {}}}) {
    std::normal_distribution<double> normal;
    for (std::size_t k = 0; k < journey.gpus; ++k)
      seconds_of_.push_back(unit_seconds_ * std::exp(0.1 * normal(random_)));
  }

  void show() {
    double cpu = 0;
    timed(cpu, [&] {
      rewrite(true);
      for (std::size_t gpu = 0; gpu < journey_.gpus; ++gpu) dispatcher_.add_worker({1, lead_seconds, 1}, 0);
    });
    stock_.resize(journey_.gpus);
    for (std::size_t gpu = 0; gpu < journey_.gpus; ++gpu) fill(gpu, 0, cpu);
    double now = 0;
    double written_at = 0;
    while (!dispatcher_.done()) {
      const Event event = events_.top();
      events_.pop();
      now = event.time;
      const std::string line = record_line(header_, {0, {event.range, random_value(), now}});
      timed(cpu, [&] {
        std::optional<JournalRecord> record = parse_record(header_, line.substr(0, line.size() - 1));
        if (!record || !dispatcher_.finish(event.gpu, {0, event.range}, now) ||
            !ledger_.add(std::move(record->finished)))
          throw std::logic_error("a record is not taken");
        ++records_;
        if (now - written_at < write_seconds) return;
        written_at = now;
        write();
      });
      if (ledger_.units_done() >= journey_.units / 2 && resumed_ == 0) go_on();
      begin_next(event.gpu, now);
      fill(event.gpu, now, cpu);
    }
    timed(cpu, [&] { write(); });
    fmt::print("| {} | {} | {} | {:.3g} | {} | {:.1f} | {:.1f} | {:.1f} | {:.2f} | {:.2f} | {:.2f} % |\n",
               journey_.exact ? "exact" : "floating point", journey_.units, journey_.gpus, now / 3600,
               records_, 1e-6 * static_cast<double>(largest_), 1e-6 * static_cast<double>(middle_),
               1e-6 * static_cast<double>(file_.size()), resumed_, cpu, 100 * cpu / now);
    std::fflush(stdout);
  }

 private:
  struct Event {
    double time;
    std::size_t gpu;
    UnitRange range;
    bool operator>(const Event& other) const { return time > other.time; }
  };

  template <class Work>
  static void timed(double& cpu, const Work& work) {
    const double start = bench::thread_seconds();
    work();
    cpu += bench::thread_seconds() - start;
  }

  const JournalTask& task() const { return header_.blocks[0].tasks[0]; }

  Partial random_value() {
    Partial value = zero(task().arithmetic);
    if (auto* const residues = std::get_if<Residues>(&value)) {
      for (std::size_t k = 0; k < residues->residue.size(); ++k)
        residues->residue[k] = random_() % task().arithmetic.moduli[k].prime;
    } else {
      Ball& ball = std::get<Ball>(value);
      mpfr_set_d(ball.re.get(), std::ldexp(static_cast<double>(random_()), -20), MPFR_RNDN);
      mpfr_set_d(ball.error.get(), std::ldexp(static_cast<double>(random_()), -80), MPFR_RNDN);
    }
    return value;
  }

  void begin_next(std::size_t gpu, double now) {
    if (stock_[gpu].empty()) return;
    UnitRange& front = stock_[gpu].front();
    const auto most = static_cast<std::uint64_t>(std::max(1.0, 0.5 / seconds_of_[gpu]));
    const UnitRange range{front.first, front.first + std::min(most, front.size())};
    front.first = range.last;
    if (front.empty()) stock_[gpu].pop_front();
    std::normal_distribution<double> normal;
    const double length =
        seconds_of_[gpu] * static_cast<double>(range.size()) * std::exp(0.2 * normal(random_));
    events_.push({now + length, gpu, range});
  }

  void fill(std::size_t gpu, double now, double& cpu) {
    const bool idle = stock_[gpu].empty() && dispatcher_.units_held(gpu) == 0;
    while (true) {
      std::optional<Assignment> given;
      timed(cpu, [&] { given = dispatcher_.next(gpu, now); });
      if (!given) break;
      stock_[gpu].push_back(given->range);
    }
    if (idle) begin_next(gpu, now);
  }

  void write() {
    if (file_.size() > 2 * rewritten_ + least_rewrite_growth) return rewrite(false);
    std::string text;
    for (FinishedRange& finished : ledger_.take_new()) text += record_line(header_, {0, std::move(finished)});
    if (!text.empty()) file_.append(text);
    largest_ = std::max(largest_, file_.size());
  }

  void rewrite(bool fresh) {
    std::string text = header_lines(header_);
    for (FinishedRange& finished : ledger_.take_all()) text += record_line(header_, {0, std::move(finished)});
    file_.replace(text, fresh);
    rewritten_ = file_.size();
    largest_ = std::max(largest_, file_.size());
  }

  /// What resume does until units are handed out.
  void go_on() {
    write();
    middle_ = file_.size();
    const double start = bench::thread_seconds();
    const Journal journal = read_journal(journey_.file);
    Ledger ledger(journey_.units, task().arithmetic);
    for (const JournalRecord& record : journal.records) ledger.add(record.finished);
    const Dispatcher dispatcher({{journey_.units, unit_seconds_, ledger.settled()}});
    resumed_ = bench::thread_seconds() - start;
    if (ledger.units_done() != ledger_.units_done()) throw std::logic_error("a journal lacks units");
  }

  Journey journey_;
  std::mt19937_64 random_{1};
  JournalHeader header_;
  Ledger ledger_;
  JournalFile file_;
  double unit_seconds_;
  Dispatcher dispatcher_;
  std::vector<double> seconds_of_;  // of each GPU, for a unit
  std::vector<std::deque<UnitRange>> stock_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::uint64_t records_ = 0;
  std::uint64_t largest_ = 0;
  std::uint64_t middle_ = 0;
  std::uint64_t rewritten_ = 0;
  double resumed_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  try {
    Journey journey;
    if (argc > 1) journey.units = std::strtoull(argv[1], nullptr, 10);
    if (argc > 2) journey.gpus = std::strtoull(argv[2], nullptr, 10);
    if (argc > 3) journey.hours = std::strtod(argv[3], nullptr);
    const std::filesystem::path folder = argc > 4 ? argv[4] : std::filesystem::temp_directory_path();
    journey.file = (folder / "countpm-journal-units.journal").string();
    fmt::print(
        "| arithmetic | units | GPUs | hours | records | largest, MB | in the middle, MB | at the end, MB | "
        "gone on "
        "with in, s | rank 0, s | of a core |\n|---|---|---|---|---|---|---|---|---|---|---|\n");
    for (const bool exact : {true, false}) {
      journey.exact = exact;
      std::filesystem::remove(journey.file);
      Run(journey).show();
      std::filesystem::remove(journey.file);
    }
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
