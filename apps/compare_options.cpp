// The options of compare.
#include <algorithm>
#include <array>

#include "apps/options.hpp"
#include "apps/parse_value.hpp"

namespace countpm::app {
namespace {

constexpr std::uint64_t most_samples = 1'000'000'000'000;

// What estimates a single input estimates many times, and counts it. Not what compare decides: how many
// samples, of which blocks, by which sampler.
constexpr std::array<std::string_view, 26> shared{
    "method",     "device", "gpus",           "threads",     "time-limit", "memory-limit", "no-rule",
    "order",      "seed",   "arithmetic",     "precision",   "format",     "as",           "weights",
    "multi",      "loops",  "json",           "csv",         "quiet",      "progress",     "no-progress",
    "confidence", "prune",  "scale-interval", "scale-steps", "exact-tail"};

OptionInfo list(std::string_view name, ValueType type, std::string_view value_name,
                std::string_view default_value, std::string_view help,
                void (*apply)(Request&, std::string_view)) {
  OptionInfo option;
  option.name = name;
  option.type = type;
  option.value_name = value_name;
  option.default_value = default_value;
  option.help = help;
  option.commands = {"compare"};
  option.apply = apply;
  return option;
}

}  // namespace

std::vector<OptionInfo> compare_options() {
  std::vector<OptionInfo> table{
      list("samplers", ValueType::choices, "NAMES", "", "which samplers to compare; without it: all",
           [](Request& r, std::string_view value) {
             for (const std::string_view name : split_at_commas(value))
               r.compare.samplers.push_back(sampler_named(name));
           }),
      list("sizes", ValueType::integers, "NUMBERS", "100,1000,10000",
           "how many samples of every block each estimate draws",
           [](Request& r, std::string_view value) {
             r.compare.samples.clear();
             for (const std::string_view number : split_at_commas(value))
               r.compare.samples.push_back(*parse_integer(number));
           }),
  };
  for (const SamplerInfo& info : samplers()) table.front().choices.push_back(info.name);
  table.back().least = 1;
  table.back().most = most_samples;
  return table;
}

void share_with_compare(std::vector<OptionInfo>& table) {
  for (OptionInfo& option : table) {
    const bool help = option.name == "help";
    if (help || std::find(shared.begin(), shared.end(), option.name) != shared.end())
      option.commands.emplace_back("compare");
  }
}

}  // namespace countpm::app
