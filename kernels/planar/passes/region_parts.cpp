#include "kernels/planar/passes/region_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "graph/errors.hpp"
#include "kernels/arithmetic/bound.hpp"
#include "kernels/support/for_parts.hpp"

namespace countpm::planar {
namespace {

// Where one prime at a time is enough, eight side by side would be a waste.
constexpr double few_bits = 122;

/// Where no cycle has an odd number of the edges that come times i: other signs, with which they are real.
/// With vertices of two kinds, which these edges alone join, the rows and columns of one kind are taken times
/// i, and the determinant (Pfaffian) with them.
void make_real(const BlockGraph& graph, const std::vector<std::uint8_t>& times_i, Orientation& orientation) {
  constexpr std::uint8_t unseen = 2;
  const Adjacency adjacent = adjacency(graph);
  std::vector<std::uint8_t> kind(graph.vertices, unseen);
  std::vector<Index> queue;
  for (Index root = 0; root < graph.vertices; ++root) {
    if (kind[root] != unseen) continue;
    kind[root] = 0;
    queue.assign(1, root);
    for (std::size_t head = 0; head < queue.size(); ++head) {
      const Index v = queue[head];
      for (std::uint64_t k = adjacent.start[v]; k < adjacent.start[v + std::size_t{1}]; ++k) {
        const auto across = static_cast<std::uint8_t>(kind[v] ^ times_i[adjacent.edge[k]]);
        std::uint8_t& other = kind[adjacent.neighbour[k]];
        if (other == unseen) {
          other = across;
          queue.push_back(adjacent.neighbour[k]);
        } else if (other != across) {
          throw CheckError("planar: a part of a one-sided surface goes around it");
        }
      }
    }
  }
  for (std::size_t e = 0; e < times_i.size(); ++e) {
    if (kind[graph.edges[e].a] != 0 || kind[graph.edges[e].b] != 0) orientation[e] ^= 1;
  }
}

}  // namespace

double RegionDraw::Region::log2_bound() const {
  const SignedMatrix& matrix = terms[0].matrix;
  Block<mpq_class> block;
  block.general = !graph().bipartite;
  block.matrix.rows = block.matrix.columns = graph().rows;
  const Adjacency adjacent = adjacency(graph());
  for (Index row = 0; row < graph().rows; ++row) {
    for (std::uint64_t k = adjacent.start[row]; k < adjacent.start[row + std::size_t{1}]; ++k) {
      block.matrix.column.push_back(adjacent.neighbour[k] - (graph().bipartite ? graph().rows : 0));
      block.matrix.value.push_back(matrix.values[matrix.value_of[adjacent.edge[k]]]);
    }
    block.matrix.row_start.push_back(block.matrix.column.size());
  }
  return log2_upper_bound(AnyBlock(std::move(block)));
}

/// The part's own graph. Its root front holds what is to be decided and the neighbours of that.
void RegionDraw::build(Region& region, const Task& task, Index border) {
  region.border = border;
  SignedMatrix matrix;
  BlockGraph& graph = matrix.graph;
  graph.bipartite = matrix_.graph.bipartite;
  for (const bool rows : {true, false}) {
    for (const Index v : task.vertices) {
      if (matrix_.graph.is_row(v) != rows) continue;
      local_[v] = static_cast<Index>(region.vertex.size());
      region.vertex.push_back(v);
    }
    if (rows || graph.bipartite) region.vertex.insert(region.vertex.end(), border, no_index);
    if (rows) graph.rows = static_cast<Index>(region.vertex.size());
  }
  graph.vertices = static_cast<Index>(region.vertex.size());
  std::vector<std::uint8_t> together(graph.vertices, 0);
  for (const Index v : task.decided) {
    region.decided.push_back(local_[v]);
    together[local_[v]] = 1;
    for (std::uint64_t k = adjacent_.start[v]; k < adjacent_.start[v + std::size_t{1}]; ++k) {
      const Index w = local_[adjacent_.neighbour[k]];
      if (w != no_index) together[w] = 1;
    }
  }
  std::vector<Index> order;
  std::vector<Index> last;
  for (const Index v : task.vertices) (together[local_[v]] != 0 ? last : order).push_back(local_[v]);
  for (Index v = 0; v < graph.vertices; ++v) {
    if (region.vertex[v] == no_index) last.push_back(v);
  }
  order.insert(order.end(), last.begin(), last.end());

  const std::size_t terms = task.all_terms ? terms_.size() : 1;
  std::vector<Orientation> orientation(terms);
  std::map<Index, Index> value_number;
  std::vector<std::uint8_t> times_i;  // of each edge
  for (Index row = 0; row < graph.rows; ++row) {
    const Index v = region.vertex[row];
    if (v == no_index) continue;
    for (std::uint64_t k = adjacent_.start[v]; k < adjacent_.start[v + std::size_t{1}]; ++k) {
      const Index column = local_[adjacent_.neighbour[k]];
      const Index e = adjacent_.edge[k];
      if (column == no_index || matrix_.graph.edges[e].a != v) continue;
      graph.edges.push_back({std::min(row, column), std::max(row, column), matrix_.graph.edges[e].entry});
      for (std::size_t t = 0; t < terms; ++t) {
        const bool positive = terms_[t].matrix.orientation[e] != 0;
        orientation[t].push_back(positive == (row < column) ? 1 : 0);
      }
      const Index value = matrix_.value_of[e];
      const auto [at, fresh] = value_number.try_emplace(value, static_cast<Index>(value_number.size()));
      if (fresh) {
        matrix.values.push_back(matrix_.values[value]);
        if (!matrix_.imaginary.empty() && task.all_terms)
          matrix.imaginary.push_back(matrix_.imaginary[value]);
      }
      matrix.value_of.push_back(at->second);
      times_i.push_back(matrix_.is_imaginary(e) ? 1 : 0);
    }
  }
  if (!matrix_.imaginary.empty() && !task.all_terms) make_real(graph, times_i, orientation[0]);
  const auto edges_of_part = static_cast<Index>(graph.edges.size());
  for (std::size_t t = 0; t < terms; ++t) {
    region.terms.push_back({matrix, terms_[t].sign});
    region.terms.back().imaginary = terms_[t].imaginary;
    region.terms.back().halvings = terms_[t].halvings;
  }
  for (std::size_t t = 0; t < terms; ++t) region.terms[t].matrix.orientation = std::move(orientation[t]);
  if (border > 0) build_border(region, border);
  region.tree = front_tree(region.graph(), order, static_cast<Index>(last.size()));
  region.edges_at.resize(region.graph().vertices);
  const std::vector<Index>& edges = region.tree.fronts.back().edges;
  for (Index at = 0; at < edges.size(); ++at) {
    if (edges[at] >= edges_of_part) continue;
    region.edges_at[region.graph().edges[edges[at]].a].push_back(at);
    region.edges_at[region.graph().edges[edges[at]].b].push_back(at);
  }
}

/// Random numbers between the border and everything, itself too.
void RegionDraw::build_border(Region& region, Index border) const {
  constexpr std::uint64_t seed = 23;
  constexpr std::uint64_t numbers = std::uint64_t{1} << 30;
  CounterRandom random(seed, border, 0);
  SignedMatrix matrix = region.terms[0].matrix;
  const std::size_t edges_of_part = matrix.graph.edges.size();
  const auto join = [&](Index a, Index b) {
    matrix.graph.edges.push_back({a, b, 0});
    matrix.value_of.push_back(static_cast<Index>(matrix.values.size()));
    matrix.values.emplace_back(mpz_class(static_cast<std::uint64_t>(1 + random.below(numbers))));
    if (!matrix.imaginary.empty()) matrix.imaginary.push_back(0);
  };
  const BlockGraph& graph = matrix.graph;
  for (Index a = 0; a < graph.rows; ++a) {
    for (Index b = graph.bipartite ? graph.rows : a + 1; b < graph.vertices; ++b) {
      if (region.vertex[a] == no_index || region.vertex[b] == no_index) join(a, b);
    }
  }
  for (Term& term : region.terms) {
    Orientation orientation = std::move(term.matrix.orientation);
    orientation.resize(graph.edges.size(), 1);
    std::fill(orientation.begin() + static_cast<std::ptrdiff_t>(edges_of_part), orientation.end(), 1);
    term.matrix = matrix;
    term.matrix.orientation = std::move(orientation);
  }
}

/// Sets groups, join and total from primes number next_prime and on. Where there is more than one term,
/// throws UnluckyPrimes.
void RegionDraw::invert(Region& region, double bits, std::size_t& next_prime, const StopSignal& stop) {
  const bool wide = bits > few_bits && wide_lanes() != nullptr;
  const LaneCode& code = wide ? *wide_lanes() : portable_lanes();
  // The primes just below 2^60 and 2^lane_prime_bits lose less than 0.01 bits each.
  const auto primes = static_cast<std::size_t>(std::ceil(bits / (wide ? lane_prime_bits - 0.01 : 59.99)));
  const std::size_t wanted = (primes + code.width - 1) / code.width;
  const BlockGraph& graph = region.graph();
  const Front& root = region.tree.fronts.back();
  std::size_t rows = 0;
  for (const Index v : root.own) rows += graph.is_row(v) ? 1 : 0;
  const std::size_t columns = graph.bipartite ? root.own.size() - rows : rows;
  const std::uint64_t bytes = wanted * region.terms.size() * RegionInverse::bytes(rows, columns, code.width) +
                              static_cast<std::uint64_t>(limits_.threads) * code.width * 8 *
                                  (region.tree.total.front_words + region.tree.total.stack_words);
  bytes_needed_ = std::max(bytes_needed_, bytes);
  if (bytes > limits_.memory_bytes) {
    throw UnableError(fmt::format("a random matching of the planar graph needs {:.1f} MiB of memory",
                                  static_cast<double>(bytes) / (1 << 20)),
                      "a larger --memory-limit, where the machine has it");
  }
  region.groups.clear();
  std::vector<std::uint64_t> used;
  while (region.groups.size() < wanted) {
    const std::size_t missing = wanted - region.groups.size();
    const std::vector<std::uint64_t> list = primes_from(wide, next_prime, missing * code.width);
    next_prime += list.size();
    std::vector<std::vector<std::unique_ptr<RegionInverse>>> fresh(missing);
    for_parts(missing, limits_.threads, stop, [&](std::size_t g) {
      const auto begin = list.begin() + static_cast<std::ptrdiff_t>(g * code.width);
      try {
        for (const Term& term : region.terms) {
          fresh[g].push_back(std::make_unique<RegionInverse>(
              term.matrix, region.tree, code, std::vector<std::uint64_t>(begin, begin + code.width),
              region.border, stop));
        }
      } catch (const UnluckyPrimes&) {
        fresh[g].clear();
      }
    });
    for (std::size_t g = 0; g < missing; ++g) {
      if (fresh[g].empty()) continue;
      region.groups.push_back(std::move(fresh[g]));
      for (std::size_t k = 0; k < code.width; ++k) used.push_back(list[g * code.width + k]);
    }
    if (region.groups.size() < wanted && region.terms.size() > 1) throw UnluckyPrimes();
    if (next_prime > 2 * wanted * code.width + 1024)
      throw CheckError("planar: the determinant of a region is zero modulo too many primes");
  }
  region.join = std::make_unique<ResidueJoin>(std::move(used));
  add_up(region);
}

/// The sum over the perfect matchings, and that the weights come with its sign.
void RegionDraw::add_up(Region& region) const {
  const std::vector<std::uint64_t>& primes = region.join->primes();
  std::vector<std::uint64_t> residues(primes.size(), 0);
  const auto for_all_groups = [&](const auto& each) {
    std::size_t first = 0;
    for (const auto& group : region.groups) {
      for (std::size_t t = 0; t < group.size(); ++t) each(*group[t], region.terms[t], first);
      first += group[0]->primes();
    }
  };
  // One term alone counts once, whatever sign it has.
  const bool alone = region.terms.size() == 1;
  for_all_groups([&](RegionInverse& inverse, const Term& term, std::size_t first) {
    std::vector<std::uint64_t> times;
    for (std::size_t k = first; k < first + inverse.primes(); ++k)
      times.push_back(alone ? 1 : coefficient_modulo(term, false, primes[k]));
    inverse.multiply(times);
    for (std::size_t k = 0; k < inverse.primes(); ++k) {
      const std::uint64_t prime = primes[first + k];
      const auto part = static_cast<uint128>(inverse.determinant()[k]) * times[k] % prime;
      residues[first + k] = static_cast<std::uint64_t>((residues[first + k] + part) % prime);
    }
  });
  region.total = region.join->join_signed(residues.data());
  if (region.total < 0) {
    for_all_groups([&](RegionInverse& inverse, const Term& /*term*/, std::size_t first) {
      std::vector<std::uint64_t> minus;
      for (std::size_t k = first; k < first + inverse.primes(); ++k) minus.push_back(primes[k] - 1);
      inverse.multiply(minus);
    });
  }
  region.total = abs(region.total);
}

std::vector<std::uint64_t> RegionDraw::primes_from(bool wide, std::size_t first, std::size_t count) {
  std::vector<std::uint64_t>& known = primes_[wide ? 1 : 0];
  if (known.size() < first + count) {
    known.clear();
    for (const Modulus& modulus :
         choose_primes(static_cast<unsigned>(2 * (first + count)), {}, wide ? lane_prime_bits : 60))
      known.push_back(modulus.prime);
  }
  const auto begin = known.begin() + static_cast<std::ptrdiff_t>(first);
  return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}

}  // namespace countpm::planar
