#pragma once
// Journals that somebody made up: sound ones of every method, a field or more of them changed, and checksums
// that fit. What is done with one is what `resume`, `status`, `merge` and `verify` do.
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace countpm::forge {

using Random = std::mt19937_64;

/// A small input, and how it is counted or estimated.
struct Case {
  std::string name;
  std::string input;            // bytes of a file
  std::string ending;           // of its name: ".mtx"
  std::string method = "auto";  // empty: it is estimated
  bool weights = false;
  bool double_check = false;
  bool guarantee = false;
  std::string other = {};  // bytes of the second input of a ratio; empty: it is none
  double ln_error = 0;     // of the ratio; 0: 100 samples
};

/// What became of one.
struct Outcome {
  std::string answer;   // the number, or that of the estimate; empty: refused
  std::string refused;  // why
  std::string broken;   // what must never be: thrown and not of graph/errors.hpp. Signals end the program
};

/// A line a JSON text, without checksums: the header, then the records. And back, with checksums that fit.
std::vector<std::string> contents_of(const std::string& journal);
std::string with_checksums(const std::vector<std::string>& contents);

class Trials {
 public:
  /// Counts and estimates every case once: for its journal and its answer. Throws where one cannot be.
  Trials();
  ~Trials();
  Trials(const Trials&) = delete;
  Trials& operator=(const Trials&) = delete;

  static const std::vector<Case>& cases();
  const std::string& journal(std::size_t number) const { return journals_[number]; }
  const std::string& answer(std::size_t number) const { return answers_[number]; }
  /// The case whose input has this SHA-256.
  std::optional<std::size_t> case_of(const std::string& sha256) const;

  /// Bytes of the case's journal changed, cut, doubled.
  std::string damaged(std::size_t number, Random& random) const;
  /// Fields of its header or records changed, checksums right. `what`: which.
  std::string forged(std::size_t number, Random& random, std::string& what) const;
  /// The same of its result as JSON, for verify; empty where it has none.
  std::string forged_result(std::size_t number, Random& random, std::string& what) const;

  Outcome resume(std::size_t number, const std::string& journal) const;
  Outcome status(const std::string& journal) const;
  /// Of both files, a journal and another.
  Outcome merge(std::size_t number, const std::string& journal, const std::string& other) const;
  /// Of a journal or a result; the answer is "refuted" or "stands".
  Outcome verify(std::size_t number, const std::string& result) const;

 private:
  Outcome run(std::size_t number, const std::string& file, const std::vector<std::string>& merged) const;
  std::string folder_;
  std::vector<std::string> inputs_;  // files
  std::vector<std::string> others_;  // likewise, of ratios
  std::vector<std::string> journals_;
  std::vector<std::string> results_;  // JSON
  std::vector<std::string> answers_;
  std::map<std::string, std::size_t> by_hash_;
};

/// How many of what, and the first that went wrong, with the seed that makes it again.
struct Tally {
  std::uint64_t forged = 0;
  std::uint64_t damaged = 0;
  std::uint64_t refused = 0;
  std::uint64_t right = 0;
  std::uint64_t wrong = 0;  // answers that are others, and what was broken
  std::string first_wrong;
};

/// One trial, all of it from the seed: a case, a forged or damaged journal, what is done with it.
void try_one(const Trials& trials, std::uint64_t seed, Tally& tally);

}  // namespace countpm::forge
