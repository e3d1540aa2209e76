#include "apps/sampled_report.hpp"

#include "apps/output.hpp"
#include "apps/report_lines.hpp"
#include "src/words/estimate_words.hpp"

namespace countpm::app {

void report_sampled(const Request& request, const SampledMarginals& sampled) {
  if (request.quiet || sampled.sampler.empty()) return;
  if (request.report || error_is_terminal()) {
    for (const words::Fact& fact : words::sampled_facts(sampled)) write_error(line(fact.head, fact.text));
  }
  if (!sampled.goal_missed.empty()) write_error("countpm: " + sampled.goal_missed + "\n");
  if (!sampled.doubt.empty()) write_error("countpm: the errors are in doubt: " + sampled.doubt + "\n");
}

}  // namespace countpm::app
