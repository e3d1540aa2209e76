#include "src/count/parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <queue>

#include "graph/errors.hpp"
#include "src/count/count_run.hpp"
#include "src/count/planned_count.hpp"
#include "src/input/report.hpp"
#include "src/journal/journaled_count.hpp"

namespace countpm {
namespace {

constexpr double pieces_a_part = 16;

struct UnitsPiece {
  std::size_t task;
  UnitRange range;
  double seconds;
};

std::vector<UnitsPiece> pieces_of(const std::vector<const JournalTask*>& tasks, std::uint64_t parts) {
  double all = 0;
  for (const JournalTask* task : tasks) all += task->predicted_seconds;
  const double most = all / (pieces_a_part * static_cast<double>(parts));
  std::vector<UnitsPiece> pieces;
  for (std::size_t k = 0; k < tasks.size(); ++k) {
    const std::uint64_t units = tasks[k]->units;
    const double unit_seconds = tasks[k]->predicted_seconds / static_cast<double>(units);
    const double fit = unit_seconds > 0 ? std::floor(most / unit_seconds) : 0;
    const auto size = static_cast<std::uint64_t>(
        std::clamp(fit, 1.0, static_cast<double>(std::max<std::uint64_t>(units, 1))));
    for (std::uint64_t first = 0; first < units; first += size) {
      const std::uint64_t last = std::min(units, first + size);
      pieces.push_back({k, {first, last}, unit_seconds * static_cast<double>(last - first)});
    }
  }
  std::stable_sort(pieces.begin(), pieces.end(),
                   [](const UnitsPiece& a, const UnitsPiece& b) { return a.seconds > b.seconds; });
  return pieces;
}

/// What a part has so far.
struct Load {
  double seconds;
  std::uint64_t pieces;
  std::uint64_t turn;  // when it was last dealt to
  std::size_t part;
};

/// Whether `a` is dealt to after `b`. Of equals the last is first, so that the deal goes to and fro and a
/// trend along the units evens out.
bool later(const Load& a, const Load& b) {
  if (a.seconds != b.seconds) return a.seconds > b.seconds;
  if (a.pieces != b.pieces) return a.pieces > b.pieces;
  if (a.turn != b.turn) return a.turn < b.turn;
  return a.part > b.part;
}

void join_neighbours(std::vector<UnitRange>& ranges) {
  std::sort(ranges.begin(), ranges.end(),
            [](const UnitRange& a, const UnitRange& b) { return a.first < b.first; });
  std::vector<UnitRange> joined;
  for (const UnitRange& range : ranges) {
    if (!joined.empty() && joined.back().last == range.first) {
      joined.back().last = range.last;
    } else {
      joined.push_back(range);
    }
  }
  ranges = std::move(joined);
}

}  // namespace

std::vector<JournalPart> deal_out(const std::vector<const JournalTask*>& tasks, std::uint64_t parts) {
  std::vector<JournalPart> result(parts);
  std::priority_queue<Load, std::vector<Load>, decltype(&later)> loads(&later);
  for (std::size_t k = 0; k < parts; ++k) {
    result[k].number = k + 1;
    result[k].of = parts;
    result[k].share.resize(tasks.size());
    loads.push({0, 0, 0, k});
  }
  std::uint64_t turn = 0;
  for (const UnitsPiece& piece : pieces_of(tasks, parts)) {
    Load load = loads.top();
    loads.pop();
    result[load.part].share[piece.task].push_back(piece.range);
    loads.push({load.seconds + piece.seconds, load.pieces + 1, ++turn, load.part});
  }
  for (JournalPart& part : result) {
    for (std::vector<UnitRange>& ranges : part.share) join_neighbours(ranges);
  }
  return result;
}

SplitResult split(const Source& source, const ReadOptions& read_options, const CountOptions& options,
                  const std::vector<std::string>& files) {
  check_options(options, true);
  if (!options.modulo.empty())
    throw UsageError("parts are of counts themselves, and not of residues modulo a number");
  if (files.empty()) throw UsageError("a count is split into 1 part or more: there is no file to write");
  ReadOptions reading = reading_of_parts(source, read_options);
  reading.letters = true;
  check_new_parts(files);
  Monitor monitor(options);
  Stopwatch watch;
  CountOptions planning = options;
  planning.checkpoint.file = files.front();  // what takes longer than the limit is planned all the same
  ReadResult read;
  const PlannedCount plan = monitor.explained([&] {
    monitor.enter("reading the input");
    read = read_graph(source, reading);
    monitor.throw_if_stopped();
    return plan_count(std::move(read.graph), read.info, planning, watch, monitor, nullptr);
  });
  JournalHeader header = journal_header(read.info, plan.blocks, plan.recounts, options);
  header.version = version();
  SplitResult result;
  const std::vector<const JournalTask*> tasks = header.tasks();
  for (const JournalTask* task : tasks) {
    result.units += task->units;
    result.predicted_seconds += task->predicted_seconds;
  }
  std::vector<std::string> texts;
  for (JournalPart& part : deal_out(tasks, files.size())) {
    header.id = random_journal_id();
    header.part = std::move(part);
    texts.push_back(header_lines(header));
  }
  write_parts(files, texts);
  return result;
}

void resume_part(const Source& source, const ReadOptions& read_options, const CountOptions& options) {
  check_options(options, true);
  if (!options.checkpoint.used()) throw UsageError("a part is a checkpoint, and none is named");
  ReadOptions reading = reading_of_parts(source, read_options);
  reading.letters = true;
  Monitor monitor(options);
  Stopwatch watch;
  const std::unique_ptr<Checkpoint> checkpoint =
      monitor.explained([&] { return open_checkpoint(options.checkpoint); });
  annotate_interruption(checkpoint.get(), [&] {
    monitor.explained([&] {
      monitor.enter("reading the input");
      ReadResult read = read_graph(source, reading);
      monitor.throw_if_stopped();
      check_same_input(*checkpoint, read.info, options);
      PlannedCount plan =
          plan_count(std::move(read.graph), read.info, options, watch, monitor, checkpoint->journal());
      Checks checks;
      CountRun run(plan, read.info, options, monitor, checkpoint.get(), false);
      run.check_journaled_units(checks);
      run.count();
      run.recount(plan.recounts);
      checkpoint->close();
    });
    // A part is its file, and nothing else.
    if (const std::string trouble = checkpoint->trouble(); !trouble.empty())
      throw UnableError("the part is counted, but " + trouble, "'countpm resume' goes on with what is there");
  });
}

}  // namespace countpm
