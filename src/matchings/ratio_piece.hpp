#pragma once
// A piece of the graph of both, and the samples that are drawn of it for a ratio.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernels/estimate/samples/graph_sampler.hpp"
#include "src/api/estimate_result.hpp"
#include "src/api/sampling_forecast.hpp"
#include "src/distributed/shared_ranges.hpp"
#include "src/journal/ratio_ledger.hpp"
#include "src/matchings/matching_check.hpp"
#include "src/matchings/piece_tally.hpp"
#include "src/matchings/ratio_tally.hpp"
#include "src/sampling/foretell.hpp"
#include "src/sampling/sample_chunks.hpp"
#include "src/structure/pieces.hpp"
#include "src/watch/monitor.hpp"

namespace countpm {

/// What the samples of each of so many pieces are to reach.
struct RatioGoal {
  double error = 0;           // a standard error of ln, of this piece
  double pieces = 1;          // what is not met adds up over them, errors do so in squares
  std::uint64_t samples = 0;  // exactly so many instead; 0: the error decides
  double confidence = 0;
};

/// The other ranks, where there are any, and the number of a piece among those that they have.
struct OtherRanks {
  SharedRanges* shared = nullptr;
  std::size_t piece = 0;
};

class RatioPiece {
 public:
  /// ln of every entry's weight in A and in B over that in the graph of both; NaN: no edge.
  RatioPiece(const Piece& piece, const std::vector<double>& log_a, const std::vector<double>& log_b);

  /// Where both have the same weights but for a factor: ln of the quotient, without any sample.
  std::optional<double> known() const;
  /// Makes the sampler of the piece with that number.
  void prepare(const EstimateOptions& options, std::uint64_t seed, std::uint64_t number);
  std::string name() const;

  /// Takes what is in the ledger for drawn, and puts there what is drawn, from now on.
  void keep_in(RatioLedger& ledger) { ledger_ = &ledger; }
  /// Throws CheckError where a chunk cannot be that number of this piece.
  void check_chunk(std::uint64_t number, const RatioSamples& samples, const RatioGoal& goal) const;
  /// Draws samples of the ledger's chunk again, until `end` or until one was, and returns how many. Throws
  /// CheckError where one is another.
  std::uint64_t draw_again(std::uint64_t number, double end, const Monitor& monitor) const;
  const Piece& piece() const { return piece_; }

  /// The first samples of draw_to(); returns whether they reach the goal.
  bool draw_first(const RatioGoal& goal, double end, int threads, Monitor& monitor);
  /// Samples, more than there are, until the goal; returns whether it was reached before `end`. What is drawn
  /// does not depend on the threads, nor on where it went on.
  bool draw_to(const RatioGoal& goal, double end, int threads, Monitor& monitor,
               const OtherRanks& others = {});
  /// What another rank brings rank 0 of it: these chunks, as range_bytes.hpp has them.
  std::string chunks_for_rank_0(const UnitRange& numbers, const RatioGoal& goal, int threads,
                                Monitor& monitor);
  /// Samples of another sampler, of what both graphs have.
  void check_by_another(SecondOpinion how, double confidence, double deadline, int threads, Monitor& monitor);
  /// The next samples of draw_to(), until `end`, and what all foretell.
  PieceForecast forecast(const RatioGoal& goal, SecondOpinion how, double end, int threads, Monitor& monitor);

  bool has_both() const { return tally.a > 0 && tally.b > 0; }
  /// Of ln of the quotient, but for what was not met.
  double variance() const;
  double unseen() const;
  std::string doubt() const;

  RatioTally tally;
  SampledMean mean_a;
  SampledMean mean_b;
  RatioTail tail;
  MatchingCheck check;

 private:
  using Chunks = SampleChunks<RatioChunk>;
  RatioSamples draw(std::uint64_t first, std::uint64_t count, const StopSignal& stop) const;
  RatioSamples drawn_chunk(std::uint64_t number, const RatioGoal& goal, const StopSignal& stop) const;
  RatioChunk chunk(std::uint64_t number, const RatioGoal& goal, const StopSignal& stop) const;
  Chunks chunks(const RatioGoal& goal, double end, Monitor& monitor);
  std::uint64_t draw_on_ranks(Chunks& chunks, std::uint64_t wanted, const RatioGoal& goal, double end,
                              int threads, Monitor& monitor, const OtherRanks& others);
  std::vector<UnitRange> missing_chunks(const UnitRange& numbers) const;
  ChunkGoal look(const RatioGoal& goal);
  CheckedSamples checked(const SampledMean& mean) const;
  bool steady() const;

  const Piece& piece_;
  std::uint64_t number_ = 0;
  std::uint64_t key_ = 0;
  std::uint64_t stream_ = 0;
  PieceEntries entries_;
  std::vector<double> log_a_;
  std::vector<double> log_b_;
  std::unique_ptr<const MatchingSampler> sampler_;
  double most_log_ = 0;            // ln of no sample is above, nor below its negative, unless it is 0
  RatioLedger* ledger_ = nullptr;  // null: there is none
  std::uint64_t drawn_ = 0;        // chunks
  double seconds_ = 0;             // that these took
  ChunkGoal last_;                 // after the last look
};

}  // namespace countpm
