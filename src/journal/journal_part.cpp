#include "src/journal/journal_part.hpp"

#include <utility>

namespace countpm {
namespace {

constexpr std::uint64_t most_parts = 1000000;

std::vector<TrialShare> trial_shares_from(const fields::Json& list, const JournalHeader& header) {
  if (list.empty() || list.size() != header.samplings().size())
    fields::refuse("a share of other blocks' trials");
  std::vector<TrialShare> shares;
  for (const fields::Json& one : list) {
    TrialShare& share = shares.emplace_back();
    share.range.last = fields::whole(fields::nth(one, 1), "trials", 0, fields::most_samples);
    share.range.first = fields::whole(fields::nth(one, 0), "trials", 0, share.range.last);
    share.share_bits = static_cast<unsigned>(
        fields::whole(fields::nth(one, 2), "trials", 0, RejectionTrials::most_share_bits));
  }
  return shares;
}

}  // namespace

fields::Json to_json(const JournalPart& part) {
  fields::Json share = fields::Json::array();
  for (const std::vector<UnitRange>& ranges : part.share) {
    fields::Json of_task = fields::Json::array();
    for (const UnitRange& range : ranges) of_task.push_back({range.first, range.last});
    share.push_back(std::move(of_task));
  }
  fields::Json result = {{"number", part.number}, {"of", part.of}, {"share", share}};
  for (const TrialShare& trials : part.trials)
    result["trials"].push_back({trials.range.first, trials.range.last, trials.share_bits});
  if (part.samples) result["samples"] = {part.samples->first, part.samples->last};
  return result;
}

JournalPart part_from(const fields::Json& json, const JournalHeader& header) {
  const std::vector<const JournalTask*> tasks = header.tasks();
  JournalPart part;
  part.of = fields::whole_at(json, "of", 1, most_parts);
  part.number = fields::whole_at(json, "number", 1, part.of);
  const fields::Json& share = fields::list_at(json, "share");
  if (share.size() != tasks.size()) fields::refuse("a share of other blocks");
  for (const fields::Json& ranges : share) {
    const std::uint64_t units = tasks[part.share.size()]->units;
    std::vector<UnitRange>& last = part.share.emplace_back();
    if (!ranges.is_array()) fields::refuse("a share that is no list");
    for (const fields::Json& range : ranges) {
      if (!range.is_array() || range.size() != 2) fields::refuse("a share's range is no pair");
      last.push_back(
          {fields::whole(range[0], "share", 0, units), fields::whole(range[1], "share", 0, units)});
      const bool in_order = last.size() == 1 || last[last.size() - 2].last < last.back().first;
      if (!in_order || last.back().first >= last.back().last)
        fields::refuse("a share of units that are not there");
    }
  }
  if (json.contains("trials")) part.trials = trial_shares_from(fields::list_at(json, "trials"), header);
  if (!json.contains("samples")) return part;
  if (!part.trials.empty()) fields::refuse("a share of samples and of trials");
  const fields::Json& samples = fields::list_at(json, "samples");
  part.samples = UnitRange{fields::whole(fields::nth(samples, 0), "samples", 0, fields::most_samples),
                           fields::whole(fields::nth(samples, 1), "samples", 0, fields::most_samples)};
  if (part.samples->first > part.samples->last) fields::refuse("a share of samples that are not there");
  return part;
}

}  // namespace countpm
