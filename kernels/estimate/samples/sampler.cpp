#include "kernels/estimate/samples/sampler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "graph/stop_poll.hpp"
#include "kernels/arithmetic/counter_random.hpp"
#include "kernels/estimate/bethe/walk.hpp"
#include "kernels/estimate/determinants/gpu/form.hpp"
#include "kernels/estimate/determinants/samples.hpp"
#include "kernels/estimate/population/choose.hpp"
#include "kernels/estimate/population/gpu/form.hpp"
#include "kernels/estimate/samples/graph_sampler.hpp"
#include "kernels/estimate/samples/sample_work.hpp"
#include "kernels/estimate/samples/sampler_core.hpp"
#include "kernels/estimate/samples/walk_arrays.hpp"
#include "kernels/estimate/walks/gpu/form.hpp"
#include "kernels/estimate/walks/pilot_spread.hpp"
#include "kernels/estimate/walks/pruning.hpp"
#include "kernels/estimate/walks/sample_tail.hpp"
#include "kernels/estimate/walks/walk.hpp"
#include "kernels/estimate/walks/walk_random.hpp"
#include "kernels/gpu/launch.hpp"

namespace countpm {
namespace {

// The factors of the whole matrix, from which every sample begins, are scaled by so many sweeps: once.
constexpr std::uint32_t start_steps = 200;
// Where nothing else is asked for: scaling samples are dear, and so worth longer tails than the others.
constexpr std::uint32_t scaling_tail_states = 512;
constexpr std::uint32_t plain_tail_states = 64;
// Those of belief propagation are dearer still; beyond so many rows three of them are too dear, and a tail
// would be too small a part to show.
constexpr std::uint32_t bethe_tail_states = 2048;
constexpr std::uint32_t most_bethe_pilot_rows = 4096;
// Where no sampler is asked for: bethe is tried on blocks of so many rows times entries (about 25 ms a
// sample), ...
constexpr std::uint64_t most_bethe_pilot_work = 4'000'000;
// ... and nothing else where its samples are predicted to take no longer than this (nanoseconds).
constexpr double soon = 2e7;
// What is tried has to take so many times less, as it has more trials to come.
constexpr double clearly_less = 0.7;
// A population that would take so many times as long as another sampler is not worth a larger one's trial.
constexpr double far_behind = 2;
// Of what a trial may take the states of one bond of boundary have so much (squares of 14x14 need a third of
// it), at first no more than this share of what a fit of a population's guess would take: it comes before
// larger states, as samples, of whose time trials have a part, take less time with it.
constexpr double share_of_boundary = 0.5;
constexpr double share_of_fit_of_boundary = 0.5;
constexpr double clearly_more = 4;
// Trials of larger ones have so much of the time of a trial, less where samples are not steady yet: they may
// never be.
constexpr double share_of_steady = 0.5;
constexpr double share_of_unsteady = 0.125;
// So many live columns are narrow; or more where they are few of all.
constexpr std::uint32_t narrow_width = 64;
constexpr std::uint32_t moderate_width = 256;
constexpr std::uint64_t pilot_samples = 3;
constexpr std::uint32_t rows_an_interval = 512;
constexpr std::uint32_t most_pruned_rows = 1024;
// A look at every row, next to scaling, costs nothing up to there, and lanes of a GPU look side by side.
constexpr std::uint32_t most_scanned_rows = 1024;
// A warp's sweeps between two looks at a stop: some 50 ms.
constexpr std::uint64_t most_device_turns = std::uint64_t{1} << 24;

bool adds_least_degree(SamplerKind kind) {
  return kind == SamplerKind::rasmussen_plus || kind == SamplerKind::scaling_plus;
}
bool nothing_asked(const SamplerOptions& options) {
  return !options.kind && !options.prune && options.scale_interval == 0 && !options.scale_steps &&
         !options.tail_rows && !options.strata && !options.population;
}
bool is_determinant(SamplerKind kind) {
  return !sampler_info(kind).walks && kind != SamplerKind::population;
}

UnitKind units_of(SamplerKind kind) {
  return kind == SamplerKind::godsil_gutman           ? UnitKind::real
         : kind == SamplerKind::godsil_gutman_complex ? UnitKind::complex
                                                      : UnitKind::quaternion;
}

class MatrixSampler final : public SamplerCore {
 public:
  MatrixSampler(const AnyBlock& block, const SamplerOptions& options, std::uint64_t seed,
                std::uint64_t stream)
      : matrix_(make_sample_matrix(block)),
        for_gpu_(options.for_gpu && nothing_asked(options)),
        seed_(seed),
        stream_(stream | estimate_stream) {
    if (options.kind && is_determinant(*options.kind)) {
      kind_ = *options.kind;
      determinants_.emplace(matrix_, units_of(kind_));
      return;
    }
    if (options.kind) {
      kind_ = *options.kind;
    } else if (options.population) {
      kind_ = SamplerKind::population;
    } else if (options.prune || options.scale_interval > 0 || options.scale_steps) {
      kind_ = SamplerKind::scaling_plus;
    } else if (options.tail_rows || options.strata) {
      kind_ = SamplerKind::bethe;
    } else {
      choose(block, options);
      return;
    }
    if (kind_ == SamplerKind::population) {
      scale_whole(true);
      population_ =
          begin_population(block, matrix_, start_rows_, options, most_population_width, seed_, stream_);
      grow_population(*population_, std::numeric_limits<double>::infinity(), seed_, stream_);
    } else if (kind_ == SamplerKind::bethe) {
      prepare_bethe(options);
    } else {
      prepare_walks(options);
    }
  }

  /// work_to_goal() of what was chosen so far; infinity where its pilots said nothing.
  double work_to_goal_seen() const { return goal_work_; }
  /// What a fit of the population's guess would take; infinity where there is none to come.
  double work_of_fit_to_come() const {
    return tried_ ? work_of_fit(*tried_) : std::numeric_limits<double>::infinity();
  }
  /// Goes on choosing, where another sampler would take `best`. Whether this one then is to be drawn from.
  bool improve_on(double best) {
    if (tried_ && (!steady_population(*tried_) || work_to_goal(*tried_) < far_behind * best)) {
      const double shortest = std::min(best, goal_work_);
      const double share = steady_population(*tried_) ? share_of_steady : share_of_unsteady;
      grow_population(*tried_, most_work_of_trial(share * shortest), seed_, stream_);
      take_better_population(false);
    }
    tried_.reset();
    if (kind_ == SamplerKind::bethe && !bethe_) prepare_bethe({});
    return goal_work_ < best || best == std::numeric_limits<double>::infinity();
  }

  SamplerKind kind() const override { return kind_; }
  std::string plan() const override {
    const std::string_view name = sampler_info(kind_).name;
    if (determinants_) return std::string(name);
    if (population_) {
      return fmt::format("{} of {}{}", name, population_->members,
                         population_->plan.fitted.empty() ? "" : ", fitted guess");
    }
    const std::string tail =
        tail_rows_ == 0 ? "no tail" : fmt::format("tail of {} rows and {} states", tail_rows_, tail_states_);
    std::string text = fmt::format("{}, {}, strata {}", name, tail, strata_);
    if (prune_) text += ", pruned";
    if (settings_.scaling) text += fmt::format(", {} sweeps every {}", settings_.steps, settings_.interval);
    return text;
  }
  double walks() const override { return population_ ? population_->members : strata_; }
  double work() const override {
    if (determinants_) return determinant_work(matrix_, static_cast<unsigned>(units_of(kind_)));
    if (population_) return population_->work;
    const double walk =
        bethe_ ? bethe_work(matrix_, bethe_->settings()) : walk_work(matrix_, settings_, prune_);
    return strata_ * (walk + tail_work(tail_rows_, tail_states_));
  }
  std::uint64_t bytes_a_thread() const override {
    return population_ ? population_bytes(population_->plan, population_->members) : 0;
  }

  std::optional<PopulationReport> population() const override {
    if (!population_) return std::nullopt;
    return PopulationReport{population_->members, population_->guess};
  }

  std::string device_obstacle() const override {
    if (determinants_) return {};
    if (population_) return population_obstacle(population_->plan);
    if (bethe_ && !bethe_->matched()) return "there is no perfect matching, so that there is nothing to draw";
    if (strata_ != 1) return "strata have no form for GPUs";
    // Launches of lists end within a sample, those of sets do not.
    const bool sets = prune_ && tail_rows_ == 0 && matrix_.rows.rows <= most_bit_rows;
    const std::uint64_t scalings = sets ? 1 + matrix_.rows.rows / settings_.interval : 1;
    if (settings_.scaling &&
        matrix_.rows.column.size() * std::uint64_t{settings_.steps} * scalings > most_device_turns)
      return "scaling so many entries would hold up a GPU for too long";
    return {};
  }
  std::unique_ptr<DeviceSampler> on_device(const GpuInfo& gpu, bool lists) const override {
    if (determinants_) {
      const std::int64_t exponent = matrix_.exponent + determinants_->exponent();
      const SampleNumbers numbers{seed_, stream_, exponent, 0, 0};
      return on_gpu<DeterminantsForm>(gpu, DeterminantTask{&*determinants_, numbers});
    }
    if (population_) {
      const SampleNumbers numbers{seed_, stream_, matrix_.exponent, 0, 0};
      return on_gpu<PopulationForm>(gpu, PopulationTask{&population_->plan, population_->members, numbers});
    }
    WalkTask task;
    task.lists = lists;
    task.matrix = &matrix_;
    task.settings = settings_;
    task.bits = narrow_ || wide_;
    task.prune = prune_;
    task.bethe = bethe_ ? &*bethe_ : nullptr;
    task.start_rows = start_rows_;
    task.start_columns = start_columns_;
    const std::uint32_t n = matrix_.rows.rows;
    task.tail = {n, matrix_.rows.entries(), ExactTail(matrix_, tail_rows_, tail_states_).rows(),
                 tail_states_};
    task.seed = seed_;
    task.stream = stream_;
    return on_gpu<WalksForm>(gpu, task);
  }

  SampleMoments run(std::uint64_t first, std::uint64_t count, const StopSignal& stop) const override {
    if (determinants_) {
      DeterminantSamples::Workspace workspace = determinants_->workspace();
      return draw(first, count, stop,
                  [&](CounterRandom& random) { return determinants_->sample(random, workspace, stop); });
    }
    if (population_) {
      const auto population = make_population_walk(population_->plan, population_->members);
      return draw(first, count, stop, [&](CounterRandom& random) { return population->draw(random, stop); });
    }
    SampleTail tail(matrix_, tail_rows_, tail_states_, stop);
    return run(first, count, stop, tail);
  }

 private:
  /// By the block alone: what pilot samples show. Of populations the smallest is tried: improve_on() goes on.
  void choose(const AnyBlock& block, const SamplerOptions& options) {
    const std::uint32_t n = matrix_.rows.rows;
    kind_ = SamplerKind::bethe;
    if (n * matrix_.rows.entries() <= most_bethe_pilot_work) {
      prepare_bethe(options);
      goal_work_ = work_of_bethe(few_pilots);
      if (goal_work_ <= soon) return;
    }
    scale_whole(true);
    const std::uint32_t width = std::max(narrow_width, std::min(moderate_width, n / 2));
    tried_ = begin_population(block, matrix_, start_rows_, options, width, seed_, stream_);
    if (tried_) take_better_population(true);
  }

  double work_of_bethe(int pilots) const {
    const StopSignal& stop = stop_signal_here();
    SampleTail tail(matrix_, tail_rows_, tail_states_, stop);
    BetheWalk walk(*bethe_);
    const auto draw = [&](WalkRandom& random) {
      tail.begin();
      return walk.draw(random, tail);
    };
    return work_to_goal(pilot_spread<WalkRandom>(seed_, stream_, draw, pilots), work(), walks());
  }

  /// closer: by more pilots, where both are about as fast.
  void take_better_population(bool closer) {
    if (!steady_population(*tried_)) return;
    if (closer && bethe_ && about_as_fast(work_to_goal(*tried_), goal_work_)) {
      look_closer(*tried_, seed_, stream_);
      goal_work_ = work_of_bethe(closer_pilots(goal_work_, work()));
    }
    // On a GPU larger populations cost little.
    if (!(work_to_goal(*tried_) < (bethe_ && !for_gpu_ ? clearly_less : 1) * goal_work_)) return;
    kind_ = SamplerKind::population;
    goal_work_ = work_to_goal(*tried_);
    population_ = *tried_;
    bethe_.reset();
  }

  void prepare_bethe(const SamplerOptions& options) {
    kind_ = SamplerKind::bethe;
    strata_ = options.strata.value_or(1);
    bethe_.emplace(matrix_);
    tail_states_ = options.tail_rows ? ExactTail::most_states : bethe_tail_states;
    tail_rows_ = options.tail_rows                           ? *options.tail_rows
                 : matrix_.rows.rows > most_bethe_pilot_rows ? 0
                                                             : pilot();
  }

  void prepare_walks(const SamplerOptions& options) {
    const std::uint32_t n = matrix_.rows.rows;
    strata_ = options.strata.value_or(1);
    settings_.least_degree = adds_least_degree(kind_);
    settings_.scaling = can_scale(kind_);
    settings_.scan = settings_.scaling && settings_.least_degree && n <= most_scanned_rows;
    settings_.interval = options.scale_interval > 0 ? options.scale_interval : 1 + n / rows_an_interval;
    settings_.steps = options.scale_steps.value_or(default_scale_steps);
    prune_ = options.prune.value_or(kind_ == SamplerKind::scaling_plus && n <= most_pruned_rows);
    if (settings_.scaling) {
      scale_whole(prune_);
    } else if (matrix_.weight.empty() && !prune_ && n <= most_bit_rows) {
      if (n <= 64) {
        narrow_.emplace(matrix_);
      } else {
        wide_.emplace(matrix_);
      }
    }
    tail_states_ = options.tail_rows   ? ExactTail::most_states
                   : settings_.scaling ? scaling_tail_states
                                       : plain_tail_states;
    tail_rows_ = options.tail_rows ? *options.tail_rows : pilot();
  }

  std::uint32_t pilot() const {
    const StopSignal& stop = stop_signal_here();
    SampleTail tail(matrix_, ExactTail::most_rows, tail_states_, stop);
    run(0, pilot_samples, stop, tail);
    return tail.fewest_rows();
  }

  SampleMoments run(std::uint64_t first, std::uint64_t count, const StopSignal& stop,
                    SampleTail& tail) const {
    const std::uint32_t n = matrix_.rows.rows;
    const auto bits = [&](const auto& sets) {
      const auto view = sets.view();
      return draw_walks(first, count, stop, [&](auto& random) {
        tail.begin();
        return bit_walk(view, settings_.least_degree, random, tail);
      });
    };
    if (bethe_) {
      BetheWalk bethe(*bethe_);
      return draw_walks(first, count, stop, [&](auto& random) {
        tail.begin();
        return bethe.draw(random, tail, strata_ == 1);
      });
    }
    if (narrow_) return bits(*narrow_);
    if (wide_) return bits(*wide_);
    WalkArrays workspace(n);
    const WalkMatrix view = walk_matrix_of(matrix_);
    StartFactors start;
    if (settings_.scaling) start = {start_rows_.data(), start_columns_.data()};
    const auto walks = [&](auto& entries, const auto& prepare) {
      return draw_walks(first, count, stop, [&](auto& random) {
        tail.begin();
        prepare();
        return walk(view, settings_, start, workspace.state, random, entries, tail);
      });
    };
    if (prune_) {
      Pruning pruning(matrix_);
      return walks(pruning, [&] { pruning.reset(); });
    }
    AllEntries all;
    return walks(all, [] {});
  }

  template <class Random = CounterRandom, class Sample>
  SampleMoments draw(std::uint64_t first, std::uint64_t count, const StopSignal& stop,
                     const Sample& sample) const {
    return draw_samples<Random>({seed_, stream_, matrix_.exponent}, first, count, stop, sample);
  }
  template <class Walk>
  SampleMoments draw_walks(std::uint64_t first, std::uint64_t count, const StopSignal& stop,
                           const Walk& walk) const {
    return draw_stratified<WalkRandom>({seed_, stream_, matrix_.exponent}, strata_, first, count, stop, walk);
  }

  void scale_whole(bool pruned) {
    const std::uint32_t n = matrix_.rows.rows;
    WalkArrays workspace(n);
    const WalkMatrix view = walk_matrix_of(matrix_);
    begin_walk(view, {}, {}, workspace.state);
    // Without the entries that pruning drops, lest their share of the rows makes that of others tiny.
    if (pruned) {
      sinkhorn(view, Pruning(matrix_), start_steps, workspace.state);
    } else {
      sinkhorn(view, AllEntries(), start_steps, workspace.state);
    }
    start_rows_.assign(workspace.state.row_factor, workspace.state.row_factor + n);
    start_columns_.assign(workspace.state.column_factor, workspace.state.column_factor + n);
  }

  SampleMatrix matrix_;
  bool for_gpu_;  // the choice is among what GPUs can draw
  SamplerKind kind_;
  std::optional<ChosenPopulation> population_;  // of a population sampler; nothing else is then set
  std::optional<BetheStart> bethe_;             // of bethe
  WalkSettings settings_;
  bool prune_ = false;
  std::uint32_t tail_rows_ = 0;
  std::uint32_t tail_states_ = 0;
  std::uint32_t strata_ = 1;
  double goal_work_ = std::numeric_limits<double>::infinity();
  std::optional<ChosenPopulation> tried_;  // while it is being chosen
  std::uint64_t seed_;
  std::uint64_t stream_;
  std::vector<double> start_rows_;  // of scaling samplers and populations
  std::vector<double> start_columns_;
  std::optional<BitMatrixOf<1>> narrow_;            // of rasmussen on 0-1 matrices of at most 64 rows
  std::optional<BitMatrixOf<2>> wide_;              // of at most 128
  std::optional<DeterminantSamples> determinants_;  // alone, where the sampler does not walk
};

}  // namespace

BlockSampler::BlockSampler(const AnyBlock& block, const SamplerOptions& options, std::uint64_t seed,
                           std::uint64_t stream) {
  if (drawn_as_graph(block, options)) {
    core_ = make_graph_sampler(block, options, seed, stream);
    return;
  }
  auto matrix = std::make_unique<MatrixSampler>(block, options, seed, stream);
  const double own = matrix->work_to_goal_seen();
  if (nothing_asked(options) && own > soon) {
    const double most = share_of_boundary * most_work_of_trial(own);
    const double at_first = std::min(most, share_of_fit_of_boundary * matrix->work_of_fit_to_come());
    SteadierSampler other;
    if (!options.for_gpu) other = make_steadier_sampler(block, own, at_first, seed, stream);
    const bool best = matrix->improve_on(other.work_to_goal);
    const double now = matrix->work_to_goal_seen();
    const double at_last = std::min(most, share_of_boundary * most_work_of_trial(now));
    if (best && !options.for_gpu && at_last > clearly_more * at_first) {
      other = make_steadier_sampler(block, now, at_last, seed, stream);
      if (other.core) core_ = std::move(other.core);
    } else if (!best) {
      core_ = std::move(other.core);
    }
  }
  if (!core_) core_ = std::move(matrix);
}
BlockSampler::~BlockSampler() = default;
BlockSampler::BlockSampler(BlockSampler&&) noexcept = default;
BlockSampler& BlockSampler::operator=(BlockSampler&&) noexcept = default;

SamplerKind BlockSampler::kind() const {
  return core_->kind();
}
std::string BlockSampler::plan() const {
  return core_->plan();
}
double BlockSampler::walks() const {
  return core_->walks();
}
double BlockSampler::work() const {
  return core_->work();
}
std::uint64_t BlockSampler::bytes_a_thread() const {
  return core_->bytes_a_thread();
}
std::optional<PopulationReport> BlockSampler::population() const {
  return core_->population();
}
std::string BlockSampler::device_obstacle() const {
  return core_->device_obstacle();
}
std::unique_ptr<DeviceSampler> BlockSampler::on_device(const GpuInfo& gpu, bool lists) const {
  return core_->on_device(gpu, lists);
}
SampleMoments BlockSampler::run(std::uint64_t first, std::uint64_t count, const StopSignal& stop) const {
  return core_->run(first, count, stop);
}
void BlockSampler::run_each(std::uint64_t first, std::uint64_t count, const StopSignal& stop,
                            const std::function<void(const SampleMoments&)>& take) const {
  core_->run_each(first, count, stop, take);
}

}  // namespace countpm
