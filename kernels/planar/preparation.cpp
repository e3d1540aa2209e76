#include "kernels/planar/preparation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>

#include "kernels/arithmetic/bound.hpp"
#include "kernels/arithmetic/dispatch.hpp"
#include "kernels/arithmetic/prime_ring.hpp"
#include "kernels/arithmetic/up_float.hpp"
#include "kernels/planar/elimination/determinant_bound.hpp"
#include "kernels/planar/elimination/residue_lanes.hpp"
#include "kernels/planar/orientation/embedding.hpp"
#include "kernels/planar/orientation/face_monomers.hpp"
#include "kernels/planar/orientation/given_embedding.hpp"
#include "kernels/planar/orientation/root_of_minus_one.hpp"
#include "kernels/planar/orientation/short_cycle_embedding.hpp"
#include "kernels/planar/orientation/torus_kasteleyn.hpp"

namespace countpm::planar {
namespace {

constexpr std::uint64_t many_edges = 2000;

bool is_twisted(const Embedding& embedding) {
  return std::any_of(embedding.twisted.begin(), embedding.twisted.end(),
                     [](std::uint8_t twisted) { return twisted != 0; });
}

Terms plane_terms(const AnyBlock& block, const BlockGraph& graph, const Embedding& embedding,
                  bool with_sign) {
  Orientation orientation = kasteleyn_orientation(graph, embedding);
  int sign = 1;
  if (with_sign) {
    const std::vector<Index> matching = one_perfect_matching(graph);
    sign = matching.empty() && graph.vertices != 0 ? 0 : term_sign(graph, orientation, matching);
  }
  Terms terms;
  terms.push_back({signed_matrix(block, graph, std::move(orientation)), sign});
  return terms;
}

Terms torus_terms_of(const AnyBlock& block, const BlockGraph& graph, const Embedding& embedding) {
  Terms terms;
  const std::vector<Index> matching = one_perfect_matching(graph);
  if (matching.empty()) {
    terms.push_back({signed_matrix(block, graph, Orientation(graph.edges.size(), 1)), 0});
    return terms;
  }
  for (TorusTerm& term : torus_terms(graph, embedding, matching)) {
    terms.push_back({signed_matrix(block, graph, std::move(term.orientation)), term.sign});
    terms.back().halvings = 1;
  }
  return terms;
}

Terms surface_terms_of(const AnyBlock& block, const BlockGraph& graph, const Embedding& embedding) {
  Terms terms;
  const std::vector<Index> matching = one_perfect_matching(graph);
  if (matching.empty()) {
    terms.push_back({signed_matrix(block, graph, Orientation(graph.edges.size(), 1)), 0});
    return terms;
  }
  SurfaceTerms surface = surface_terms(graph, embedding, matching);
  SignedMatrix matrix = signed_matrix(block, graph, {});
  const bool one_sided = std::any_of(surface.times_i.begin(), surface.times_i.end(),
                                     [](std::uint8_t times_i) { return times_i != 0; });
  if (one_sided) make_imaginary(matrix, surface.times_i);
  for (SurfaceTerm& term : surface.terms) {
    terms.push_back({matrix, term.real});
    terms.back().matrix.orientation = std::move(term.orientation);
    terms.back().imaginary = term.imaginary;
    terms.back().halvings = surface.halvings;
    terms.back().loops = surface.loops;
    terms.back().form = std::move(term.form);
  }
  return terms;
}

// Every term has its own orientation and graph: some 1.5 GB at most.
constexpr std::uint64_t most_edges_of_all = std::uint64_t{1} << 26;

/// On the surface that the block brings along.
std::variant<Terms, Refusal> given_terms(const AnyBlock& block, const Rotations& rotations) {
  const RotationSurface surface = surface_of(rotations);
  if (surface.loops > most_loops) {
    const std::string most =
        surface.orientable
            ? fmt::format("genus {}, and up to {} is counted by Pfaffians", surface.genus(), most_loops / 2)
            : fmt::format("{} crosscaps, and up to {} are counted by Pfaffians", surface.genus(), most_loops);
    return Refusal{RefusalKind::structure, "the surface that the graph is drawn on has " + most};
  }
  const std::uint64_t terms = std::uint64_t{1} << surface.loops;
  if (terms * edges_of(block) > most_edges_of_all) {
    return Refusal{RefusalKind::too_large,
                   fmt::format("{} edges are too many for {} Pfaffians", edges_of(block), terms)};
  }
  const BlockGraph graph = block_graph(block);
  return surface_terms_of(block, graph, given_embedding(graph, rotations));
}

}  // namespace

bool are_complex(const Terms& terms) {
  return !terms.empty() && (terms.front().imaginary != 0 || !terms.front().matrix.imaginary.empty());
}

std::uint64_t coefficient_modulo(const Term& term, bool negative, std::uint64_t prime) {
  const PrimeRing ring(prime);
  PrimeRing::Element result = ring.from_int64(term.sign);
  if (term.imaginary != 0)
    ring.add_to(result,
                ring.mul(ring.from_int64(term.imaginary), ring.from_residue(root_of_minus_one(prime))));
  const PrimeRing::Element half = ring.from_residue((prime + 1) / 2);
  for (unsigned k = 0; k < term.halvings; ++k) ring.mul_to(result, half);
  return static_cast<std::uint64_t>(ring.to_residue(negative ? ring.neg(result) : result));
}

// 2^b terms, each with a coefficient of magnitude 2^(-b / 2).
double log2_terms(const Terms& terms) {
  return static_cast<double>(std::bit_width(terms.size() - 1)) / 2;
}

std::vector<std::uint8_t> complex_rows(const SignedMatrix& matrix) {
  std::vector<std::uint8_t> result;
  if (matrix.imaginary.empty()) return result;
  result.resize(matrix.graph.vertices, 0);
  for (Index e = 0; e < matrix.graph.edges.size(); ++e) {
    if (!matrix.is_imaginary(e)) continue;
    result[matrix.graph.edges[e].a] = 1;
    result[matrix.graph.edges[e].b] = 1;
  }
  return result;
}

std::variant<Terms, Refusal> oriented_terms(const AnyBlock& block, bool with_sign) {
  const std::uint64_t vertices = vertices_of(block);
  const std::uint64_t edges = edges_of(block);
  if (vertices + edges > most_ordered)
    return Refusal{RefusalKind::too_large, fmt::format("{} edges are too many", edges)};
  if (has_monomers(block)) {
    const auto larger = with_monomer_path(block);
    if (const auto* const refusal = std::get_if<Refusal>(&larger)) return *refusal;
    auto terms = oriented_terms(std::get<AnyBlock>(larger), with_sign);
    if (auto* const plane = std::get_if<Terms>(&terms)) {
      plane->front().path = static_cast<Index>(vertices_of(std::get<AnyBlock>(larger)) - vertices);
      plane->front().alone = (plane->front().path + 1) / 2;
    }
    return terms;
  }
  if (const Rotations* const rotations = rotations_of(block)) return given_terms(block, *rotations);
  const bool too_many = too_many_edges(vertices, edges, !is_general(block));
  // A torus has 2 edges a vertex where bipartite, and 3 else, at most.
  if (!too_many || edges <= (is_general(block) ? 3 : 2) * vertices) {
    const BlockGraph graph = block_graph(block);
    if (!too_many) {
      // Boost takes 0.1 s to see that a Moebius strip of 60 x 60 is not planar.
      if (edges >= many_edges && !short_cycle_embedding(graph, Surface::plane)) {
        const auto embedding = short_cycle_embedding(graph, Surface::other);
        if (embedding && is_twisted(*embedding)) return surface_terms_of(block, graph, *embedding);
      }
      if (const Planarity planarity = test_planarity(graph); planarity.planar)
        return plane_terms(block, graph, planarity.embedding, with_sign);
    }
    if (const auto embedding = short_cycle_embedding(graph, Surface::torus))
      return torus_terms_of(block, graph, *embedding);
    if (const auto embedding = short_cycle_embedding(graph, Surface::other))
      return surface_terms_of(block, graph, *embedding);
    if (!too_many) {
      return Refusal{RefusalKind::structure,
                     "the graph is not planar, nor a lattice closed to a torus, a Moebius strip or a Klein "
                     "bottle"};
    }
  }
  return Refusal{
      RefusalKind::structure,
      fmt::format("the graph is not planar: {} vertices, and with {} edges more than a planar {}graph has",
                  vertices, edges, is_general(block) ? "" : "bipartite ")};
}

MethodTraits kasteleyn_traits() {
  MethodTraits traits;
  // They compute modulo eight primes side by side where the processor multiplies 52-bit integers, or vectors.
  // One prime alone may as well be a large one.
  traits.prime_bits = lane_prime_bits;
  traits.formula = "Kasteleyn's";
  traits.needs_planarity = true;
  traits.exact_decimals = true;
  return traits;
}

/// Whether its matrix is the conjugate of one before it, so that it has the same bound.
bool PlanarPreparation::is_conjugate(const Term& term) const {
  const auto conjugate = [&term](const Term& other) {
    return !term.form.empty() && std::equal(term.form.begin(), term.form.end(), other.form.begin(),
                                            [](unsigned q, unsigned p) { return (q + p) % 4 == 0; });
  };
  const auto end = terms_.begin() + (&term - terms_.data());
  return are_complex(terms_) && std::any_of(terms_.begin(), end, conjugate);
}

double PlanarPreparation::log2_bound(int threads) {
  if (std::holds_alternative<Block<ComplexRational>>(block_) || not_planar())
    return std::numeric_limits<double>::infinity();
  double bound = -std::numeric_limits<double>::infinity();
  for (const Term& term : terms_) {
    if (is_conjugate(term)) continue;
    bound = std::max(bound, log2_determinant_bound(term.matrix, rows_to_fit_by(term.matrix.graph.vertices),
                                                   threads, complex_rows(term.matrix)));
  }
  if (terms_.size() > 1) bound = UpFloat::up(bound + log2_terms(terms_));
  return with_denominator(block_, bound);
}

std::optional<Refusal> obstacle_of_primes(const AnyBlock& block, const Arithmetic& arithmetic) {
  if (arithmetic.kind == Arithmetic::Kind::floating) {
    return Refusal{
        RefusalKind::arithmetic,
        "it counts exactly, modulo primes, and complex weights take floating point, as frontier's"};
  }
  for (const Modulus& modulus : arithmetic.moduli) {
    if (modulus.prime == 0)
      return Refusal{RefusalKind::arithmetic, "it divides, which takes primes and not a power of two"};
  }
  return countpm::obstacle(block, arithmetic);
}

// How many rows each is fitted by for the bound: a few where the elimination is over in no time. 200 x 200
// (2-core AMD EPYC, Zen 4, 2026-11-21): Bregman-Minc 22,811 bits, 8 rows 17,837 bits in 0.016 s, 16 rows
// 17,341 in 0.048 s, 24 rows 17,133 in 0.097 s, 48 rows 16,982 in 0.36 s; the count has 16,740 bits. Eight
// primes, 400 bits, take 0.05 s; at 500 x 500 0.5 s.
unsigned rows_to_fit_by(std::uint64_t vertices) {
  if (vertices < 16) return 0;
  if (vertices < 16384) return 8;
  return vertices < 131072 ? 16 : 24;
}

double with_denominator(const AnyBlock& block, double log2_bound) {
  const mpz_class scale = denominator(block);
  if (scale != 1) log2_bound = UpFloat::up(log2_bound + log2_up(UpFloat::of(scale)));
  return std::max(log2_bound, 0.0);  // an integer other than 0 is at least 1
}

std::optional<Refusal> PlanarPreparation::obstacle(const Arithmetic& arithmetic) {
  if (auto reason = obstacle_of_primes(block_, arithmetic)) return reason;
  if (auto reason = not_planar()) return reason;
  const bool has_roots = std::all_of(arithmetic.moduli.begin(), arithmetic.moduli.end(),
                                     [](const Modulus& modulus) { return modulus.prime % 4 == 1; });
  if (are_complex(terms_) && !has_roots)
    return Refusal{RefusalKind::arithmetic, "on a one-sided surface it takes primes that are 1 modulo 4"};
  return std::nullopt;
}

std::unique_ptr<Job> PlanarPreparation::make_job(const Arithmetic& arithmetic, const MethodOptions& options) {
  if (not_planar()) throw std::invalid_argument("planar: the block is not planar");
  return make_(std::move(terms_), arithmetic, options);
}

/// Embeds and orients the block, the first time that it is asked.
std::optional<Refusal> PlanarPreparation::not_planar() {
  if (!terms_.empty()) return std::nullopt;
  if (!reason_) {
    auto oriented = oriented_terms(block_);
    if (auto* const terms = std::get_if<Terms>(&oriented)) {
      terms_ = std::move(*terms);
      return std::nullopt;
    }
    reason_ = std::get<Refusal>(std::move(oriented));
  }
  return reason_;
}

}  // namespace countpm::planar
