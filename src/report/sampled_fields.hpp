#pragma once
// What several results by samples have, described for JSON.
#include "src/api/estimate_result.hpp"
#include "src/api/sampled_result.hpp"
#include "src/report/fields.hpp"

namespace countpm {

const Fields<PopulationReport>& fields_of(const PopulationReport*);

/// Samples of another sampler, which checked those of the result.
struct SampleCheck {
  std::string sampler;
  std::uint64_t samples = 0;
};
const Fields<SampleCheck>& fields_of(const SampleCheck*);

/// null: none did.
inline std::optional<SampleCheck> sample_check(const std::string& sampler, std::uint64_t samples) {
  return sampler.empty() ? std::nullopt : std::optional(SampleCheck{sampler, samples});
}

/// Number of samples, and how far they can be trusted, of results that have them under these names; null
/// where nothing was sampled, which is_sampled(result) says.
template <class R, class IsSampled>
void add_samples(Fields<R>& fields, IsSampled is_sampled) {
  const auto of_samples = [=](auto get) { return null_unless<R>(is_sampled, get); };
  fields
      .add("sampler", "or samplers: `boundary, bethe`; null if none was needed",
           [](const R& result) { return text_or_null(result.sampler); })
      .add("samples", "of the piece of the graph that has the fewest",
           of_samples([](const R& result) { return result.samples; }))
      .add("effective_samples", "how many equal samples would say as much",
           of_samples([](const R& result) { return result.effective_samples; }))
      .add("pareto_k", "how heavy the tail of the samples is; null: there is none to fit",
           [](const R& result) { return finite(result.pareto_k); })
      .add("doubt", "why the errors cannot be trusted; null: they can",
           [](const R& result) { return text_or_null(result.doubt); })
      .add("second", "samples of a second sampler, a check; null if there was none",
           [](const R& result) { return sample_check(result.second, result.second_samples); })
      .add("goal_missed", "why the error that was asked for was not reached",
           [](const R& result) { return text_or_null(result.goal_missed); })
      .add("seed", "", [](const R& result) { return result.seed; });
}

}  // namespace countpm
