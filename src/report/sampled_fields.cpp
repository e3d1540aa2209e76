// Ratios, sums with signs, edge probabilities and draws by samples, described for JSON.
#include <cmath>

#include "src/api/ratio_result.hpp"
#include "src/api/signed_sum.hpp"
#include "src/report/head.hpp"
#include "src/report/json.hpp"
#include "src/report/sampled_fields.hpp"
#include "src/text/format_number.hpp"
#include "src/words/ratio_words.hpp"
#include "src/words/signed_words.hpp"

namespace countpm {
namespace {

/// The mean sign of a sum with signs or phases.
struct MeanSign {
  std::variant<double, std::array<double, 2>> value;
  double error = 0;
};
const Fields<MeanSign>& fields_of(const MeanSign*) {
  static const auto fields =
      Fields<MeanSign>()
          .add("value", "of complex weights two numbers, the real and the imaginary part", &MeanSign::value)
          .add("standard_error", "", &MeanSign::error);
  return fields;
}

/// The sum of the absolute values.
struct AbsoluteSum {
  std::string sum;
  double log = 0;
  double error = 0;
};
const Fields<AbsoluteSum>& fields_of(const AbsoluteSum*) {
  static const auto fields = Fields<AbsoluteSum>()
                                 .add("sum", "", &AbsoluteSum::sum)
                                 .add("ln", "", &AbsoluteSum::log)
                                 .add("ln_standard_error", "", &AbsoluteSum::error);
  return fields;
}

bool is_sampled(const SignedSum& result) {
  return result.exact.empty();
}

/// null where the sum was counted.
template <class Get>
auto if_sampled(Get get) {
  return null_unless<SignedSum>(is_sampled, get);
}

}  // namespace

const Fields<OtherInput>& fields_of(const OtherInput*) {
  static const auto fields =
      Fields<OtherInput>().add("path", "", &OtherInput::path).add("sha256", "", &OtherInput::sha256);
  return fields;
}

const Fields<RatioResult>& fields_of(const RatioResult*) {
  static const auto fields = [] {
    const double ln_of_ten = std::log(10.0);
    auto described =
        head<RatioResult>("ratio")
            .add("ratio_to", "B, whose sum is divided by; the head is that of A",
                 [](const RatioResult& result) { return other_input(result.other); })
            .add("exact_ratio", "the fraction, if both were counted; then the figures of samples are null",
                 [](const RatioResult& result) {
                   return result.exact ? std::optional(result.exact->get_str()) : std::nullopt;
                 })
            .add("ratio", "Z(A) / Z(B), with as many digits as its error leaves",
                 [](const RatioResult& result) { return words::ratio_value_text(result); })
            .add("ln", "ln of it; null: 0", [](const RatioResult& result) { return finite(result.ln); })
            .add("ln_standard_error", "0 if both were counted", &RatioResult::ln_error)
            .add("interval", "its ends, rounded outwards",
                 [=](const RatioResult& result) {
                   return std::array{format_log10(result.low / ln_of_ten, 6, Rounding::down),
                                     format_log10(result.high / ln_of_ten, 6, Rounding::up)};
                 })
            .add("ln_interval", "as logarithms",
                 [](const RatioResult& result) {
                   return std::array{finite(result.low), finite(result.high)};
                 })
            .add("confidence", "of the interval; 1 if both were counted",
                 [](const RatioResult& result) { return result.exact ? 1.0 : result.confidence; })
            .add("apart", "each sum has samples of its own; else every sample is one of both",
                 &RatioResult::apart);
    add_samples(described, [](const RatioResult& result) { return !result.exact; });
    return with_notes(
        described.add("threads", "", &RatioResult::threads).add("seconds", "of all", &RatioResult::seconds));
  }();
  return fields;
}

const Fields<SignedSum>& fields_of(const SignedSum*) {
  static const auto fields = [] {
    auto described =
        head<SignedSum>("signed-sum")
            .add("complex", "whether weights are", &SignedSum::complex)
            .add("exact_sum",
                 "the sum, if it was counted (of floating point with ` +- ` and its bound); then the figures "
                 "of "
                 "samples are null",
                 [](const SignedSum& result) { return text_or_null(result.exact); })
            .add("sum", "with as many digits as its error leaves; of complex weights `(re,im)`",
                 [](const SignedSum& result) { return words::signed_value_text(result); })
            .add("mean_sign", "the sum over that of the absolute values",
                 if_sampled([](const SignedSum& result) {
                   const std::complex<double>& sign = result.mean_sign;
                   MeanSign mean{sign.real(), result.sign_error};
                   if (result.complex) mean.value = std::array{sign.real(), sign.imag()};
                   return mean;
                 }))
            .add("standard_error", "of the sum", if_sampled([](const SignedSum& result) {
                   return words::share_of_absolute(result, result.error, 3);
                 }))
            .add("half_width", "of its interval", if_sampled([](const SignedSum& result) {
                   return words::share_of_absolute(result, result.half_width, 3);
                 }))
            .add("relative_error", "`half_width` over the absolute value of the sum; null also if that is 0",
                 [](const SignedSum& result) {
                   const bool sampled = result.exact.empty();
                   return sampled ? finite(result.half_width / std::abs(result.mean_sign)) : std::nullopt;
                 })
            .add("differs_from_zero", "whether 0 is outside of the interval",
                 if_sampled([](const SignedSum& result) { return result.differs_from_zero(); }))
            .add("absolute", "the sum of the absolute values", if_sampled([](const SignedSum& result) {
                   return AbsoluteSum{words::share_of_absolute(result, 1, 6), result.ln_absolute,
                                      result.absolute_error};
                 }))
            .add("confidence", "of the interval",
                 if_sampled([](const SignedSum& result) { return result.confidence; }));
    add_samples(described, is_sampled);
    return with_notes(
        described.add("threads", "", &SignedSum::threads).add("seconds", "of all", &SignedSum::seconds));
  }();
  return fields;
}

const Fields<SampledMarginals>& fields_of(const SampledMarginals*) {
  static const auto fields = [] {
    Fields<SampledMarginals> described;
    add_samples(described, [](const SampledMarginals&) { return true; });
    return described.add("pareto_k_means", "a sentence", [](const SampledMarginals& result) {
      return meaning_of_pareto_k(result.pareto_k, result.doubt.empty());
    });
  }();
  return fields;
}

const Fields<DirectionMean>& fields_of(const DirectionMean*) {
  static const auto fields = Fields<DirectionMean>()
                                 .add("direction", "", &DirectionMean::direction)
                                 .add("edges", "how many it has", &DirectionMean::edges)
                                 .add("mean",
                                      "the sum of their probabilities: how many dimers of that direction a "
                                      "random matching has on average",
                                      &DirectionMean::mean);
  return fields;
}

const Fields<MarginalsObject>& fields_of(const MarginalsObject*) {
  static const auto fields = with_notes(
      head<MarginalsObject>("marginals")
          .add("exact", "fractions (`--exact`), else decimals", &MarginalsObject::exact)
          .add("edges",
               "`[from, to, probability]` for every edge of the input, in its order, with `--sampled` "
               "`[from, to, "
               "probability, error]`; empty if there is a violator, null with `--given` and `--pairs`",
               &MarginalsObject::probabilities)
          .add("directions", "of a lattice, without `--given` and `--pairs`", &MarginalsObject::directions)
          .add("given",
               "with `--given`: `[from, to, probability]` of that edge, with `--sampled` and `error`",
               &MarginalsObject::given)
          .add("pairs",
               "with `--given`: `[from, to, probability, joint, covariance]` for every edge; with `--pairs`: "
               "`[from, "
               "to, from2, to2, probability, probability2, joint, covariance]` for each pair; with "
               "`--sampled` each "
               "of these numbers is followed by its standard error",
               &MarginalsObject::pairs)
          .add("sampled", "with `--sampled`", [](const MarginalsObject& result) { return result.sampled; }));
  return fields;
}

const Fields<DrawnApproximately>& fields_of(const DrawnApproximately*) {
  static const auto fields =
      Fields<DrawnApproximately>()
          .add("sampler", "null: there was nothing to choose",
               [](const DrawnApproximately& result) { return text_or_null(result.sampler); })
          .add("draws", "", &DrawnApproximately::draws)
          .add("samples", "trials too", &DrawnApproximately::samples)
          .add("effective_samples", "", &DrawnApproximately::effective_samples)
          .add("total_variation", "by how much chances may be off", &DrawnApproximately::off)
          .add("pareto_k", "", [](const DrawnApproximately& result) { return finite(result.pareto_k); })
          .add("doubt", "", [](const DrawnApproximately& result) { return text_or_null(result.doubt); })
          .add("seed", "", &DrawnApproximately::seed);
  return fields;
}

const Fields<ApproximateDraws>& fields_of(const ApproximateDraws*) {
  static const auto fields = bare_head<ApproximateDraws>("draws").add(
      "approximately", "by which samples the lines above were drawn", &ApproximateDraws::drawn);
  return fields;
}

}  // namespace countpm
