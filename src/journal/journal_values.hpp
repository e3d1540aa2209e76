#pragma once
// What journals have numbers in, and the numbers themselves, as JSON and back: exact, in one form alone.
#include "kernels/arithmetic/arithmetic.hpp"
#include "src/journal/journal_fields.hpp"

namespace countpm {

nlohmann::ordered_json to_json(const Arithmetic& arithmetic);
nlohmann::ordered_json to_json(const Partial& value);

/// Throw std::invalid_argument for what is none: moduli beyond those of arithmetic.hpp, a precision that
/// nothing can ask for, residues beyond their moduli, another number of them. Whether moduli are primes is
/// for whoever counts by them.
Arithmetic arithmetic_from(const nlohmann::ordered_json& json);
Partial value_from(const nlohmann::ordered_json& json, const Arithmetic& arithmetic);

}  // namespace countpm
