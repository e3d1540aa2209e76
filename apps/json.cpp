#include "apps/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>

#include "graph/text.hpp"

namespace countpm::app {
namespace {

using Json = nlohmann::ordered_json;

// JSON has no infinities: null says so.
Json input_json(const InputSummary& summary) {
  const InputInfo& input = summary.input;
  return {{"path", input.path},
          {"format", input.lattice ? "lattice" : name_of(input.format)},
          {"kind", name_of(summary.kind)},
          {"vertices", summary.vertices},
          {"edges", summary.edges},
          {"sha256", input.sha256.empty() ? Json(nullptr) : Json(input.sha256)}};
}

Json rules_json(const std::vector<RuleReport>& rules) {
  Json object = Json::object();
  for (const RuleReport& rule : rules)
    object[rule.rule] = {{"applied", rule.applied}, {"removed", rule.removed}};
  return object;
}

Json seconds_json(const Seconds& seconds) {
  return {{"read", seconds.read},  {"structure", seconds.structure}, {"reduce", seconds.reduce},
          {"plan", seconds.plan},  {"count", seconds.count},         {"verify", seconds.verify},
          {"total", seconds.total}};
}

Json audit_json(const std::optional<AuditReport>& audit) {
  if (!audit) return nullptr;
  return {{"share", audit->share}, {"seed", audit->seed}, {"units", audit->units},    {"of", audit->of},
          {"work", audit->work},   {"how", audit->how},   {"seconds", audit->seconds}};
}

Json entropy_json(const std::optional<Entropy>& entropy) {
  if (!entropy) return nullptr;
  Json limit = nullptr;
  if (entropy->limit) {
    limit = {{"per_vertex", entropy->limit->per_vertex},
             {"lattice", entropy->limit->lattice},
             {"source", entropy->limit->source}};
  }
  return {{"ln_z", entropy->ln_z},
          {"per_vertex", entropy->per_vertex},
          {"per_dimer", entropy->per_dimer},
          {"limit", limit}};
}

Json bounds_json(const std::optional<BoundsReport>& bounds) {
  if (!bounds) return nullptr;
  return {{"log10_lower", finite_or_null(bounds->log10_lower)},
          {"lower_by", bounds->lower_by},
          {"log10_upper", finite_or_null(bounds->log10_upper)},
          {"upper_by", bounds->upper_by}};
}

Json checks_json(const std::vector<Check>& checks) {
  Json list = Json::array();
  for (const Check& check : checks) {
    list.push_back(
        {{"name", check.name}, {"ok", check.ran ? Json(check.ok) : Json(nullptr)}, {"detail", check.detail}});
  }
  return list;
}

}  // namespace

Json finite_or_null(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json to_json(const Estimate& estimate) {
  return {{"log10", finite_or_null(estimate.log10)},
          {"relative_error", finite_or_null(estimate.relative_error)},
          {"confidence", estimate.confidence},
          {"interval_log10", {finite_or_null(estimate.low_log10), finite_or_null(estimate.high_log10)}},
          {"samples_log10", finite_or_null(estimate.samples_log10)},
          {"moved", was_moved(estimate)},
          {"samples", estimate.samples},
          {"nonzero", estimate.nonzero},
          {"effective_samples", estimate.effective_samples},
          {"largest_share", estimate.largest_share},
          {"unseen", estimate.guarantee ? Json(nullptr) : Json(estimate.unseen)},
          {"assumes", assumption(estimate).empty() ? Json(nullptr) : Json(assumption(estimate))},
          {"doubt", estimate.doubt.empty() ? Json(nullptr) : Json(estimate.doubt)},
          {"guarantee", estimate.guarantee ? Json{{"epsilon", estimate.guarantee->epsilon},
                                                  {"delta", estimate.guarantee->delta}}
                                           : Json(nullptr)},
          {"seed", estimate.seed}};
}

Json to_json(const std::optional<ViolatorReport>& violator) {
  if (!violator) return nullptr;
  return {{"side", violator->side},
          {"vertices", violator->vertices},
          {"neighbours", violator->neighbours},
          {"odd_components", violator->odd_components}};
}

Json to_json(const CountResult& result) {
  Json blocks = Json::array();
  for (const BlockReport& block : result.blocks) {
    blocks.push_back({{"rows", block.rows},
                      {"edges", block.entries},
                      {"general", block.general},
                      {"method", block.method},
                      {"count", block.count},
                      {"seconds", block.seconds},
                      {"predicted_seconds", finite_or_null(block.predicted_seconds)},
                      {"work", finite_or_null(block.work)},
                      {"work_name", block.work_name},
                      {"arithmetic", block.arithmetic},
                      {"kernel", block.kernel.empty() ? Json(nullptr) : Json(block.kernel)}});
  }
  return {{"version", version()},
          {"input", input_json(result)},
          {"problem", name_of(result.problem)},
          {"weighted", result.weighted},
          {"count", result.count},
          {"log10", finite_or_null(result.log10)},
          {"exact", result.exact},
          {"proved", result.proved},
          {"error_bound", result.exact ? Json(nullptr) : Json(result.error_bound)},
          {"entropy", entropy_json(result.entropy)},
          {"method", result.method},
          {"device", result.device},
          {"threads", result.threads},
          {"ranks", result.ranks},
          {"blocks", blocks},
          {"reductions", rules_json(result.reductions)},
          {"violator", to_json(result.violator)},
          {"checks", checks_json(result.checks)},
          {"audit", audit_json(result.audit)},
          {"recheck", result.recheck.empty() ? Json(nullptr) : Json::parse(result.recheck)},
          {"seconds", seconds_json(result.seconds)},
          {"notes", result.notes},
          {"estimate", nullptr}};
}

Json to_json(const LogCountResult& result) {
  const bool zero = std::isinf(result.ln_z);
  const double relative = result.error_estimate / std::abs(result.ln_z);
  return {
      {"version", version()},
      {"input", input_json(result)},
      {"problem", name_of(result.problem)},
      {"weighted", result.weighted},
      {"ln_z", finite_or_null(result.ln_z)},
      {"of_absolute", result.of_absolute},
      {"error_estimate", zero ? Json(nullptr) : Json(result.error_estimate)},
      {"relative_error_estimate", zero ? Json(nullptr) : finite_or_null(relative)},
      {"per_vertex", zero || result.vertices == 0 ? Json(nullptr)
                                                  : Json(result.ln_z / static_cast<double>(result.vertices))},
      {"blocks", result.blocks},
      {"device", result.gpu.empty() ? "cpu" : "gpu"},
      {"threads", result.threads},
      {"violator", to_json(result.violator)},
      {"seconds", seconds_json(result.seconds)},
      {"notes", result.notes}};
}

Json to_json(const Explanation& explanation) {
  Json blocks = Json::array();
  for (const BlockForecast& block : explanation.blocks) {
    Json methods = Json::array();
    for (const MethodForecast& method : block.methods) {
      const bool can = !method.obstacle;
      methods.push_back({{"method", method.method},
                         {"obstacle", can ? Json(nullptr) : Json(method.obstacle->text)},
                         {"log10_seconds", can ? finite_or_null(method.log10_seconds) : Json(nullptr)},
                         {"log10_work", can ? finite_or_null(method.log10_work) : Json(nullptr)},
                         {"work_name", method.work_name},
                         {"plan", method.plan},
                         {"memory_bytes", method.memory_bytes},
                         {"measured", method.measured},
                         {"device", method.device},
                         {"chosen", method.chosen}});
    }
    blocks.push_back({{"rows", block.rows},
                      {"edges", block.entries},
                      {"general", block.general},
                      {"log2_bound", finite_or_null(block.log2_bound)},
                      {"arithmetic", block.arithmetic},
                      {"bounds", bounds_json(block.bounds)},
                      {"methods", methods}});
  }
  return {{"version", version()},
          {"input", input_json(explanation)},
          {"problem", name_of(explanation.problem)},
          {"rows", explanation.rows},
          {"columns", explanation.columns},
          {"matching_size", explanation.matching_size},
          {"violator", to_json(explanation.violator)},
          {"structure_blocks", explanation.structure_blocks},
          {"entries_dropped", explanation.entries_dropped},
          {"reductions", rules_json(explanation.reductions)},
          {"factor", explanation.violator ? Json(nullptr) : Json(explanation.factor)},
          {"blocks", blocks},
          {"log10_total_seconds", finite_or_null(explanation.log10_total_seconds)},
          {"feasible", explanation.feasible},
          {"notes", explanation.notes}};
}

Json to_json(const std::optional<SecondEstimate>& second) {
  if (!second) return nullptr;
  return {{"sampler", second->sampler},
          {"log10", finite_or_null(second->log10)},
          {"least_log10", finite_or_null(second->least_log10)},
          {"samples", second->samples},
          {"planned", second->planned},
          {"nonzero", second->nonzero},
          {"effective_samples", second->effective_samples},
          {"contradicts", second->contradicts},
          {"seconds", second->seconds}};
}

Json to_json(const EstimateResult& result) {
  Json blocks = Json::array();
  for (const EstimatedBlock& block : result.blocks) {
    blocks.push_back({{"rows", block.rows},
                      {"edges", block.entries},
                      {"method", block.method},
                      {"exact", block.exact},
                      {"log10", finite_or_null(block.log10)},
                      {"relative_error", finite_or_null(block.relative_error)},
                      {"samples", block.samples},
                      {"nonzero", block.nonzero},
                      {"effective_samples", block.effective_samples},
                      {"largest_share", block.largest_share},
                      {"doubt", block.doubt.empty() ? Json(nullptr) : Json(block.doubt)},
                      {"seconds", block.seconds},
                      {"second", to_json(block.second)}});
  }
  return {{"version", version()},
          {"input", input_json(result)},
          {"problem", name_of(result.problem)},
          {"weighted", result.weighted},
          {"exact_count", result.exact_count ? Json(*result.exact_count) : Json(nullptr)},
          {"sampler", result.sampler},
          {"device", result.device},
          {"threads", result.threads},
          {"blocks", blocks},
          {"reductions", rules_json(result.reductions)},
          {"violator", to_json(result.violator)},
          {"checks", checks_json(result.checks)},
          {"seconds", seconds_json(result.seconds)},
          {"notes", result.notes},
          {"estimate", result.estimate ? to_json(*result.estimate) : Json(nullptr)}};
}

Json marginals_json(const ListStart& start, bool weighted, bool exact, Json edges) {
  return {{"version", version()},
          {"input", input_json(start)},
          {"problem", name_of(start.problem)},
          {"weighted", weighted},
          {"exact", exact},
          {"edges", std::move(edges)},
          {"violator", to_json(start.violator)},
          {"notes", start.notes}};
}

Json error_json(const std::string& kind, const std::string& message, int exit_code, const InputError* input) {
  Json error{{"kind", kind}, {"message", message}, {"exit_code", exit_code}};
  if (input != nullptr) {
    error["file"] = input->file();
    error["line"] = input->line() == 0 ? Json(nullptr) : Json(input->line());
    error["expected"] = input->expected();
    error["found"] = input->found();
  }
  return {{"version", version()}, {"error", error}};
}

namespace {

// Beyond ASCII all stands in strings, where an escape says the same.
std::string with_invisible_escaped(std::string dumped) {
  const auto beyond = [](char c) { return static_cast<unsigned char>(c) >= 0x7f; };
  if (std::none_of(dumped.begin(), dumped.end(), beyond)) return dumped;
  std::string text;
  text.reserve(dumped.size());
  std::string_view left = dumped;
  while (!left.empty()) {
    const std::size_t length = std::max<std::size_t>(utf8_length(left), 1);
    const std::string_view character = left.substr(0, length);
    if (left[0] == '\n' || visible_length(left) != 0) {
      text += character;
    } else {
      const std::string escape = Json(std::string(character)).dump(-1, ' ', true);
      text += length == 1 ? fmt::format("\\u{:04x}", static_cast<unsigned char>(left[0]))
                          : escape.substr(1, escape.size() - 2);
    }
    left.remove_prefix(length);
  }
  return text;
}

}  // namespace

std::string one_line(const Json& value) {
  return with_invisible_escaped(value.dump(-1, ' ', false, Json::error_handler_t::replace));
}

std::string indented(const Json& value) {
  return with_invisible_escaped(value.dump(2, ' ', false, Json::error_handler_t::replace)) + "\n";
}

std::string error_text(const std::string& kind, const std::string& message, int exit_code,
                       const InputError* input, bool on_one_line) {
  const Json error = error_json(kind, message, exit_code, input);
  return on_one_line ? one_line(error) + "\n" : indented(error);
}

}  // namespace countpm::app
