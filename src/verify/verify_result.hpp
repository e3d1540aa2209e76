#pragma once
// A result looked at again, by whoever did not see how it was made: countpm verify.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "src/api/entries.hpp"
#include "src/api/polynomial.hpp"

namespace countpm {

/// A result that says that it is a count: the JSON of one (docs/json.md), or the journal of one that is done.
struct StoredResult {
  std::string file;
  bool from_journal = false;
  std::string version;
  std::string input;   // where it was
  std::string sha256;  // of it
  std::string count;
  std::optional<Polynomial> polynomial;  // where weights have letters
  std::vector<mpq_class> coefficients;   // of --monomers t and of --rings
  std::optional<std::uint64_t> power;    // which of them `count` is; empty: their sum
  std::string method;                    // of the block that took longest
  std::optional<std::string>
      ground_weight;  // of ground states, "none" where there are none; of a journal: empty
  bool exact = true;
  std::string error_bound;                                   // where it is not exact
  std::vector<std::pair<std::string, std::string>> options;  // as it was asked for
  std::vector<std::string> counts;                           // of the blocks; of a journal: none
  std::string plans;                                         // CountResult::recheck
};
/// All of the file, or of what is none, its beginning. Throws InputError, naming it.
std::string text_of_result(const std::string& file);
/// Of the text of a file. Throws InputError, naming the file, where it is neither, or not whole.
StoredResult stored_result_of_text(const std::string& text, const std::string& file);
StoredResult read_stored_result(const std::string& file);

enum class Verdict { proved, agrees, not_checked, refuted };
struct VerificationStep {
  std::string name;
  Verdict verdict = Verdict::not_checked;
  std::string detail;
};
/// How much of a count that is not refuted was counted anew or proved.
enum class Extent { nothing, part, whole };
struct VerifyReport {
  std::vector<VerificationStep> steps;
  Extent extent = Extent::nothing;
  std::string how;  // the number was verified, or why it was not; part of a sentence
  bool refuted() const;
};

/// Of a polynomial as verify_polynomial() says. Else recomputes from the input what is said of it, in this
/// order, until something is refuted: structure and reductions; the blocks; their moduli; their product;
/// parity, upper and lower bounds; every block modulo a prime drawn at random now, by another method where
/// that fits the time limit, else by the same one, else not; of a journal a sample of its ranges. Throws
/// InputError where the input is another one, where the options are lost and the input is not what was
/// counted without any, and as count() does.
VerifyReport verify_result(const StoredResult& stored, const Source& source, const ReadOptions& read_options,
                           const CountOptions& options);

}  // namespace countpm
