#pragma once
// A polynomial against a count at one point: the residues of random numbers in the place of its letters.
#include "graph/read.hpp"
#include "src/api/entries.hpp"
#include "src/verify/verify_result.hpp"
#include "src/watch/monitor.hpp"

namespace countpm {

/// Whether it says that it is a polynomial.
bool is_stored_polynomial(const StoredResult& stored);

/// What the report says of it, behind what it says of the input, until something is refuted: whether its
/// coefficients add up to the count; and whether it is, at a point and modulo a prime that are drawn now,
/// what the input is counted as there, by another method than the one that found it where that fits the time
/// limit. A polynomial of degree d whose coefficients have b bits and are wrong passes with a probability of
/// about (d + b) / 2^60 (J. T. Schwartz, J. ACM 27 (1980), lemma 1). `read`: the input with the options of
/// the result, letters in it. Throws InputError where these options do not ask for such a polynomial, and as
/// count() does.
void verify_polynomial(const StoredResult& stored, const ReadResult& read, const CountOptions& options,
                       Monitor& monitor, VerifyReport& report);

}  // namespace countpm
