// Results about boson sampling as JSON.
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "src/api/version.hpp"
#include "src/report/input_json.hpp"
#include "src/report/json.hpp"

namespace countpm {
namespace {

using Json = nlohmann::ordered_json;

/// Of exact numbers: null.
Json error_bound_json(const std::string& error) {
  return error.empty() ? Json(nullptr) : Json(error);
}

const char* lines_name(bool rows) {
  return rows ? "rows" : "columns";
}

}  // namespace

Json to_json(const Minors& result) {
  Json list = Json::array();
  for (const Minor& minor : result.minors)
    list.push_back({{"label", minor.label},
                    {"permanent", minor.digits},
                    {"error_bound", error_bound_json(minor.error)}});
  return {{"version", version()},
          {"input", input_json(result)},
          {"lines", lines_name(result.rows)},
          {"column", result.column ? Json(*result.column) : Json(nullptr)},
          {"exact", result.exact},
          {"minors", list},
          {"seconds", result.seconds},
          {"notes", result.notes},
          {"warnings", result.input.warnings}};
}

Json to_json(const MinorsForecast& forecast) {
  const MinorsWork& work = forecast.work;
  return {{"version", version()},
          {"input", input_json(forecast)},
          {"lines", lines_name(forecast.rows)},
          {"column", forecast.column ? Json(*forecast.column) : Json(nullptr)},
          {"minors", work.minors},
          {"exact", work.exact},
          {"arithmetic", work.doubles ? "doubles" : "primes"},
          {"log10_states", work.log2_states * std::log10(2.0)},
          {"factors", work.factors},
          {"log10_seconds", finite_or_null(work.log10_seconds)},
          {"feasible", work.feasible},
          {"notes", forecast.notes},
          {"warnings", forecast.input.warnings}};
}

Json to_json(const OutcomeProbability& result) {
  return {{"version", version()},
          {"input", input_json(result)},
          {"in", result.photons.in},
          {"out", result.photons.out},
          {"photons", result.number},
          {"probability", result.probability},
          {"exact", result.error.empty()},
          {"error_bound", error_bound_json(result.error)},
          {"permanent", result.permanent},
          {"permanent_error_bound", error_bound_json(result.permanent_error)},
          {"factorials", result.factorials.get_str()},
          {"method", result.method},
          {"seconds", result.seconds},
          {"notes", result.notes},
          {"warnings", result.input.warnings}};
}

}  // namespace countpm
