#pragma once
// The commands, in one table: main() runs them, help shows them, the parser tells them from files.
#include <string>
#include <string_view>
#include <vector>

#include "apps/options.hpp"

namespace countpm::app {

/// The group in which the general help has a command.
/// hidden: it is for programs, and in no list.
enum class CommandGroup { count, estimate, matchings, tables, long_runs, about, hidden };

struct CommandExample {
  std::string_view command;
  std::string_view meaning;
};

struct CommandInfo {
  Question question;
  std::string_view name;
  std::string_view synopsis;  // "explain INPUT"
  std::string_view help;      // a sentence
  std::size_t least_arguments;
  std::size_t most_arguments;
  int (*run)(const Request& request);  // the exit code
  CommandGroup group = CommandGroup::tables;
  std::string_view gloss = {};                // a few words, for the general help; empty: the name says it
  std::vector<CommandExample> examples = {};  // for its own help
};

const std::vector<CommandInfo>& command_table();
/// nullptr where there is none of that name.
const CommandInfo* find_command(std::string_view name);
/// What the command of that name asks.
Question question_of(std::string_view command);
/// Of some questions those that are commands, by name.
std::vector<std::string_view> commands_of(Questions questions);

/// The graph of the first argument.
inline Source input_of(const Request& request) {
  return Source::from_argument(request.arguments.front());
}

/// Runs what is asked: the command, or what its options make of it. The exit code.
int run_asked(const Request& request);

// One file each.
int run_compare(const Request& request);
int run_count(const Request& request);
int run_resume(const Request& request);
int run_status(const Request& request);
int run_split(const Request& request);
int run_merge(const Request& request);
int run_verify(const Request& request);
int run_prove(const Request& request);
int run_explain(const Request& request);
int run_estimate(const Request& request);
int run_list(const Request& request);
int run_marginals(const Request& request);
int run_sample(const Request& request);
int run_chem(const Request& request);
int run_minors(const Request& request);
int run_probability(const Request& request);
int run_determinant(const Request& request);
int run_pfaffian(const Request& request);
int run_series(const Request& request);
int run_lattice(const Request& request);
int run_methods(const Request& request);
int run_formats(const Request& request);
int run_bounds(const Request& request);
int run_schema(const Request& request);
int run_version(const Request& request);
int run_help(const Request& request);

// What options make of them.
int run_ln_z(const Request& request);
int run_orbits(const Request& request);
int run_recurrence(const Request& request);
int run_ratio(const Request& request);
int run_signed(const Request& request);
int run_explain_samples(const Request& request);
int run_explain_draws(const Request& request);
int run_explain_minors(const Request& request);
int run_complete(const Request& request);

}  // namespace countpm::app
