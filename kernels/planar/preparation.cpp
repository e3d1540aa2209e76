#include "kernels/planar/preparation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "kernels/arithmetic/bound.hpp"
#include "kernels/arithmetic/dispatch.hpp"
#include "kernels/arithmetic/up_float.hpp"
#include "kernels/planar/elimination/determinant_bound.hpp"
#include "kernels/planar/orientation/embedding.hpp"
#include "kernels/planar/orientation/short_cycle_embedding.hpp"
#include "kernels/planar/orientation/torus_kasteleyn.hpp"

namespace countpm::planar {
namespace {

// METIS counts vertices and directed edges in 31 bits.
constexpr std::uint64_t most_edges = std::uint64_t{1} << 29;

// How many rows each is fitted by for the bound: a few where the elimination is over in no time. 200 x 200
// (2-core AMD EPYC, Zen 4, 2026-11-21): Bregman-Minc 22,811 bits, 8 rows 17,837 bits in 0.016 s, 16 rows
// 17,341 in 0.048 s, 24 rows 17,133 in 0.097 s, 48 rows 16,982 in 0.36 s; the count has 16,740 bits. Eight
// primes, 400 bits, take 0.05 s; at 500 x 500 0.5 s.
unsigned rows_to_fit_by(std::uint64_t vertices) {
  if (vertices < 16) return 0;
  if (vertices < 16384) return 8;
  return vertices < 131072 ? 16 : 24;
}

}  // namespace

MethodTraits kasteleyn_traits() {
  MethodTraits traits;
  // They compute modulo eight primes side by side where the processor multiplies 52-bit integers. One prime
  // alone may as well be a large one.
  traits.prime_bits = 50;
  traits.formula = "Kasteleyn's";
  traits.needs_planarity = true;
  return traits;
}

double PlanarPreparation::log2_bound() {
  if (std::holds_alternative<Block<ComplexRational>>(block_) || not_planar())
    return std::numeric_limits<double>::infinity();
  double bound = -std::numeric_limits<double>::infinity();
  for (const Term& term : terms_)
    bound = std::max(bound, log2_determinant_bound(term.matrix, rows_to_fit_by(term.matrix.graph.vertices)));
  if (terms_.size() == 4) bound = UpFloat::up(bound + 1);  // half of four such terms
  const mpz_class scale = denominator(block_);
  if (scale != 1) bound = UpFloat::up(bound + log2_up(UpFloat::of(scale)));
  return std::max(bound, 0.0);  // an integer other than 0 is at least 1
}

std::optional<Refusal> PlanarPreparation::obstacle(const Arithmetic& arithmetic) {
  if (arithmetic.kind == Arithmetic::Kind::floating) {
    return Refusal{
        RefusalKind::arithmetic,
        "it counts exactly, modulo primes; write the weights as fractions or decimals, or take frontier"};
  }
  for (const Modulus& modulus : arithmetic.moduli) {
    if (modulus.prime == 0)
      return Refusal{RefusalKind::arithmetic, "it divides, which takes primes and not a power of two"};
  }
  if (auto reason = countpm::obstacle(block_, arithmetic)) return reason;
  return not_planar();
}

std::unique_ptr<Job> PlanarPreparation::make_job(const Arithmetic& arithmetic,
                                                 const MethodOptions& /*options*/) {
  if (not_planar()) throw std::invalid_argument("planar: the block is not planar");
  return make_(std::move(terms_), arithmetic);
}

/// Embeds and orients the block, the first time that it is asked.
std::optional<Refusal> PlanarPreparation::not_planar() {
  if (!terms_.empty()) return std::nullopt;
  if (!reason_) reason_ = try_to_embed();
  return reason_;
}

std::optional<Refusal> PlanarPreparation::try_to_embed() {
  const std::uint64_t vertices = vertices_of(block_);
  const std::uint64_t edges = edges_of(block_);
  if (vertices + edges > most_edges)
    return Refusal{RefusalKind::too_large, fmt::format("{} edges are too many", edges)};
  const bool too_many = too_many_edges(vertices, edges, !is_general(block_));
  // A torus has 2 edges a vertex where bipartite, and 3 else, at most.
  if (!too_many || edges <= (is_general(block_) ? 3 : 2) * vertices) {
    BlockGraph graph = block_graph(block_);
    if (embed_in_plane(graph, too_many) || embed_on_torus(graph)) return std::nullopt;
    if (!too_many)
      return Refusal{RefusalKind::structure, "the graph is not planar, nor a lattice closed to a torus"};
  }
  return Refusal{
      RefusalKind::structure,
      fmt::format("the graph is not planar: {} vertices, and with {} edges more than a planar {}graph has",
                  vertices, edges, is_general(block_) ? "" : "bipartite ")};
}

bool PlanarPreparation::embed_in_plane(const BlockGraph& graph, bool too_many) {
  if (too_many) return false;
  const Planarity planarity = test_planarity(graph);
  if (!planarity.planar) return false;
  Orientation orientation = kasteleyn_orientation(graph, planarity.embedding);
  const std::vector<Index> matching = one_perfect_matching(graph);
  const int sign = matching.empty() && graph.vertices != 0 ? 0 : term_sign(graph, orientation, matching);
  terms_.push_back({signed_matrix(block_, graph, std::move(orientation)), sign});
  return true;
}

bool PlanarPreparation::embed_on_torus(const BlockGraph& graph) {
  const std::optional<Embedding> embedding = short_cycle_embedding(graph, Surface::torus);
  if (!embedding) return false;
  const std::vector<Index> matching = one_perfect_matching(graph);
  if (matching.empty()) {
    terms_.push_back({signed_matrix(block_, graph, Orientation(graph.edges.size(), 1)), 0});
    return true;
  }
  for (TorusTerm& term : torus_terms(graph, *embedding, matching))
    terms_.push_back({signed_matrix(block_, graph, std::move(term.orientation)), term.sign});
  return true;
}

}  // namespace countpm::planar
