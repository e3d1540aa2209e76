#pragma once
// The machine's view of results: every result is described once (fields.hpp), and JSON, `countpm schema` and
// docs/json.md are made of that.
#include <optional>
#include <string>
#include <vector>

#include "src/api/draw_forecast.hpp"
#include "src/api/entries.hpp"
#include "src/api/ratio_result.hpp"
#include "src/api/sampled_result.hpp"
#include "src/api/sampling_forecast.hpp"
#include "src/api/signed_sum.hpp"
#include "src/chemistry/kekule_result.hpp"
#include "src/count/bounded_result.hpp"
#include "src/count/determinant.hpp"
#include "src/count/ln_z.hpp"
#include "src/count/minors.hpp"
#include "src/count/orbit_result.hpp"
#include "src/count/outcome_probability.hpp"
#include "src/estimate/estimate.hpp"
#include "src/report/fields.hpp"

namespace countpm {

/// Why there is no answer.
struct ErrorDetails {
  std::string kind;  // "usage", "input", "unable", "check", "missing", "interrupted", "internal"
  std::string message;
  int exit_code = 0;
  const InputError* input = nullptr;  // of bad input; not owned
};

/// The second input of a ratio.
struct OtherInput {
  std::string path;
  std::optional<std::string> sha256;
};
OtherInput other_input(const InputInfo& input);

/// How many dimers of a lattice's direction a random matching has on average.
struct DirectionMean {
  std::string direction;
  std::uint64_t edges = 0;
  std::string mean;
};

/// Edge probabilities, as they are written: labels, then numbers as text.
struct MarginalsObject : ListStart {
  bool exact = false;
  std::optional<std::vector<std::vector<std::string>>> probabilities;  // of edges
  std::optional<std::vector<DirectionMean>> directions;
  std::optional<std::vector<std::string>> given;
  std::optional<std::vector<std::vector<std::string>>> pairs;
  std::optional<SampledMarginals> sampled;
};

/// Behind the matchings that were drawn by weighted samples.
struct ApproximateDraws {
  DrawnApproximately drawn;
};

const Fields<ErrorDetails>& fields_of(const ErrorDetails*);
const Fields<OtherInput>& fields_of(const OtherInput*);
const Fields<DirectionMean>& fields_of(const DirectionMean*);
const Fields<CountResult>& fields_of(const CountResult*);
const Fields<BoundedCount>& fields_of(const BoundedCount*);
const Fields<OrbitCount>& fields_of(const OrbitCount*);
const Fields<LnZResult>& fields_of(const LnZResult*);
const Fields<DeterminantResult>& fields_of(const DeterminantResult*);
const Fields<Minors>& fields_of(const Minors*);
const Fields<MinorsForecast>& fields_of(const MinorsForecast*);
const Fields<OutcomeProbability>& fields_of(const OutcomeProbability*);
const Fields<Explanation>& fields_of(const Explanation*);
const Fields<EstimateResult>& fields_of(const EstimateResult*);
const Fields<Estimate>& fields_of(const Estimate*);
const Fields<KekuleResult>& fields_of(const KekuleResult*);
const Fields<RatioResult>& fields_of(const RatioResult*);
const Fields<SignedSum>& fields_of(const SignedSum*);
const Fields<SamplingForecast>& fields_of(const SamplingForecast*);
const Fields<DrawForecast>& fields_of(const DrawForecast*);
const Fields<SampledMarginals>& fields_of(const SampledMarginals*);
const Fields<MarginalsObject>& fields_of(const MarginalsObject*);
const Fields<DrawnApproximately>& fields_of(const DrawnApproximately*);
const Fields<ApproximateDraws>& fields_of(const ApproximateDraws*);

// Parts of them.
const Fields<BlockReport>& fields_of(const BlockReport*);
const Fields<KnownLimit>& fields_of(const KnownLimit*);
const Fields<Entropy>& fields_of(const Entropy*);
const Fields<AuditReport>& fields_of(const AuditReport*);
const Fields<CountResidue>& fields_of(const CountResidue*);
const Fields<Polynomial>& fields_of(const Polynomial*);
const Fields<BoundedBlock>& fields_of(const BoundedBlock*);
const Fields<MethodForecast>& fields_of(const MethodForecast*);
const Fields<BlockForecast>& fields_of(const BlockForecast*);
const Fields<ProofForecast>& fields_of(const ProofForecast*);
const Fields<MachineLoad>& fields_of(const MachineLoad*);
const Fields<AssumedMachine>& fields_of(const AssumedMachine*);
const Fields<FittedGuess>& fields_of(const FittedGuess*);
const Fields<SecondEstimate>& fields_of(const SecondEstimate*);
const Fields<EstimatedBlock>& fields_of(const EstimatedBlock*);
const Fields<MissedGoal>& fields_of(const MissedGoal*);
const Fields<Replicate>& fields_of(const Replicate*);
const Fields<ReplicateSpread>& fields_of(const ReplicateSpread*);
const Fields<GuaranteeGoal>& fields_of(const GuaranteeGoal*);
const Fields<MatchedVertices>& fields_of(const MatchedVertices*);
const Fields<DrawMethod>& fields_of(const DrawMethod*);
const Fields<DrawPiece>& fields_of(const DrawPiece*);
const Fields<ApproximateForecast>& fields_of(const ApproximateForecast*);
const Fields<Minor>& fields_of(const Minor*);

/// One line; bytes that are no UTF-8 (file names may have them) become U+FFFD, and what would not be seen (C1
/// controls, marks of direction) is \uNNNN.
std::string one_line(const Json& value);
/// Indented, with a newline at the end.
std::string indented(const Json& value);
/// The same of an object, with an object's text in the place of a member that is {}: what is large need not
/// be taken apart.
std::string indented_around(const Json& value, std::string_view member, std::string_view object);

}  // namespace countpm
