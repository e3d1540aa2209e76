#include "src/journal/journal_header.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <string_view>
#include <utility>

#include "graph/sparse_matrix.hpp"
#include "src/journal/journal_part.hpp"
#include "src/journal/journal_values.hpp"

namespace countpm {
namespace {

using Json = fields::Json;

// Beyond what there can be, and small enough for what is done with them.
constexpr std::uint64_t most_entries = std::uint64_t{1} << 48;
constexpr std::uint64_t most_primes = std::uint64_t{1} << 24;
constexpr std::uint64_t most_digit_bits = std::uint64_t{1} << 27;
constexpr double most_predicted = 1e300;

constexpr std::array<std::string_view, 3> ways{"counted", "together", "apart"};  // as RatioWay has them

Json to_json(const JournalSampling& sampled) {
  return {{"part", sampled.part},
          {"fingerprint", sampled.fingerprint},
          {"rows", sampled.rows},
          {"entries", sampled.entries},
          {"sampler", sampled.sampler}};
}

Json to_json(const std::vector<JournalBlock>& blocks) {
  Json result = Json::array();
  for (const JournalBlock& block : blocks) {
    Json tasks = Json::array();
    for (const JournalTask& task : block.tasks) {
      tasks.push_back({{"fingerprint", task.fingerprint},
                       {"rows", task.rows},
                       {"entries", task.entries},
                       {"method", task.method},
                       {"plan", task.plan},
                       {"arithmetic", task.points.empty() ? to_json(task.arithmetic) : to_json(task.points)},
                       {"skip_primes", task.skip_primes},
                       {"units", task.units},
                       {"predicted_seconds", task.predicted_seconds}});
    }
    result.push_back({{"reduced", block.reduced}, {"same_methods", block.same_methods}, {"tasks", tasks}});
    if (block.digit_bits != 0) result.back()["digit_bits"] = block.digit_bits;
    for (const JournalSampling& sampled : block.sampled) {
      result.back()["sampled"].push_back(to_json(sampled));
    }
  }
  return result;
}

JournalTask task_from(const Json& json) {
  JournalTask task;
  task.fingerprint = fields::text_at(json, "fingerprint");
  task.rows = fields::whole_at(json, "rows", 0, no_index);
  task.entries = fields::whole_at(json, "entries", 0, most_entries);
  task.method = fields::text_at(json, "method");
  task.plan = fields::text_at(json, "plan");
  const Json& arithmetic = fields::at(json, "arithmetic");
  task.points = windows_from(arithmetic);
  if (task.points.empty()) task.arithmetic = arithmetic_from(arithmetic);
  task.skip_primes = static_cast<unsigned>(fields::whole_at(json, "skip_primes", 0, most_primes));
  task.units = fields::whole_at(json, "units", 1, fields::most_units);
  task.predicted_seconds = fields::number_at(json, "predicted_seconds", 0, most_predicted);
  return task;
}

JournalSampling sampling_from(const Json& json) {
  return {static_cast<std::size_t>(fields::whole_at(json, "part", 0, no_index)),
          fields::text_at(json, "fingerprint"), fields::whole_at(json, "rows", 0, no_index),
          fields::whole_at(json, "entries", 0, most_entries), fields::text_at(json, "sampler")};
}

std::vector<JournalBlock> blocks_from(const Json& header, const char* key) {
  std::vector<JournalBlock> blocks;
  for (const Json& block : fields::list_at(header, key)) {
    JournalBlock& last = blocks.emplace_back();
    last.reduced = fields::flag_at(block, "reduced");
    last.same_methods = fields::flag_at(block, "same_methods");
    for (const Json& task : fields::list_at(block, "tasks")) last.tasks.push_back(task_from(task));
    if (block.contains("digit_bits"))
      last.digit_bits = fields::whole_at(block, "digit_bits", 1, most_digit_bits);
    if (!block.contains("sampled")) continue;
    for (const Json& sampled : fields::list_at(block, "sampled"))
      last.sampled.push_back(sampling_from(sampled));
  }
  return blocks;
}

Json to_json(const JournalRatio& ratio) {
  Json json = {{"other", {{"path", ratio.other}, {"sha256", ratio.sha256}}},
               {"way", ways[static_cast<std::size_t>(ratio.way)]}};
  if (!ratio.integral.empty()) json["integral"] = ratio.integral;
  if (ratio.way == RatioWay::together) {
    json["pieces"] = Json::array();
    for (const JournalSampling& piece : ratio.pieces) json["pieces"].push_back(to_json(piece));
  } else if (ratio.way == RatioWay::apart) {
    json["trial_variance"] = ratio.trial_variance;
    json["trial_trusted"] = ratio.trial_trusted;
    json["sampler"] = ratio.sampler;
  }
  return json;
}

RatioWay way_from(const Json& json) {
  const std::string& text = fields::text_at(json, "way");
  for (std::size_t k = 0; k < ways.size(); ++k) {
    if (text == ways[k]) return static_cast<RatioWay>(k);
  }
  fields::refuse("a way to a ratio that is none");
}

JournalRatio ratio_from(const Json& json) {
  JournalRatio ratio;
  ratio.other = fields::text_at(fields::at(json, "other"), "path");
  ratio.sha256 = fields::text_at(fields::at(json, "other"), "sha256");
  if (json.contains("integral")) ratio.integral = fields::text_at(json, "integral");
  ratio.way = way_from(json);
  if (ratio.way == RatioWay::together) {
    for (const Json& piece : fields::list_at(json, "pieces")) ratio.pieces.push_back(sampling_from(piece));
  } else if (ratio.way == RatioWay::apart) {
    ratio.trial_variance = fields::number_at(json, "trial_variance", 0, std::numeric_limits<double>::max());
    ratio.trial_trusted = fields::flag_at(json, "trial_trusted");
    ratio.sampler = fields::text_at(json, "sampler");
  }
  return ratio;
}

/// The moduli of polynomials at points: no more of them than any count has.
void add_moduli(std::vector<JournalBlock>& blocks, std::uint64_t& left) {
  for (JournalBlock& block : blocks) {
    for (JournalTask& task : block.tasks) {
      for (const PrimeWindow& window : task.points) {
        if (window.points > left) fields::refuse("more points than any count has");
        left -= window.points;
      }
      if (!task.points.empty()) task.arithmetic = arithmetic_of(task.points);
    }
  }
}

std::pair<std::string, std::string> option_from(const Json& json) {
  return {fields::text(fields::nth(json, 0), "option"), fields::text(fields::nth(json, 1), "option")};
}

}  // namespace

JournalHeader header_from(const Json& json) {
  JournalHeader header;
  header.version = fields::text_at(json, "version");
  header.id = fields::text_at(json, "id");
  header.input = fields::text_at(fields::at(json, "input"), "path");
  header.sha256 = fields::text_at(fields::at(json, "input"), "sha256");
  for (const Json& option : fields::list_at(json, "options")) header.options.push_back(option_from(option));
  for (const Json& rule : fields::list_at(json, "rules")) header.rules.push_back(fields::text(rule, "rule"));
  if (json.contains("settings")) {
    for (const Json& setting : fields::list_at(json, "settings"))
      header.settings.push_back(option_from(setting));
  }
  header.blocks = blocks_from(json, "blocks");
  header.recounts = blocks_from(json, "recounts");
  std::uint64_t points_left = PointResidues::most_points;
  add_moduli(header.blocks, points_left);
  add_moduli(header.recounts, points_left);
  if (json.contains("part")) header.part = part_from(fields::at(json, "part"), header);
  if (json.contains("estimate")) {
    const Json& estimate = fields::at(json, "estimate");
    // Journals of before the rules have none.
    const std::uint64_t rule =
        estimate.contains("rule") ? fields::whole_at(estimate, "rule", 1, ~std::uint32_t{0}) : 1;
    header.estimate = {fields::whole_at(estimate, "seed", 0, ~std::uint64_t{0}),
                       fields::text_at(estimate, "goal"), static_cast<unsigned>(rule)};
  }
  if (json.contains("ratio")) header.ratio = ratio_from(fields::at(json, "ratio"));
  const bool samples = !header.samplings().empty();
  if (header.ratio && (!header.estimate || header.part || !header.blocks.empty()))
    fields::refuse("a ratio with blocks of its own, or parts");
  if (header.part && header.part->of_estimate() != header.estimate.has_value())
    fields::refuse("a part of an estimate without samples, or of a count with some");
  if (samples && !header.estimate) fields::refuse("blocks to sample in a count");
  if (header.estimate && !header.recounts.empty()) fields::refuse("a double-check of an estimate");
  return header;
}

std::vector<const JournalTask*> JournalHeader::tasks() const {
  std::vector<const JournalTask*> result;
  for (const auto* list : {&blocks, &recounts}) {
    for (const JournalBlock& block : *list) {
      for (const JournalTask& task : block.tasks) result.push_back(&task);
    }
  }
  return result;
}

std::vector<const JournalSampling*> JournalHeader::samplings() const {
  std::vector<const JournalSampling*> result;
  for (const JournalBlock& block : blocks) {
    for (const JournalSampling& sampled : block.sampled) result.push_back(&sampled);
  }
  return result;
}

std::vector<UnitRange> JournalHeader::share_of(std::size_t number, const JournalTask& task) const {
  if (part) return part->share[number];
  return {{0, task.units}};
}

std::uint64_t JournalHeader::units_of(std::size_t number, const JournalTask& task) const {
  std::uint64_t sum = 0;
  for (const UnitRange& range : share_of(number, task)) sum += range.size();
  return sum;
}

std::string header_text(const JournalHeader& header) {
  const auto pairs = [](const std::vector<std::pair<std::string, std::string>>& list) {
    Json array = Json::array();
    for (const auto& [name, value] : list) array.push_back(Json::array({name, value}));
    return array;
  };
  Json json = {{"version", header.version},
               {"id", header.id},
               {"input", {{"path", header.input}, {"sha256", header.sha256}}},
               {"options", pairs(header.options)},
               {"rules", header.rules},
               {"blocks", to_json(header.blocks)},
               {"recounts", to_json(header.recounts)}};
  if (!header.settings.empty()) json["settings"] = pairs(header.settings);
  if (header.part) json["part"] = to_json(*header.part);
  if (const auto& estimate = header.estimate)
    json["estimate"] = {{"seed", estimate->seed}, {"goal", estimate->goal}, {"rule", estimate->rule}};
  if (header.ratio) json["ratio"] = to_json(*header.ratio);
  return fields::dumped(json);
}

JournalHeader parse_header(const std::string& text) {
  return header_from(fields::parse(text));
}

}  // namespace countpm
