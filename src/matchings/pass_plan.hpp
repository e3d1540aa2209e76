#pragma once
// Which passes a piece gets, frontier's or planar's, and what they are predicted to take.
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "kernels/frontier/passes/frontier_passes.hpp"
#include "kernels/planar/passes/planar_passes.hpp"
#include "src/api/entries.hpp"
#include "src/structure/pieces.hpp"

namespace countpm {

/// Of the memory limit, for what the passes of random matchings hold.
inline constexpr double sample_layers_share = 0.65;
/// What else there is, for hints.
inline constexpr const char* other_draws =
    "--sampler annealed, bethe or boundary draws approximately, and --explain says what that would take";

/// What passes are for.
struct PassUse {
  double memory_share = 1;  // of the limit, for what the passes hold
  std::uint64_t draws = 0;  // 0: the edges' uses
};

/// What passes of a piece are predicted to take.
struct PassForecast {
  double prepare_seconds = 0;  // before the first draw; of the edges' uses, all
  double again_seconds = 0;    // of layers, before each batch of draws but the first: there was no room
  double draw_seconds = 0;     // each
  double bytes = 0;            // what is kept, if there is room for it; 0: not known
  double least_bytes = 0;      // without which it cannot be done; 0: not known
  bool measured = false;       // its rate by a trial here; else as on another machine

  /// kept: between batches, as the passes of an only piece are; else each begins anew.
  double seconds(std::uint64_t draws, std::uint64_t batches, bool kept) const {
    const auto more = static_cast<double>(batches > 0 ? batches - 1 : 0);
    return prepare_seconds + more * (kept ? again_seconds : prepare_seconds) +
           draw_seconds * static_cast<double>(draws);
  }
};

/// From how many of the layers a pass has gone through to how much of its work that is.
class LayerShares {
 public:
  enum class Way { forward, back_through_kept, back_through_made_again };
  /// Nothing is known of the layers.
  LayerShares() = default;
  /// Each in proportion to this.
  explicit LayerShares(const std::vector<double>& work);
  double of(double layers) const;

  Way way = Way::forward;

 private:
  double before(double layers) const;
  std::vector<double> done_;  // before each layer, and at the end
};

struct PlannedPasses {
  std::variant<FrontierPasses, PlanarPasses> passes;
  PassForecast forecast;
  std::shared_ptr<LayerShares> shares;  // null of planar

  std::string method() const;
};

/// Those that are predicted to be faster, by the piece and its use alone, not by the machine, as the draws
/// do. Throws Stopped, and UnableError where the forecast is beyond the limits of the options.
PlannedPasses plan_passes(const Piece& piece, const CountOptions& options, PassUse use,
                          std::function<void(double)> on_progress, const StopSignal& stop);
/// Whether those would be planar's.
bool planar_is_faster(const Piece& piece, const CountOptions& options, PassUse use);

/// One of the methods that have passes.
struct PassOption {
  std::string method;
  PassForecast forecast;
  std::string obstacle;  // why it cannot, with the memory that there is; empty: it can
  bool chosen = false;
};
/// All that plan_passes() chooses among, one of them chosen, whatever the limits. Trials take a second or so.
/// Throws Stopped.
std::vector<PassOption> pass_options(const Piece& piece, const CountOptions& options, PassUse use,
                                     const StopSignal& stop);

}  // namespace countpm
