// Many graphs: of one file, and counted some at a time.
#include <algorithm>
#include <memory>
#include <utility>

#include "graph/formats/graph_entries.hpp"
#include "src/api/entries.hpp"
#include "src/count/direct_count.hpp"
#include "src/input/report.hpp"
#include "src/input/sound_options.hpp"
#include "src/library/countpm.hpp"
#include "src/machine/jobs.hpp"
#include "src/run/ordered_work.hpp"

namespace countpm {
namespace {

struct ManyTask {
  std::optional<ReadResult> read;
  std::exception_ptr failure;  // in its place
};
struct ManyAnswer {  // NOLINT(bugprone-exception-escape): numbers are moved by swapping
  ManyTask task;
  std::optional<EachResult> result;  // nothing: it is to be counted alone
};

/// Runs the work; what it throws is the answer, but for what ends everything.
template <class Work>
EachResult result_or_failure(const Work& work) {
  try {
    return work();
  } catch (const Stopped&) {
    throw;
  } catch (const InterruptedError&) {
    throw;
  } catch (const std::exception&) {
    return std::current_exception();
  }
}

class ManyCounts {
 public:
  ManyCounts(const NextInput& next, const Options& options, int jobs) : next_(next) {
    static_cast<Options&>(all_) = options;
    check_options(all_, true);
    jobs_ = share_jobs(all_, jobs);
  }

  std::uint64_t run(const EachSink& sink) {
    std::uint64_t number = 0;
    OrderedWork<ManyTask, ManyAnswer> work(
        static_cast<std::size_t>(jobs_.number), [this] { return fetch(); },
        [this](ManyTask task) { return answer(std::move(task)); });
    // Asked only while run() runs.
    // cppcheck-suppress danglingLifetime
    jobs_.options.interrupted = [&work] { return work.stop_signal().requested(); };
    const auto look = [this] {
      if (all_.interrupted && all_.interrupted()) throw InterruptedError("interrupted");
    };
    work.run(
        [&](ManyAnswer found) {
          look();
          if (!found.result)
            found.result =
                result_or_failure([&]() -> EachResult { return count(*std::move(found.task.read), all_); });
          return sink(++number, *std::move(found.result));
        },
        look);
    return number;
  }

 private:
  std::optional<ManyTask> fetch() {
    ManyTask task;
    try {
      std::optional<Input> input = next_();
      if (!input) return std::nullopt;
      task.read = input->ask(
          [](const Source& source, const ReadOptions& options) { return read_graph(source, options); },
          [](const ReadResult& known) { return known; });
    } catch (const InputError&) {
      task.failure = std::current_exception();
    }
    return task;
  }

  ManyAnswer answer(ManyTask task) const {
    ManyAnswer answer;
    if (task.failure) {
      answer.result = task.failure;
    } else if (std::optional<CountResult> found = direct_count(*task.read, all_);
               found && found->count != "0") {
      answer.result = *std::move(found);
    } else if (jobs_.beside &&
               (jobs_.together || task.read->graph.left_labels.size() <= most_vertices_beside_others)) {
      answer.result =
          result_or_failure([&]() -> EachResult { return count(ReadResult(*task.read), jobs_.options); });
      if (!jobs_.together && is_refusal(*answer.result)) answer.result.reset();
    }
    answer.task = std::move(task);
    return answer;
  }

  /// With more time, threads and memory it may be another matter.
  static bool is_refusal(const EachResult& result) {
    const auto* const failure = std::get_if<std::exception_ptr>(&result);
    if (failure == nullptr) return false;
    try {
      std::rethrow_exception(*failure);
    } catch (const UnableError&) {
      return true;
    } catch (const std::bad_alloc&) {
      return true;
    } catch (...) {
      return false;
    }
  }

  const NextInput& next_;
  CountOptions all_;
  Jobs jobs_;
};

}  // namespace

NextInput read_many(Source source, ReadOptions options) {
  auto entries = std::make_shared<GraphEntries>(std::move(source), options.format);
  return [entries, options = std::move(options)]() -> std::optional<Input> {
    const std::optional<GraphEntry> entry = entries->next();
    if (!entry) return std::nullopt;
    return Input(read_entry(*entry, options));
  };
}

std::uint64_t count_many(const NextInput& next, const EachSink& sink, const Options& options, int jobs) {
  require_sink(next, "inputs");
  require_sink(sink, "results");
  constexpr int most_jobs = 1024;
  if (jobs < 0 || jobs > most_jobs) throw UsageError(std::to_string(jobs) + " jobs: expected 0 to 1024");
  return ManyCounts(next, options, jobs).run(sink);
}

}  // namespace countpm
