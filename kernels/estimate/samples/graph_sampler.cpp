#include "kernels/estimate/samples/graph_sampler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "graph/errors.hpp"
#include "kernels/estimate/bethe/general_walk.hpp"
#include "kernels/estimate/boundary/choose.hpp"
#include "kernels/estimate/samples/annealed_sampler.hpp"
#include "kernels/estimate/samples/sampler.hpp"
#include "kernels/estimate/walks/pilot_spread.hpp"
#include "kernels/estimate/walks/walk_random.hpp"

namespace countpm {
namespace {

// Samples that are spread no further, in ln, need no look at another sampler.
constexpr double steady_spread_of_boundary = 0.1;
constexpr double unlimited = std::numeric_limits<double>::infinity();

void refuse_options(const SamplerOptions& options) {
  const std::string samplers =
      "--sampler boundary, --sampler bethe and --sampler annealed draw matchings of any graph";
  const auto refuse = [](const std::string& what, const std::string& advice) {
    throw UnableError(
        fmt::format("{} for bipartite graphs and cycle covers, and here a block has an odd cycle "
                    "or vertices that may stay alone",
                    what),
        advice);
  };
  if (options.kind && !draws_any_graph(*options.kind))
    refuse(fmt::format("the sampler {} is", sampler_info(*options.kind).name), samplers);
  // Beside a sampler that is asked for they have no meaning, or have been refused.
  if (!options.kind && options.population) refuse("--population is", samplers);
  if (!options.kind && options.prune) refuse("--prune is", samplers);
  if (!options.kind && (options.scale_interval > 0 || options.scale_steps)) refuse("scaling is", samplers);
  if (options.tail_rows.value_or(0) > 0)
    refuse("an exact tail is", "without --exact-tail such a block can be sampled");
}

class GraphSampler final : public SamplerCore, public MatchingSampler {
 public:
  GraphSampler(const AnyBlock& block, const SamplerOptions& options, std::uint64_t seed, std::uint64_t stream)
      : graph_(make_sample_graph(block)),
        stream_{seed, stream | estimate_stream, graph_.exponent},
        strata_(options.strata.value_or(1)) {
    if (options.kind != SamplerKind::bethe) {
      boundary_ =
          choose_boundary(graph_, options.kind == SamplerKind::boundary, unlimited, seed, stream_.stream);
      if (options.kind) return;
    }
    if (boundary_ && boundary_->spread <= steady_spread_of_boundary) return;
    messages_.emplace(graph_);
    if (!boundary_) return;
    GeneralBetheWalk walk(graph_, *messages_);
    const double spread =
        pilot_spread<WalkRandom>(seed, stream_.stream, [&](WalkRandom& random) { return walk.draw(random); });
    if (work_to_goal(spread, bethe_work(), 1) < work_to_goal(*boundary_)) {
      boundary_.reset();
    } else {
      messages_.reset();
    }
  }

  /// By `boundary`.
  GraphSampler(SampleGraph graph, ChosenBoundary boundary, std::uint64_t seed, std::uint64_t stream)
      : graph_(std::move(graph)),
        stream_{seed, stream, graph_.exponent},
        strata_(1),
        boundary_(std::move(boundary)) {}

  SamplerKind kind() const override { return boundary_ ? SamplerKind::boundary : SamplerKind::bethe; }
  std::string plan() const override {
    const std::string name(sampler_info(kind()).name);
    const std::string bond = boundary_ ? fmt::format(", bond {}", boundary_->states.bond()) : "";
    return fmt::format("{} of a graph{}, strata {}", name, bond, strata_);
  }
  double walks() const override { return strata_; }
  double work() const override { return strata_ * (boundary_ ? boundary_->work : bethe_work()); }
  std::uint64_t bytes_a_thread() const override { return 0; }

  std::string device_obstacle() const override {
    return boundary_ ? "boundary has no form for GPUs"
                     : "bethe of a graph with odd cycles has no form for GPUs";
  }
  std::unique_ptr<DeviceSampler> on_device(const GpuInfo&, bool) const override {
    throw UnableError(device_obstacle(), "--device cpu draws these samples");
  }

  SampleMoments run(std::uint64_t first, std::uint64_t count, const StopSignal& stop) const override {
    if (boundary_) {
      SampleMoments moments;
      weigh_in_step(first, count, stop, [&](const Scaled& sample) { moments.add(sample); });
      return moments;
    }
    GeneralBetheWalk walk(graph_, *messages_);
    return draw_stratified<WalkRandom>(stream_, strata_, first, count, stop,
                                       [&walk](auto& random) { return walk.draw(random); });
  }
  void run_each(std::uint64_t first, std::uint64_t count, const StopSignal& stop,
                const std::function<void(const SampleMoments&)>& take) const override {
    if (!boundary_) return SamplerCore::run_each(first, count, stop, take);
    weigh_in_step(first, count, stop, [&](const Scaled& sample) {
      SampleMoments one;
      one.add(sample);
      take(one);
    });
  }

  void draw(std::uint64_t first, std::uint64_t count, const StopSignal& stop,
            const std::function<bool(double, const VertexPairs&)>& take) const override {
    const auto ln = [this](const Scaled& weight) {
      return (weight.log2() + static_cast<double>(stream_.exponent)) * std::log(2.0);
    };
    if (boundary_) {
      // Who asks for more ends them early.
      constexpr std::uint64_t few = 64;
      draw_in_step(first, count, count <= few ? count : 1, stop,
                   [&](const BoundaryWalk& walk) { return take(ln(walk.sample()), walk.matching()); });
      return;
    }
    GeneralBetheWalk walk(graph_, *messages_);
    constexpr std::uint64_t samples_a_look = 4;
    for (std::uint64_t k = first; k < first + count; ++k) {
      if (k % samples_a_look == 0) stop.check();
      WalkRandom random(stream_.seed, stream_.stream, k);
      const Scaled weight = walk.draw(random);
      if (!take(ln(weight), walk.matching())) return;
    }
  }

 private:
  /// By `boundary`, each handed to take(walk) in turn until it says false: at first so many at a time, then
  /// as many as there were, or as go together.
  template <class Take>
  void draw_in_step(std::uint64_t first, std::uint64_t count, std::uint64_t at_first, const StopSignal& stop,
                    const Take& take) const {
    BoundaryWalks walks(graph_, boundary_->sweep, boundary_->states);
    std::vector<WalkRandom> random;
    std::uint64_t together = at_first;
    for (std::uint64_t drawn = 0; drawn < count; drawn += random.size()) {
      if (drawn > 0) together = std::max(together, drawn);
      random.clear();
      const std::uint64_t end =
          drawn + std::min<std::uint64_t>({together, BoundaryWalks::together, count - drawn});
      for (std::uint64_t k = drawn; k < end; ++k)
        random.emplace_back(stream_.seed, stream_.stream, first + k);
      walks.draw(random.data(), random.size(), stop);
      for (std::size_t k = 0; k < random.size(); ++k) {
        if (!take(walks[k])) return;
      }
    }
  }
  /// The samples' weights in turn, by `boundary`.
  template <class Take>
  void weigh_in_step(std::uint64_t first, std::uint64_t count, const StopSignal& stop,
                     const Take& take) const {
    const auto weigh = [&](Scaled sample) {
      sample.exponent += stream_.exponent;
      take(sample);
    };
    if (strata_ > 1) return draw_strata_in_step(first, count, stop, weigh);
    draw_in_step(first, count, count, stop, [&](const BoundaryWalk& walk) {
      weigh(walk.sample());
      return true;
    });
  }
  /// Likewise means of `strata_` walks: the walks of a sample share its random numbers and come one after
  /// the other, those with the same number go together.
  template <class Weigh>
  void draw_strata_in_step(std::uint64_t first, std::uint64_t count, const StopSignal& stop,
                           const Weigh& weigh) const {
    BoundaryWalks walks(graph_, boundary_->sweep, boundary_->states);
    std::vector<WalkRandom> random;
    std::vector<double> offset;
    std::vector<StratifiedRandom<WalkRandom>> of_walk;
    std::vector<Scaled> sum;
    for (std::uint64_t drawn = 0; drawn < count; drawn += random.size()) {
      random.clear();
      offset.clear();
      const std::uint64_t end = drawn + std::min<std::uint64_t>(BoundaryWalks::together, count - drawn);
      for (std::uint64_t k = drawn; k < end; ++k) {
        random.emplace_back(stream_.seed, stream_.stream, first + k);
        offset.push_back(uniform(random.back()));
      }
      sum.assign(random.size(), {0, 0});
      for (std::uint32_t m = 0; m < strata_; ++m) {
        of_walk.clear();
        for (std::size_t k = 0; k < random.size(); ++k)
          of_walk.push_back(random_of_walk(random[k], offset[k], m, strata_));
        walks.draw(of_walk.data(), of_walk.size(), stop);
        for (std::size_t k = 0; k < random.size(); ++k) sum[k].add(walks[k].sample());
      }
      for (Scaled& one : sum) {
        one.multiply(1.0 / strata_);
        weigh(one);
      }
    }
  }
  double bethe_work() const { return general_bethe_work(graph_.vertices(), graph_.neighbours.size()); }

  SampleGraph graph_;
  SampleStream stream_;
  std::uint32_t strata_;
  std::optional<ChosenBoundary> boundary_;
  std::optional<RestGraph> messages_;  // of bethe
};

}  // namespace

bool drawn_as_graph(const AnyBlock& block, const SamplerOptions& options) {
  return is_general(block) || options.kind == SamplerKind::boundary || options.kind == SamplerKind::annealed;
}

std::unique_ptr<const SamplerCore> make_graph_sampler(const AnyBlock& block, const SamplerOptions& options,
                                                      std::uint64_t seed, std::uint64_t stream) {
  refuse_options(options);
  if (options.kind == SamplerKind::annealed) return make_annealed_sampler(block, seed, stream);
  return std::make_unique<const GraphSampler>(block, options, seed, stream);
}

std::unique_ptr<const MatchingSampler> make_matching_sampler(const AnyBlock& block,
                                                             std::optional<SamplerKind> kind,
                                                             std::uint64_t seed, std::uint64_t stream,
                                                             MatchingUse use) {
  if (kind && !draws_any_graph(*kind)) {
    throw UnableError(
        fmt::format("the sampler {} does not produce matchings, only weights", sampler_info(*kind).name),
        "--sampler boundary, --sampler bethe and --sampler annealed do");
  }
  if (kind == SamplerKind::annealed) return make_annealed_matchings(block, use, seed, stream);
  SamplerOptions options;
  options.kind = kind;
  return std::make_unique<const GraphSampler>(block, options, seed, stream);
}

SteadierSampler make_steadier_sampler(const AnyBlock& block, double best, double most_preparation,
                                      std::uint64_t seed, std::uint64_t stream) {
  stream |= estimate_stream;
  SampleGraph graph;
  try {
    graph = make_sample_graph(block);
  } catch (const UnableError&) {
    return {};  // rows may be of weights that are farther apart
  }
  std::optional<ChosenBoundary> boundary = choose_boundary(graph, false, most_preparation, seed, stream);
  if (!boundary) return {};
  const double work = work_to_goal(*boundary);
  if (!(work < best)) return {};
  return {std::make_unique<const GraphSampler>(std::move(graph), std::move(*boundary), seed, stream), work};
}

}  // namespace countpm
