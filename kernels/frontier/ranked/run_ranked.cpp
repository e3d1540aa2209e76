#include "kernels/frontier/ranked/run_ranked.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "graph/errors.hpp"
#include "kernels/arithmetic/to_mpz.hpp"
#include "kernels/frontier/ranked/step_runner.hpp"

namespace countpm {
namespace {

[[noreturn]] void refuse_ranked_tables(std::uint64_t bytes, std::uint64_t allowed) {
  throw UnableError(fmt::format("tables without keys take {} bytes, and {} are allowed", bytes, allowed),
                    "a larger --memory-limit, or another method");
}

}  // namespace

mpz_class run_ranked(const RankedProgram& program, const StopSignal& stop, const RankedOptions& options) {
  if (program.zero) return 0;
  const std::uint64_t bytes = program.table_bytes[0] + program.table_bytes[1];
  if (bytes > options.memory_bytes) refuse_ranked_tables(bytes, options.memory_bytes);
  RankedTable tables[2];
  // Both at their largest: what a table has is touched when it is used.
  for (std::size_t k = 0; k < 2; ++k)
    tables[k].values.ensure(std::max<std::uint64_t>(program.table_bytes[k] / sizeof(std::uint64_t), 1));
  const std::uint32_t first_words = program.steps.empty() ? 1 : program.steps.front().from_words;
  tables[1].values.ensure(first_words);
  std::fill_n(tables[1].values.data(), first_words, std::uint64_t{0});
  tables[1].values[0] = 1;
  double moves = 0;
  for (std::size_t k = 0; k < program.steps.size(); ++k) {
    stop.check();
    const RankedStep& step = program.steps[k];
    const RankedTable& from = tables[(k + 1) % 2];
    RankedTable& to = tables[k % 2];
    to.stride = step.to_states;
    StepRunner(program, step, from, to, options.code, stop).run(options.threads, [&](double share) {
      if (options.progress) options.progress((moves + share * step.moves) / std::max(program.moves, 1.0));
    });
    moves += step.moves;
  }
  const std::uint32_t words = program.steps.empty() ? 1 : program.steps.back().to_words;
  const RankedTable& last = tables[(program.steps.size() + 1) % 2];
  return to_mpz(last.values.data(), words, program.negative);
}

}  // namespace countpm
