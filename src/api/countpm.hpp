#pragma once
// The public interface: from a graph to a checked number; nothing here prints. What the command line can do
// beyond: src/estimate/estimate.hpp, src/count/log_count.hpp and src/verify/verify_result.hpp.
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "graph/errors.hpp"
#include "graph/instance.hpp"
#include "graph/read.hpp"
#include "graph/refusal.hpp"
#include "kernels/order_kind.hpp"
#include "matching/rules.hpp"
#include "src/api/known_limit.hpp"

namespace countpm {

class Channel;  // src/machine/channel.hpp

/// What progress reports say.
struct Progress {
  std::string stage;  // "count", "double-check"
  std::string method;
  std::size_t block = 0;  // 1-based
  std::size_t blocks = 0;
  double done = 0;               // share of the predicted work of the whole count, 0 .. 1
  double elapsed_seconds = 0;    // of the whole count
  double remaining_seconds = 0;  // estimated from the measured rate; < 0 where not known yet
  double remaining_low = -1;     // and its likely range, two standard errors of the rate; < 0 where not known
  double remaining_high = -1;
  double share_a_second = 0;  // the measured rate; 0 where not known yet
};

/// Where a count keeps what is done, so that it can go on later (docs/checkpoints.md).
struct CheckpointOptions {
  std::string file;     // empty: nowhere
  bool resume = false;  // the file is there: go on with it; else it must not be there
  /// Journals of one count, or its parts, to be joined and gone on with; the file, where there is one,
  /// becomes the whole. Throws InputError where they do not belong together, CheckError where they contradict
  /// each other, InterruptedError, with the file written, where units are missing.
  std::vector<std::string> merge;
  /// merge: names of `options` that may differ from journal to journal.
  std::vector<std::string> free_options;
  /// How the count was asked for, kept in the file for whoever resumes it; the library does not read them.
  std::vector<std::pair<std::string, std::string>> options;
  /// Called with what befalls the file: lines left out, writing that fails. From any thread; may be empty.
  std::function<void(const std::string&)> notice;

  bool used() const { return !file.empty() || !merge.empty(); }
  /// Of a file to name where something in it is wrong.
  const std::string& name() const { return merge.empty() ? file : merge.front(); }
};

/// Real weights: which floating point.
enum class FloatChoice { plain, kahan, double_double, mpfr };

struct CountOptions {
  std::string method = "auto";  // or a name of exact_methods()
  std::string device = "auto";  // auto, cpu, gpu (nothing but GPUs)
  int gpus = 0;           // 0: all that there are; else that many, and UnableError where there are fewer
  int emulated_gpus = 0;  // for tests: that many GPUs emulated on the CPU, in place of the machine's
  int threads = 0;        // 0: all that OpenMP gives
  double time_limit_seconds = 3600;  // predictions above are refused, runs beyond are stopped; infinity: none
  std::uint64_t memory_limit_bytes = 0;  // 0: the machine's available memory
  RuleSet rules;
  OrderKind order = OrderKind::automatic;     // frontier: which eliminations; never changes a count
  bool double_check = false;                  // recount by another method on the transpose
  double audit_share = 0;                     // 0 .. 1: of the units that are run again on another path
  bool recheck = false;                       // fill in CountResult::recheck
  FloatChoice floating = FloatChoice::kahan;  // real and complex weights
  unsigned precision_bits = 0;                // --precision BITS: MPFR with that many; 0: `floating` decides
  std::uint64_t seed = 1;                     // of samples that predict work; never changes a count
  std::function<void(const Progress&)> progress;  // called a few times a second from one thread; may be empty
  std::function<bool()> interrupted;              // polled at least every 100 ms; true: stop
  CheckpointOptions checkpoint;
  /// This is rank 0 of several, which count together (docs/scaling.md); null: alone. Outlives the count.
  Channel* channel = nullptr;
};

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
  double read = 0, structure = 0, reduce = 0, plan = 0, count = 0, verify = 0, total = 0;
};

/// What was read, at the head of every result.
struct InputSummary {
  InputInfo input;
  GraphKind kind = GraphKind::undirected;
  Problem problem = Problem::perfect_matchings;
  std::uint64_t vertices = 0;
  std::uint64_t edges = 0;
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
struct CountResult : InputSummary {
  bool weighted = false;

  std::string count;  // decimal integer, "p/q", "1.25e+03", or "(re,im)" with re and im like that
  double log10 = 0;   // of |count|; -infinity for 0
  bool exact = true;
  bool proved = true;              // enough residues for the bound, every one computed
  std::string error_bound;         // where not exact: decimal, rounded up
  std::optional<Entropy> entropy;  // of perfect matchings with a positive sum, where there are vertices

  std::string method;          // of the block that took longest; "structure" or "reductions" where none ran
  std::string device = "cpu";  // of the same block
  int threads = 1;             // of rank 0
  int ranks = 1;               // that counted together
  std::vector<BlockReport> blocks;
  std::vector<RuleReport> reductions;
  std::optional<ViolatorReport> violator;
  std::vector<Check> checks;
  std::optional<AuditReport> audit;
  /// JSON: options, and plans and moduli of the blocks (none where structure alone gave the count), for
  /// `countpm verify`; empty where it was not asked for.
  std::string recheck;
  Seconds seconds;
  std::vector<std::string> notes;  // what a user should know: sides of different size, zeros dropped, ...
};

/// Counts. Throws the family of graph/errors.hpp; never returns an unchecked number.
/// With a checkpoint the source is a file or a lattice, a prediction beyond the time limit is refused only
/// where a single unit is, and InterruptedError and UnableError say what the file holds.
CountResult count(const Source& source, const ReadOptions& read_options, const CountOptions& options);
/// The same from a graph in memory. Every entry that takes one checks it first, in O(edges), and throws
/// InputError where it breaks what graph/graph.hpp promises (graph/validate.hpp); every entry throws
/// UsageError for options that none can have, and where a sink is empty.
CountResult count(Graph graph, const CountOptions& options);

/// What was dealt out to the parts of a count.
struct SplitResult {
  std::uint64_t units = 0;
  double predicted_seconds = 0;  // of all together, by this machine's processors
};
/// Plans a count and writes as many journals as there are files, none of which may be there yet: each with
/// the same plan and a share of the units of its own, about equal in predicted work, and each to be resumed
/// by itself on any machine (resume_part). A part may have nothing to do. The source is a file or a lattice.
/// Throws as count() does, before a file is left behind.
SplitResult split(const Source& source, const ReadOptions& read_options, const CountOptions& options,
                  const std::vector<std::string>& files);
/// Counts what is left of a part, options.checkpoint. It is whole when this returns; CheckpointOptions::merge
/// makes a number of all parts. Throws as count() with a checkpoint.
void resume_part(const Source& source, const ReadOptions& read_options, const CountOptions& options);

/// What a journal says of itself.
struct JournalTaskStatus {
  std::uint64_t rows = 0, entries = 0;
  std::string method;
  std::string arithmetic;
  std::uint64_t units = 0, units_done = 0;  // of its own, where it is a part
  double predicted_seconds = 0;             // of all units
  bool double_check = false;
};
/// A block that is sampled, in an estimate's journal.
struct JournalSamplingStatus {
  std::uint64_t rows = 0, entries = 0;
  std::string sampler;        // with what fixes its samples; "rejection" with a guarantee
  std::uint64_t samples = 0;  // or trials
  std::uint64_t nonzero = 0;  // or successes
  std::uint64_t goal = 0;  // of samples, or successes, before it is looked at how good they are; 0: none yet
  double log10 = 0;        // of their mean; -infinity where all are 0, not of trials
  double relative_error = 0;  // one standard error over the mean; infinity where it is not known
};
struct JournalStatus {
  std::string version, input, sha256;
  std::vector<std::pair<std::string, std::string>> options;  // CheckpointOptions::options
  std::vector<JournalTaskStatus> tasks;
  std::string estimate;                          // what an estimate is to reach; empty: it is a count
  bool estimated = false;                        // and whether it has
  std::vector<JournalSamplingStatus> samplings;  // of an estimate
  std::uint64_t part = 0, parts = 0;             // 0: it is no part of a count
  double done = 0;                               // share of the predicted work
  double elapsed_seconds = 0;                    // counting, all sessions together
  double remaining_seconds = -1, remaining_low = -1, remaining_high = -1;  // as Progress, when last written
  std::string count;                                                       // where it is done
  std::uint64_t bytes = 0;
  std::uint64_t damaged_lines = 0;
  bool in_use = false;  // a process is writing it
};
/// Throws InputError where the file is no sound journal.
JournalStatus journal_status(const std::string& file);

struct MethodForecast {
  std::string method;
  std::optional<Refusal> obstacle;  // empty where it can
  double log10_seconds = 0;         // seconds may exceed any double
  double log10_work = 0;
  std::string work_name;
  std::string plan;  // what the method makes of the block, in its own terms; may be empty
  std::uint64_t memory_bytes = 0;
  bool measured = false;       // rate measured on this block, else nominal
  std::string device = "cpu";  // "cpu", "gpu", "gpu+cpu"
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
  std::vector<MethodForecast> methods;
  /// From explain(): for the larger blocks that are no work to bound; not with negative or complex weights.
  std::optional<BoundsReport> bounds;
};

struct Explanation : InputSummary {
  std::uint64_t rows = 0, columns = 0;
  std::uint64_t matching_size = 0;
  std::optional<ViolatorReport> violator;
  std::uint64_t structure_blocks = 0;  // Dulmage-Mendelsohn, before reductions
  std::uint64_t entries_dropped = 0;   // in no perfect matching
  std::vector<RuleReport> reductions;
  std::string factor;                 // what the reductions factored out
  std::vector<BlockForecast> blocks;  // what is left, largest first
  double log10_total_seconds = 0;
  bool feasible = true;  // within the limits
  std::vector<std::string> notes;
};

struct PatternStages;  // src/matchings/pattern_stages.hpp
using PatternSink = std::function<void(const PatternStages&)>;
/// Structure, reductions and every method's predicted cost; counts nothing. `patterns`, where it is not
/// empty, is called with the matrix as its structure shows it.
Explanation explain(const Source& source, const ReadOptions& read_options, const CountOptions& options,
                    const PatternSink& patterns = {});

/// What a listing is about, reported before its first matching.
struct ListStart : InputSummary {
  std::optional<ViolatorReport> violator;  // why there is nothing to list
  std::vector<std::string> notes;
};

struct ListOptions {
  std::uint64_t first = 1;            // --range FIRST..LAST
  std::optional<std::uint64_t> last;  // inclusive
  std::function<bool()> interrupted;
  std::function<void(const ListStart&)> started;
};
using MatchingSink =
    std::function<bool(const std::vector<std::pair<std::string, std::string>>&)>;  // false: enough
/// Lists perfect matchings (cycle covers) as pairs of labels (row label, column label) in row order; weights
/// play no part. Matchings come in lexicographic order of (column of row 0, column of row 1, ...), numbered
/// from 1, each as soon as it is found: the search enters only branches that hold a perfect matching, so that
/// the time between two is O(rows * entries) and O(entries) on average (src/matchings/matching_search.hpp).
/// Of a general graph: the edges (first vertex, partner), in order of the first vertex, O(rows * entries)
/// between two (src/matchings/general_matching_search.hpp). Returns how many went to the sink. Throws as
/// count() does.
std::uint64_t list_matchings(const Source& source, const ReadOptions& read_options,
                             const ListOptions& options, const MatchingSink& sink);

/// How edge probabilities are reported.
struct MarginalOptions {
  bool exact = false;    // fractions p/q in lowest terms; else decimals
  unsigned digits = 12;  // of decimals: significant ones, rounded from the exact value, half to even
  std::function<void(const ListStart&)> started;  // before the first edge
  std::function<void(const Graph&)> read;         // called with the graph; edges in the order of the sink's
};
struct EdgeProbability {
  std::string from;  // labels as the input has the edge
  std::string to;
  std::string probability;  // "0", "1", "5/12", "0.44", "1.25e-07"
};
using EdgeSink = std::function<bool(const EdgeProbability&)>;  // false: enough
/// Every edge of the input, in its order, with the probability that it is in a random perfect matching (cycle
/// cover), one drawn with probability proportional to the product of its weights. Exact rationals until they
/// are written, decimal weights too. Negative weights may give "probabilities" outside 0 .. 1: the edge's
/// share of the sum. Without a perfect matching no edge is reported, and ListStart says why. Uses the limits,
/// threads, progress and interruption of `options`. By forward and backward passes of the frontier method
/// (kernels/frontier/passes/frontier_passes.hpp): time and memory grow with the number of its states; or on
/// planar graphs by an inverse matrix, in polynomial time (kernels/planar/passes/planar_passes.hpp). Returns
/// how many went to the sink. Throws as count() does, and UnableError for complex weights and for weights
/// that add up to 0.
std::uint64_t marginals(const Source& source, const ReadOptions& read_options, const CountOptions& options,
                        const MarginalOptions& marginal_options, const EdgeSink& sink);
/// The same from a graph in memory.
std::uint64_t marginals(Graph graph, const CountOptions& options, const MarginalOptions& marginal_options,
                        const EdgeSink& sink);

struct SampleOptions {
  std::uint64_t count = 1;
  std::function<void(const ListStart&)> started;  // before the first matching
  std::function<void(const Graph&)> read;         // called with the graph, but not of Aztec diamonds
};
/// Draws `count` perfect matchings (cycle covers), independent and exactly proportional to the products of
/// their weights, as list_matchings() tells them. CountOptions::seed and the input fix the draws, whatever
/// the threads and the machine. Without a perfect matching there are none, and ListStart says why. Returns
/// how many went to the sink. Throws as marginals() does, and UnableError for negative weights.
std::uint64_t sample_matchings(const Source& source, const ReadOptions& read_options,
                               const CountOptions& options, const SampleOptions& sample_options,
                               const MatchingSink& sink);
/// The same from a graph in memory.
std::uint64_t sample_matchings(Graph graph, const CountOptions& options, const SampleOptions& sample_options,
                               const MatchingSink& sink);

/// "0.1.0"
const char* version();

}  // namespace countpm
