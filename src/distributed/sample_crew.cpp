#include "src/distributed/sample_crew.hpp"

namespace countpm {

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
