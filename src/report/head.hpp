#pragma once
// What stands at the head of every result, and at its end.
#include <optional>
#include <string>

#include "src/api/results.hpp"
#include "src/api/version.hpp"
#include "src/report/fields.hpp"

namespace countpm {

/// Of docs/json.md: what a program may rely on. It grows when a key goes or means something else.
constexpr int json_schema = 1;

const Fields<InputSummary>& fields_of(const InputSummary*);
const Fields<ViolatorReport>& fields_of(const ViolatorReport*);
const Fields<RuleReport>& fields_of(const RuleReport*);
const Fields<Check>& fields_of(const Check*);
const Fields<Seconds>& fields_of(const Seconds*);
const Fields<BoundsReport>& fields_of(const BoundsReport*);

/// {"single": {"applied": 0, "removed": 0}, ...}
ByName<RuleReport> by_rule(const std::vector<RuleReport>& rules);

/// What every object begins with.
template <class R>
Fields<R> object_head(const std::string& object) {
  return Fields<R>()
      .constant("schema", "of the object: 1 until a key goes or means something else", json_schema)
      .constant("object", "what the object is", object);
}

/// Of objects that are about no graph.
template <class R>
Fields<R> bare_head(const std::string& object) {
  return object_head<R>(object).add("version", "of countpm", [](const R&) { return std::string(version()); });
}

template <class R>
Fields<R> head(const std::string& object) {
  return bare_head<R>(object)
      .join(fields_of(static_cast<const InputSummary*>(nullptr)))
      .add("violator",
           "why the count is 0; null where it is not, and where no reason is looked for (`--up-to-symmetry`, "
           "`--on-limit bounds`, ratios, `--signed`, `minors`, `probability`)",
           [](const R& result) -> std::optional<ViolatorReport> {
             if constexpr (requires { result.violator; }) return result.violator;
             return std::nullopt;
           });
}

template <class R>
Fields<R> with_notes(Fields<R> fields) {
  return fields
      .add("notes",
           "what was assumed in reading (a header, a symmetric matrix as rows x columns), sides of "
           "different sizes, zeros left out, ...",
           [](const R& result) { return result.notes; })
      .add("warnings",
           "what was read in one way where another would make the number another one, also on standard "
           "error ([formats.md](formats.md#one-reading-or-none))",
           [](const R& result) { return result.input.warnings; });
}

}  // namespace countpm
