#include "apps/matching_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "apps/csv.hpp"
#include "apps/json.hpp"
#include "apps/output.hpp"
#include "apps/report_lines.hpp"
#include "graph/clock.hpp"
#include "graph/text.hpp"
#include "src/text/format_duration.hpp"
#include "src/text/format_number.hpp"
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

std::string csv_lines(const Pairs& pairs, std::uint64_t number) {
  std::string lines;
  for (const auto& [from, to] : pairs)
    lines += fmt::format("{},{},{}\r\n", number, csv_field(from), csv_field(to));
  return lines;
}

}  // namespace

MatchingLines::MatchingLines(const Request& request, std::uint64_t first)
    : answer_(request),
      json_(request.json),
      csv_(request.csv),
      terminal_(output_is_terminal()),
      number_(first) {}

void MatchingLines::write(const Pairs& pairs, Problem problem) {
  const bool cycles = problem == Problem::cycle_covers;
  if (csv_) {
    begin();
    write_output(csv_lines(pairs, number_++));
  } else {
    answer_.write((json_ ? json_line(pairs, cycles) : text_line(pairs, cycles)) + '\n');
  }
  const double now = seconds_now();
  if (!terminal_ && now - last_ < 0.1) return;
  flush_output();
  last_ = now;
}

void MatchingLines::begin() {
  if (csv_ && !begun_) write_output("matching,from,to\r\n");
  begun_ = true;
}

void report_matchings(const Request& request, const ListStart& start, const MatchingReport& report) {
  if (request.quiet) return;
  if (!error_is_terminal() && !request.report) {
    if (start.violator)
      write_error(fmt::format("countpm: there are no {}: {}\n",
                              start.problem == Problem::cycle_covers ? "cycle covers" : "perfect matchings",
                              printable(words::violator_text(*start.violator))));
    return;
  }
  std::string text = line("input", words::input_text(start));
  text += line(report.verb, report.of.empty() ? counted(report.number, words::matching_text(start))
                                              : fmt::format("{} {}", report.number, report.of));
  if (start.violator) {
    text += line("why none", words::violator_text(*start.violator));
  } else if (!start.method.empty()) {
    text += line("method", start.method);
  }
  text += line("time", format_duration(report.seconds));
  for (const std::string& note : start.notes) text += line("note", note);
  write_error(text);
}

}  // namespace countpm::app
