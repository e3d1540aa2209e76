#include "src/report/json_text.hpp"

#include "src/report/json.hpp"

namespace countpm {

std::string json_text(const CountResult& result) {
  return one_line(json_of(result));
}

std::string json_text(const BoundedCount& result) {
  return one_line(json_of(result));
}

std::string json_text(const Explanation& explanation) {
  return one_line(json_of(explanation));
}

std::string json_text(const EstimateResult& result) {
  return one_line(json_of(result));
}

std::string json_text(const RatioResult& result) {
  return one_line(json_of(result));
}

std::string json_text(const DrawForecast& forecast) {
  return one_line(json_of(forecast));
}

std::string json_text(const SignedSum& result) {
  return one_line(json_of(result));
}

std::string json_text(const SamplingForecast& forecast) {
  return one_line(json_of(forecast));
}

std::string json_text(const LnZResult& result) {
  return one_line(json_of(result));
}

std::string json_text(const KekuleResult& result) {
  return one_line(json_of(result));
}

}  // namespace countpm
