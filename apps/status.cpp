// countpm status FILE: how far a count or an estimate with a checkpoint is.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/commands.hpp"
#include "apps/json.hpp"
#include "apps/output.hpp"
#include "apps/progress.hpp"
#include "apps/status.hpp"
#include "apps/text.hpp"
#include "graph/kinds/monomers.hpp"
#include "graph/text.hpp"
#include "src/api/entries.hpp"
#include "src/text/format_duration.hpp"
#include "src/text/format_number.hpp"

namespace countpm::app {
namespace {

/// A count is done once its number is there, a part once its units are, an estimate once it is good enough.
bool is_done(const JournalStatus& status) {
  if (status.estimated) return true;
  if (!status.estimate.empty()) return !status.count.empty();
  if (status.part == 0) return !status.count.empty();
  for (const JournalTaskStatus& task : status.tasks) {
    if (task.units_done < task.units) return false;
  }
  return true;
}

bool is_polynomial(const JournalStatus& status) {
  return std::any_of(status.options.begin(), status.options.end(), [](const auto& option) {
    return option.first == "monomers" && option.second == monomer_letter;
  });
}

std::string state_text(const JournalStatus& status) {
  if (is_done(status))
    return status.part == 0 ? "done" : "done: 'countpm merge' joins it with the other parts";
  return status.in_use ? "running" : "not running: 'countpm resume' goes on with it";
}

/// A table of the blocks that are sampled; empty where none is.
std::string samplings_text(const JournalStatus& status) {
  if (status.samplings.empty()) return {};
  std::vector<std::vector<std::string>> rows{
      {"sampled", "rows", "entries", "samples", "not zero", "mean", "std error", "sampler"}};
  for (const JournalSamplingStatus& sampling : status.samplings) {
    const bool known = std::isfinite(sampling.log10);
    rows.push_back({std::to_string(rows.size()), std::to_string(sampling.rows),
                    std::to_string(sampling.entries), std::to_string(sampling.samples),
                    std::to_string(sampling.nonzero), known ? format_log10(sampling.log10, 4) : "-",
                    std::isfinite(sampling.relative_error)
                        ? fmt::format("{:.2g} %", 100 * sampling.relative_error)
                        : "-",
                    printable(sampling.sampler)});
  }
  return format_table(rows, {true, true, true, true, true, true, true, false}, "");
}

std::string to_text(const JournalStatus& status) {
  std::string text = fmt::format("input      {}\n", printable(status.input));
  if (!status.ratio_to.empty()) text += fmt::format("over       {}\n", printable(status.ratio_to));
  for (const auto& [name, value] : status.options) {
    if (name == "integrate") text += fmt::format("integral   {}\n", printable(value));
  }
  text += fmt::format("state      {}\n", state_text(status));
  if (status.part != 0) text += fmt::format("part       {} of {}\n", status.part, status.parts);
  std::string time = format_duration(status.elapsed_seconds) + " so far";
  const std::string left =
      remaining_text(status.remaining_seconds, status.remaining_low, status.remaining_high);
  if (!is_done(status) && !left.empty()) time += ", " + left;
  if (status.estimate.empty()) {
    const std::string percent =
        is_done(status) ? "100" : fmt::format("{:.1f}", std::floor(1000 * status.done) / 10);
    text += fmt::format("work       {} % done, {}\n", percent, time);
  } else {
    text += fmt::format("goal       {}\ntime       {}\n", printable(status.estimate), time);
  }
  std::vector<std::vector<std::string>> rows{
      {"block", "rows", "entries", "method", "arithmetic", "units done"}};
  for (std::size_t k = 0; k < status.tasks.size(); ++k) {
    const JournalTaskStatus& task = status.tasks[k];
    rows.push_back({std::to_string(k + 1) + (task.double_check ? " again" : ""), std::to_string(task.rows),
                    std::to_string(task.entries), printable(task.method), printable(task.arithmetic),
                    fmt::format("{} of {}", task.units_done, task.units)});
  }
  if (rows.size() > 1) text += format_table(rows, {true, true, true, false, false, true}, "");
  text += samplings_text(status);
  if (status.damaged_lines > 0)
    text += fmt::format("{} left out: damaged, or not of this checkpoint\n",
                        counted(status.damaged_lines, "line"));
  if (status.lost_ranks > 0)
    text += fmt::format("lost       {}: others did their work\n", counted(status.lost_ranks, "rank"));
  if (!status.count.empty())
    text += fmt::format("count      {}{}\n", printable(status.count),
                        is_polynomial(status) ? " (the sum of all coefficients)" : "");
  return text;
}

}  // namespace

std::string status_json(const JournalStatus& status, const std::string& file) {
  return indented(json_of(StatusObject{status, file, is_done(status)}));
}

int run_status(const Request& request) {
  const std::string& file = request.arguments.front();
  const JournalStatus status = journal_status(file);
  write_output(request.json ? status_json(status, file) : to_text(status));
  flush_output();
  return 0;
}

}  // namespace countpm::app
