#pragma once
// Parts of an estimate as JSON.
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "src/api/sampled_result.hpp"
#include "src/estimate/estimate_result.hpp"

namespace countpm {

/// null: it is empty.
nlohmann::ordered_json text_or_null(const std::string& text);
nlohmann::ordered_json second_json(const std::optional<SecondEstimate>& second);
nlohmann::ordered_json estimated_block_json(const EstimatedBlock& block);
nlohmann::ordered_json missed_json(const std::optional<MissedGoal>& missed);
/// ln of the value, with its standard error; 0 where it was counted.
nlohmann::ordered_json ln_z_json(const EstimateResult& result);
nlohmann::ordered_json replicates_json(const std::vector<Replicate>& replicates);
/// {"sampler", "samples"} of a check by another sampler; null: there was none.
nlohmann::ordered_json check_json(const std::string& second, std::uint64_t samples);
/// All but the edges.
nlohmann::ordered_json sampled_json(const SampledMarginals& result);
/// What there is to say of approximate draws.
nlohmann::ordered_json drawn_json(const DrawnApproximately& result);
nlohmann::ordered_json spread_json(const std::optional<ReplicateSpread>& spread);

}  // namespace countpm
