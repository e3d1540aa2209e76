#include "src/series/count_series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <limits>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <system_error>
#include <utility>

#include "graph/clock.hpp"
#include "graph/formats/graph_entries.hpp"
#include "graph/lattices/lattice.hpp"
#include "src/count/direct_count.hpp"
#include "src/count/ln_z.hpp"
#include "src/distributed/rank_jobs.hpp"
#include "src/input/report.hpp"
#include "src/machine/jobs.hpp"
#include "src/run/ordered_work.hpp"
#include "src/watch/rate_meter.hpp"

namespace countpm {
namespace {

// As src/machine/jobs.hpp has it for vertices.
constexpr std::uint64_t most_bytes_beside_others = std::uint64_t{1} << 18U;
constexpr double progress_period_seconds = 0.2;

/// A graph that is to be counted.
struct SeriesTask {
  SeriesItem item;
  GraphEntry entry;
  std::size_t number = 0;  // of its item, from 1
  double share = -1;       // of the series, what lies before it; < 0 where that is not known
  std::optional<std::uint64_t> vertices = {};  // once it has been read
  std::optional<std::uint64_t> edges = {};
};

struct SeriesAnswer {
  SeriesTask task;
  double share = -1;
  std::optional<SeriesRow> row;  // nothing: it is to be counted alone
};

/// The graphs of all items, one after another.
class SeriesGraphs {
 public:
  /// wait_seconds: for each graph, where it comes through a pipe.
  SeriesGraphs(const Series& series, const ReadOptions& read, double wait_seconds)
      : series_(series), read_(read), wait_seconds_(wait_seconds) {}

  std::optional<SeriesTask> next() {
    for (;;) {
      if (!entries_) {
        if (at_ == series_.items.size()) return std::nullopt;
        const SeriesItem& item = series_.items[at_];
        if (item.failure || is_left_out(item.group)) {
          ++at_;
          if (item.failure) return SeriesTask{item, {}, at_, share()};
          continue;
        }
        entries_ =
            std::make_unique<GraphEntries>(Source::from_argument(item.input), read_.format, wait_seconds_);
      }
      SeriesTask task{series_.items[at_], {}, at_ + 1, share()};
      // As errors call it; and "-" would be a formula in a spreadsheet.
      if (task.item.input == "-") task.item.input = Source::from_argument("-").name;
      try {
        std::optional<GraphEntry> entry = entries_->next();
        if (entry) {
          task.entry = std::move(*entry);
          if (!task.entry.alone)
            task.item.input += task.entry.line > 0 ? fmt::format(":{}", task.entry.line)
                                                   : fmt::format("#{}", task.entry.number);
          return task;
        }
      } catch (const InputError& error) {
        task.item.failure = SeriesFailure{SeriesFailure::Kind::input, error.what(), error};
      } catch (const UnableError& error) {
        task.item.failure = SeriesFailure{SeriesFailure::Kind::unable, error.what(), std::nullopt};
      }
      entries_.reset();
      ++at_;
      if (task.item.failure) return task;
    }
  }

  /// Nothing more of the group. From any thread.
  void leave_out(std::size_t group) {
    const std::lock_guard lock(mutex_);
    left_out_.insert(group);
  }

 private:
  bool is_left_out(std::size_t group) {
    const std::lock_guard lock(mutex_);
    return left_out_.contains(group);
  }

  /// Every item as much as another.
  double share() const {
    const std::optional<double> own = entries_ ? entries_->share() : std::optional<double>(0);
    if (!own) return -1;
    return (static_cast<double>(at_) + *own) / static_cast<double>(series_.items.size());
  }

  const Series& series_;
  const ReadOptions& read_;
  double wait_seconds_;
  std::size_t at_ = 0;
  std::unique_ptr<GraphEntries> entries_;  // of the item at at_
  std::mutex mutex_;
  std::set<std::size_t> left_out_;
};

/// What `count` returns, or why it did not.
template <class Count>
SeriesRow row_or_failure(const SeriesItem& item, const Count& count) {
  try {
    return count();
  } catch (const std::exception&) {
    return series_row(item, current_failure());
  }
}

std::uint64_t vertices_of(const Graph& graph) {
  return std::uint64_t{graph.left_labels.size()} + graph.right_labels.size();
}

class SeriesCount {
 public:
  SeriesCount(const Series& series, const SeriesOptions& options)
      : series_(series), options_(options), graphs_(series, options.read, options.count.time_limit_seconds) {
    check_options(options.count, true);
    jobs_ = share_jobs(options.count, options.jobs);
    jobs_.options.channel = nullptr;
  }

  void run(const std::function<void(SeriesRow)>& row, const std::function<void()>& idle) {
    OrderedWork<SeriesTask, SeriesAnswer> work(
        static_cast<std::size_t>(jobs_.number), [this] { return graphs_.next(); },
        [this](SeriesTask task) { return answer(std::move(task)); });
    // Asked only while run() runs.
    // cppcheck-suppress danglingLifetime
    jobs_.options.interrupted = [&work] { return work.stop_signal().requested(); };
    rate_.start(0, 0);
    const auto deliver = [&](SeriesAnswer found) {
      throw_if_interrupted();
      share_ = found.share;
      if (left_out_.contains(found.task.item.group)) return true;
      if (!found.row) {
        idle();
        found.row = count_alone(found.task);
      }
      found.row->graph = found.task.entry.text;
      end_range_of(found.task, *found.row);
      ++rows_;
      row(std::move(*found.row));
      tell_progress();
      return true;
    };
    const auto wait = [&] {
      throw_if_interrupted();
      idle();
      tell_progress();
    };
    work.run(deliver, wait);
  }

 private:
  void throw_if_interrupted() const {
    if (options_.count.interrupted && options_.count.interrupted()) throw InterruptedError("interrupted");
  }

  /// On a thread of the work's.
  SeriesAnswer answer(SeriesTask task) {
    SeriesAnswer answer;
    answer.share = task.share;
    if (task.item.failure) {
      answer.row = series_row(task.item, *task.item.failure);
    } else {
      if (!is_large(task)) answer.row = count_beside_others(task);
      if (!answer.row && jobs_.together) answer.row = count_whole(task, jobs_.options);
    }
    answer.task = std::move(task);
    return answer;
  }

  /// By what is known before it is read.
  static bool is_large(const SeriesTask& task) {
    const Source& source = task.entry.source;
    if (source.kind == Source::Kind::lattice) return lattice_sites(source.name) > most_vertices_beside_others;
    if (source.kind != Source::Kind::file) return source.bytes.size() > most_bytes_beside_others;
    std::error_code none;
    return std::filesystem::file_size(source.name, none) > most_bytes_beside_others && !none;
  }

  /// Nothing where it is to be counted alone.
  std::optional<SeriesRow> count_beside_others(SeriesTask& task) const {
    const double start = seconds_now();
    std::optional<SeriesRow> row;
    const auto count_it = [&]() -> SeriesRow {
      ReadResult read = read_entry(task.entry, options_.read);
      warn_of_shape(read, options_.read, options_.count.matchings);
      task.vertices = vertices_of(read.graph);
      task.edges = read.graph.edges.size();
      if (!options_.ln_z) {
        if (std::optional<CountResult> result = direct_count(read, options_.count))
          return series_row(task.item, *result);
      }
      if (!jobs_.together && (!jobs_.beside || *task.vertices > most_vertices_beside_others))
        throw UnableError("too large beside others", "");
      return row_of(task, std::move(read), jobs_.options);
    };
    row = row_or_failure(task.item, count_it);
    // With more time, threads and memory it may be another matter.
    if (!jobs_.together && row->failure && row->failure->kind == SeriesFailure::Kind::unable)
      return std::nullopt;
    row->seconds = seconds_now() - start;
    fill_in_sizes(task, *row);
    return row;
  }

  SeriesRow row_of(const SeriesTask& task, ReadResult read, const CountOptions& options) const {
    return options_.ln_z ? series_row(task.item, ln_z(std::move(read), options))
                         : series_row(task.item, count(std::move(read), options));
  }

  SeriesRow count_whole(SeriesTask& task, const CountOptions& options) const {
    const auto count_it = [&]() -> SeriesRow {
      const Source& source = task.entry.source;
      if (!task.entry.format) {
        return options_.ln_z ? series_row(task.item, ln_z(source, options_.read, options))
                             : series_row(task.item, count(source, options_.read, options));
      }
      ReadResult read = read_entry(task.entry, options_.read);
      task.vertices = vertices_of(read.graph);
      task.edges = read.graph.edges.size();
      return row_of(task, std::move(read), options);
    };
    const double start = seconds_now();
    SeriesRow row = row_or_failure(task.item, count_it);
    if (row.failure) row.seconds = seconds_now() - start;
    fill_in_sizes(task, row);
    return row;
  }

  static void fill_in_sizes(const SeriesTask& task, SeriesRow& row) {
    if (!row.vertices) row.vertices = task.vertices;
    if (!row.edges) row.edges = task.edges;
  }

  /// On the calling thread, with all that there is.
  SeriesRow count_alone(SeriesTask& task) {
    CountOptions options = options_.count;
    if (options.progress) {
      const std::string stage =
          fmt::format("{} ({} of {})", task.item.input, task.number, series_.items.size());
      options.progress = [stage, show = options_.count.progress](const Progress& progress) {
        Progress named = progress;
        named.stage = stage;
        show(named);
      };
    }
    const RankJob job{"count", task.entry.source, task.entry.format};
    return as_job(options, job, [&](const CountOptions& own) { return count_whole(task, own); });
  }

  /// A lattice that is refused ends its range, whose others are larger.
  void end_range_of(const SeriesTask& task, SeriesRow& row) {
    if (!row.failure || row.failure->kind != SeriesFailure::Kind::unable || !task.item.size) return;
    std::size_t more = 0;
    for (std::size_t k = task.number; k < series_.items.size(); ++k)
      more += series_.items[k].group == task.item.group ? 1 : 0;
    if (more == 0) return;
    left_out_.insert(task.item.group);
    graphs_.leave_out(task.item.group);
    row.failure->message += fmt::format("; its range stops there, {} more left out", more);
  }

  /// Of the series as a whole; while one is counted alone, that tells its own.
  void tell_progress() {
    if (!options_.count.progress) return;
    const double elapsed = seconds_now() - start_;
    if (elapsed - told_ < progress_period_seconds) return;
    told_ = elapsed;
    Progress progress;
    progress.stage = fmt::format("{} counted", rows_);
    progress.elapsed_seconds = elapsed;
    progress.remaining_seconds = -1;
    progress.done = share_ < 0 ? std::numeric_limits<double>::quiet_NaN() : share_;
    if (share_ > 0) {
      rate_.note(elapsed, share_);
      const RemainingTime remaining = rate_.remaining();
      progress.share_a_second = rate_.rate();
      progress.remaining_seconds = remaining.seconds;
      progress.remaining_low = remaining.low;
      progress.remaining_high = remaining.high;
    }
    options_.count.progress(progress);
  }

  const Series& series_;
  const SeriesOptions& options_;
  SeriesGraphs graphs_;
  Jobs jobs_;
  std::set<std::size_t> left_out_;  // groups that were refused
  double start_ = seconds_now();
  double told_ = 0;
  double share_ = 0;
  std::uint64_t rows_ = 0;
  RateMeter rate_;
};

}  // namespace

void count_series(const Series& series, const SeriesOptions& options,
                  const std::function<void(SeriesRow)>& row, const std::function<void()>& idle) {
  SeriesOptions own = options;
  own.read.hash = own.read.hash || own.count.channel != nullptr;
  if (own.count.channel != nullptr && own.ln_z)
    throw UsageError("ln Z is computed by one process: several ranks count");
  if (own.count.channel != nullptr && own.jobs > 0)
    throw UsageError("several ranks count large graphs together, one by one: --jobs is for one process");
  SeriesCount(series, own).run(row, idle);
}

}  // namespace countpm
