#pragma once
// A proof of a result that is there: countpm prove.
#include <string>

#include "src/verify/verify_result.hpp"

namespace countpm {

/// The file of the proof, of a number that CountOptions say how it was asked for. Throws InputError where the
/// input is another one than the result's, UnableError for what has no proof or is beyond the limits,
/// CheckError where the number is wrong, and as count() does.
std::string prove_result(const StoredResult& stored, const Source& source, const ReadOptions& read_options,
                         const CountOptions& options);

}  // namespace countpm
