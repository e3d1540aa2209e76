#include "kernels/frontier/passes/frontier_passes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "graph/clock.hpp"
#include "graph/errors.hpp"
#include "kernels/arithmetic/counter_random.hpp"
#include "kernels/arithmetic/to_mpz.hpp"
#include "kernels/frontier/passes/backward_draw.hpp"
#include "kernels/frontier/passes/backward_pass.hpp"

namespace countpm {
namespace {

using Progress = std::function<void(double)>;

// The passes for keys of any number of words.
class Passes {
 public:
  virtual ~Passes() = default;
  virtual std::uint64_t bytes_per_state() const = 0;
  virtual std::size_t rounds() const = 0;
  virtual double rate(double seconds, const StopSignal& stop) = 0;
  virtual mpz_class total(const StopSignal& stop, const Progress& progress) = 0;
  virtual std::vector<mpz_class> uses(const StopSignal& stop, const Progress& progress) = 0;
  virtual EntryPaths draw(std::vector<mpz_class> numbers, const StopSignal& stop,
                          const Progress& progress) = 0;
};

template <unsigned Words>
class PassesOf : public Passes {
 public:
  PassesOf(const Program& program, const std::vector<mpz_class>& entry_values, unsigned value_words,
           LayerLimits limits)
      : stack_(program, entry_values, value_words, limits), entries_(entry_values.size()) {}

  std::uint64_t bytes_per_state() const override { return stack_.bytes(1); }
  std::size_t rounds() const override { return stack_.rounds(); }
  // Of layers of many states: the first ones are small, and say nothing of large ones.
  double rate(double seconds, const StopSignal& stop) override {
    constexpr std::uint64_t many = std::uint64_t{1} << 17;
    constexpr double patience = 5;  // for the first that has as many
    const double start = seconds_now();
    double spent = 0;
    std::uint64_t made = 0;
    try {
      for (std::size_t k = 1; k <= stack_.rounds(); ++k) {
        const double from = seconds_now();
        if (from - start > (made > 0 ? seconds : patience * seconds)) break;
        const std::uint64_t before = stack_.transitions();
        stack_.layer(k, stop);
        if (stack_.transitions() - before < many) continue;
        made += stack_.transitions() - before;
        spent += seconds_now() - from;
      }
    } catch (const LayersTooLarge&) {
      // total() says so.
    }
    return made > 0 && spent > 0 ? static_cast<double>(made) / spent : 0;
  }
  mpz_class total(const StopSignal& stop, const Progress& progress) override {
    stack_.on_first_made([&](std::size_t layer) {
      progress(static_cast<double>(layer) / static_cast<double>(stack_.rounds()));
    });
    const Layer<Words>& last = stack_.layer(stack_.rounds(), stop);
    stack_.on_first_made({});
    return last.states() == 0 ? mpz_class(0) : to_mpz(last.values.data(), stack_.value_words(), true);
  }
  std::vector<mpz_class> uses(const StopSignal& stop, const Progress& progress) override {
    return BackwardPass<Words>(stack_, entries_).run(stop, progress);
  }
  EntryPaths draw(std::vector<mpz_class> numbers, const StopSignal& stop, const Progress& progress) override {
    return draw_backward(stack_, std::move(numbers), stop, progress);
  }

 private:
  LayerStack<Words> stack_;
  std::size_t entries_;
};

std::unique_ptr<Passes> make_passes(const Program& program, const std::vector<mpz_class>& entry_values,
                                    unsigned value_words, LayerLimits limits) {
  // A bit stays free: layers.hpp.
  if (program.key_bits <= 63)
    return std::make_unique<PassesOf<1>>(program, entry_values, value_words, limits);
  if (program.key_bits <= 127)
    return std::make_unique<PassesOf<2>>(program, entry_values, value_words, limits);
  if (program.key_bits <= 255)
    return std::make_unique<PassesOf<4>>(program, entry_values, value_words, limits);
  static_assert(FrontierPasses::widest_key == 64 * 16 - 1);
  if (program.key_bits <= FrontierPasses::widest_key)
    return std::make_unique<PassesOf<16>>(program, entry_values, value_words, limits);
  throw UnableError(fmt::format("the frontier takes {} bits and the passes have at most {}", program.key_bits,
                                FrontierPasses::widest_key),
                    "a graph of that width has far too many states for the passes anyway");
}

bool is_linear(const Program& program) {
  for (std::size_t i = 0; i < program.steps.size(); ++i) {
    if ((program.steps[i].kind == ProgramStep::Kind::push) != (i == 0)) return false;
    if (program.steps[i].kind == ProgramStep::Kind::join) return false;
  }
  return true;
}

struct Entry {
  Index row;
  Index column;
};

std::vector<Entry> entries_of_pattern(const AnyBlock& any_block) {
  return std::visit(
      [](const auto& block) {
        std::vector<Entry> entries;
        entries.reserve(block.matrix.column.size());
        for (Index i = 0; i < block.matrix.rows; ++i) {
          for (std::uint64_t k = block.matrix.row_start[i]; k < block.matrix.row_start[i + std::uint64_t{1}];
               ++k)
            entries.push_back({i, block.matrix.column[k]});
        }
        return entries;
      },
      any_block);
}

}  // namespace

struct FrontierPasses::State {
  ClassGraph graph;
  ClassLines lines;
  std::vector<Entry> entries;
  IntegerWeights weights;
  Program program;
  std::function<void(double)> progress;
  std::unique_ptr<Passes> passes;
  std::optional<mpz_class> total;

  Index column_class(Index column) const { return graph.general ? lines.row[column] : lines.column[column]; }

  static Index taken_from(std::vector<Index>& members) {
    const Index last = members.back();
    members.pop_back();
    return last;
  }

  // The members of every class, in an order of their own for every draw.
  PairList members(const std::vector<std::uint64_t>& path, CounterRandom& random) const {
    std::vector<std::vector<Index>> members(graph.classes());
    for (Index i = 0; i < lines.row.size(); ++i) members[lines.row[i]].push_back(i);
    for (Index j = 0; j < lines.column.size(); ++j) members[lines.column[j]].push_back(j);
    for (std::vector<Index>& lines_of_class : members) {
      for (std::size_t left = lines_of_class.size(); left > 1; --left)
        std::swap(lines_of_class[left - 1], lines_of_class[random.below(left)]);
    }
    PairList pairs;
    pairs.reserve(path.size());
    for (const std::uint64_t entry : path) {
      // One after the other: an inner edge takes both from one class.
      const Index row = taken_from(members[lines.row[entries[entry].row]]);
      if (graph.monomers && entries[entry].row == entries[entry].column) {
        pairs.emplace_back(row, row);
        continue;
      }
      const Index column = taken_from(members[column_class(entries[entry].column)]);
      pairs.emplace_back(row, column);
    }
    return pairs;
  }
};

FrontierPasses::FrontierPasses(const AnyBlock& block, const ClassGraph& graph, const ClassLines& lines,
                               const Elimination& elimination, LayerLimits limits,
                               std::function<void(double)> progress)
    : state_(std::make_unique<State>()) {
  state_->graph = graph;
  state_->lines = lines;
  state_->entries = entries_of_pattern(block);
  state_->weights = integer_weights(block);
  state_->program = make_program(graph, elimination);
  if (!is_linear(state_->program)) throw std::invalid_argument("FrontierPasses: the elimination has joins");
  state_->progress = progress ? std::move(progress) : [](double) {};
  // Values up to the bound times the pairs of a class that a matching may use, and a sign.
  const Index most_pairs = graph.multiplicity.empty()
                               ? 1
                               : *std::max_element(graph.multiplicity.begin(), graph.multiplicity.end());
  const double bits =
      std::floor(std::max(state_->weights.log2_bound, 0.0)) + 1 + std::bit_width(most_pairs) + 1;
  const auto words = static_cast<unsigned>(std::ceil(bits / 64));
  state_->passes = make_passes(state_->program, state_->weights.value, words, limits);
}

FrontierPasses::~FrontierPasses() = default;
FrontierPasses::FrontierPasses(FrontierPasses&&) noexcept = default;
FrontierPasses& FrontierPasses::operator=(FrontierPasses&&) noexcept = default;

std::uint64_t FrontierPasses::bytes_per_state() const {
  return state_->passes->bytes_per_state();
}

std::size_t FrontierPasses::rounds() const {
  return state_->passes->rounds();
}

double FrontierPasses::measured_rate(double seconds, const StopSignal& stop) {
  return state_->passes->rate(seconds, stop);
}

const mpz_class& FrontierPasses::total(const StopSignal& stop) {
  if (!state_->total) state_->total = state_->passes->total(stop, state_->progress);
  return *state_->total;
}

EdgeUses FrontierPasses::edge_uses(const StopSignal& stop) {
  total(stop);
  std::vector<mpz_class> found = state_->passes->uses(stop, state_->progress);
  // An edge between classes is named by one entry, of a general block in one of the two directions.
  const ClassGraph& graph = state_->graph;
  EdgeUses result;
  result.uses.reserve(graph.neighbour.size());
  std::vector<std::uint64_t> twin(graph.neighbour.size());  // the same edge from its other end
  for (Index v = 0; v < graph.classes(); ++v) {
    for (std::uint64_t k = graph.start[v]; k < graph.start[v + std::uint64_t{1}]; ++k) {
      const Index u = graph.neighbour[k];
      const auto first = graph.neighbour.begin() + static_cast<std::ptrdiff_t>(graph.start[u]);
      const auto last =
          graph.neighbour.begin() + static_cast<std::ptrdiff_t>(graph.start[u + std::uint64_t{1}]);
      twin[k] = static_cast<std::uint64_t>(std::lower_bound(first, last, v) - graph.neighbour.begin());
    }
  }
  for (std::uint64_t k = 0; k < graph.neighbour.size(); ++k) {
    const std::uint64_t entry = graph.entry[k];
    const std::uint64_t other = graph.entry[twin[k]];
    result.uses.emplace_back(found[entry] + (other == entry ? mpz_class(0) : found[other]));
  }
  // After them the inner edges and the loops, each named by its one entry.
  std::vector<std::uint64_t> inner_place(graph.classes(), 0);
  std::vector<std::uint64_t> loop_place(graph.classes(), 0);
  for (Index v = 0; v < graph.classes(); ++v) {
    if (graph.has_inner(v)) {
      inner_place[v] = result.uses.size();
      result.uses.push_back(found[graph.inner[v]]);
    }
    if (graph.has_loop(v)) {
      loop_place[v] = result.uses.size();
      result.uses.push_back(found[graph.loop[v]]);
    }
  }
  result.place.reserve(state_->entries.size());
  result.pairs.reserve(state_->entries.size());
  for (const Entry& entry : state_->entries) {
    const Index v = state_->lines.row[entry.row];
    const Index u = state_->column_class(entry.column);
    if (graph.monomers && entry.row == entry.column) {
      result.place.push_back(loop_place[v]);
      result.pairs.push_back(graph.multiplicity[v]);
      continue;
    }
    if (u == v) {
      result.place.push_back(inner_place[v]);
      result.pairs.push_back(std::uint64_t{graph.multiplicity[v]} * (graph.multiplicity[v] - 1) / 2);
      continue;
    }
    const auto first = graph.neighbour.begin() + static_cast<std::ptrdiff_t>(graph.start[v]);
    const auto last =
        graph.neighbour.begin() + static_cast<std::ptrdiff_t>(graph.start[v + std::uint64_t{1}]);
    result.place.push_back(
        static_cast<std::uint64_t>(std::lower_bound(first, last, u) - graph.neighbour.begin()));
    result.pairs.push_back(std::uint64_t{graph.multiplicity[v]} * graph.multiplicity[u]);
  }
  return result;
}

std::vector<PairList> FrontierPasses::draw(std::uint64_t seed, std::uint64_t stream, std::uint64_t first,
                                           std::uint64_t count, const StopSignal& stop) {
  if (state_->weights.negative) throw std::invalid_argument("FrontierPasses: draws with negative weights");
  const mpz_class& all = total(stop);
  if (all == 0) throw std::invalid_argument("FrontierPasses: draws of nothing");
  std::vector<CounterRandom> random;
  std::vector<mpz_class> numbers;
  random.reserve(count);
  numbers.reserve(count);
  for (std::uint64_t k = 0; k < count; ++k) {
    random.emplace_back(seed, stream, first + k);
    numbers.push_back(random.back().below(all));
  }
  const EntryPaths paths = state_->passes->draw(std::move(numbers), stop, state_->progress);
  std::vector<PairList> matchings(count);
  for (std::uint64_t k = 0; k < count; ++k) matchings[k] = state_->members(paths[k], random[k]);
  return matchings;
}

}  // namespace countpm
