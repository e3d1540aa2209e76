#pragma once
// A journal: what a count has done so far, as lines of text that can be checked one by one
// (docs/checkpoints.md).
//
//   countpm journal 1
//   CHECKSUM {header: version, input, options, and every block's method, plan and units}
//   CHECKSUM {record: units first .. last - 1 of a task are done, and add up to these residues}
//   ...
//
// A checksum is of the journal's own random id and the text after it, so that a record of another journal is
// none of this one. Records are each true by themselves: their order does not matter, one that is lost costs
// its units' time and no more, and one that covers units of another is left out.
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kernels/arithmetic/arithmetic.hpp"
#include "src/journal/ratio_ledger.hpp"
#include "src/journal/sample_ledger.hpp"
#include "src/number/point_residues.hpp"
#include "src/units/ledger.hpp"

namespace countpm {

/// One irreducible block, and how it is counted: everything that fixes its units.
struct JournalTask {
  std::string fingerprint;  // of the block after all reductions
  std::uint64_t rows = 0;
  std::uint64_t entries = 0;
  std::string method;
  std::string plan;  // Job::plan
  Arithmetic arithmetic;
  std::vector<PrimeWindow> points = {};  // of a polynomial at points: what the arithmetic is made of
  unsigned skip_primes = 0;              // as choose_arithmetic was told
  std::uint64_t units = 1;
  double predicted_seconds = 0;
};

/// One of the blocks that are sampled, in an estimate's journal: everything that fixes its samples beside the
/// seed.
struct JournalSampling {
  std::size_t part = 0;     // which of what the reductions left of the instance's block
  std::string fingerprint;  // of it
  std::uint64_t rows = 0;
  std::uint64_t entries = 0;
  std::string sampler;  // BlockSampler::plan, or "rejection"
};

/// What the reductions made of one block of the instance.
struct JournalBlock {
  bool reduced = true;        // by the count's rules; false: by none (double-check, polynomials at points)
  bool same_methods = false;  // double-check by the count's own methods
  std::vector<JournalTask> tasks;
  std::uint64_t digit_bits = 0;  // of a polynomial's digits: weights have letters; 0: they have none
  std::vector<JournalSampling> sampled = {};  // of an estimate: the parts that are no tasks, in order
};

/// What an estimate is to reach.
struct JournalEstimate {
  std::uint64_t seed = 1;
  std::string goal;   // "1000 samples", "relative error 0.01, confidence 0.95", ...
  unsigned rule = 2;  // random_rule of src/sampling/block_key.hpp; 1 in journals that have none
};

/// Which trials of a block a guarantee's part draws, and by which rule (trials_plan of src/estimate/).
struct TrialShare {
  UnitRange range;
  unsigned share_bits = 0;
};

/// What `countpm split` gave one of its parts to do.
struct JournalPart {
  std::uint64_t number = 1;  // 1 .. of
  std::uint64_t of = 1;
  std::vector<std::vector<UnitRange>> share;  // of every task: disjoint, in order, none of them neighbours
  /// Of an estimate: the numbers of the samples that it draws of every sampled block. Its records count from
  /// the first of them.
  std::optional<UnitRange> samples = {};
  /// Of a guarantee, of every sampled block, in their place.
  std::vector<TrialShare> trials = {};
  bool of_estimate() const { return samples.has_value() || !trials.empty(); }
  UnitRange samples_of(std::size_t sampling) const {
    return trials.empty() ? samples.value_or(UnitRange{}) : trials[sampling].range;
  }
};

/// How a ratio of two sums is found: both are counted, samples are of both at a time, or each sum has an
/// estimate of its own.
enum class RatioWay { counted, together, apart };

/// Of a ratio: the second graph, and what fixes the samples beside seed and goal.
struct JournalRatio {
  std::string other;     // as JournalHeader::input
  std::string sha256;    // of it
  std::string integral;  // "x=1:4": both are the input, with two numbers for a letter; else empty
  RatioWay way = RatioWay::counted;
  std::vector<JournalSampling> pieces = {};  // together: of the graph of both
  // Apart: what the trial samples of both sums said, and the sampler that each has.
  double trial_variance = 0;
  bool trial_trusted = false;
  std::string sampler = {};
};

struct JournalHeader {
  std::string version;                                       // of the program that made it
  std::string id;                                            // 32 random hexadecimal digits
  std::string input;                                         // a path, absolute, or a lattice
  std::string sha256;                                        // of the input's bytes; of the text of a lattice
  std::vector<std::pair<std::string, std::string>> options;  // as the count was asked for
  std::vector<std::string> rules;                            // reductions in use
  std::vector<std::pair<std::string, std::string>> settings = {};  // as Settings::list() has them
  std::vector<JournalBlock> blocks;
  std::vector<JournalBlock> recounts;       // of the double-check
  std::optional<JournalPart> part;          // empty: all units are this journal's
  std::optional<JournalEstimate> estimate;  // empty: it is a count's
  std::optional<JournalRatio> ratio;        // of an estimate that is one of a ratio

  /// The tasks of blocks, then of recounts: what records number from 0.
  std::vector<const JournalTask*> tasks() const;
  /// Of all blocks in turn: what records of samples number from 0.
  std::vector<const JournalSampling*> samplings() const;
  /// The units of a task, the number-th of tasks(), that are this journal's, disjoint and in order.
  std::vector<UnitRange> share_of(std::size_t number, const JournalTask& task) const;
  /// And how many they are.
  std::uint64_t units_of(std::size_t number, const JournalTask& task) const;
};

/// How far a count was, when it last wrote so.
struct JournalProgress {
  double elapsed_seconds = 0;     // counting, all sessions together
  double remaining_seconds = -1;  // at the rate seen; < 0 where not known
  double remaining_low = -1;      // and its likely range
  double remaining_high = -1;
  std::string count;             // once it is done
  bool estimated = false;        // an estimate is where it was to get to
  std::uint64_t lost_ranks = 0;  // of all sessions together: ranks that ended while others went on
};

struct JournalRecord {
  std::size_t task = 0;
  FinishedRange finished;
};

/// The header as JSON on one line, and back. Throws std::exception, which says what is missing.
std::string header_text(const JournalHeader& header);
JournalHeader parse_header(const std::string& text);

/// A record as JSON on one line; so are samples_text() and ratio_text().
std::string record_text(const JournalRecord& record);

/// The lines, each with its end.
std::string header_lines(const JournalHeader& header);
std::string record_line(const JournalHeader& header, const JournalRecord& record);
std::string samples_line(const JournalHeader& header, const SampleRecord& record);
/// Of any such text.
std::string text_line(const JournalHeader& header, const std::string& record);
/// Of a ratio of sums apart: the header of its number-th estimate, and a record of that, as record_text() and
/// samples_text() have it.
std::string sum_header_line(const JournalHeader& header, std::size_t number, const JournalHeader& of_sum);
std::string sum_line(const JournalHeader& header, std::size_t number, const std::string& record);
std::string progress_line(const JournalHeader& header, const JournalProgress& progress);
/// A message's, never a journal's.
std::string batch_line(const JournalHeader& header, const SampleBatch& batch);

/// A record line without its end, as record_line() has it; empty where its checksum is another's or it is no
/// record of the header's tasks.
std::optional<JournalRecord> parse_record(const JournalHeader& header, const std::string& line);
/// The same of a batch_line() of the header's series.
std::optional<SampleBatch> parse_batch_line(const JournalHeader& header, const std::string& line);

/// A journal as it was read. Of an estimate that it has none of, `sums` has a header without seed and goal.
struct Journal {
  JournalHeader header;
  std::vector<JournalRecord> records;  // sound, and none twice
  std::vector<DrawnSamples> drawn;     // of header.samplings(), the most that a sound record has
  std::vector<std::vector<SampleStretch>> stretches;  // of each, some_stretches at most, left to chance
  static constexpr std::size_t some_stretches = 8;
  std::vector<RatioRecord> ratio_records;  // of header.ratio->pieces, none twice
  std::vector<Journal> sums;               // of a ratio of sums apart: what there is of each of its estimates
  static constexpr std::size_t most_sums = 16;
  JournalProgress progress;
  std::uint64_t bytes = 0;
  std::uint64_t damaged_lines = 0;   // left out: torn, changed, or of another journal
  std::uint64_t repeated_lines = 0;  // left out: units that another record has
  double done_share() const;         // of the predicted work that is this journal's; 1 where there is none
  std::uint64_t units_done() const;
  std::uint64_t units() const;  // that are this journal's
  /// Of a part of an estimate, whether all of its samples are there.
  bool has_all_samples() const;
};

/// Throws InputError, naming the file, where it is no journal, of another format, or its header is damaged.
/// O(bytes).
Journal parse_journal(const std::string& text, const std::string& file);
/// The same from a file. InputError where it cannot be read.
Journal read_journal(const std::string& file);

}  // namespace countpm
