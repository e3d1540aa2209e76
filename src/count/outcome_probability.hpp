#pragma once
// The probability of an outcome of boson sampling.
//
// Photons that enter an interferometer, s_j of them mode j, leave it, t_i of them by mode i, with probability
// |per(A)|^2 / prod_j s_j! prod_i t_i!, A the matrix of amplitudes of which row i stands t_i times and column
// j s_j times. S. Aaronson, A. Arkhipov, The computational complexity of linear optics, Theory of Computing 9
// (2013) 143.
#include <cstdint>
#include <string>
#include <vector>

#include "graph/read.hpp"
#include "src/api/entries.hpp"

namespace countpm {

/// How many photons enter each mode, beside the columns, and leave by it, beside the rows.
struct Photons {
  std::vector<Index> in;
  std::vector<Index> out;
};

struct OutcomeProbability : InputSummary {  // NOLINT(bugprone-exception-escape): moved by swapping
  Photons photons;
  std::uint64_t number = 0;  // of photons
  Value value;
  std::string probability;      // what `value` spells, as CountResult::count
  std::string error;            // the bound on its error; empty where it is exact
  std::string permanent;        // the amplitude, before it is divided by the root of `factorials`
  std::string permanent_error;  // empty where it is exact
  mpz_class factorials = 1;     // the product of s_j! and t_i!
  std::string method;           // that counted the permanent
  std::vector<std::string> notes;
  double seconds = 0;
};

/// Row i and column j of the matrix, whose values count: the amplitude of a photon from mode j to mode i. The
/// permanent is count()'s; where it cancels so far that no digit of it is certain, the probability is small,
/// and not unknown: its permanent is then the sum along a column of permanents without a line (minors.hpp),
/// with an error that exceeds it. Exact weights give exact probabilities, and so do complex ones with
/// ReadOptions::exact. ReadOptions::rows and columns are not looked at. Throws UsageError where the numbers
/// are not beside the modes, or as many photons do not leave as enter; else as count() does.
OutcomeProbability outcome_probability(const Source& source, const ReadOptions& read_options,
                                       const Photons& photons, const CountOptions& options);
OutcomeProbability outcome_probability(ReadResult read, const Photons& photons, const CountOptions& options);

}  // namespace countpm
