#pragma once
// What is answered: a count, a forecast, and what stands at the head of every result.
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "graph/instance.hpp"
#include "graph/read.hpp"
#include "graph/refusal.hpp"
#include "matching/free_vertices.hpp"
#include "src/api/assumed_machine.hpp"
#include "src/api/known_limit.hpp"
#include "src/api/polynomial.hpp"
#include "src/api/value.hpp"

namespace countpm {

struct Check {
  std::string name;  // "zero iff no perfect matching", "parity", "upper bound", "double-check", ...
  bool ran = true;   // false: it does not apply to this count, and `detail` says why
  bool ok = true;
  std::string detail;  // what was compared, or why the check does not apply
};

struct BlockReport {
  std::uint64_t rows = 0;
  std::uint64_t entries = 0;
  bool general = false;  // rows are the vertices and entries the edges of a graph with odd cycles
  std::string method;    // the code path that ran, "reductions" where nothing was left to count
  std::string count;     // decimal; "p/q"; or a decimal float
  double seconds = 0;
  double predicted_seconds = 0;
  double work = 0;  // as predicted, in work_name
  std::string work_name;
  std::string arithmetic;
  std::string device = "cpu";  // "cpu", "gpu", "gpu+cpu"
  std::string kernel;          // of a GPU, where a method has several: "built in, for 40 rows"
  std::string plan;            // how the method cuts its work up: "3 crossing edges, 8 planar counts"
};

struct RuleReport {
  std::string rule;
  std::uint64_t applied = 0;
  std::uint64_t removed = 0;
};

/// Why the count is 0, in the user's labels: more vertices than neighbours (Hall); of a graph with odd
/// cycles, more odd components than neighbours (Tutte, Berge): without the neighbours each is a component by
/// itself, and needs one of them.
struct ViolatorReport {
  std::string side;  // "left", "right", "rows", "columns", "tails", "heads"; "vertices" of a general graph
  std::vector<std::string> vertices;
  std::vector<std::string> neighbours;  // fewer than vertices, or than odd components
  std::vector<std::vector<std::string>>
      odd_components;  // of a general graph: `vertices`, component by component
};

/// ln of a positive count Z of perfect matchings (weighted: of their sum), whole and by parts: the entropy,
/// or free energy over -kT, of the dimer model.
struct Entropy {
  double ln_z = 0;
  double per_vertex = 0;
  double per_dimer = 0;             // twice that: a dimer covers two vertices
  std::optional<KnownLimit> limit;  // of per_vertex, as an unweighted lattice grows
};

struct Seconds {
  double read = 0, structure = 0, reduce = 0, plan = 0, count = 0, verify = 0, proof = 0, total = 0;
};

/// Matchings that need not be perfect (Options::matchings).
struct MatchedVertices {
  MatchingSize which = MatchingSize::maximum;
  std::uint64_t size = 0;  // edges of each
  std::uint64_t free = 0;  // vertices that each leaves free
};

/// What was read, at the head of every result.
struct InputSummary {
  InputInfo input;
  GraphKind kind = GraphKind::undirected;
  Problem problem = Problem::perfect_matchings;
  std::uint64_t vertices = 0;
  std::uint64_t edges = 0;
  bool weighted = false;                   // the sum is of products of weights
  std::uint64_t sets = 0;                  // of exact covers: rings, or sets of three vertices and more
  std::optional<MatchedVertices> matched;  // empty where perfect matchings are counted
};

/// A count modulo a number (Options::modulo): from 0 to modulus - 1, of a negative sum too.
struct CountResidue {
  mpz_class modulus;
  mpz_class residue;
};

/// Which units were run again on another path, and gave the same (docs/many-machines.md).
struct AuditReport {
  double share = 0;         // as asked for
  std::uint64_t seed = 0;   // of the draw
  std::uint64_t units = 0;  // that were run again,
  std::uint64_t of = 0;     // of so many
  double work = 0;          // their share of the predicted work
  /// "pruned on the CPU, with another instruction set or fewer moduli at a time"
  std::vector<std::string> how;
  double seconds = 0;
};

/// An exact integer or rational, or a floating-point value with its error bound. Never an estimate.
struct CountResult : InputSummary {  // NOLINT(bugprone-exception-escape): numbers are moved by swapping
  /// Of the matching polynomial (ReadOptions::monomers "t"): the number of matchings with k edges, weighted:
  /// the sum over them, k = 0 to the most that there are. Of the covers by edges and rings of weight x
  /// (ReadOptions::rings): the number of covers with k rings. `value` is then their sum. Empty for other
  /// counts.
  std::vector<mpq_class> coefficients;
  /// Where weights have letters: what is counted; `value` is then this where every letter is 1.
  std::optional<Polynomial> polynomial;
  std::optional<std::uint64_t> power;  // of the coefficient that stands in place of their sum
  /// With Options::modulo, in its order. Nothing else is known of the count then: `count` is empty, `value`
  /// is the first residue, `log10` no number, and `exact` and `proved` are said of the residues.
  std::vector<CountResidue> residues;
  Value value;  // what `count` spells
  /// Decimal integer, "p/q", "1.25e+03", or "(re,im)" with re and im like that; of decimal weights
  /// "4.39453125".
  std::string count;
  double log10 = 0;                // of |count|; -infinity for 0
  bool exact = true;               // `count` is the whole truth
  bool rounded = false;            // not all digits of an exact sum of decimal weights are in `count`
  bool proved = true;              // enough residues for the bound, every one computed
  std::string error_bound;         // where not exact: decimal, rounded up
  std::optional<Entropy> entropy;  // of perfect matchings with a positive sum, where there are vertices

  std::string method;          // of the block that took longest; "structure" or "reductions" where none ran
  std::string device = "cpu";  // of the same block
  int threads = 1;             // of rank 0
  int ranks = 1;               // that counted together
  int lost_ranks = 0;          // of those: they ended on the way, and the others went on
  std::vector<BlockReport> blocks;
  std::vector<RuleReport> reductions;
  std::vector<std::pair<std::string, std::string>> settings;  // names and values, as Options has them
  std::optional<ViolatorReport> violator;
  std::vector<Check> checks;
  std::optional<AuditReport> audit;
  /// JSON: options, and plans and moduli of the blocks (none where structure alone gave the count), for
  /// `countpm verify`; empty where it was not asked for.
  std::string recheck;
  /// JSON: the proof of the number, for `countpm verify` and tools/check_proof.py
  /// (docs/internals/proof-format.md); empty where it was not asked for.
  std::string proof;
  Seconds seconds;
  std::vector<std::string> notes;  // what a user should know: sides of different size, zeros dropped, ...
};

/// What a proof takes, before it is made.
struct ProofForecast {
  std::uint64_t states = 0;        // of all tables together
  std::uint64_t widest = 0;        // of the largest one
  std::uint64_t memory_bytes = 0;  // at most so many at a time
  double again = 0;                // how many times more than once tables are made, for the memory
  double seconds = 0;              // predicted
  std::uint64_t rounds = 0;        // in the file
  std::uint64_t file_bytes = 0;    // of the file, but for the count's digits
  bool planar = false;             // by the embedding: without tables
};

struct MethodForecast {
  std::string method;
  std::optional<Refusal> obstacle;  // empty where it can
  double log10_seconds = 0;         // seconds may exceed any double
  double log10_work = 0;
  std::string work_name;
  std::string plan;  // what the method makes of the block, in its own terms; may be empty
  std::uint64_t memory_bytes = 0;
  std::uint64_t waiting_bytes = 0;  // of them, for tables that wait until a GPU has room for them
  bool measured = false;            // rate measured on this block, else nominal
  std::string device = "cpu";       // "cpu", "gpu", "gpu+cpu"
  int gpus_together = 0;            // that hold the tables of one unit: 1 as a rule, 0 on the CPU alone
  bool chosen = false;
};

/// Between which numbers a count is for certain, whatever methods do, and the theorems that say so
/// (kernels/estimate/bounds/certified_bounds.hpp). log10, rounded outwards.
struct BoundsReport {
  double log10_lower = 0;
  double log10_upper = 0;
  std::string lower_by;
  std::string upper_by;
};

struct BlockForecast {
  std::uint64_t rows = 0;
  std::uint64_t entries = 0;
  bool general = false;   // as in BlockReport
  double log2_bound = 0;  // of its count
  std::string arithmetic;
  /// With Options::modulo: how its residue is to be had, "directly", or why it is counted exactly.
  std::string modulo;
  std::vector<MethodForecast> methods;
  /// From explain(): for the larger blocks that are no work to bound; not with negative or complex weights.
  std::optional<BoundsReport> bounds;
};

/// What other programs did while rates were measured.
struct MachineLoad {
  int cores = 0;    // of the machine
  double busy = 0;  // of those, with other programs, on average
};

struct Explanation : InputSummary {
  std::uint64_t rows = 0, columns = 0;  // of the matrix that is counted: with what is added for free vertices
  std::uint64_t matching_size = 0;
  std::optional<ViolatorReport> violator;
  std::uint64_t structure_blocks = 0;  // Dulmage-Mendelsohn, before reductions
  std::uint64_t entries_dropped = 0;   // in no perfect matching
  std::vector<RuleReport> reductions;
  std::vector<std::pair<std::string, std::string>> settings;  // as of a count
  std::string factor;                                         // what the reductions factored out
  std::vector<BlockForecast> blocks;                          // what is left, largest first
  double log10_total_seconds = 0;
  bool feasible = true;  // within the limits
  /// Of the rates that were measured; empty where none were, or not for long enough to know.
  std::optional<MachineLoad> load;
  AssumedMachine assumed;              // as in CountOptions: what the forecasts are for
  std::optional<ProofForecast> proof;  // where it was asked for
  std::vector<std::string> notes;
};

/// What a listing is about, reported before its first matching.
struct ListStart : InputSummary {
  std::string method;                      // or methods: "planar, frontier"; empty where none was needed
  std::optional<ViolatorReport> violator;  // why there is nothing to list
  std::vector<std::string> notes;
};

/// A matching as ids of the graph: (row, column) in row order, of a general graph (first vertex, partner). A
/// two-coloured graph's rows are one colour's vertices. false: enough.
using MatchingIdSink = std::function<bool(const std::vector<Edge>&)>;

struct ListOptions {
  std::uint64_t first = 1;            // --range FIRST..LAST
  std::optional<std::uint64_t> last;  // inclusive
  std::function<bool()> interrupted;
  std::function<void(const ListStart&)> started;
};

/// Beside the graph's edges, in their order; both lists are empty where there is no perfect matching.
template <class Number>
struct EdgeProbabilities : ListStart {
  std::vector<Edge> edge;
  std::vector<Number> probability;
};
/// Within one unit in the last place of the exact value.
using Marginals = EdgeProbabilities<double>;
using ExactMarginals = EdgeProbabilities<mpq_class>;

}  // namespace countpm
