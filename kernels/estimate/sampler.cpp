#include "kernels/estimate/sampler.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "graph/errors.hpp"
#include "kernels/arithmetic/counter_random.hpp"
#include "kernels/estimate/bit_walk.hpp"
#include "kernels/estimate/choose_population.hpp"
#include "kernels/estimate/determinant_samples.hpp"
#include "kernels/estimate/exact_tail.hpp"
#include "kernels/estimate/pruning.hpp"
#include "kernels/estimate/walk.hpp"

namespace countpm {
namespace {

// The factors of the whole matrix, from which every sample begins, are scaled by so many sweeps: once.
constexpr std::uint32_t start_steps = 200;
// A tail that took too many states is tried again with so many times fewer rows.
constexpr double next_tail = 0.8;
// Where nothing else is asked for: scaling samples are dear, and so worth longer tails than the others.
constexpr std::uint32_t scaling_tail_states = 512;
constexpr std::uint32_t plain_tail_states = 64;
constexpr std::uint64_t pilot_samples = 3;
constexpr std::uint32_t rows_an_interval = 512;
constexpr std::uint32_t most_pruned_rows = 1024;
constexpr std::uint32_t most_bit_rows = 128;
// Streams of estimates are told from those of other uses of the same seed.
constexpr std::uint64_t estimate_stream = std::uint64_t{1} << 63;

WalkMatrix view_of(const SampleMatrix& matrix) {
  WalkMatrix view;
  view.size = matrix.rows.rows;
  view.row_start = matrix.rows.row_start.data();
  view.column = matrix.rows.column.data();
  view.weight = matrix.weight.empty() ? nullptr : matrix.weight.data();
  view.column_start = matrix.columns.row_start.data();
  view.row = matrix.columns.column.data();
  return view;
}

// The arrays of a walk.
struct Workspace {
  explicit Workspace(std::uint32_t n) : indices(4 * std::size_t{n} + 2), factors(3 * std::size_t{n}) {
    state.order = indices.data();
    state.position = state.order + n;
    state.degree = state.position + n;
    state.bin_start = state.degree + n;
    state.row_factor = factors.data();
    state.column_factor = state.row_factor + n;
    state.column_sum = state.column_factor + n;
  }
  std::vector<std::uint32_t> indices;
  std::vector<double> factors;
  WalkState state;
};

// The end of both walks: asked before every step, also whether to stop.
class Tail {
 public:
  Tail(const SampleMatrix& matrix, std::uint32_t rows, std::uint32_t states, const StopSignal& stop)
      : size_(matrix.rows.rows), tail_(matrix, rows, states), stop_(stop) {}

  void begin() { next_ = tail_.rows(); }
  /// The fewest rows that a tail had so far: ExactTail::most_rows where there was none yet.
  std::uint32_t fewest_rows() const { return fewest_; }

  bool operator()(const WalkState& state, Scaled& rest) {
    const std::uint32_t left = size_ - state.front;
    if (!due(left)) return false;
    rows_.assign(state.order + state.front, state.order + size_);
    return count(
        left, [&state](std::uint32_t column) { return state.column_factor[column] != 0; }, rest);
  }
  template <unsigned Words>
  bool operator()(const BitState<Words>& state, Scaled& rest) {
    if (!due(state.left)) return false;
    rows_.clear();
    for (std::uint32_t i = 0; i < size_; ++i) {
      if (state.open.has(i)) rows_.push_back(i);
    }
    return count(
        state.left, [&state](std::uint32_t column) { return state.free.has(column); }, rest);
  }

 private:
  bool due(std::uint32_t left) {
    if (++asked_ % 256 == 0) stop_.check();
    return left <= next_;
  }
  template <class Free>
  bool count(std::uint32_t left, const Free& free, Scaled& rest) {
    if (tail_.count(rows_, free, rest)) {
      fewest_ = std::min(fewest_, left);
      return true;
    }
    next_ = static_cast<std::uint32_t>(next_tail * left);
    return false;
  }

  std::uint32_t size_;
  ExactTail tail_;
  const StopSignal& stop_;
  std::vector<std::uint32_t> rows_;
  std::uint32_t next_ = 0;
  std::uint32_t asked_ = 0;
  std::uint32_t fewest_ = ExactTail::most_rows;
};

bool adds_least_degree(SamplerKind kind) {
  return kind == SamplerKind::rasmussen_plus || kind == SamplerKind::scaling_plus;
}
bool scales(SamplerKind kind) {
  return kind == SamplerKind::scaling || kind == SamplerKind::scaling_plus;
}

bool is_determinant(SamplerKind kind) {
  return !sampler_info(kind).walks && kind != SamplerKind::population;
}

UnitKind units_of(SamplerKind kind) {
  return kind == SamplerKind::godsil_gutman           ? UnitKind::real
         : kind == SamplerKind::godsil_gutman_complex ? UnitKind::complex
                                                      : UnitKind::quaternion;
}

template <unsigned Words>
std::vector<BitSet<Words>> bit_rows(const SparsePattern& pattern) {
  std::vector<BitSet<Words>> rows(pattern.rows);
  for (Index i = 0; i < pattern.rows; ++i) {
    for (std::uint64_t k = pattern.row_start[i]; k < pattern.row_start[i + std::uint64_t{1}]; ++k)
      rows[i].flip(pattern.column[k]);
  }
  return rows;
}

}  // namespace

const std::vector<SamplerInfo>& samplers() {
  static const std::vector<SamplerInfo> table{
      {SamplerKind::rasmussen, "rasmussen", "row by row, a column uniformly among those left",
       "L. E. Rasmussen, Approximating the permanent: a simple approach, Random Structures Algorithms 5 "
       "(1994)"},
      {SamplerKind::rasmussen_plus, "rasmussen+", "likewise, the row with the fewest columns left first",
       "as rasmussen"},
      {SamplerKind::scaling, "scaling", "columns in proportion to Sinkhorn's doubly stochastic scaling",
       "I. Beichl, F. Sullivan, Approximating the permanent via importance sampling with application to the "
       "dimer covering problem, J. Comput. Phys. 149 (1999)"},
      {SamplerKind::scaling_plus, "scaling+", "likewise, the row with the fewest columns left first",
       "as scaling"},
      {SamplerKind::population, "population",
       "many partial matchings at once, those with the same used columns as one, a few kept at random",
       "P. Fearnhead, P. Clifford, On-line inference for hidden Markov models via particle filters, J. R. "
       "Statist. Soc. B 65 (2003)",
       false},
      {SamplerKind::godsil_gutman, "godsil-gutman",
       "squared determinants of the roots of entries with random signs",
       "C. D. Godsil, I. Gutman, On the matching polynomial of a graph (1981)", false},
      {SamplerKind::godsil_gutman_complex, "godsil-gutman-complex",
       "likewise, fourth roots of unity for signs",
       "N. Karmarkar, R. Karp, R. Lipton, L. Lovasz, M. Luby, A Monte-Carlo algorithm for estimating the "
       "permanent, SIAM J. Comput. 22 (1993)",
       false},
      {SamplerKind::godsil_gutman_quaternion, "godsil-gutman-quaternion",
       "likewise, quaternion units for signs",
       "S. Chien, L. Rasmussen, A. Sinclair, Clifford algebras and approximating the permanent, J. Comput. "
       "Syst. "
       "Sci. 67 (2003)",
       false},
  };
  return table;
}

const SamplerInfo& sampler_info(SamplerKind kind) {
  return samplers()[static_cast<std::size_t>(kind)];
}

SamplerKind sampler_named(std::string_view name) {
  std::string names;
  for (const SamplerInfo& info : samplers()) {
    if (info.name == name) return info.kind;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", info.name);
  }
  throw UsageError(
      fmt::format("unknown sampler '{}'; the samplers are: {}", quoted(std::string(name)), names));
}

class BlockSampler::Core {
 public:
  Core(const AnyBlock& block, const SamplerOptions& options, std::uint64_t seed, std::uint64_t stream)
      : matrix_(make_sample_matrix(block)), seed_(seed), stream_(stream | estimate_stream) {
    if (options.kind && is_determinant(*options.kind)) {
      kind_ = *options.kind;
      determinants_.emplace(matrix_, units_of(kind_));
      return;
    }
    const std::uint32_t n = matrix_.rows.rows;
    const bool for_walks = (options.prune || options.tail_rows || options.strata != 1) && !options.population;
    if (options.kind ? *options.kind == SamplerKind::population : !for_walks) {
      prune_ = true;
      scale_whole();
      population_ = choose_population(block, matrix_, start_rows_, options, seed_, stream_);
      kind_ = SamplerKind::population;
      if (population_) return;
    }
    kind_ = options.kind.value_or(SamplerKind::scaling_plus);
    settings_.least_degree = adds_least_degree(kind_);
    settings_.scaling = scales(kind_);
    settings_.interval = options.scale_interval > 0 ? options.scale_interval : 1 + n / rows_an_interval;
    settings_.steps = options.scale_steps;
    prune_ = options.prune.value_or(kind_ == SamplerKind::scaling_plus && n <= most_pruned_rows);
    if (settings_.scaling) {
      // A population that was tried has scaled what pruning leaves already.
      if (start_rows_.empty() || !prune_) scale_whole();
    } else if (matrix_.weight.empty() && !prune_ && n <= most_bit_rows) {
      if (n <= 64) {
        narrow_ = bit_rows<1>(matrix_.rows);
      } else {
        wide_ = bit_rows<2>(matrix_.rows);
      }
    }
    tail_states_ = options.tail_rows   ? ExactTail::most_states
                   : settings_.scaling ? scaling_tail_states
                                       : plain_tail_states;
    tail_rows_ = options.tail_rows ? *options.tail_rows : pilot();
    strata_ = options.strata;
  }

  SamplerKind kind() const { return kind_; }
  std::uint64_t bytes_a_thread() const {
    return population_ ? population_bytes(population_->plan, population_->members) : 0;
  }

  SampleMoments run(std::uint64_t first, std::uint64_t count, const StopSignal& stop) const {
    if (determinants_) {
      DeterminantSamples::Workspace workspace = determinants_->workspace();
      return draw(first, count, stop,
                  [&](CounterRandom& random) { return determinants_->sample(random, workspace, stop); });
    }
    if (population_) {
      const auto population = make_population_walk(population_->plan, population_->members);
      return draw(first, count, stop, [&](CounterRandom& random) { return population->draw(random, stop); });
    }
    Tail tail(matrix_, tail_rows_, tail_states_, stop);
    return run(first, count, stop, tail);
  }

 private:
  std::uint32_t pilot() const {
    const StopSignal never;
    Tail tail(matrix_, ExactTail::most_rows, tail_states_, never);
    run(0, pilot_samples, never, tail);
    return tail.fewest_rows();
  }

  SampleMoments run(std::uint64_t first, std::uint64_t count, const StopSignal& stop, Tail& tail) const {
    const std::uint32_t n = matrix_.rows.rows;
    const auto bits = [&](const auto& rows) {
      return draw_walks(first, count, stop, [&](auto& random) {
        tail.begin();
        return bit_walk(rows.data(), n, settings_.least_degree, random, tail);
      });
    };
    if (!narrow_.empty()) return bits(narrow_);
    if (!wide_.empty()) return bits(wide_);
    Workspace workspace(n);
    const WalkMatrix view = view_of(matrix_);
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

  template <class Sample>
  SampleMoments draw(std::uint64_t first, std::uint64_t count, const StopSignal& stop,
                     const Sample& sample) const {
    SampleMoments moments;
    for (std::uint64_t k = first; k < first + count; ++k) {
      if (k % 64 == 0) stop.check();
      CounterRandom random(seed_, stream_, k);
      Scaled value = sample(random);
      value.exponent += matrix_.exponent;
      moments.add(value);
    }
    return moments;
  }

  template <class Walk>
  SampleMoments draw_walks(std::uint64_t first, std::uint64_t count, const StopSignal& stop,
                           const Walk& walk) const {
    if (strata_ == 1) return draw(first, count, stop, walk);
    return draw(first, count, stop, [&](CounterRandom& random) {
      const double offset = uniform(random);
      const double walks = strata_;
      Scaled sum{0, 0};
      for (std::uint32_t m = 0; m < strata_; ++m) {
        StratifiedRandom<CounterRandom> one(random, std::min((m + offset) / walks, 1 - 0x1p-53), walks);
        sum.add(walk(one));
      }
      sum.multiply(1 / walks);
      return sum;
    });
  }

  void scale_whole() {
    const std::uint32_t n = matrix_.rows.rows;
    Workspace workspace(n);
    for (std::uint32_t i = 0; i < n; ++i) {
      workspace.state.order[i] = i;
      workspace.state.row_factor[i] = workspace.state.column_factor[i] = 1;
    }
    // Without the entries that pruning drops, lest their share of the rows makes that of others tiny.
    if (prune_) {
      sinkhorn(view_of(matrix_), Pruning(matrix_), start_steps, workspace.state);
    } else {
      sinkhorn(view_of(matrix_), AllEntries(), start_steps, workspace.state);
    }
    start_rows_.assign(workspace.state.row_factor, workspace.state.row_factor + n);
    start_columns_.assign(workspace.state.column_factor, workspace.state.column_factor + n);
  }

  SampleMatrix matrix_;
  SamplerKind kind_;
  std::optional<ChosenPopulation> population_;  // of a population sampler; nothing else is then set
  WalkSettings settings_;
  bool prune_ = false;
  std::uint32_t tail_rows_ = 0;
  std::uint32_t tail_states_ = 0;
  std::uint32_t strata_ = 1;
  std::uint64_t seed_;
  std::uint64_t stream_;
  std::vector<double> start_rows_;  // of scaling samplers and populations
  std::vector<double> start_columns_;
  std::vector<BitSet<1>> narrow_;                   // of rasmussen on 0-1 matrices of at most 64 rows
  std::vector<BitSet<2>> wide_;                     // of at most 128
  std::optional<DeterminantSamples> determinants_;  // alone, where the sampler does not walk
};

BlockSampler::BlockSampler(const AnyBlock& block, const SamplerOptions& options, std::uint64_t seed,
                           std::uint64_t stream)
    : core_(std::make_unique<const Core>(block, options, seed, stream)) {}
BlockSampler::~BlockSampler() = default;
BlockSampler::BlockSampler(BlockSampler&&) noexcept = default;
BlockSampler& BlockSampler::operator=(BlockSampler&&) noexcept = default;

SamplerKind BlockSampler::kind() const {
  return core_->kind();
}
std::uint64_t BlockSampler::bytes_a_thread() const {
  return core_->bytes_a_thread();
}
SampleMoments BlockSampler::run(std::uint64_t first, std::uint64_t count, const StopSignal& stop) const {
  return core_->run(first, count, stop);
}

}  // namespace countpm
