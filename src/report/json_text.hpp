#pragma once
// Results as JSON text, without a JSON library's header: the objects that the command line prints with --json
// (docs/json.md).
#include <string>

#include "src/api/draw_forecast.hpp"
#include "src/api/estimate_result.hpp"
#include "src/api/ratio_result.hpp"
#include "src/api/results.hpp"
#include "src/api/sampling_forecast.hpp"
#include "src/api/signed_sum.hpp"
#include "src/chemistry/kekule_result.hpp"
#include "src/count/bounded_result.hpp"
#include "src/count/ln_z_result.hpp"

namespace countpm {

/// On one line, without a newline at the end.
std::string json_text(const CountResult& result);
std::string json_text(const BoundedCount& result);
std::string json_text(const Explanation& explanation);
std::string json_text(const EstimateResult& result);
std::string json_text(const RatioResult& result);
std::string json_text(const SignedSum& result);
std::string json_text(const SamplingForecast& forecast);
std::string json_text(const DrawForecast& forecast);
std::string json_text(const LnZResult& result);
std::string json_text(const KekuleResult& result);

}  // namespace countpm
