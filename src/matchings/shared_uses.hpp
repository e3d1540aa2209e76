#pragma once
// How often every edge of each piece is used, exactly, on all ranks: of planar passes they share the primes,
// of others whole pieces. What others bring has to add up: the edges of a vertex share all matchings.
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "src/distributed/shared_ranges.hpp"
#include "src/input/asked_kinds.hpp"
#include "src/matchings/passes.hpp"

namespace countpm {

/// Of the memory limit, for what the passes hold; the rest is for the graph, the program and the text.
inline constexpr double marginal_layers_share = 0.9;

/// What passes say of a piece.
struct PieceUses {
  std::string method;
  mpz_class total;
  EdgeUses uses;
};

/// Rank 0's, or those of one process.
class UsesOfPieces {
 public:
  /// shared: the other ranks; null: there are none. All that is given outlives this.
  UsesOfPieces(const PassInput& input, const CountOptions& options, PassProgress& progress, Monitor& monitor,
               SharedRanges* shared)
      : input_(input), options_(options), progress_(progress), monitor_(monitor), shared_(shared) {}

  /// Pieces come in order. Throws Stopped, LayersTooLarge and UnableError.
  PieceUses of(std::size_t piece);

 private:
  PieceUses here(PiecePasses& passes);
  PieceUses take_done(std::size_t piece);
  PrimeResidues residues_on_ranks(std::size_t piece, PlanarPasses& passes, PrimeStep step,
                                  std::uint64_t first, std::uint64_t count);
  void pieces_on_ranks(const UnitRange& pieces, PiecePasses first);

  const PassInput& input_;
  const CountOptions& options_;
  PassProgress& progress_;
  Monitor& monitor_;
  SharedRanges* shared_;
  bool on_ranks_ = false;
  std::map<std::uint64_t, PieceUses> done_;  // of pieces that are still to come
};

/// Another rank's part of that.
class FollowedUses {
 public:
  FollowedUses(const PassInput& input, const CountOptions& options, Monitor& monitor)
      : input_(input), options_(options), monitor_(monitor) {}

  void prepare(std::size_t task);
  std::string run(std::size_t task, const UnitRange& numbers);

 private:
  PiecePasses& passes_of(std::size_t piece);

  const PassInput& input_;
  const CountOptions& options_;
  Monitor& monitor_;
  std::optional<PiecePasses> passes_;
  std::size_t piece_ = 0;
};

/// The first number of a task that is none of the above.
std::size_t tasks_of_uses(const PassInput& input);

/// What all ranks have to agree on; `question` says what else.
RangePlan plan_of_uses(const PassInput& input, const CountOptions& options, const std::string& question = {});

/// Tells the others, if there are any.
void share_ranges(Channel& channel, RangePlan plan, std::optional<SharedRanges>& shared);

/// What another rank does: reads what rank 0 reads, whose time limit ends all, then the work.
void follow_passes(GraphQuestion question, const Source& source, const ReadOptions& read_options,
                   const CountOptions& options,
                   const std::function<void(ReadResult read, Monitor& monitor)>& work);

}  // namespace countpm
