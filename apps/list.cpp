// countpm list INPUT: the matchings themselves, one a line, each as soon as it is found.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "apps/commands.hpp"
#include "apps/json.hpp"
#include "apps/output.hpp"
#include "apps/report.hpp"
#include "apps/signals.hpp"
#include "apps/text.hpp"

namespace countpm::app {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;
using Groups = std::vector<std::vector<std::string>>;  // edges (two labels each) or cycles

// The cycles of a permutation of labels, each from its first vertex in row order.
Groups cycles_of(const Pairs& pairs) {
  std::unordered_map<std::string_view, std::size_t> row;
  row.reserve(pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) row.emplace(pairs[i].first, i);
  std::vector<bool> seen(pairs.size(), false);
  Groups cycles;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (seen[i]) continue;
    cycles.emplace_back();
    for (std::size_t at = i; !seen[at]; at = row.at(pairs[at].second)) {
      seen[at] = true;
      cycles.back().push_back(pairs[at].first);
    }
  }
  return cycles;
}

std::string text_line(const Pairs& pairs, bool cycles) {
  std::string line;
  if (!cycles) {
    for (const auto& [left, right] : pairs) {
      if (!line.empty()) line += '\t';
      line += left;
      line += ' ';
      line += right;
    }
    return line;
  }
  for (const auto& cycle : cycles_of(pairs)) {
    if (!line.empty()) line += '\t';
    line += fmt::format("({})", fmt::join(cycle, " "));
  }
  return line;
}

std::string json_line(const Pairs& pairs, bool cycles) {
  if (cycles) return one_line(cycles_of(pairs));
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const auto& [left, right] : pairs) list.push_back({left, right});
  return one_line(list);
}

// Flushes at once on a terminal, else when a tenth of a second has passed: a reader need not wait, and a
// million short lines do not take a million system calls.
class Stream {
 public:
  void write_line(std::string line) {
    line += '\n';
    write_output(line);
    const auto now = std::chrono::steady_clock::now();
    if (!terminal_ && now - last_ < std::chrono::milliseconds(100)) return;
    flush_output();
    last_ = now;
  }

 private:
  bool terminal_ = isatty(STDOUT_FILENO) == 1;
  std::chrono::steady_clock::time_point last_{};
};

std::string list_report(const ListStart& start, std::uint64_t listed) {
  std::string text =
      fmt::format("input       {}\n", input_text(start.input, start.kind, start.vertices, start.edges));
  text += fmt::format("listed      {}: {}\n", name_of(start.problem), listed);
  if (start.violator) text += fmt::format("none since  {}\n", violator_text(*start.violator));
  for (const std::string& note : start.notes) text += fmt::format("note        {}\n", note);
  return text;
}

}  // namespace

int run_list(const Request& request) {
  ListOptions options = request.list;
  options.interrupted = stop_requested;
  ListStart start;
  options.started = [&](const ListStart& told) { start = told; };
  std::uint64_t listed = 0;
  const std::uint64_t limit = request.limit.value_or(std::numeric_limits<std::uint64_t>::max());
  Stream stream;
  if (limit == 0) options.last = options.first - 1;
  list_matchings(Source::from_argument(request.arguments.front()), request.read, options,
                 [&](const Pairs& pairs) {
                   const bool cycles = start.problem == Problem::cycle_covers;
                   stream.write_line(request.json ? json_line(pairs, cycles) : text_line(pairs, cycles));
                   return ++listed < limit;
                 });
  flush_output();
  if (!request.quiet && (error_is_terminal() || request.report)) write_error(list_report(start, listed));
  return 0;
}

}  // namespace countpm::app
