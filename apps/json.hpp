#pragma once
// What the command line alone prints as JSON: errors, rows of series, comparisons and molecules, checkpoints,
// what was verified, the version. All else are results as the library describes them (src/report/json.hpp).
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "src/api/options.hpp"
#include "src/chemistry/kekule_result.hpp"
#include "src/estimate/compare.hpp"
#include "src/report/json.hpp"
#include "src/series/series_row.hpp"
#include "src/verify/verify_result.hpp"

namespace countpm::app {

using countpm::indented;
using countpm::json_of;
using countpm::one_line;

/// {"schema", "object": "error", "version", "error": {"kind", "message", ...}}: a line of its own where other
/// objects are one, else indented.
std::string error_text(const ErrorDetails& error, bool on_one_line);

const char* word_of(Verdict verdict);
const char* word_of(Extent extent);

/// What befell one graph of a series, or one molecule.
ErrorDetails details_of(const SeriesFailure& failure);

struct SeriesRowObject {
  const SeriesRow& row;
  bool counts = true;  // --no-counts leaves them out
};
struct ComparedObject {
  const ComparisonStart& start;
  const ComparedEstimate* row = nullptr;  // null: nothing was left to sample
};
struct CoverageObject {
  const ComparisonStart& start;
  const ComparedCoverage& coverage;
};
struct MoleculeObject {
  std::uint64_t number = 0;
  std::uint64_t line = 0;  // 0: the format has none
  const std::string& title;
  const KekuleResult* result = nullptr;
  const SeriesFailure* failure = nullptr;
};
struct StatusObject {
  const JournalStatus& status;
  const std::string& file;
  bool done = false;
};
struct VerifiedObject {
  const VerifyReport& report;
  const StoredResult& stored;
};
struct VersionObject {
  std::string commit, date, compiler;
  bool cuda = false, mpi = false;
  std::string architecture;
  std::vector<std::string> features;
  std::vector<std::pair<std::string, std::string>> libraries;
};
struct ErrorObject {
  ErrorDetails error;
};
struct MethodsObject {};
/// A line of --progress json.
struct ProgressObject {
  const Progress& progress;
};

const Fields<SeriesRowObject>& fields_of(const SeriesRowObject*);
const Fields<ComparedObject>& fields_of(const ComparedObject*);
const Fields<CoverageObject>& fields_of(const CoverageObject*);
const Fields<MoleculeObject>& fields_of(const MoleculeObject*);
const Fields<StatusObject>& fields_of(const StatusObject*);
const Fields<VerifiedObject>& fields_of(const VerifiedObject*);
const Fields<VersionObject>& fields_of(const VersionObject*);
const Fields<ErrorObject>& fields_of(const ErrorObject*);
const Fields<MethodsObject>& fields_of(const MethodsObject*);
const Fields<ProgressObject>& fields_of(const ProgressObject*);

}  // namespace countpm::app
