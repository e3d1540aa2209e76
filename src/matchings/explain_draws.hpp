#pragma once
// What random matchings would take, without drawing them.
#include <string>
#include <vector>

#include "src/api/draw_forecast.hpp"
#include "src/api/entries.hpp"
#include "src/matchings/pass_plan.hpp"
#include "src/matchings/sample_aztec.hpp"
#include "src/matchings/tree_pieces.hpp"

namespace countpm {

/// What sample_matchings() would do, with what each method would take, and where that takes long, or is
/// beyond the limits, what approximate draws would; with a sampler's name what sample_approximately() would
/// do. Some seconds of trials. Throws as these do, but not for what is beyond the limits.
DrawForecast explain_draws(const Source& source, const ReadOptions& read_options, const CountOptions& options,
                           const SampleOptions& sample_options, const std::string& sampler = {});
DrawForecast explain_draws(const ReadResult& read, const CountOptions& options,
                           const SampleOptions& sample_options, const std::string& sampler = {});

// For who draws, too.

/// Nothing of the pieces yet.
DrawForecast begin_draw_forecast(const ListStart& start, const CountOptions& options, std::uint64_t draws);
/// options: one of them chosen.
void add_to_forecast(const Piece& piece, const std::vector<PassOption>& options, std::uint64_t batches,
                     bool kept, DrawForecast& forecast);
/// Of trees, all together.
void add_to_forecast(const std::vector<TreePiece>& trees, DrawForecast& forecast);
/// Of shuffling; a trial of a smaller order says how fast it is.
DrawForecast forecast_aztec(const AztecDiamond& diamond, const CountOptions& options, std::uint64_t draws,
                            const StopSignal& stop);
/// Throws UnableError where the draws are predicted to take longer than the time limit leaves.
void refuse_beyond_time(const DrawForecast& forecast, double elapsed_seconds);

}  // namespace countpm
