#pragma once
// What every result has, in words.
#include <string>
#include <vector>

#include "src/api/entries.hpp"

namespace countpm::words {

/// A line of a report: "interval", "1.2e+07 to 1.3e+07 (95% confidence)".
struct Fact {
  std::string head;
  std::string text;
};

/// "undirected graph, 24 vertices, 30 edges (edgelist)"
std::string graph_text(const InputSummary& summary);
/// The same behind its name: "board.edgelist: undirected graph, ..."
std::string input_text(const InputSummary& summary);
/// "the 3 left vertices {a, b, c} have only 2 neighbours, {x, y}", long lists cut.
/// What is listed, drawn and weighed: "perfect matching", also of a graph with odd cycles, "cycle cover",
/// "matching" or "maximum matching".
std::string matching_text(const InputSummary& summary);
std::string violator_text(const ViolatorReport& violator);
/// What is counted: "perfect matchings", "maximum matchings", ...
std::string problem_name(const InputSummary& summary);
/// Of exact covers: "20 rings", "3 larger sets".
std::string sets_text(const InputSummary& summary);
/// ": 31 edges, 5 vertices left free"; empty where perfect matchings are counted.
std::string matched_text(const InputSummary& summary);

/// The rules that did something.
std::string rules_text(const std::vector<RuleReport>& rules);
/// "passed: parity, upper bound; left out: double-check"
std::string checks_text(const std::vector<Check>& checks);
/// What a check compared, or why it was left out; may be empty.
std::string detail_text(const Check& check);
/// " on the first of 4 ranks, of which 1 was lost"; empty where there is one.
std::string ranks_text(int ranks, int lost_ranks);
/// "3.2 s (read 1.1 s, count 2.1 s)"
std::string times_text(const Seconds& seconds);
/// The parts of the total, in the order in which they happened.
std::vector<std::pair<std::string, double>> stages_of(const Seconds& seconds);

}  // namespace countpm::words
