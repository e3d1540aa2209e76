#pragma once
// What marginals and samples share: from the input to the pieces, and from a piece to its frontier passes.
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "src/api/entries.hpp"
#include "src/matchings/pass_plan.hpp"
#include "src/matchings/tree_pieces.hpp"
#include "src/plan/plan.hpp"
#include "src/structure/pieces.hpp"
#include "src/watch/monitor.hpp"

namespace countpm {

struct PassInput {
  ListStart start;
  std::vector<Edge> edges;  // as the input has them, in its order
  Instance instance;
  Pieces pieces;                 // none where start.violator tells why
  std::vector<TreePiece> trees;  // beside them, where they are asked for
};

/// With the input's SHA-256 where there are several ranks.
ReadOptions reading_on_ranks(ReadOptions read_options, const CountOptions& options);

/// Whether trees become pieces like others, or PassInput::trees.
enum class Trees : std::uint8_t { as_pieces, apart };

/// Analyses and cuts. Throws UnableError for complex weights.
PassInput prepare_passes(ReadResult read, const CountOptions& options, Monitor& monitor,
                         Trees trees = Trees::as_pieces);

/// Of a piece, what is done before the draws, or the pass back, and these.
struct PieceSeconds {
  double before = 0;
  double after = 0;
};

/// Shares of passes for the progress bar: where nothing else is known, a piece weighs as much as it has
/// entries, and each half of it is one pass.
class PassProgress {
 public:
  PassProgress(Monitor& monitor, const std::string& stage, const std::vector<Piece>& pieces,
               std::uint64_t rounds = 1);
  /// By what is predicted of the halves of each piece, in seconds.
  PassProgress(Monitor& monitor, const std::string& stage, const std::vector<PieceSeconds>& pieces,
               std::uint64_t rounds = 1);
  /// Pieces come in order, the first again after the last.
  void begin(std::size_t piece);
  void describe(const std::string& method);
  void second_half();
  void set(double share);

 private:
  void go_to(double done);

  Monitor& monitor_;
  std::vector<PieceSeconds> pieces_;
  std::vector<double> start_;  // work of a round before each piece, and of all of it
  double round_start_ = 0;
  double half_start_ = 0;
  double half_ = 0;
  double done_ = 0;
  std::size_t piece_ = 0;
};

[[noreturn]] void throw_too_large(const LayersTooLarge& error);
/// Runs f (passes of pieces) and says in a user's words why it could not be done: stopped, or too large.
template <class F>
decltype(auto) explained(const Monitor& monitor, F&& f) {
  try {
    return std::forward<F>(f)();
  } catch (const Stopped&) {
    monitor.throw_if_stopped();
    throw;
  } catch (const LayersTooLarge& error) {
    throw_too_large(error);
  }
}

/// Whether one is a number below 0; complex ones are not.
bool has_negative(const Values& values);

/// Adds a name to the list, unless it is there.
void add_method(const std::string& name, std::string& methods);

/// The passes of one piece, by the method that is predicted to be the faster one. The choice depends on the
/// piece and its use alone, not on the machine, as the draws do.
class PiecePasses {
 public:
  /// Plans. Throws Stopped, and UnableError where the forecast is beyond the limits.
  PiecePasses(const Piece& piece, const CountOptions& options, PassUse use,
              std::function<void(double)> on_progress, const StopSignal& stop);

  std::string method() const;  // the name of the one whose passes they are
  const PassForecast& forecast() const { return planned_.forecast; }
  /// Null where they are those of frontier.
  PlanarPasses* planar() { return std::get_if<PlanarPasses>(&planned_.passes); }

  /// As those of FrontierPasses.
  const mpz_class& total(const StopSignal& stop);
  EdgeUses edge_uses(const StopSignal& stop);
  /// What every draw needs.
  void prepare_draws(const StopSignal& stop);
  std::vector<PairList> draw(std::uint64_t seed, std::uint64_t stream, std::uint64_t first,
                             std::uint64_t count, const StopSignal& stop);

 private:
  void go(LayerShares::Way way);
  void go_back();

  PlannedPasses planned_;
  bool layers_fit_ = true;
};

}  // namespace countpm
