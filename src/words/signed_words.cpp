#include "src/words/signed_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "src/api/estimate_result.hpp"
#include "src/text/format_duration.hpp"
#include "src/text/format_number.hpp"
#include "src/words/estimate_words.hpp"

namespace countpm::words {
namespace {

// Above this share of the sum the error is a number of its own.
constexpr double most_relative_error = 0.3;
constexpr int most_signed_digits = 12;

/// So many that the last is about a tenth of the error's first.
int digits_beside(double value, double error) {
  const double beside = std::log10(std::abs(value) / std::max(error, 1e-12 * std::abs(value)));
  if (!(beside > -2)) return 1;  // nothing of it is known, or it is 0
  return std::clamp(static_cast<int>(std::ceil(beside)) + 2, 1, most_signed_digits);
}

std::string sign_part(double value, double error) {
  const double known = error > 1e-12 ? std::min(error, 1.0) : 1e-12;
  const int places = std::clamp(1 - static_cast<int>(std::floor(std::log10(known))), 0, 12);
  return fmt::format("{:.{}f}", value, places);
}

/// "Pareto k 0.35: ..."
std::string tail_text(const SignedSum& result) {
  const std::string k = std::isnan(result.pareto_k) ? std::string("no Pareto k")
                                                    : fmt::format("Pareto k {:.2f}", result.pareto_k);
  return fmt::format("{}: {}", k, meaning_of_pareto_k(result.pareto_k, result.doubt.empty()));
}

std::string cancellation_text(const SignedSum& result) {
  if (!result.differs_from_zero())
    return "cannot be distinguished from 0 with so many samples: almost everything cancels (the sign "
           "problem), and the error falls only as the square root of their number";
  const double times = result.error / std::abs(result.mean_sign) / std::max(result.absolute_error, 1e-300);
  return times < 1.5 ? std::string("little cancels")
                     : fmt::format(
                           "what cancels makes the error {:.2g} times that of the sum of absolute "
                           "values",
                           times);
}

}  // namespace

std::string share_of_absolute(const SignedSum& result, double share, int digits) {
  if (share == 0) return "0";
  const double log10 = (result.ln_absolute + std::log(std::abs(share))) / std::log(10.0);
  return (share < 0 ? "-" : "") + format_log10(log10, digits);
}

std::string signed_value_text(const SignedSum& result) {
  if (!result.exact.empty()) return result.exact;
  const auto part = [&](double share) {
    return share_of_absolute(result, share,
                             result.doubt.empty() ? digits_beside(share, result.half_width) : 2);
  };
  if (!result.complex) return part(result.mean_sign.real());
  return fmt::format("({},{})", part(result.mean_sign.real()), part(result.mean_sign.imag()));
}

std::string signed_text(const SignedSum& result) {
  const std::string value = signed_value_text(result);
  if (!result.exact.empty()) {
    const bool rounded = value.find(" +- ") != std::string::npos;
    return value + (rounded ? ", counted" : " exactly");
  }
  if (!result.doubt.empty()) return fmt::format("about {}, in doubt (seed {})", value, result.seed);
  const double relative = result.half_width / std::abs(result.mean_sign);
  const std::string error = relative <= most_relative_error ? format_percent(relative, Rounding::up)
                                                            : share_of_absolute(result, result.half_width, 2);
  return fmt::format("{} +- {} ({:.6g}% confidence, seed {})", value, error, 100 * result.confidence,
                     result.seed);
}

std::string mean_sign_text(const SignedSum& result) {
  const std::string re = sign_part(result.mean_sign.real(), result.sign_error);
  const std::string value =
      result.complex ? fmt::format("({},{})", re, sign_part(result.mean_sign.imag(), result.sign_error)) : re;
  return fmt::format("{} +- {:.2g}", value, result.sign_error);
}

std::vector<Fact> facts_of(const SignedSum& result) {
  std::vector<Fact> facts;
  if (!result.exact.empty()) {
    facts.push_back({"sum", "counted: nothing was sampled"});
    return facts;
  }
  facts.push_back(
      {"absolute", fmt::format("{} +- {}: the sum of the absolute values of the weights",
                               share_of_absolute(result, 1, digits_beside(1, result.absolute_error)),
                               format_percent(result.absolute_error, Rounding::up))});
  facts.push_back(
      {result.complex ? "mean phase" : "mean sign",
       fmt::format("{} (standard error): {}", mean_sign_text(result), cancellation_text(result))});
  if (!result.doubt.empty()) facts.push_back({"doubt", result.doubt});
  if (!result.goal_missed.empty()) facts.push_back({"goal", result.goal_missed});
  if (result.sampler.empty()) {
    facts.push_back({"samples", "none: there is one matching"});
    return facts;
  }
  facts.push_back({"weights", fmt::format("effective sample size of the absolute values {:.0f} of {}; {}",
                                          result.effective_samples, result.samples, tail_text(result))});
  facts.push_back({"sampler", fmt::format("{}, seed {}, {}; {}", result.sampler, result.seed,
                                          counted(static_cast<std::uint64_t>(result.threads), "thread"),
                                          format_duration(result.seconds))});
  if (!result.second.empty()) facts.push_back({"check", checked_text(result.second, result.second_samples)});
  return facts;
}

}  // namespace countpm::words
