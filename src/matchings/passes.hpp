#pragma once
// What marginals and samples share: from the input to the pieces, and from a piece to its frontier passes.
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "kernels/frontier/order/order_search.hpp"
#include "kernels/frontier/passes/frontier_passes.hpp"
#include "kernels/planar/passes/planar_passes.hpp"
#include "src/api/entries.hpp"
#include "src/plan/plan.hpp"
#include "src/structure/pieces.hpp"
#include "src/watch/monitor.hpp"

namespace countpm {

struct PassInput {
  ListStart start;
  std::vector<Edge> edges;  // as the input has them, in its order
  Instance instance;
  Pieces pieces;  // none where start.violator tells why
};

/// With the input's SHA-256 where there are several ranks.
ReadOptions reading_on_ranks(ReadOptions read_options, const CountOptions& options);

/// Analyses and cuts. Throws UnableError for complex weights.
PassInput prepare_passes(ReadResult read, const CountOptions& options, Monitor& monitor);

/// Shares of passes for the progress bar: a piece weighs as much as it has entries; each half of it is one
/// pass.
class PassProgress {
 public:
  PassProgress(Monitor& monitor, const std::string& stage, const std::vector<Piece>& pieces,
               std::uint64_t rounds = 1);
  /// Pieces come in order, the first again after the last.
  void begin(std::size_t piece);
  void describe(const std::string& method);
  void second_half();
  void set(double share);

 private:
  void go_to(double done);

  Monitor& monitor_;
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

/// What passes are for.
struct PassUse {
  double memory_share = 1;  // of the limit, for what the passes hold
  std::uint64_t draws = 0;  // 0: the edges' uses
};

/// Whether PiecePasses would be those of planar.
bool planar_is_faster(const Piece& piece, const CountOptions& options, PassUse use);

/// The passes of one piece, by the method that is predicted to be the faster one. The choice depends on the
/// piece and its use alone, not on the machine, as the draws do.
class PiecePasses {
 public:
  /// Plans. Throws Stopped, and UnableError where a
  /// forecast is beyond the limits, a bound being no estimate, by a wide margin: the passes keep to the
  /// limits while they run anyway.
  PiecePasses(const Piece& piece, const CountOptions& options, PassUse use,
              std::function<void(double)> on_progress, const StopSignal& stop);

  std::string method() const;  // the name of the one whose passes they are
  /// Null where they are those of frontier.
  PlanarPasses* planar() { return std::get_if<PlanarPasses>(&passes_); }

  /// As those of FrontierPasses.
  const mpz_class& total(const StopSignal& stop);
  EdgeUses edge_uses(const StopSignal& stop);
  /// What every draw needs.
  void prepare_draws(const StopSignal& stop);
  std::vector<PairList> draw(std::uint64_t seed, std::uint64_t stream, std::uint64_t first,
                             std::uint64_t count, const StopSignal& stop);

 private:
  std::variant<FrontierPasses, PlanarPasses> passes_;
};

}  // namespace countpm
