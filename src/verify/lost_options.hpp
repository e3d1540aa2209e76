#pragma once
// Results of earlier versions, whose JSON lost the options where structure alone gave 0
// (StoredResult::WithoutOptions).
#include <string>

#include "src/verify/verify_result.hpp"

namespace countpm {

/// What such a result is verified under: kind and format are known.
inline constexpr const char* if_no_options = ", if no option but --as and --format was given";

/// Throws InputError: the result cannot be verified, since without options `found`.
[[noreturn]] void refuse_lost_options(const StoredResult& stored, const std::string& found);

/// The input as the kind and the format that the result has. Refused where that is no graph, or one of
/// another size than is known.
ReadResult read_without_options(const StoredResult& stored, const Source& source, ReadOptions options);

}  // namespace countpm
