#pragma once
// The commands, in one table: main() runs them, help shows them, the parser tells them from files.
#include <string>
#include <string_view>
#include <vector>

#include "apps/options.hpp"

namespace countpm::app {

/// The group in which the general help has a command.
enum class CommandGroup { count, estimate, matchings, tables, long_runs, about };

struct CommandExample {
  std::string_view command;
  std::string_view meaning;
};

struct CommandInfo {
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

// One file each.
int run_compare(const Request& request);
int run_count(const Request& request);
int run_resume(const Request& request);
int run_status(const Request& request);
int run_split(const Request& request);
int run_merge(const Request& request);
int run_verify(const Request& request);
int run_explain(const Request& request);
int run_estimate(const Request& request);
int run_list(const Request& request);
int run_marginals(const Request& request);
int run_sample(const Request& request);
int run_chem(const Request& request);
int run_minors(const Request& request);
int run_probability(const Request& request);
int run_series(const Request& request);
int run_lattice(const Request& request);
int run_methods(const Request& request);
int run_schema(const Request& request);
int run_version(const Request& request);
int run_help(const Request& request);

}  // namespace countpm::app
