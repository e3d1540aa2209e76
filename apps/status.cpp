// countpm status FILE: how far a count with a checkpoint is.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "apps/commands.hpp"
#include "apps/json.hpp"
#include "apps/output.hpp"
#include "apps/progress.hpp"
#include "apps/status.hpp"
#include "apps/text.hpp"
#include "src/countpm.hpp"

namespace countpm::app {
namespace {

using Json = nlohmann::ordered_json;

Json known(double seconds) {
  return seconds < 0 ? Json() : Json(seconds);
}

/// A count is done once its number is there, a part once its units are.
bool is_done(const JournalStatus& status) {
  if (status.part == 0) return !status.count.empty();
  for (const JournalTaskStatus& task : status.tasks) {
    if (task.units_done < task.units) return false;
  }
  return true;
}

Json to_json(const JournalStatus& status, const std::string& file) {
  Json tasks = Json::array();
  for (const JournalTaskStatus& task : status.tasks) {
    tasks.push_back({{"rows", task.rows},
                     {"entries", task.entries},
                     {"method", task.method},
                     {"arithmetic", task.arithmetic},
                     {"double_check", task.double_check},
                     {"units", task.units},
                     {"units_done", task.units_done},
                     {"predicted_seconds", task.predicted_seconds}});
  }
  Json options = Json::object();
  for (const auto& [name, value] : status.options) options[name] = value;
  return {{"version", status.version},
          {"checkpoint", file},
          {"part", status.part == 0 ? Json() : Json{{"number", status.part}, {"of", status.parts}}},
          {"input", {{"path", status.input}, {"sha256", status.sha256}}},
          {"options", options},
          {"blocks", tasks},
          {"done", status.done},
          {"elapsed_seconds", status.elapsed_seconds},
          {"remaining_seconds", known(status.remaining_seconds)},
          {"remaining_low", known(status.remaining_low)},
          {"remaining_high", known(status.remaining_high)},
          {"count", status.count.empty() ? Json() : Json(status.count)},
          {"bytes", status.bytes},
          {"damaged_lines", status.damaged_lines},
          {"in_use", status.in_use}};
}

std::string state_text(const JournalStatus& status) {
  if (is_done(status))
    return status.part == 0 ? "done" : "done: 'countpm merge' joins it with the other parts";
  return status.in_use ? "running" : "not running: 'countpm resume' goes on with it";
}

std::string to_text(const JournalStatus& status) {
  std::string text = fmt::format("input      {}\nstate      {}\n", status.input, state_text(status));
  if (status.part != 0) text += fmt::format("part       {} of {}\n", status.part, status.parts);
  std::string time = format_duration(status.elapsed_seconds) + " so far";
  const std::string left =
      remaining_text(status.remaining_seconds, status.remaining_low, status.remaining_high);
  if (!is_done(status) && !left.empty()) time += ", " + left;
  text += fmt::format("work       {:.1f} % done, {}\n", std::floor(1000 * status.done) / 10, time);
  std::vector<std::vector<std::string>> rows{
      {"block", "rows", "entries", "method", "arithmetic", "units done"}};
  for (std::size_t k = 0; k < status.tasks.size(); ++k) {
    const JournalTaskStatus& task = status.tasks[k];
    rows.push_back({std::to_string(k + 1) + (task.double_check ? " again" : ""), std::to_string(task.rows),
                    std::to_string(task.entries), task.method, task.arithmetic,
                    fmt::format("{} of {}", task.units_done, task.units)});
  }
  text += format_table(rows, {true, true, true, false, false, true}, "");
  if (status.damaged_lines > 0)
    text += fmt::format("{} left out: damaged, or not of this checkpoint\n",
                        counted(status.damaged_lines, "line"));
  if (!status.count.empty()) text += fmt::format("count      {}\n", status.count);
  return text;
}

}  // namespace

std::string status_json(const JournalStatus& status, const std::string& file) {
  return indented(to_json(status, file));
}

int run_status(const Request& request) {
  const std::string& file = request.arguments.front();
  const JournalStatus status = journal_status(file);
  write_output(request.json ? status_json(status, file) : to_text(status));
  flush_output();
  return 0;
}

}  // namespace countpm::app
