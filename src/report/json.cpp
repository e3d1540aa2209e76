#include "src/report/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>

#include "graph/text.hpp"
#include "src/report/estimate_json.hpp"
#include "src/report/input_json.hpp"
#include "src/text/format_number.hpp"
#include "src/text/ground_state_text.hpp"
#include "src/words/estimate_words.hpp"
#include "src/words/ratio_words.hpp"
#include "src/words/result_words.hpp"

namespace countpm {
namespace {

using Json = nlohmann::ordered_json;

}  // namespace

// JSON has no infinities: null says so.
Json input_json(const InputSummary& summary) {
  const InputInfo& input = summary.input;
  const Json sets = summary.problem == Problem::exact_covers ? Json(summary.sets) : Json(nullptr);
  return {{"path", input.path},
          {"format", input.lattice  ? "lattice"
                     : input.memory ? "memory"
                                    : name_of(input.format)},
          {"kind", name_of(summary.kind)},
          {"vertices", summary.vertices},
          {"edges", summary.edges},
          {"sets", sets},
          {"sha256", input.sha256.empty() ? Json(nullptr) : Json(input.sha256)}};
}

namespace {

/// Of matchings that need not be perfect.
Json matched_json(const InputSummary& summary) {
  if (!summary.matched) return nullptr;
  return {{"size", summary.matched->size}, {"free_vertices", summary.matched->free}};
}

/// Of the matchings of least or largest weight.
Json ground_state_json(const InputSummary& summary) {
  const std::optional<GroundStates>& states = summary.input.ground_states;
  if (!states) return nullptr;
  return {{"extremum", name_of(states->which)},
          {"weight", states->weight ? Json(weight_text(*states)) : Json(nullptr)},
          {"edges_dropped", states->edges_dropped},
          {"odd_sets", states->odd_sets}};
}

/// Of sets of edges that have more than one at every vertex, or none.
Json degree_json(const InputSummary& summary) {
  return summary.input.degrees ? Json(summary.input.degrees->degree) : Json(nullptr);
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

/// Of other counts than matching polynomials: null.
Json coefficients_json(const std::vector<mpq_class>& coefficients) {
  if (coefficients.empty()) return nullptr;
  Json list = Json::array();
  for (const mpq_class& one : coefficients) list.push_back(one.get_str());
  return list;
}

/// Of counts without letters in weights: null.
Json polynomial_json(const std::optional<Polynomial>& polynomial) {
  if (!polynomial) return nullptr;
  Json variables = Json::array();
  for (const char letter : polynomial->variables) variables.push_back(std::string(1, letter));
  Json terms = Json::array();
  for (const PolynomialTerm& term : polynomial->terms)
    terms.push_back({term.exponents, term.coefficient.get_str()});
  return {{"variables", variables}, {"terms", terms}};
}

}  // namespace

Json finite_or_null(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json to_json(const Estimate& estimate) {
  return {{"estimate", words::value_text(estimate)},
          {"log10", finite_or_null(estimate.log10)},
          {"relative_error", finite_or_null(estimate.relative_error)},
          {"confidence", estimate.confidence},
          {"interval", words::interval_texts(estimate)},
          {"interval_log10", {finite_or_null(estimate.low_log10), finite_or_null(estimate.high_log10)}},
          {"samples_log10", finite_or_null(estimate.samples_log10)},
          {"moved", was_moved(estimate)},
          {"samples", estimate.samples},
          {"nonzero", estimate.nonzero},
          {"effective_samples", estimate.effective_samples},
          {"largest_share", estimate.largest_share},
          {"pareto_k", finite_or_null(estimate.pareto_k)},
          {"pareto_k_means", estimate.guarantee
                                 ? Json(nullptr)
                                 : Json(meaning_of_pareto_k(estimate.pareto_k, estimate.doubt.empty()))},
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
                      {"count", block.count.empty() ? Json(nullptr) : Json(block.count)},
                      {"seconds", block.seconds},
                      {"predicted_seconds", finite_or_null(block.predicted_seconds)},
                      {"work", finite_or_null(block.work)},
                      {"work_name", block.work_name},
                      {"arithmetic", block.arithmetic},
                      {"kernel", block.kernel.empty() ? Json(nullptr) : Json(block.kernel)},
                      {"plan", block.plan}});
  }
  return {{"version", version()},
          {"input", input_json(result)},
          {"problem", words::problem_name(result)},
          {"maximum_matching", matched_json(result)},
          {"ground_state", ground_state_json(result)},
          {"degree", degree_json(result)},
          {"weighted", result.weighted},
          {"count", result.count},
          {"coefficients", coefficients_json(result.coefficients)},
          {"polynomial", polynomial_json(result.polynomial)},
          {"power", nullptr},
          {"log10", finite_or_null(result.log10)},
          {"exact", result.exact},
          {"proved", result.proved},
          {"error_bound", result.exact ? Json(nullptr) : Json(result.error_bound)},
          {"entropy", entropy_json(result.entropy)},
          {"method", result.method},
          {"device", result.device},
          {"threads", result.threads},
          {"ranks", result.ranks},
          {"lost_ranks", result.lost_ranks},
          {"blocks", blocks},
          {"reductions", rules_json(result.reductions)},
          {"violator", to_json(result.violator)},
          {"checks", checks_json(result.checks)},
          {"audit", audit_json(result.audit)},
          {"recheck", result.recheck.empty() ? Json(nullptr) : Json::parse(result.recheck)},
          {"seconds", seconds_json(result.seconds)},
          {"notes", result.notes},
          {"warnings", result.input.warnings},
          {"estimate", nullptr}};
}

Json to_json(const BoundedCount& result) {
  Json blocks = Json::array();
  for (const BoundedBlock& block : result.blocks) {
    const bool counted = !block.method.empty();
    blocks.push_back({{"rows", block.rows},
                      {"edges", block.entries},
                      {"general", block.general},
                      {"method", counted ? Json(block.method) : Json(nullptr)},
                      {"count", counted ? Json(block.count) : Json(nullptr)},
                      {"bounds", bounds_json(block.bounds)}});
  }
  return {{"version", version()},
          {"input", input_json(result)},
          {"problem", words::problem_name(result)},
          {"maximum_matching", matched_json(result)},
          {"ground_state", ground_state_json(result)},
          {"weighted", result.weighted},
          {"count", nullptr},
          {"lower", result.lower},
          {"upper", result.upper},
          {"bounds", bounds_json(result.bounds)},
          {"blocks_counted", result.counted},
          {"blocks", blocks},
          {"reason", result.reason},
          {"seconds", result.seconds},
          {"notes", result.notes},
          {"warnings", result.input.warnings}};
}

Json to_json(const OrbitCount& result) {
  return {{"version", version()},
          {"input", input_json(result)},
          {"problem", words::problem_name(result)},
          {"weighted", result.weighted},
          {"orbits", result.count},
          {"matchings", result.matchings},
          {"symmetries", result.symmetries},
          {"counts", result.counts},
          {"seconds", result.seconds},
          {"notes", result.notes},
          {"warnings", result.input.warnings}};
}

Json to_json(const LogCountResult& result) {
  const bool zero = std::isinf(result.ln_z);
  const double relative = result.error_estimate / std::abs(result.ln_z);
  return {
      {"version", version()},
      {"input", input_json(result)},
      {"problem", words::problem_name(result)},
      {"ground_state", ground_state_json(result)},
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
      {"notes", result.notes},
      {"warnings", result.input.warnings}};
}

Json load_json(const std::optional<MachineLoad>& load) {
  if (!load) return nullptr;
  return {{"cores", load->cores}, {"busy_with_others", load->busy}};
}

Json assumed_json(const AssumedMachine& assumed) {
  if (!assumed.any()) return nullptr;
  return {{"gpu", assumed.gpu.empty() ? Json(nullptr) : Json(assumed.gpu)},
          {"gpus", assumed.gpu.empty() ? Json(nullptr) : Json(assumed.gpus)},
          {"machines", assumed.machines},
          {"threads", assumed.threads > 0 ? Json(assumed.threads) : Json(nullptr)}};
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
                         {"gpus_together", method.gpus_together},
                         {"waiting_bytes", method.waiting_bytes},
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
          {"problem", words::problem_name(explanation)},
          {"maximum_matching", matched_json(explanation)},
          {"ground_state", ground_state_json(explanation)},
          {"degree", degree_json(explanation)},
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
          {"load", load_json(explanation.load)},
          {"assumed", assumed_json(explanation.assumed)},
          {"notes", explanation.notes},
          {"warnings", explanation.input.warnings}};
}

Json to_json(const EstimateResult& result) {
  Json blocks = Json::array();
  for (const EstimatedBlock& block : result.blocks) blocks.push_back(estimated_block_json(block));
  return {{"version", version()},
          {"input", input_json(result)},
          {"problem", words::problem_name(result)},
          {"maximum_matching", matched_json(result)},
          {"ground_state", ground_state_json(result)},
          {"degree", degree_json(result)},
          {"weighted", result.weighted},
          {"exact_count", result.exact_count ? Json(*result.exact_count) : Json(nullptr)},
          {"sampler", result.sampler},
          {"device", result.device},
          {"threads", result.threads},
          {"ranks", result.ranks},
          {"lost_ranks", result.lost_ranks},
          {"blocks", blocks},
          {"reductions", rules_json(result.reductions)},
          {"violator", to_json(result.violator)},
          {"checks", checks_json(result.checks)},
          {"seconds", seconds_json(result.seconds)},
          {"notes", result.notes},
          {"warnings", result.input.warnings},
          {"estimate", result.estimate ? to_json(*result.estimate) : Json(nullptr)},
          {"ln_z", ln_z_json(result)},
          {"replicates", replicates_json(result.replicates)},
          {"spread", spread_json(result.spread)},
          {"goal_met", !result.missed.has_value()},
          {"goal_missed", missed_json(result.missed)}};
}

Json to_json(const KekuleResult& result) {
  const LabelTable& labels = result.graph.left_labels;
  Json bonds = Json::array();
  for (std::size_t e = 0; e < result.order.size(); ++e) {
    bonds.push_back({{"from", labels.label(result.graph.edges[e].from)},
                     {"to", labels.label(result.graph.edges[e].to)},
                     {"order", result.order[e].get_str()},
                     {"value", nearest_double(result.order[e].get_num(), result.order[e].get_den())}});
  }
  Json clar_number = nullptr;
  Json clar_covers = nullptr;
  if (!result.clar_covers.empty()) {
    clar_number = result.clar_covers.size() - 1;
    clar_covers = Json::array();
    for (const mpz_class& one : result.clar_covers) clar_covers.push_back(one.get_str());
  }
  return {{"version", version()},
          {"input", input_json(result)},
          {"formula", result.formula.empty() ? Json(nullptr) : Json(result.formula)},
          {"structures", result.no_pi_system.empty() ? Json(result.structures.get_str()) : Json(nullptr)},
          {"no_pi_system", result.no_pi_system.empty() ? Json(nullptr) : Json(result.no_pi_system)},
          {"unpaired", result.unpaired},
          {"clar_number", std::move(clar_number)},
          {"clar_covers", std::move(clar_covers)},
          {"bonds", std::move(bonds)},
          {"violator", to_json(result.violator)},
          {"notes", result.notes},
          {"warnings", result.input.warnings}};
}

Json to_json(const RatioResult& result) {
  const bool exact = result.exact.has_value();
  const Json other{{"path", result.other.path},
                   {"sha256", result.other.sha256.empty() ? Json(nullptr) : Json(result.other.sha256)}};
  const double ln_of_ten = std::log(10.0);
  return {{"version", version()},
          {"input", input_json(result)},
          {"ratio_to", other},
          {"problem", words::problem_name(result)},
          {"weighted", result.weighted},
          {"exact", exact ? Json(result.exact->get_str()) : Json(nullptr)},
          {"ratio", words::ratio_value_text(result)},
          {"ln", finite_or_null(result.log)},
          {"ln_standard_error", result.log_error},
          {"interval",
           {format_log10(result.low / ln_of_ten, 6, Rounding::down),
            format_log10(result.high / ln_of_ten, 6, Rounding::up)}},
          {"interval_ln", {finite_or_null(result.low), finite_or_null(result.high)}},
          {"confidence", exact ? 1.0 : result.confidence},
          {"doubt", result.doubt.empty() ? Json(nullptr) : Json(result.doubt)},
          {"sampler", result.sampler.empty() ? Json(nullptr) : Json(result.sampler)},
          {"apart", result.apart},
          {"samples", result.samples},
          {"effective_samples", result.effective_samples},
          {"pareto_k", finite_or_null(result.pareto_k)},
          {"second", check_json(result.second, result.second_samples)},
          {"goal_missed", result.goal_missed.empty() ? Json(nullptr) : Json(result.goal_missed)},
          {"seed", result.seed},
          {"threads", result.threads},
          {"seconds", result.seconds},
          {"notes", result.notes},
          {"warnings", result.input.warnings}};
}

Json marginals_json(const ListStart& start, bool weighted, bool exact, Json edges) {
  return {{"version", version()},
          {"input", input_json(start)},
          {"problem", words::problem_name(start)},
          {"ground_state", ground_state_json(start)},
          {"weighted", weighted},
          {"exact", exact},
          {"edges", std::move(edges)},
          {"violator", to_json(start.violator)},
          {"notes", start.notes},
          {"warnings", start.input.warnings}};
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

}  // namespace countpm
