#pragma once
// What journals have numbers in, and the numbers themselves, as JSON and back: exact, in one form alone.
#include "kernels/arithmetic/arithmetic.hpp"
#include "src/journal/journal_fields.hpp"
#include "src/number/point_residues.hpp"

namespace countpm {

nlohmann::ordered_json to_json(const Arithmetic& arithmetic);
/// {"points": [[prime, first, last, points], ...]}, in the arithmetic's place.
nlohmann::ordered_json to_json(const std::vector<PrimeWindow>& windows);
/// A list; of more than most_listed residues without those that are 0 at both ends, {"from": place,
/// "residues": list}: units at points have a few of very many.
nlohmann::ordered_json to_json(const Partial& value);
inline constexpr std::size_t most_listed = 64;

/// Throw std::invalid_argument for what is none: moduli beyond those of arithmetic.hpp, a precision that
/// nothing can ask for, residues beyond their moduli, another number of them. Whether moduli are primes is
/// for whoever counts by them.
Arithmetic arithmetic_from(const nlohmann::ordered_json& json);
/// None where it is no such thing, but an arithmetic.
std::vector<PrimeWindow> windows_from(const nlohmann::ordered_json& json);
Partial value_from(const nlohmann::ordered_json& json, const Arithmetic& arithmetic);

}  // namespace countpm
