#include "src/report/head.hpp"

#include <algorithm>

#include "graph/errors.hpp"
#include "src/report/json.hpp"
#include "src/text/ground_state_text.hpp"
#include "src/words/result_words.hpp"

namespace countpm {
namespace {

struct InputObject {
  const InputSummary& summary;
};
struct SurfaceObject {
  const DrawnOn& surface;
};
struct GroundStateObject {
  const GroundStates& states;
};

const Fields<InputObject>& fields_of(const InputObject*) {
  static const auto fields =
      Fields<InputObject>()
          .add("path", "the file, `<stdin>` or the lattice",
               [](const InputObject& o) { return o.summary.input.path; })
          .add("format", "a name of `countpm formats`, `lattice`, or from a program `memory`",
               [](const InputObject& o) {
                 const InputInfo& input = o.summary.input;
                 return std::string(input.lattice  ? "lattice"
                                    : input.memory ? "memory"
                                                   : name_of(input.format));
               })
          .add("kind", "`bipartite`, `directed` or `undirected`",
               [](const InputObject& o) { return std::string(name_of(o.summary.kind)); })
          .add("vertices", "", [](const InputObject& o) { return o.summary.vertices; })
          .add("edges", "", [](const InputObject& o) { return o.summary.edges; })
          .add("sets", "of exact covers the rings, or the sets of three vertices and more; otherwise null",
               [](const InputObject& o) {
                 const bool covers = o.summary.problem == Problem::exact_covers;
                 return covers ? std::optional(o.summary.sets) : std::nullopt;
               })
          .add("sha256", "of the bytes as stored; null for a lattice",
               [](const InputObject& o) { return text_or_null(o.summary.input.sha256); });
  return fields;
}

const Fields<GroundStateObject>& fields_of(const GroundStateObject*) {
  static const auto fields =
      Fields<GroundStateObject>()
          .add("extremum", "`minimum` or `maximum`",
               [](const GroundStateObject& o) { return std::string(name_of(o.states.which)); })
          .add("weight", "of each ground state; null without a perfect matching",
               [](const GroundStateObject& o) {
                 return o.states.weight ? std::optional(weight_text(o.states)) : std::nullopt;
               })
          .add("edges_dropped", "which no ground state has",
               [](const GroundStateObject& o) { return o.states.edges_dropped; })
          .add("odd_sets",
               "which ground states of a general graph leave by one edge "
               "([ground-states.md](ground-states.md))",
               [](const GroundStateObject& o) { return o.states.odd_sets; });
  return fields;
}

const Fields<SurfaceObject>& fields_of(const SurfaceObject*) {
  static const auto fields =
      Fields<SurfaceObject>()
          .add("file", "of `--embedding`; null: the input itself says it",
               [](const SurfaceObject& o) { return text_or_null(o.surface.file); })
          .add("orientable", "", [](const SurfaceObject& o) { return o.surface.orientable; })
          .add("genus", "the number of handles, or of crosscaps where it is not orientable",
               [](const SurfaceObject& o) { return o.surface.genus; })
          .add("faces", "", [](const SurfaceObject& o) { return o.surface.faces; });
  return fields;
}

}  // namespace

const Fields<MatchedVertices>& fields_of(const MatchedVertices*) {
  static const auto fields = Fields<MatchedVertices>()
                                 .add("size", "the edges of each matching", &MatchedVertices::size)
                                 .add("free_vertices", "how many it leaves free", &MatchedVertices::free);
  return fields;
}

Json with_null(Json schema) {
  if (schema.empty()) return schema;
  const auto type = schema.find("type");
  if (type == schema.end() || schema.contains("properties") || schema.contains("prefixItems"))
    return {{"anyOf", Json::array({std::move(schema), Json{{"type", "null"}}})}};
  Json types = type->is_array() ? *type : Json::array({*type});
  if (std::find(types.begin(), types.end(), "null") == types.end()) types.push_back("null");
  schema["type"] = std::move(types);
  return schema;
}

const Fields<ErrorDetails>& fields_of(const ErrorDetails*) {
  const auto of_input = [](auto get) {
    return null_unless<ErrorDetails>([](const ErrorDetails& error) { return error.input != nullptr; },
                                     [get](const ErrorDetails& error) { return get(*error.input); });
  };
  static const auto fields =
      Fields<ErrorDetails>()
          .add("kind",
               "`usage`, `input`, `unable`, `check`, `missing` (units, of `merge`), `interrupted` or "
               "`internal`",
               &ErrorDetails::kind)
          .add("message", "", &ErrorDetails::message)
          .add("exit_code", "", &ErrorDetails::exit_code)
          .add("file", "of bad input, as all that follows",
               of_input([](const InputError& e) { return e.file(); }))
          .add("line", "null: there is none",
               [](const ErrorDetails& error) {
                 const bool known = error.input != nullptr && error.input->line() != 0;
                 return known ? std::optional<std::uint64_t>(error.input->line()) : std::nullopt;
               })
          .add("expected", "", of_input([](const InputError& e) { return e.expected(); }))
          .add("found", "", of_input([](const InputError& e) { return e.found(); }));
  return fields;
}

const Fields<InputSummary>& fields_of(const InputSummary*) {
  static const auto fields =
      Fields<InputSummary>()
          .add("input", "what was read", [](const InputSummary& summary) { return InputObject{summary}; })
          .add(
              "problem",
              "`perfect matchings`, `cycle covers`, `perfect matchings of a general graph`, with monomers "
              "`matchings`, with rings and sets `exact covers`; `perfect matchings of minimum weight`, "
              "`2-factors`, `maximum matchings` and the like with `--ground-state`, `--degree`, `--maximum`; "
              "of a rectangular permanent from a program `matchings that cover the smaller side`",
              [](const InputSummary& summary) { return words::problem_name(summary); })
          .add("weighted", "whether weights are summed (`--weights`, or a lattice with `weights=`)",
               &InputSummary::weighted)
          .add("maximum_matching", "with `--maximum`, and of rectangular permanents", &InputSummary::matched)
          .add("ground_state", "with `--ground-state`; `count` is then the number of ground states",
               [](const InputSummary& summary) {
                 const auto& states = summary.input.ground_states;
                 return states ? std::optional(GroundStateObject{*states}) : std::nullopt;
               })
          .add("surface",
               "with `--embedding`, and of planar_code on another surface than the sphere: what the graph is "
               "drawn on, before anything is removed ([surfaces.md](surfaces.md))",
               [](const InputSummary& summary) {
                 const auto& surface = summary.input.drawn_on;
                 return surface ? std::optional(SurfaceObject{*surface}) : std::nullopt;
               })
          .add("degree",
               "with `--degree`: how many edges of a set every vertex has ([degrees.md](degrees.md))",
               [](const InputSummary& summary) {
                 const auto& degrees = summary.input.degrees;
                 return degrees ? std::optional(degrees->degree) : std::nullopt;
               });
  return fields;
}

const Fields<ViolatorReport>& fields_of(const ViolatorReport*) {
  static const auto fields =
      Fields<ViolatorReport>()
          .add("side",
               "`left`, `right`, `rows`, `columns`, `tails`, `heads`; `vertices` of a graph with odd cycles",
               &ViolatorReport::side)
          .add("vertices", "labels", &ViolatorReport::vertices)
          .add("neighbours", "fewer labels than `vertices`, or than odd components",
               &ViolatorReport::neighbours)
          .add("odd_components",
               "of a graph with odd cycles, else empty: `vertices`, component by component, without "
               "`neighbours`; each is odd, and there are more of them than `neighbours`",
               &ViolatorReport::odd_components);
  return fields;
}

const Fields<RuleReport>& fields_of(const RuleReport*) {
  static const auto fields = Fields<RuleReport>()
                                 .add("applied", "how often", &RuleReport::applied)
                                 .add("removed", "how many rows it took away", &RuleReport::removed);
  return fields;
}

ByName<RuleReport> by_rule(const std::vector<RuleReport>& rules) {
  ByName<RuleReport> named;
  for (const RuleReport& rule : rules) named.emplace_back(rule.rule, rule);
  return named;
}

const Fields<Check>& fields_of(const Check*) {
  static const auto fields =
      Fields<Check>()
          .add("name", "", &Check::name)
          .add("ok", "true, or null: the check does not apply; one that fails ends with exit code 4",
               [](const Check& check) { return check.ran ? std::optional(check.ok) : std::nullopt; })
          .add("detail", "what was compared, or why the check does not apply", &Check::detail);
  return fields;
}

const Fields<Seconds>& fields_of(const Seconds*) {
  static const auto fields = Fields<Seconds>()
                                 .add("read", "", &Seconds::read)
                                 .add("structure", "", &Seconds::structure)
                                 .add("reduce", "", &Seconds::reduce)
                                 .add("plan", "", &Seconds::plan)
                                 .add("count", "", &Seconds::count)
                                 .add("verify", "", &Seconds::verify)
                                 .add("proof", "", &Seconds::proof)
                                 .add("total", "", &Seconds::total);
  return fields;
}

const Fields<BoundsReport>& fields_of(const BoundsReport*) {
  static const auto fields =
      Fields<BoundsReport>()
          .add("log10_lower", "null: 0",
               [](const BoundsReport& bounds) { return finite(bounds.log10_lower); })
          .add("lower_by", "`Bethe`, `Gurvits`, `integer` or `bipartite part`; `count`",
               &BoundsReport::lower_by)
          .add("log10_upper", "", [](const BoundsReport& bounds) { return finite(bounds.log10_upper); })
          .add("upper_by", "`Bregman-Minc`, `Bethe`, `Alon-Friedland` or `Bethe of the permanent`; `count`",
               &BoundsReport::upper_by);
  return fields;
}

}  // namespace countpm
