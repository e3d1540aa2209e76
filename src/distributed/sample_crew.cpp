#include "src/distributed/sample_crew.hpp"

#include <algorithm>

namespace countpm {

bool SampleRound::can_have(const SampleBatch& batch) const {
  if (batch.ln_weights.size() != (weights ? batch.range.size() : 0)) return false;
  if (!share_bits) return batch.hits.empty() && possible(batch.moments, log2_most);
  const std::uint64_t most_hits = std::uint64_t{1} << *share_bits;
  return batch.moments.histogram.empty() && batch.moments.nonzero == batch.hits.size() &&
         std::all_of(batch.hits.begin(), batch.hits.end(),
                     [most_hits](const TrialHits& trial) { return trial.hits <= most_hits; });
}

void SampleCrew::keep_some(const SampleBatch& batch) {
  Kept& kept = kept_[batch.series];
  if (std::uniform_int_distribution<std::uint64_t>(0, kept.of++)(random_) == 0) kept.batch = batch;
}

std::vector<SampleBatch> SampleCrew::some_of_others() const {
  std::vector<SampleBatch> some;
  for (const auto& [series, kept] : kept_) some.push_back(kept.batch);
  return some;
}

}  // namespace countpm
