#pragma once
// Parts of the sentence that verify ends with (VerifyReport::how).
#include <cstdint>
#include <string>
#include <vector>

namespace countpm {

inline constexpr const char* not_counted_anew = "which could not be counted anew within the time";

/// "counted anew by ryser modulo the prime 7; ...": `methods` of the blocks that were, `blocks` in all.
std::string counted_anew_text(const std::vector<std::string>& methods, std::size_t blocks,
                              std::uint64_t prime);

/// The same of real and complex sums.
std::string within_errors_text(const std::vector<std::string>& methods);

}  // namespace countpm
