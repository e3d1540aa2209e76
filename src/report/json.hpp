#pragma once
// The machine's view of results: the stable keys of docs/json.md.
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "src/api/draw_forecast.hpp"
#include "src/api/entries.hpp"
#include "src/api/ratio_result.hpp"
#include "src/api/sampling_forecast.hpp"
#include "src/api/signed_sum.hpp"
#include "src/chemistry/kekule_result.hpp"
#include "src/count/bounded_result.hpp"
#include "src/count/log_count.hpp"
#include "src/count/minors.hpp"
#include "src/count/orbit_result.hpp"
#include "src/count/outcome_probability.hpp"
#include "src/estimate/estimate.hpp"

namespace countpm {

nlohmann::ordered_json to_json(const CountResult& result);
nlohmann::ordered_json to_json(const BoundedCount& result);
nlohmann::ordered_json to_json(const OrbitCount& result);
nlohmann::ordered_json to_json(const Minors& result);
nlohmann::ordered_json to_json(const MinorsForecast& forecast);
nlohmann::ordered_json to_json(const OutcomeProbability& result);
nlohmann::ordered_json to_json(const Explanation& explanation);
nlohmann::ordered_json to_json(const EstimateResult& result);
nlohmann::ordered_json to_json(const Estimate& estimate);
nlohmann::ordered_json to_json(const LogCountResult& result);
/// Bonds as {from, to, order, value}.
nlohmann::ordered_json to_json(const KekuleResult& result);
nlohmann::ordered_json to_json(const RatioResult& result);
nlohmann::ordered_json to_json(const SignedSum& result);
nlohmann::ordered_json to_json(const SamplingForecast& forecast);
nlohmann::ordered_json to_json(const DrawForecast& forecast);
/// Edges as [from, to, probability], or with an error behind it.
nlohmann::ordered_json marginals_json(const ListStart& start, bool weighted, bool exact,
                                      nlohmann::ordered_json edges);
nlohmann::ordered_json to_json(const std::optional<ViolatorReport>& violator);

/// JSON has no infinity.
nlohmann::ordered_json finite_or_null(double value);

/// One line; bytes that are no UTF-8 (file names may have them) become U+FFFD, and what would not be seen (C1
/// controls, marks of direction) is \uNNNN.
std::string one_line(const nlohmann::ordered_json& value);
/// Indented, with a newline at the end.
std::string indented(const nlohmann::ordered_json& value);

}  // namespace countpm
