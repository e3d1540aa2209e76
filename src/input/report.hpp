#pragma once
// Fills in what a user reads: labels instead of numbers, names instead of types.
#include "graph/instance.hpp"
#include "matching/general_matching.hpp"
#include "matching/rules.hpp"
#include "matching/structure.hpp"
#include "src/api/entries.hpp"

namespace countpm {

/// What the rows or the columns are called: "left"/"right", "tails"/"heads", or "rows"/"columns" where the
/// input was a matrix.
std::string side_name(const Instance& instance, const InputInfo& input, bool rows);

ViolatorReport report_violator(const Instance& instance, const InputInfo& input,
                               const HallViolator& violator);
ViolatorReport report_violator(const Instance& instance, const TutteViolator& violator);
/// Every rule, in order; those that did nothing too.
std::vector<RuleReport> report_rules(const RuleTally& tally);
/// What was assumed in reading; sides of different sizes; values that are not used; zeros, loops and parallel
/// edges that the reader dropped or added up.
std::vector<std::string> report_notes(const Instance& instance, const InputInfo& input,
                                      MatchingSize matchings = MatchingSize::perfect);

/// A matrix of a file that has no perfect matching by its shape alone: perhaps another question was meant. A
/// warning, in read.info too; InputError with ReadOptions::strict.
void warn_of_shape(ReadResult& read, const ReadOptions& read_options, MatchingSize matchings);

/// All but the problem, which the instance knows. Vertices of both sides, where there are two.
void summarise_input(const Graph& graph, const InputInfo& input, InputSummary& summary);

/// The problem, and which of its matchings are counted.
void report_problem(const Instance& instance, MatchingSize matchings, InputSummary& summary);

/// A graph in memory as if it had been read.
ReadResult in_memory(Graph graph);

/// Throws UsageError or UnableError for names that do not exist and devices that are not there, before
/// anything is read; for an assumed machine, on which nothing can be counted; and for settings that do not
/// belong to the method or the device, or where there are any and the question takes none.
void check_options(const CountOptions& options, bool takes_settings = false);
/// The part of it about settings, and about Options::modulo, which the same questions take.
void check_settings(const CountOptions& options, bool takes_settings);

}  // namespace countpm
