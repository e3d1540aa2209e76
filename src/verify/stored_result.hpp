#pragma once
// What is read of a result that says that it is a count (verify_result.hpp).
#include <gmpxx.h>

#include <string>
#include <vector>

#include "graph/read.hpp"
#include "kernels/arithmetic/arithmetic.hpp"
#include "matching/block.hpp"
#include "src/journal/journal.hpp"
#include "src/verify/verify_result.hpp"

namespace countpm {

/// Empty where it has none. Throws InputError where they are none, or more than its counts: a result may have
/// been made by hand.
JournalHeader plans_of(const StoredResult& stored);

/// "12", "-3/4". Throws InputError, naming the file, where it is none or not in lowest terms.
mpq_class parse_rational(const std::string& text, const std::string& file);

/// A number as results print it, with the bound on its error: "1.5e+00" or "(1.5e+00,-2e-01)". Throws
/// InputError.
Ball parse_ball(const std::string& text, const std::string& error, const std::string& file);

/// What the residues of a finished journal say of these blocks, its tasks in order.
std::vector<mpq_class> counts_of_journal(const Journal& journal, const std::vector<AnyBlock>& blocks);

/// Throws UnableError: the blocks' counts are no numbers.
[[noreturn]] void refuse_exact_complex();

}  // namespace countpm
