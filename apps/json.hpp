#pragma once
// What the command line alone prints as JSON: errors, rows of series, comparisons and molecules, checkpoints
// and parts, what was verified and proved, lattices, the version. All else are results as the library
// describes them (src/report/json.hpp).
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "graph/graph.hpp"
#include "src/api/options.hpp"
#include "src/chemistry/kekule_result.hpp"
#include "src/estimate/compare.hpp"
#include "src/proof_check/proof_report.hpp"
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
struct ProofObject {
  const ProofReport& report;
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
struct FormatsObject {};
/// The count lies between these.
struct CertainBoundsObject {
  std::string input;
  CertainBounds bounds;
};
/// What `split` wrote: units of a count, or samples of an estimate.
struct SplitObject {
  std::string input;
  std::vector<std::string> files;
  std::optional<std::uint64_t> units, samples;
  double predicted_seconds = 0;
};
struct LatticeObject {
  const std::string& spec;
  const Graph& graph;
};
struct LatticesObject {};
struct ProvedObject {
  const StoredResult& stored;
  const std::string& input;
};
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
const Fields<ProofObject>& fields_of(const ProofObject*);
const Fields<VersionObject>& fields_of(const VersionObject*);
const Fields<ErrorObject>& fields_of(const ErrorObject*);
const Fields<MethodsObject>& fields_of(const MethodsObject*);
const Fields<FormatsObject>& fields_of(const FormatsObject*);
const Fields<CertainBoundsObject>& fields_of(const CertainBoundsObject*);
const Fields<SplitObject>& fields_of(const SplitObject*);
const Fields<LatticeObject>& fields_of(const LatticeObject*);
const Fields<LatticesObject>& fields_of(const LatticesObject*);
const Fields<ProvedObject>& fields_of(const ProvedObject*);
const Fields<ProgressObject>& fields_of(const ProgressObject*);

}  // namespace countpm::app
