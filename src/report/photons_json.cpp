// Results about boson sampling as JSON.
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

}  // namespace

Json to_json(const Minors& result) {
  Json list = Json::array();
  for (const Minor& minor : result.minors)
    list.push_back({{"label", minor.label},
                    {"permanent", minor.digits},
                    {"error_bound", error_bound_json(minor.error)}});
  return {{"version", version()},
          {"input", input_json(result)},
          {"lines", result.rows ? "rows" : "columns"},
          {"column", result.column ? Json(*result.column) : Json(nullptr)},
          {"exact", result.exact},
          {"minors", list},
          {"seconds", result.seconds},
          {"notes", result.notes}};
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
          {"notes", result.notes}};
}

}  // namespace countpm
