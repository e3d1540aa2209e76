#include "kernels/planar/passes/planar_passes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>

#include "graph/errors.hpp"
#include "kernels/arithmetic/bound.hpp"
#include "kernels/arithmetic/residue_join.hpp"
#include "kernels/planar/elimination/determinant.hpp"
#include "kernels/planar/elimination/determinant_bound.hpp"
#include "kernels/planar/elimination/dissection.hpp"
#include "kernels/planar/orientation/embedding.hpp"
#include "kernels/planar/passes/edge_shares.hpp"
#include "kernels/planar/passes/region_draw.hpp"
#include "kernels/support/for_parts.hpp"
#include "kernels/support/instruction_sets.hpp"

namespace countpm {
namespace {

using namespace planar;

// Primes of 50 bits, for eight lanes; the primes just below 2^50 lose less than 0.01 bits each.
constexpr unsigned prime_bits = 50;
constexpr double bits_a_prime = 49.99;

// For the bound (planar.cpp); the passes cost more than the elimination.
constexpr unsigned rows_fitted = 16;

template <class Matrix>
mpz_class denominator_of_row(const Matrix& matrix, Index row) {
  mpz_class multiple = 1;
  for (std::uint64_t k = matrix.row_start[row]; k < matrix.row_start[row + std::uint64_t{1}]; ++k)
    multiple = lcm(multiple, matrix.value[k].get_den());
  return multiple;
}

/// The block with integer values: every row times the least common multiple of its denominators; of a general
/// block, which has to stay symmetric, every row times that of all.
AnyBlock scaled(const AnyBlock& block) {
  const auto* fractions = std::get_if<Block<mpq_class>>(&block);
  if (fractions == nullptr) return block;
  Block<mpq_class> result = *fractions;
  SparseMatrix<mpq_class>& matrix = result.matrix;
  mpz_class common = 1;
  for (Index i = 0; result.general && i < matrix.rows; ++i)
    common = lcm(common, denominator_of_row(matrix, i));
  for (Index i = 0; i < matrix.rows; ++i) {
    const mpz_class multiple = result.general ? common : denominator_of_row(matrix, i);
    for (std::uint64_t k = matrix.row_start[i]; k < matrix.row_start[i + std::uint64_t{1}]; ++k)
      matrix.value[k] *= multiple;
  }
  return result;
}

/// The edge of every entry; of a general block, of both of its entries.
std::vector<std::uint64_t> edges_of_entries(const AnyBlock& any_block, const BlockGraph& graph) {
  return std::visit(
      [&](const auto& block) {
        const auto& matrix = block.matrix;
        std::vector<std::uint64_t> edge(matrix.entries());
        // Row after row, so that the entries (b, a) of a row b come in the order of a.
        std::vector<std::uint64_t> next(matrix.row_start.begin(), matrix.row_start.end() - 1);
        for (std::uint64_t e = 0; e < graph.edges.size(); ++e) {
          edge[graph.edges[e].entry] = e;
          if (block.general) edge[next[graph.edges[e].b]++] = e;
        }
        return edge;
      },
      any_block);
}

/// From the partner of every row, or of every vertex of a general graph.
PairList pairs_of(const std::vector<Index>& mate, const BlockGraph& graph) {
  PairList pairs;
  for (Index v = 0; v < mate.size(); ++v) {
    if (graph.bipartite) {
      pairs.emplace_back(v, mate[v] - graph.rows);
    } else if (v < mate[v]) {
      pairs.emplace_back(v, mate[v]);
    }
  }
  return pairs;
}

SignedMatrix oriented_matrix(const AnyBlock& block) {
  BlockGraph graph = block_graph(block);
  const Planarity planarity = test_planarity(graph);
  if (!planarity.planar) throw std::invalid_argument("PlanarPasses: the block is not planar");
  Orientation orientation = kasteleyn_orientation(graph, planarity.embedding);
  return signed_matrix(block, std::move(graph), std::move(orientation));
}

}  // namespace

struct PlanarPasses::State {
  State(const AnyBlock& original, LayerLimits layer_limits, std::function<void(double)> on_progress)
      : limits(layer_limits), progress(std::move(on_progress)) {
    const AnyBlock block = scaled(original);
    negative = has_negative(block);
    matrix = oriented_matrix(block);
    log2_magnitudes = log2_upper_bound(block);
    // Values are integers: no denominator comes in.
    log2_bound = std::max(0.0, std::min(log2_determinant_bound(matrix, rows_fitted), log2_magnitudes));
    edge_of_entry = edges_of_entries(block, matrix.graph);
    tree = dissection_tree(matrix.graph);
  }

  static const LaneCode& code() {
    return processor_has(InstructionSet::avx512) ? avx512_lanes() : portable_lanes();
  }

  /// Calls work(group) for groups of primes until those that it says true of have a product above 2^bits;
  /// returns these.
  std::vector<std::vector<std::uint64_t>> with_primes(
      double bits, const StopSignal& stop,
      const std::function<bool(const std::vector<std::uint64_t>& primes, std::size_t group)>& work) {
    const std::size_t width = code().width;
    const auto wanted = static_cast<std::size_t>(std::ceil(bits / bits_a_prime / static_cast<double>(width)));
    std::vector<std::vector<std::uint64_t>> groups;
    std::vector<std::uint8_t> good;
    std::size_t found = 0;
    while (found < wanted) {
      const std::size_t first = groups.size();
      const std::size_t missing = wanted - found;
      if (first > 2 * wanted + 64) throw CheckError("planar: too many primes are unlucky");
      const std::vector<Modulus> moduli =
          choose_primes(static_cast<unsigned>((first + missing) * width), {}, prime_bits);
      for (std::size_t g = first; g < first + missing; ++g) {
        groups.emplace_back();
        for (std::size_t k = 0; k < width; ++k) groups.back().push_back(moduli[g * width + k].prime);
      }
      good.resize(groups.size(), 0);
      std::mutex reporting;
      std::size_t done = 0;
      for_parts(missing, limits.threads, stop, [&](std::size_t part) {
        good[first + part] = work(groups[first + part], first + part) ? 1 : 0;
        const std::lock_guard lock(reporting);
        ++done;
        if (progress) progress(static_cast<double>(done) / static_cast<double>(missing));
      });
      found = static_cast<std::size_t>(std::count(good.begin(), good.end(), 1));
    }
    for (std::size_t g = 0; g < groups.size(); ++g) {
      if (!good[g]) groups[g].clear();
    }
    return groups;
  }

  void find_total(const StopSignal& stop) {
    const double bits = std::floor(log2_bound) + 2;  // and one for the sign
    std::map<std::size_t, std::vector<std::uint64_t>> residues;
    std::mutex mutex;
    const auto groups =
        with_primes(bits, stop, [&](const std::vector<std::uint64_t>& primes, std::size_t group) {
          try {
            std::vector<std::uint64_t> values = determinant(matrix, tree, code(), primes, stop);
            const std::lock_guard lock(mutex);
            residues[group] = std::move(values);
            return true;
          } catch (const PivotsDiffer&) {
            return false;
          }
        });
    std::vector<std::uint64_t> good_primes;
    std::vector<std::uint64_t> values;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      good_primes.insert(good_primes.end(), groups[g].begin(), groups[g].end());
      if (!groups[g].empty()) values.insert(values.end(), residues[g].begin(), residues[g].end());
    }
    const ResidueJoin join(good_primes);
    total = abs(join.join_signed(values.data()));
    known = true;
  }

  std::vector<mpz_class> uses(const StopSignal& stop) {
    const std::size_t edges = matrix.graph.edges.size();
    std::vector<mpz_class> result(edges);
    if (total == 0 || edges == 0) return result;
    // Without negative weights no edge is used by more than all. With them its use may be beyond the
    // determinant's bound, but not beyond the sum of the magnitudes.
    const double bits =
        (negative ? std::floor(log2_magnitudes) : static_cast<double>(mpz_sizeinbase(total.get_mpz_t(), 2))) +
        2;
    refuse_memory(bits);
    std::map<std::size_t, std::vector<std::uint64_t>> shares;
    std::mutex mutex;
    const auto groups =
        with_primes(bits, stop, [&](const std::vector<std::uint64_t>& primes, std::size_t group) {
          std::vector<std::uint64_t> factor(primes.size());
          for (std::size_t k = 0; k < primes.size(); ++k)
            factor[k] = mpz_fdiv_ui(total.get_mpz_t(), primes[k]);
          std::vector<std::uint64_t> values = edge_shares(matrix, tree, code(), primes, factor, stop);
          if (values.empty()) return false;
          const std::lock_guard lock(mutex);
          shares[group] = std::move(values);
          return true;
        });
    std::vector<std::uint64_t> primes;
    for (const auto& group : groups) primes.insert(primes.end(), group.begin(), group.end());
    const ResidueJoin join(std::move(primes));
    constexpr std::size_t edges_a_part = 64;
    for_parts((edges + edges_a_part - 1) / edges_a_part, limits.threads, stop, [&](std::size_t part) {
      std::vector<std::uint64_t> residues(join.primes().size());
      const std::size_t width = code().width;
      for (std::size_t e = part * edges_a_part; e < std::min((part + 1) * edges_a_part, edges); ++e) {
        auto to = residues.begin();
        for (const auto& [group, values] : shares)
          to = std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(e * width), width, to);
        result[e] = negative ? join.join_signed(residues.data()) : join.join(residues.data());
      }
    });
    check_sums(result);
    return result;
  }

  void refuse_memory(double bits) const {
    const double edges = static_cast<double>(matrix.graph.edges.size());
    const double bytes =
        edges * (bits / bits_a_prime * 8 + bits / 8 + 32) +
        static_cast<double>(limits.threads) * static_cast<double>(edge_shares_bytes(matrix, tree, code()));
    if (bytes <= static_cast<double>(limits.memory_bytes)) return;
    throw UnableError(fmt::format("the edge probabilities of the planar graph need {:.1f} MiB of memory",
                                  bytes / (1 << 20)),
                      "a larger --memory-limit, where the machine has it");
  }

  /// The edges of every vertex share all matchings.
  void check_sums(const std::vector<mpz_class>& result) const {
    std::vector<mpz_class> sum(matrix.graph.vertices);
    for (std::size_t e = 0; e < result.size(); ++e) {
      sum[matrix.graph.edges[e].a] += result[e];
      sum[matrix.graph.edges[e].b] += result[e];
    }
    if (std::any_of(sum.begin(), sum.end(), [&](const mpz_class& value) { return value != total; }))
      throw CheckError("planar: the edges of a vertex do not share all matchings");
  }

  LayerLimits limits;
  std::function<void(double)> progress;
  SignedMatrix matrix;
  FrontTree tree;
  std::vector<std::uint64_t> edge_of_entry;
  double log2_bound = 0;       // of the total
  double log2_magnitudes = 0;  // of the total with all weights positive
  bool negative = false;
  bool known = false;
  mpz_class total;
  std::optional<RegionDraw> draws;
};

std::optional<std::string> PlanarPasses::obstacle(const AnyBlock& block) {
  if (std::holds_alternative<Block<ComplexRational>>(block)) return "weights are complex";
  const std::uint64_t vertices = vertices_of(block);
  const std::uint64_t edges = edges_of(block);
  if (vertices + edges > most_ordered) return fmt::format("{} edges are too many", edges);
  if (too_many_edges(vertices, edges, !is_general(block)) || !test_planarity(block_graph(block)).planar)
    return "the graph is not planar";
  return std::nullopt;
}

PlanarPasses::PlanarPasses(const AnyBlock& block, LayerLimits limits, std::function<void(double)> progress)
    : state_(std::make_unique<State>(block, limits, std::move(progress))) {}
PlanarPasses::~PlanarPasses() = default;
PlanarPasses::PlanarPasses(PlanarPasses&&) noexcept = default;
PlanarPasses& PlanarPasses::operator=(PlanarPasses&&) noexcept = default;

double PlanarPasses::work() const {
  return state_->tree.total.multiplications * (std::floor(state_->log2_bound / bits_a_prime) + 1);
}

const mpz_class& PlanarPasses::total(const StopSignal& stop) {
  if (!state_->known) state_->find_total(stop);
  return state_->total;
}

EdgeUses PlanarPasses::edge_uses(const StopSignal& stop) {
  total(stop);
  EdgeUses result;
  result.uses = state_->uses(stop);
  result.place = state_->edge_of_entry;
  result.pairs.assign(result.place.size(), 1);
  return result;
}

std::vector<PairList> PlanarPasses::draw(std::uint64_t seed, std::uint64_t stream, std::uint64_t first,
                                         std::uint64_t count, const StopSignal& stop) {
  if (!state_->draws) state_->draws.emplace(state_->matrix, state_->tree, state_->limits);
  std::vector<PairList> result;
  for (std::uint64_t k = 0; k < count; ++k) {
    CounterRandom random(seed, stream, first + k);
    const std::vector<Index> mate = state_->draws->draw(random, stop, [&](double share) {
      if (state_->progress) state_->progress((static_cast<double>(k) + share) / static_cast<double>(count));
    });
    result.push_back(pairs_of(mate, state_->matrix.graph));
  }
  return result;
}

}  // namespace countpm
