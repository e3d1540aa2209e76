#pragma once
// Every question with all that may be asked of it: what the command line, the tests and MPI use, and what
// src/library/countpm.hpp, the interface for programs, stands on. Beyond: src/estimate/estimate.hpp,
// src/count/ln_z.hpp and src/verify/verify_result.hpp.
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "graph/errors.hpp"
#include "graph/read.hpp"
#include "src/api/options.hpp"
#include "src/api/results.hpp"
#include "src/api/version.hpp"

namespace countpm {

class Channel;  // src/machine/channel.hpp

/// Journals that are joined have not all units yet: a count that is not at its end.
class MissingUnitsError : public InterruptedError {
 public:
  using InterruptedError::InterruptedError;
};

/// Where a count keeps what is done, so that it can go on later (docs/checkpoints.md).
struct CheckpointOptions {
  std::string file;     // empty: nowhere
  bool resume = false;  // the file is there: go on with it; else it must not be there
  /// Journals of one count, or its parts, to be joined and gone on with; the file, where there is one,
  /// becomes the whole. Throws InputError where they do not belong together, CheckError where they contradict
  /// each other, MissingUnitsError, with the file written, where units are missing.
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

/// All that a count can be told; the fields beyond Options are of the command line, of tests and of MPI.
struct CountOptions : Options {
  int emulated_gpus = 0;  // for tests: that many GPUs emulated on the CPU, in place of the machine's
  bool recheck = false;   // fill in CountResult::recheck
  /// count() makes CountResult::proof, and what has none is refused before it counts; explain() forecasts
  /// what it takes.
  bool proof = false;
  CheckpointOptions checkpoint;
  /// count(), estimate() and ln_z() call it with the graph as it was read: for pictures. May be empty.
  std::function<void(const Graph&)> read;
  /// This is rank 0 of several, which count together (docs/scaling.md); null: alone. Outlives the count.
  Channel* channel = nullptr;
  /// explain() forecasts for this machine; every other question refuses it (UsageError).
  AssumedMachine assumed;
};

/// Counts. Throws the family of graph/errors.hpp; never returns an unchecked number.
/// With a checkpoint the source is a file or a lattice, a prediction beyond the time limit is refused only
/// where a single unit is, and InterruptedError and UnableError say what the file holds.
CountResult count(const Source& source, const ReadOptions& read_options, const CountOptions& options);
/// The same from a graph in memory. Every entry that takes one checks it first, in O(edges), and throws
/// InputError where it breaks what graph/graph.hpp promises (graph/validate.hpp); every entry throws
/// UsageError for options that none can have, and where a sink is empty.
CountResult count(Graph graph, const CountOptions& options);
/// The same of what has been read, or is in memory with something to say of it: results carry
/// ReadResult::info.
CountResult count(ReadResult read, const CountOptions& options);

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
  double log10 = 0;        // of their mean (of a ratio's, of means); -infinity where all are 0, not of trials
  double relative_error = 0;  // one standard error over the mean; infinity where it is not known
};
struct JournalStatus {
  std::string version, input, sha256;
  std::vector<std::pair<std::string, std::string>> options;  // CheckpointOptions::options
  std::vector<JournalTaskStatus> tasks;
  std::string estimate;                          // what an estimate is to reach; empty: it is a count
  bool estimated = false;                        // and whether it has
  std::string ratio_to;                          // of a ratio: its second input, as `input`
  std::vector<JournalSamplingStatus> samplings;  // of an estimate
  std::uint64_t part = 0, parts = 0;             // 0: it is no part of a count
  double done = 0;                               // share of the predicted work
  double elapsed_seconds = 0;                    // counting, all sessions together
  double remaining_seconds = -1, remaining_low = -1, remaining_high = -1;  // as Progress, when last written
  std::uint64_t lost_ranks = 0;  // all sessions together: ranks that ended while others went on
  std::string count;             // where it is done
  std::uint64_t bytes = 0;
  std::uint64_t damaged_lines = 0;
  bool in_use = false;  // a process is writing it
};
/// Throws InputError where the file is no sound journal.
JournalStatus journal_status(const std::string& file);

struct PatternStages;  // src/matchings/pattern_stages.hpp
using PatternSink = std::function<void(const PatternStages&)>;
/// Structure, reductions and every method's predicted cost; counts nothing. `patterns`, where it is not
/// empty, is called with the matrix as its structure shows it.
Explanation explain(const Source& source, const ReadOptions& read_options, const CountOptions& options,
                    const PatternSink& patterns = {});
Explanation explain(ReadResult read, const CountOptions& options, const PatternSink& patterns = {});

using MatchingSink =
    std::function<bool(const std::vector<std::pair<std::string, std::string>>&)>;  // false: enough
/// Lists perfect matchings (cycle covers) as pairs of labels (row label, column label) in row order; weights
/// play no part. Matchings come in lexicographic order of (column of row 0, column of row 1, ...), numbered
/// from 1, each as soon as it is found: the search enters only branches that hold a perfect matching, so that
/// the time between two is O(rows * entries) and O(entries) on average (src/matchings/matching_search.hpp).
/// Of a general graph: the edges (first vertex, partner), in order of the first vertex, O(rows * entries)
/// between two (src/matchings/general_matching_search.hpp). With monomers all matchings, as their edges; a
/// vertex alone comes after its partners. Returns how many went to the sink. Throws as count() does.
std::uint64_t list_matchings(const Source& source, const ReadOptions& read_options,
                             const ListOptions& options, const MatchingSink& sink);
std::uint64_t list_matchings(ReadResult read, const ListOptions& options, const MatchingIdSink& sink);

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
/// planar graphs by an inverse matrix, in polynomial time (kernels/planar/passes/planar_passes.hpp). With
/// monomers of all matchings, and after the edges every vertex that may stay alone, twice, with how likely it
/// is to; with MatchingSize::maximum of the maximum matchings. Returns how many went to the sink. Throws as
/// count() does, and UnableError for complex weights and for weights that add up to 0.
std::uint64_t marginals(const Source& source, const ReadOptions& read_options, const CountOptions& options,
                        const MarginalOptions& marginal_options, const EdgeSink& sink);
/// The same from a graph in memory.
std::uint64_t marginals(Graph graph, const CountOptions& options, const MarginalOptions& marginal_options,
                        const EdgeSink& sink);

/// The same as numbers: doubles within one unit in the last place of the exact value, or fractions.
Marginals marginals(ReadResult read, const CountOptions& options);
ExactMarginals exact_marginals(ReadResult read, const CountOptions& options);

struct DrawForecast;  // src/api/draw_forecast.hpp
struct SampleOptions {
  std::uint64_t count = 1;
  std::function<void(const DrawForecast&)> foretold;  // before anything is drawn, by sample_matchings()
  std::function<void(const ListStart&)> started;      // before the first matching
  std::function<void(const Graph&)> read;             // called with the graph, but not of Aztec diamonds
};
/// Draws `count` perfect matchings (cycle covers), independent and exactly proportional to the products of
/// their weights, as list_matchings() tells them. CountOptions::seed and the input fix the draws, whatever
/// the threads and the machine. Without a perfect matching there are none, and ListStart says why. With
/// monomers, or of maximum matchings, the edges of each. Returns how many went to the sink. Throws as
/// marginals() does, and UnableError for negative weights. What is predicted to take longer than the time
/// limit is refused before anything is drawn; explain_draws() (src/matchings/explain_draws.hpp) says what the
/// draws would take.
std::uint64_t sample_matchings(const Source& source, const ReadOptions& read_options,
                               const CountOptions& options, const SampleOptions& sample_options,
                               const MatchingSink& sink);
/// The same from a graph in memory.
std::uint64_t sample_matchings(Graph graph, const CountOptions& options, const SampleOptions& sample_options,
                               const MatchingSink& sink);
/// As ids; Aztec diamonds too are drawn as other planar graphs are.
std::uint64_t sample_matchings(ReadResult read, const CountOptions& options,
                               const SampleOptions& sample_options, const MatchingIdSink& sink);

}  // namespace countpm
