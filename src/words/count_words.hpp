#pragma once
// Counts in words.
#include <string>

#include "src/api/entries.hpp"

namespace countpm::words {

/// "exact, proved"; "floating point, error at most 1e-12"
std::string value_kind(const CountResult& result);
/// "perfect matchings, weighted; exact, proved"
std::string counted_text(const CountResult& result);
/// "8 rows, 23 entries"; of a general block "8 vertices, 12 edges".
std::string size_text(const BlockReport& block);
std::string size_text(const BlockForecast& block);
/// "8 rows, 23 entries by METHOD, modulo 2^64; 812 subsets, 12 us (predicted under 1 ms)"
std::string block_text(const BlockReport& block);
std::string entropy_text(const Entropy& entropy);
/// "METHOD on cpu with 2 threads"
std::string method_text(const CountResult& result);
/// "order=off, steps=1"
std::string settings_text(const std::vector<std::pair<std::string, std::string>>& settings);
std::string audit_text(const AuditReport& audit);

}  // namespace countpm::words
