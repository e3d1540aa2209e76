#include "src/report/json_text.hpp"

#include <nlohmann/json.hpp>

#include "src/report/json.hpp"

namespace countpm {

std::string json_text(const CountResult& result) {
  return one_line(to_json(result));
}

std::string json_text(const BoundedCount& result) {
  return one_line(to_json(result));
}

std::string json_text(const Explanation& explanation) {
  return one_line(to_json(explanation));
}

std::string json_text(const EstimateResult& result) {
  return one_line(to_json(result));
}

std::string json_text(const RatioResult& result) {
  return one_line(to_json(result));
}

std::string json_text(const DrawForecast& forecast) {
  return one_line(to_json(forecast));
}

std::string json_text(const SignedSum& result) {
  return one_line(to_json(result));
}

std::string json_text(const SamplingForecast& forecast) {
  return one_line(to_json(forecast));
}

std::string json_text(const LogCountResult& result) {
  return one_line(to_json(result));
}

std::string json_text(const KekuleResult& result) {
  return one_line(to_json(result));
}

}  // namespace countpm
