#include "apps/matching_lines.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <unordered_map>

#include "apps/json.hpp"
#include "apps/output.hpp"
#include "graph/clock.hpp"
#include "graph/text.hpp"
#include "src/words/result_words.hpp"

namespace countpm::app {
namespace {

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
      line += escaped_word(left);
      line += ' ';
      line += escaped_word(right);
    }
    return line;
  }
  for (auto& cycle : cycles_of(pairs)) {
    for (std::string& label : cycle) label = escaped_word(label);
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

}  // namespace

MatchingLines::MatchingLines(bool json) : json_(json), terminal_(isatty(STDOUT_FILENO) == 1) {}

void MatchingLines::write(const Pairs& pairs, Problem problem) {
  const bool cycles = problem == Problem::cycle_covers;
  write_output((json_ ? json_line(pairs, cycles) : text_line(pairs, cycles)) + '\n');
  const double now = seconds_now();
  if (!terminal_ && now - last_ < 0.1) return;
  flush_output();
  last_ = now;
}

void report_start(const Request& request, const ListStart& start, const std::string& verb,
                  std::uint64_t number) {
  if (request.quiet || !(error_is_terminal() || request.report)) return;
  std::string text = fmt::format("input       {}\n", words::input_text(start));
  text += fmt::format("{:<10}  {}: {}\n", verb, name_of(start.problem), number);
  if (start.violator) text += fmt::format("none since  {}\n", words::violator_text(*start.violator));
  for (const std::string& note : start.notes) text += fmt::format("note        {}\n", printable(note));
  write_error(text);
}

}  // namespace countpm::app
