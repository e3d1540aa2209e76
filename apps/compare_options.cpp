// The options of compare.
#include "apps/option_rows.hpp"
#include "apps/parse_value.hpp"
#include "graph/text.hpp"
#include "kernels/estimate/samples/sampler.hpp"

namespace countpm::app {
namespace {

constexpr std::uint64_t most_compared_samples = 1'000'000'000'000;

}  // namespace

std::vector<OptionInfo> compare_options() {
  Names names;
  for (const SamplerInfo& info : samplers()) names.push_back(info.name);
  OptionInfo which = value_row("samplers", ValueType::choices, "NAMES", "",
                               "which samplers to compare; without it, all of them", {"compare"},
                               [](Request& r, std::string_view value) {
                                 for (const std::string_view name : split(value, ','))
                                   r.compare.samplers.push_back(sampler_named(name));
                               });
  which.choices = names;
  OptionInfo sizes = value_row("sizes", ValueType::integers, "NUMBERS", "100,1000,10000",
                               "how many samples of every block an estimate draws, one estimate per number",
                               {"compare"}, [](Request& r, std::string_view value) {
                                 r.compare.samples.clear();
                                 for (const std::string_view number : split(value, ','))
                                   r.compare.samples.push_back(*parse_integer(number));
                               });
  OptionInfo seeds = number_row(
      "seeds", "N", "1", 1, most_replicates,
      "make every estimate with N seeds that follow from --seed, and say how many "
      "intervals held; pictures and pages have the first",
      {"compare"}, [](Request& r, std::string_view value) { r.compare.seeds = *parse_integer(value); });
  return {which, bounded(sizes, 1, most_compared_samples), seeds};
}

void share_with_compare(std::vector<OptionInfo>& table) {
  // What estimates a single input estimates many times, and counts it. Not what compare decides: how many
  // samples, of which blocks, by which sampler.
  share_options(
      table,
      {"method", "device",         "gpus",        "threads",    "time-limit", "memory-limit", "no-rule",
       "order",  "seed",           "arithmetic",  "precision",  "format",     "as",           "weights",
       "multi",  "loops",          "json",        "svg",        "title",      "width",        "no-legend",
       "output", "overwrite",      "csv",         "quiet",      "progress",   "no-progress",  "confidence",
       "prune",  "scale-interval", "scale-steps", "exact-tail", "strata",     "population",   "help"},
      "compare");
}

}  // namespace countpm::app
