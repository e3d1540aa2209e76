#pragma once
// The recurrence of a family in words.
#include <string>
#include <vector>

#include "src/series/find_recurrence.hpp"
#include "src/words/result_words.hpp"

namespace countpm::words {

/// With 15 digits behind the point at most, rounded up or down.
std::string decimal_text(const mpq_class& number, bool upwards);

/// order, recurrence, first terms, generating function, growth, and what is certain of it.
std::vector<Fact> recurrence_facts(const FamilyRecurrence& result);

}  // namespace countpm::words
