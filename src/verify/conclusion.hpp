#pragma once
// Parts of what verify says (VerifyReport).
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "graph/instance.hpp"
#include "graph/kinds/ground_states.hpp"
#include "graph/read.hpp"
#include "src/api/results.hpp"
#include "src/verify/verify_result.hpp"

namespace countpm {

/// Throws UnableError where the sum holds what is counted as its digits, and nothing beside it says what it
/// is: exact complex numbers, ground states with odd sets, and a checkpoint of a polynomial.
void refuse_packed_sums(const ReadResult& read, const StoredResult& stored);

/// Throws InputError: the result is of another input than the one of this name and hash.
[[noreturn]] void refuse_other_input(const StoredResult& stored, const std::string& name,
                                     const std::string& sha256);

/// Whether the weight that the result gives its ground states is theirs.
VerificationStep weight_step(const GroundStates& states, const StoredResult& stored);

/// What structure says where it does not say that the count is 0.
std::string structure_text(Problem problem, const std::optional<MatchedVertices>& matched);

inline constexpr const char* not_counted_anew = "which could not be counted anew within the time";

/// "frontier, ryser"
std::string method_names(const std::vector<std::string>& methods);

/// "counted anew at a point ..."
std::string counted_at_a_point_text(const std::vector<std::string>& methods, std::uint64_t prime);

/// "counted anew by ryser modulo the prime 7; ...": `methods` of the blocks that were, `blocks` in all.
std::string counted_anew_text(const std::vector<std::string>& methods, std::size_t blocks,
                              std::uint64_t prime);

/// The same of real and complex sums.
std::string within_errors_text(const std::vector<std::string>& methods);

}  // namespace countpm
