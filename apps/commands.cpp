#include "apps/commands.hpp"

namespace countpm::app {

const std::vector<CommandInfo>& command_table() {
  static const std::vector<CommandInfo> table{
      {"count", "[count] INPUT [options]",
       "count perfect matchings or cycle covers: the number alone on standard output", 1, 1, run_count},
      {"resume", "resume FILE [INPUT] [options]",
       "go on with a count or an estimate that was interrupted, from its checkpoint", 1, 2, run_resume},
      {"status", "status FILE", "how far the count or estimate of a checkpoint is, and what is left", 1, 1,
       run_status},
      {"split", "split INPUT --parts K [options]",
       "plan a count once and write K parts of it, which 'countpm resume' counts anywhere", 1, 1, run_split},
      {"merge", "merge PART... [options]",
       "make one count of its parts, or of checkpoints that several machines went on with", 1, 10'000,
       run_merge},
      {"verify", "verify RESULT INPUT [options]",
       "look at a result (its JSON, or its checkpoint) again by other ways, and say what that proves", 2, 2,
       run_verify},
      {"explain", "explain INPUT [options]",
       "structure, reductions and every method's predicted cost; counts nothing", 1, 1, run_explain},
      {"estimate", "estimate INPUT [options]",
       "a Monte-Carlo estimate with its error, for what is beyond exact counting", 1, 1, run_estimate},
      {"compare", "compare INPUT... [options]",
       "exact counts beside every sampler's estimates: ratio, claimed error, whether the interval held", 1,
       10'000, run_compare},
      {"list", "list INPUT [options]", "write the matchings themselves, one a line, as they are found", 1, 1,
       run_list},
      {"marginals", "marginals INPUT [options]",
       "every edge with the probability that it is in a random perfect matching or cycle cover", 1, 1,
       run_marginals},
      {"sample", "sample INPUT [options]",
       "draw perfect matchings or cycle covers at random, exactly in proportion to their weights", 1, 1,
       run_sample},
      {"series", "series INPUT... [options]",
       "count many: lattices that grow (lattice:square:2x2..64x64), or files; a line each, ln Z by site "
       "beside known limits",
       1, 10'000, run_series},
      {"lattice", "lattice SPEC", "write a lattice as an edge list", 1, 1, run_lattice},
      {"methods", "methods", "the methods, the reduction rules and the formats", 0, 0, run_methods},
      {"version", "version", "the version", 0, 0, run_version},
      {"help", "help [COMMAND]", "this text, or a command's", 0, 1, run_help},
  };
  return table;
}

const CommandInfo* find_command(std::string_view name) {
  for (const CommandInfo& command : command_table()) {
    if (command.name == name) return &command;
  }
  return nullptr;
}

std::string command_names() {
  std::string names;
  for (const CommandInfo& command : command_table()) {
    if (!names.empty()) names += ", ";
    names += command.name;
  }
  return names;
}

}  // namespace countpm::app
