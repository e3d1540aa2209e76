// Sums with signs or phases as JSON.
#include <cmath>
#include <complex>
#include <nlohmann/json.hpp>

#include "src/api/version.hpp"
#include "src/report/estimate_json.hpp"
#include "src/report/input_json.hpp"
#include "src/report/json.hpp"
#include "src/words/result_words.hpp"
#include "src/words/signed_words.hpp"

namespace countpm {

nlohmann::ordered_json to_json(const SignedSum& result) {
  using Json = nlohmann::ordered_json;
  const bool sampled = result.exact.empty();
  Json json{{"version", version()},
            {"input", input_json(result)},
            {"problem", words::problem_name(result)},
            {"complex", result.complex},
            {"exact", text_or_null(result.exact)},
            {"sum", words::signed_value_text(result)},
            {"mean_sign", nullptr}};
  if (sampled) {
    const std::complex<double>& sign = result.mean_sign;
    json["standard_error"] = words::share_of_absolute(result, result.error, 3);
    json["interval_reach"] = words::share_of_absolute(result, result.reach, 3);
    json["relative_error"] = finite_or_null(result.reach / std::abs(sign));
    json["told_from_zero"] = result.told();
    json["mean_sign"] = {{"value", result.complex ? Json({sign.real(), sign.imag()}) : Json(sign.real())},
                         {"standard_error", result.sign_error}};
    json["absolute"] = {{"sum", words::share_of_absolute(result, 1, 6)},
                        {"ln", result.log_absolute},
                        {"ln_standard_error", result.absolute_error}};
    json["confidence"] = result.confidence;
    json["doubt"] = text_or_null(result.doubt);
    json["sampler"] = text_or_null(result.sampler);
    json["samples"] = result.samples;
    json["effective_samples"] = result.effective_samples;
    json["pareto_k"] = finite_or_null(result.pareto_k);
    json["second"] = check_json(result.second, result.second_samples);
    json["goal_missed"] = text_or_null(result.goal_missed);
  }
  json["seed"] = result.seed;
  json["threads"] = result.threads;
  json["seconds"] = result.seconds;
  json["notes"] = result.notes;
  json["warnings"] = result.input.warnings;
  return json;
}

}  // namespace countpm
