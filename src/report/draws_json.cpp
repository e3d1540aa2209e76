// What random matchings would take, as JSON.
#include <nlohmann/json.hpp>
#include <utility>

#include "src/api/draw_forecast.hpp"
#include "src/api/version.hpp"
#include "src/report/estimate_json.hpp"
#include "src/report/input_json.hpp"
#include "src/report/json.hpp"
#include "src/words/result_words.hpp"

namespace countpm {
namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson bytes_or_null(double bytes) {
  if (bytes <= 0) return nullptr;
  return finite_or_null(bytes);
}

OrderedJson method_json(const DrawMethod& method) {
  return {{"method", method.method},
          {"chosen", method.chosen},
          {"seconds", method.seconds > 0 || method.obstacle.empty() ? finite_or_null(method.seconds)
                                                                    : OrderedJson(nullptr)},
          {"memory_bytes", bytes_or_null(method.bytes)},
          {"measured", method.measured},
          {"obstacle", text_or_null(method.obstacle)}};
}

OrderedJson approximate_json(const DrawForecast& forecast) {
  if (!forecast.approximate) return nullptr;
  const ApproximateForecast& approximate = *forecast.approximate;
  const bool can = approximate.obstacle.empty();
  return {{"sampler", approximate.sampler},
          {"seconds", can ? finite_or_null(approximate.seconds) : OrderedJson(nullptr)},
          {"trials", approximate.trials},
          {"total_variation", can ? finite_or_null(approximate.off) : OrderedJson(nullptr)},
          {"doubt", text_or_null(approximate.doubt)},
          {"obstacle", text_or_null(approximate.obstacle)}};
}

}  // namespace

OrderedJson to_json(const DrawForecast& forecast) {
  OrderedJson pieces = OrderedJson::array();
  for (const DrawPiece& piece : forecast.pieces) {
    OrderedJson methods = OrderedJson::array();
    for (const DrawMethod& method : piece.methods) methods.push_back(method_json(method));
    pieces.push_back({{"rows", piece.rows},
                      {"edges", piece.entries},
                      {"general", piece.general},
                      {"methods", std::move(methods)}});
  }
  return {{"version", version()},
          {"input", input_json(forecast)},
          {"question", "random matchings"},
          {"problem", words::problem_name(forecast)},
          {"draws", forecast.draws},
          {"exact", !forecast.asked_approximate},
          {"pieces", std::move(pieces)},
          {"approximate", approximate_json(forecast)},
          {"seconds", finite_or_null(forecast.seconds)},
          {"memory_bytes", bytes_or_null(forecast.bytes)},
          {"time_limit_seconds", finite_or_null(forecast.time_limit_seconds)},
          {"memory_limit_bytes", forecast.memory_limit_bytes},
          {"feasible", forecast.feasible},
          {"seed", forecast.seed},
          {"threads", forecast.threads},
          {"violator", to_json(forecast.violator)},
          {"notes", forecast.notes},
          {"warnings", forecast.input.warnings}};
}

}  // namespace countpm
