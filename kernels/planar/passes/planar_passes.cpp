#include "kernels/planar/passes/planar_passes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>
#include <stdexcept>

#include "graph/errors.hpp"
#include "kernels/arithmetic/bound.hpp"
#include "kernels/arithmetic/prime_ring.hpp"
#include "kernels/arithmetic/residue_join.hpp"
#include "kernels/planar/elimination/determinant.hpp"
#include "kernels/planar/elimination/determinant_bound.hpp"
#include "kernels/planar/elimination/dissection.hpp"
#include "kernels/planar/orientation/face_monomers.hpp"
#include "kernels/planar/passes/region_draw.hpp"
#include "kernels/planar/passes/use_residues.hpp"
#include "kernels/planar/preparation.hpp"
#include "kernels/support/for_parts.hpp"
#include "matching/pattern_of.hpp"

namespace countpm {
namespace {

using namespace planar;

// For eight lanes; the primes just below 2^50, or 2^29, lose less than 0.01 bits each.
constexpr unsigned prime_bits = lane_prime_bits;
constexpr double bits_a_prime = prime_bits - 0.01;

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
/// block, which has to stay symmetric, every row times that of all. Its sum is multiple_of_sum times as
/// large.
AnyBlock scaled(const AnyBlock& block, mpz_class& multiple_of_sum) {
  multiple_of_sum = 1;
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
    if (!result.general || i % 2 == 0) multiple_of_sum *= multiple;  // one edge for every two vertices
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

/// From the partner of every row, or of every vertex of a general graph. Of the latter only the first `own`
/// are the block's: one whose partner is not is alone.
PairList pairs_of(const std::vector<Index>& mate, const BlockGraph& graph, Index own) {
  PairList pairs;
  for (Index v = 0; v < std::min(static_cast<Index>(mate.size()), own); ++v) {
    if (graph.bipartite) {
      pairs.emplace_back(v, mate[v] - graph.rows);
    } else if (mate[v] >= own) {
      pairs.emplace_back(v, v);
    } else if (v < mate[v]) {
      pairs.emplace_back(v, mate[v]);
    }
  }
  return pairs;
}

/// The block, of one with monomers the larger one that is counted for it.
AnyBlock without_monomers(const AnyBlock& block) {
  if (!has_monomers(block)) return block;
  auto larger = with_monomer_path(block);
  if (const auto* const refusal = std::get_if<Refusal>(&larger))
    throw std::invalid_argument("PlanarPasses: " + refusal->text);
  return std::get<AnyBlock>(std::move(larger));
}

/// Which edges an entry stands for: entry k is edge place[k], or, from the number of edges on, a loop, with
/// the edges from its vertex to the path.
struct EntryPlaces {
  std::vector<std::uint64_t> place;
  std::vector<std::vector<std::uint64_t>> loops;
};

/// `larger`: what without_monomers() made of the block; `graph` is its graph.
EntryPlaces places_of_entries(const AnyBlock& block, const AnyBlock& larger, const BlockGraph& graph) {
  std::vector<std::uint64_t> edge = edges_of_entries(larger, graph);
  EntryPlaces result;
  if (!has_monomers(block)) {
    result.place = std::move(edge);
    return result;
  }
  const SparsePattern& pattern = pattern_of(block);
  const SparsePattern& wider = pattern_of(larger);
  for (Index v = 0; v < pattern.rows; ++v) {
    std::uint64_t at = wider.row_start[v];
    const std::size_t loops = result.loops.size();
    for (std::uint64_t k = pattern.row_start[v]; k < pattern.row_start[v + std::uint64_t{1}]; ++k) {
      if (pattern.column[k] != v) {
        result.place.push_back(edge[at++]);
      } else {
        result.place.push_back(graph.edges.size() + loops);
        result.loops.emplace_back();
      }
    }
    for (; at < wider.row_start[v + std::uint64_t{1}]; ++at) result.loops.back().push_back(edge[at]);
  }
  return result;
}

Terms terms_of(const AnyBlock& block) {
  auto oriented = oriented_terms(block, false);
  if (const auto* const refusal = std::get_if<Refusal>(&oriented))
    throw std::invalid_argument("PlanarPasses: " + refusal->text);
  return std::get<Terms>(std::move(oriented));
}

}  // namespace

struct PlanarPasses::State {
  State(const AnyBlock& original, LayerLimits layer_limits, std::function<void(double)> on_progress)
      : limits(layer_limits), progress(std::move(on_progress)) {
    const AnyBlock block = scaled(without_monomers(original), multiple);
    negative = has_negative(block);
    terms = terms_of(block);
    log2_magnitudes = log2_upper_bound(block);
    // Values are integers: no denominator comes in.
    double log2_determinants = 0;
    for (const Term& term : terms)
      log2_determinants = std::max(
          log2_determinants,
          log2_determinant_bound(term.matrix, rows_fitted, limits.threads, complex_rows(term.matrix)));
    log2_determinants += log2_terms(terms);
    log2_bound = std::max(0.0, std::min(log2_determinants, log2_magnitudes));
    places = places_of_entries(original, block, graph());
    own = static_cast<Index>(vertices_of(original));
    tree = dissection_tree(graph());
  }

  const BlockGraph& graph() const { return terms[0].matrix.graph; }

  static const LaneCode& code() { return wide_lanes() != nullptr ? *wide_lanes() : portable_lanes(); }

  /// So many primes at least, in an order that is the same for whoever shares them.
  const std::vector<std::uint64_t>& first_primes(std::uint64_t count) {
    if (chosen.size() >= count) return chosen;
    const std::uint64_t more = std::max<std::uint64_t>(count, 2 * chosen.size());
    chosen.clear();
    chosen.reserve(more);
    for (const Modulus& modulus : choose_primes(static_cast<unsigned>(more), {}, prime_bits))
      chosen.push_back(modulus.prime);
    return chosen;
  }

  /// What the step finds modulo primes first .. first + count - 1, in groups of as many as there are lanes.
  PrimeResidues residues(PrimeStep step, std::uint64_t first, std::uint64_t count, const StopSignal& stop,
                         bool shown) {
    const std::vector<std::uint64_t>& primes = first_primes(first + count);
    const std::size_t width = code().width;
    const std::size_t groups = (count + width - 1) / width;
    PrimeResidues result(count);
    std::mutex reporting;
    std::size_t done = 0;
    for_parts(groups, limits.threads, stop, [&](std::size_t group) {
      const std::size_t begin = group * width;
      const std::size_t lanes = std::min<std::size_t>(width, count - begin);
      const auto from = primes.begin() + static_cast<std::ptrdiff_t>(first + begin);
      const std::vector<std::uint64_t> some(from, from + static_cast<std::ptrdiff_t>(lanes));
      const std::vector<std::uint64_t> values =
          step == PrimeStep::total ? sum_of_determinants(some, stop) : sum_of_uses(some, step, stop);
      for (std::size_t k = 0; k < lanes && !values.empty(); ++k) {
        std::vector<std::uint64_t>& of_prime = result[begin + k];
        of_prime.reserve(values.size() / lanes);
        for (std::size_t e = k; e < values.size(); e += lanes) of_prime.push_back(values[e]);
      }
      const std::lock_guard lock(reporting);
      ++done;
      if (shown && progress) progress(static_cast<double>(done) / static_cast<double>(groups));
    });
    return result;
  }

  struct Found {
    std::vector<std::uint64_t> primes;
    PrimeResidues residues;  // of each of them
  };

  /// What the step finds modulo primes whose product is above 2^bits.
  Found with_primes(double bits, PrimeStep step, const StopSignal& stop) {
    const std::size_t width = code().width;
    const std::size_t wanted =
        static_cast<std::size_t>(std::ceil(bits / bits_a_prime / static_cast<double>(width))) * width;
    Found found;
    std::uint64_t tried = 0;
    while (found.primes.size() < wanted) {
      const std::size_t missing = wanted - found.primes.size();
      if (tried > (2 * wanted) + (64 * width)) throw CheckError("planar: too many primes are unlucky");
      PrimeResidues some = share ? share(step, tried, missing) : residues(step, tried, missing, stop, true);
      const std::vector<std::uint64_t>& primes = first_primes(tried + missing);
      for (std::size_t k = 0; k < missing; ++k) {
        if (some[k].empty()) continue;
        found.primes.push_back(primes[tried + k]);
        found.residues.push_back(std::move(some[k]));
      }
      tried += missing;
    }
    return found;
  }

  /// What the terms' determinants add up to; empty where the lanes differ.
  std::vector<std::uint64_t> sum_of_determinants(const std::vector<std::uint64_t>& primes,
                                                 const StopSignal& stop) const {
    std::vector<std::uint64_t> values(primes.size(), 0);
    try {
      for (const Term& term : terms) {
        const std::vector<std::uint64_t> one = determinant(term.matrix, tree, code(), primes, stop);
        for (std::size_t k = 0; k < primes.size(); ++k) {
          const PrimeRing ring(primes[k]);
          const std::uint64_t part = ring.mul(ring.from_residue(one[k]),
                                              ring.from_residue(coefficient_modulo(term, false, primes[k])));
          values[k] = ring.add(values[k], static_cast<std::uint64_t>(ring.to_residue(part)));
        }
      }
    } catch (const PivotsDiffer&) {
      return {};
    }
    return values;
  }

  void find_total(const StopSignal& stop) {
    if (terms[0].sign == 0) {
      known = true;  // there is no perfect matching, and no orientation either
      return;
    }
    const double bits = std::floor(log2_bound) + 2;  // and one for the sign
    const Found found = with_primes(bits, PrimeStep::total, stop);
    std::vector<std::uint64_t> values;
    values.reserve(found.residues.size());
    for (const std::vector<std::uint64_t>& one : found.residues) values.push_back(one[0]);
    total = ResidueJoin(found.primes).join_signed(values.data());
    total_sign = total < 0 ? -1 : 1;
    total = abs(total);
    known = true;
  }

  std::vector<mpz_class> uses(const StopSignal& stop) {
    const std::size_t edges = graph().edges.size();
    std::vector<mpz_class> result(edges);
    if (total == 0 || edges == 0) return result;
    // Without negative weights no edge is used by more than all. With them its use may be beyond the
    // determinant's bound, but not beyond the sum of the magnitudes.
    const double bits =
        (negative ? std::floor(log2_magnitudes) : static_cast<double>(mpz_sizeinbase(total.get_mpz_t(), 2))) +
        2;
    refuse_memory(bits);
    const Found found =
        with_primes(bits, total_sign < 0 ? PrimeStep::uses_of_negative : PrimeStep::uses, stop);
    const ResidueJoin join(found.primes);
    constexpr std::size_t edges_a_part = 64;
    for_parts((edges + edges_a_part - 1) / edges_a_part, limits.threads, stop, [&](std::size_t part) {
      std::vector<std::uint64_t> residues(found.primes.size());
      for (std::size_t e = part * edges_a_part; e < std::min((part + 1) * edges_a_part, edges); ++e) {
        for (std::size_t k = 0; k < residues.size(); ++k) residues[k] = found.residues[k][e];
        result[e] = negative ? join.join_signed(residues.data()) : join.join(residues.data());
      }
    });
    check_sums(result);
    return result;
  }

  /// Of every edge, as use_residues() has those of one term.
  std::vector<std::uint64_t> sum_of_uses(const std::vector<std::uint64_t>& primes, PrimeStep step,
                                         const StopSignal& stop) const {
    std::vector<std::uint64_t> sum;
    const bool negated = step == PrimeStep::uses_of_negative;
    for (const Term& term : terms) {
      std::vector<std::uint64_t> times;
      times.reserve(primes.size());
      for (const std::uint64_t prime : primes) times.push_back(coefficient_modulo(term, negated, prime));
      std::vector<std::uint64_t> uses = use_residues(term.matrix, tree, code(), primes, times, stop);
      if (uses.empty()) return {};
      if (sum.empty()) {
        sum = std::move(uses);
        continue;
      }
      for (std::size_t k = 0; k < sum.size(); ++k) {
        const std::uint64_t prime = primes[k % primes.size()];
        sum[k] = (sum[k] + uses[k]) % prime;
      }
    }
    return sum;
  }

  void refuse_memory(double bits) const {
    const double edges = static_cast<double>(graph().edges.size());
    const double bytes = edges * (bits / bits_a_prime * 8 + bits / 8 + 32) +
                         static_cast<double>(limits.threads) *
                             static_cast<double>(use_residues_bytes(terms[0].matrix, tree, code()));
    if (bytes <= static_cast<double>(limits.memory_bytes)) return;
    throw UnableError(fmt::format("the edge probabilities of the planar graph need {:.1f} MiB of memory",
                                  bytes / (1 << 20)),
                      "a larger --memory-limit, where the machine has it");
  }

  /// The edges of every vertex share all matchings.
  void check_sums(const std::vector<mpz_class>& result) const {
    std::vector<mpz_class> sum(graph().vertices);
    for (std::size_t e = 0; e < result.size(); ++e) {
      sum[graph().edges[e].a] += result[e];
      sum[graph().edges[e].b] += result[e];
    }
    if (std::any_of(sum.begin(), sum.end(), [&](const mpz_class& value) { return value != total; }))
      throw CheckError("planar: the edges of a vertex do not share all matchings");
  }

  LayerLimits limits;
  std::function<void(double)> progress;
  PrimeShare share;
  std::vector<std::uint64_t> chosen;  // primes
  Terms terms;
  FrontTree tree;
  EntryPlaces places;
  Index own = 0;               // vertices of the block itself
  double log2_bound = 0;       // of the total
  double log2_magnitudes = 0;  // of the total with all weights positive
  bool negative = false;
  bool known = false;
  int total_sign = 1;  // of what the terms add up to
  mpz_class total;
  mpz_class multiple;
  std::optional<RegionDraw> draws;
};

std::optional<std::string> PlanarPasses::obstacle(const AnyBlock& block) {
  if (std::holds_alternative<Block<ComplexRational>>(block)) return "weights are complex";
  const auto oriented = oriented_terms(block, false);
  if (const auto* const refusal = std::get_if<Refusal>(&oriented)) return refusal->text;
  return std::nullopt;
}

PlanarPasses::PlanarPasses(const AnyBlock& block, LayerLimits limits, std::function<void(double)> progress)
    : state_(std::make_unique<State>(block, limits, std::move(progress))) {}
PlanarPasses::~PlanarPasses() = default;
PlanarPasses::PlanarPasses(PlanarPasses&&) noexcept = default;
PlanarPasses& PlanarPasses::operator=(PlanarPasses&&) noexcept = default;

double PlanarPasses::work() const {
  return state_->tree.total.multiplications * (std::floor(state_->log2_bound / bits_a_prime) + 1) *
         orientations();
}

std::uint64_t PlanarPasses::draw_bytes() const {
  return state_->draws ? state_->draws->bytes_needed() : 0;
}

double PlanarPasses::orientations() const {
  return static_cast<double>(state_->terms.size());
}

void PlanarPasses::share_primes(PrimeShare share) {
  state_->share = std::move(share);
}

PrimeResidues PlanarPasses::residues(PrimeStep step, std::uint64_t first, std::uint64_t count,
                                     const StopSignal& stop) {
  return state_->residues(step, first, count, stop, false);
}

std::size_t PlanarPasses::values_of(PrimeStep step) const {
  return step == PrimeStep::total ? 1 : state_->graph().edges.size();
}

const std::vector<std::uint64_t>& PlanarPasses::primes(std::uint64_t count) {
  return state_->first_primes(count);
}

std::size_t PlanarPasses::lanes() {
  return State::code().width;
}

const mpz_class& PlanarPasses::total(const StopSignal& stop) {
  if (!state_->known) state_->find_total(stop);
  return state_->total;
}

const mpz_class& PlanarPasses::multiple() const {
  return state_->multiple;
}

EdgeUses PlanarPasses::edge_uses(const StopSignal& stop) {
  total(stop);
  EdgeUses result;
  result.uses = state_->uses(stop);
  for (const std::vector<std::uint64_t>& edges : state_->places.loops) {
    mpz_class sum;
    for (const std::uint64_t edge : edges) sum += result.uses[edge];
    result.uses.push_back(std::move(sum));
  }
  result.place = state_->places.place;
  result.pairs.assign(result.place.size(), 1);
  return result;
}

std::vector<PairList> PlanarPasses::draw(std::uint64_t seed, std::uint64_t stream, std::uint64_t first,
                                         std::uint64_t count, const StopSignal& stop) {
  if (!state_->draws) state_->draws.emplace(state_->terms, state_->tree, state_->limits);
  std::vector<PairList> result(count);
  const auto tell = [&](double drawn) {
    if (state_->progress) state_->progress(drawn / static_cast<double>(count));
  };
  const auto draw_one = [&](RegionDraw& draws, std::uint64_t k, const std::function<void(double)>& progress) {
    CounterRandom random(seed, stream, first + k);
    result[k] = pairs_of(draws.draw(random, stop, progress), state_->graph(), state_->own);
  };
  std::uint64_t done = 0;
  const auto draw_next = [&] {
    draw_one(*state_->draws, done, [&](double share) { tell(static_cast<double>(done) + share); });
    ++done;
  };
  // The first of all shows how much memory one needs. A draw is decided edge by edge, which keeps few threads
  // busy: several draws beside one another keep all.
  if (done < count && state_->draws->bytes_needed() == 0) draw_next();
  const std::uint64_t fit =
      state_->limits.memory_bytes / std::max<std::uint64_t>(state_->draws->bytes_needed(), 1);
  const std::uint64_t beside =
      std::min({static_cast<std::uint64_t>(state_->limits.threads), fit, count - done});
  if (beside < 2) {
    while (done < count) draw_next();
    return result;
  }
  std::mutex mutex;
  std::vector<std::unique_ptr<RegionDraw>> free;
  const std::uint64_t begin = done;
  for_parts(count - begin, static_cast<int>(beside), stop, [&](std::size_t part) {
    std::unique_ptr<RegionDraw> own;
    {
      const std::lock_guard lock(mutex);
      if (!free.empty()) {
        own = std::move(free.back());
        free.pop_back();
      }
    }
    if (!own)
      own = std::make_unique<RegionDraw>(state_->draws->on_one_thread(state_->limits.memory_bytes / beside));
    draw_one(*own, begin + part, {});
    const std::lock_guard lock(mutex);
    free.push_back(std::move(own));
    tell(static_cast<double>(++done));
  });
  return result;
}

}  // namespace countpm
