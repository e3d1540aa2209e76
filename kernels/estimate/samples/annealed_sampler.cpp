#include "kernels/estimate/samples/annealed_sampler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>

#include "graph/errors.hpp"
#include "graph/sparse_matrix.hpp"
#include "graph/stop_poll.hpp"
#include "kernels/estimate/annealed/walk.hpp"
#include "kernels/estimate/samples/sampler.hpp"
#include "kernels/estimate/walks/pilot_spread.hpp"
#include "matching/loop_matching.hpp"

namespace countpm {
namespace {

// Samples are made so long that ln of them is spread by no more than this: for means longer ones say hardly
// more in the same time, shorter ones less. Draws need some dozens of samples before the first and more
// where weights are spread further, e^(s^2) / s^2 of the time in all: with s = 0.8 the half of that with 0.5.
struct Spread {
  double wanted;
  double enough;
};
constexpr Spread spread_for_means{0.5, 0.7};
constexpr Spread spread_for_draws{0.8, 1.1};
constexpr double longer = 3;
// Some 0.8 s.
constexpr double most_moves = 4e7;
constexpr double fewest_moves_a_vertex = 20;
// Samples of so many moves are spread by 1 in ln at 2,000 rows (bench/results/estimates.md), and what that
// takes grows as the square.
constexpr std::uint32_t most_annealed_vertices = 20'000;
constexpr std::uint64_t most_annealed_entries = 4'000'000;
constexpr double nanoseconds_a_move = 20;

/// Whether there is anything to draw.
bool has_matching(const SampleGraph& graph) {
  SparsePattern pattern;
  pattern.rows = pattern.columns = graph.vertices();
  for (Index v = 0; v < graph.vertices(); ++v) {
    for (const auto* edge = graph.begin(v); edge != graph.end(v); ++edge)
      pattern.column.push_back(edge->vertex);
    if (graph.alone[v] > 0) pattern.column.push_back(v);
    pattern.row_start.push_back(pattern.column.size());
  }
  return has_loop_matching(pattern);
}

class AnnealedSampler final : public SamplerCore, public MatchingSampler {
 public:
  AnnealedSampler(SampleGraph graph, const Spread& most, std::uint64_t seed, std::uint64_t stream)
      : graph_(std::move(graph)),
        stream_{seed, stream | estimate_stream, graph_.exponent},
        zero_(!has_matching(graph_)),
        schedule_(
            learn_schedule(graph_, first_share_of_holes(graph_, seed, stream_.stream), seed, stream_.stream)),
        start_(graph_, schedule_.stages.front().log_activity) {
    if (zero_) return;
    double moves =
        std::clamp(schedule_.moves_for(most.wanted), fewest_moves_a_vertex * graph_.vertices(), most_moves);
    schedule_.share_out(moves);
    while (moves < most_moves && spread() > most.enough) {
      moves = std::min(longer * moves, most_moves);
      schedule_.share_out(moves);
    }
  }

  SamplerKind kind() const override { return SamplerKind::annealed; }
  std::string plan() const override {
    return fmt::format("{} in {} stages of {} moves", sampler_info(kind()).name, schedule_.stages.size(),
                       schedule_.moves());
  }
  double walks() const override { return 1; }
  double work() const override {
    return nanoseconds_a_move * static_cast<double>(schedule_.moves()) +
           general_bethe_work(graph_.vertices(), graph_.neighbours.size());
  }
  std::uint64_t bytes_a_thread() const override { return 0; }

  std::string device_obstacle() const override { return "annealed has no form for GPUs"; }
  std::unique_ptr<DeviceSampler> on_device(const GpuInfo&, bool) const override {
    throw UnableError(device_obstacle(), "--device cpu draws these samples");
  }

  SampleMoments run(std::uint64_t first, std::uint64_t count, const StopSignal& stop) const override {
    AnnealedWalk walk(graph_, schedule_, start_);
    return draw_samples<BulkRandom>(stream_, first, count, stop, [&](BulkRandom& random) {
      return zero_ ? Scaled{0, 0} : walk.draw(random, stop);
    });
  }

  void draw(std::uint64_t first, std::uint64_t count, const StopSignal& stop,
            const std::function<bool(double, const VertexPairs&)>& take) const override {
    AnnealedWalk walk(graph_, schedule_, start_);
    walk.keep_matchings();
    for (std::uint64_t k = first; k < first + count; ++k) {
      stop.check();
      BulkRandom random(stream_.seed, stream_.stream, k);
      const Scaled weight = zero_ ? Scaled{0, 0} : walk.draw(random, stop);
      if (!take((weight.log2() + static_cast<double>(stream_.exponent)) * std::log(2.0), walk.matching()))
        return;
    }
  }

 private:
  double spread() const {
    const StopSignal& stop = stop_signal_here();
    AnnealedWalk walk(graph_, schedule_, start_);
    return pilot_spread<BulkRandom>(stream_.seed, stream_.stream,
                                    [&](BulkRandom& random) { return walk.draw(random, stop); });
  }

  SampleGraph graph_;
  SampleStream stream_;
  bool zero_;  // every sample
  AnnealingSchedule schedule_;
  AnnealingStart start_;
};

std::unique_ptr<const AnnealedSampler> make_annealed(const AnyBlock& block, const Spread& most,
                                                     std::uint64_t seed, std::uint64_t stream) {
  SampleGraph graph = make_sample_graph(block);
  if (graph.vertices() > most_annealed_vertices || graph.edges() > most_annealed_entries) {
    throw UnableError(fmt::format("annealing takes blocks of at most {} vertices and {} entries",
                                  most_annealed_vertices, most_annealed_entries),
                      "another --sampler has no such limit");
  }
  return std::make_unique<const AnnealedSampler>(std::move(graph), most, seed, stream);
}

}  // namespace

std::unique_ptr<const SamplerCore> make_annealed_sampler(const AnyBlock& block, std::uint64_t seed,
                                                         std::uint64_t stream) {
  return make_annealed(block, spread_for_means, seed, stream);
}

std::unique_ptr<const MatchingSampler> make_annealed_matchings(const AnyBlock& block, MatchingUse use,
                                                               std::uint64_t seed, std::uint64_t stream) {
  return make_annealed(block, use == MatchingUse::draws ? spread_for_draws : spread_for_means, seed, stream);
}

}  // namespace countpm
