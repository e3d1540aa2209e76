#include "kernels/planar/passes/region_draw.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numeric>

#include "graph/errors.hpp"
#include "kernels/arithmetic/bound.hpp"
#include "kernels/arithmetic/residue_join.hpp"
#include "kernels/planar/passes/edge_shares.hpp"
#include "kernels/planar/passes/region.hpp"
#include "kernels/support/for_parts.hpp"
#include "kernels/support/instruction_sets.hpp"

namespace countpm::planar {
namespace {

// Where one prime at a time is enough, eight side by side would be a waste.
constexpr double few_bits = 122;
// Elements of all groups' pivot rows and columns from which on threads are worth their start.
constexpr std::size_t worth_threads = 2000;

double log2_of(const mpz_class& value) {
  long exponent = 0;
  const double mantissa = mpz_get_d_2exp(&exponent, value.get_mpz_t());
  return std::log2(mantissa) + static_cast<double>(exponent);
}

/// Whether the sum over a part may be one of those that multiply to `product`, or is the last.
bool fits(const mpz_class& part, const mpz_class& product, bool only) {
  return only ? part == product : mpz_divisible_p(product.get_mpz_t(), part.get_mpz_t()) != 0;
}

}  // namespace

/// Parts whose sums multiply to `product`, where that is known; `left` of them are not decided yet.
struct RegionDraw::Siblings {
  std::optional<mpz_class> product;
  std::size_t left = 0;
};

struct RegionDraw::Task {
  Index front = 0;  // its subtree
  std::shared_ptr<Siblings> siblings;
};

/// What is not matched of a subtree, and the vertices that are to be matched now.
class RegionDraw::Region {
 public:
  SignedMatrix matrix;  // rows, then columns, by local numbers
  FrontTree tree;
  std::vector<Index> vertex;   // of a local number
  std::vector<Index> decided;  // local numbers
  // Of a vertex: which of the root front's edges are at it.
  std::vector<std::vector<Index>> edges_at;

  std::unique_ptr<ResidueJoin> join;
  std::vector<std::unique_ptr<RegionInverse>> groups;
  mpz_class total;

  double log2_bound() const {
    const BlockGraph& graph = matrix.graph;
    Block<mpq_class> block;
    block.general = !graph.bipartite;
    block.matrix.rows = block.matrix.columns = graph.rows;
    const Adjacency adjacent = adjacency(graph);
    for (Index row = 0; row < graph.rows; ++row) {
      for (std::uint64_t k = adjacent.start[row]; k < adjacent.start[row + std::size_t{1}]; ++k) {
        block.matrix.column.push_back(adjacent.neighbour[k] - (graph.bipartite ? graph.rows : 0));
        block.matrix.value.push_back(matrix.values[matrix.value_of[adjacent.edge[k]]]);
      }
      block.matrix.row_start.push_back(block.matrix.column.size());
    }
    return log2_upper_bound(AnyBlock(std::move(block)));
  }
};

RegionDraw::RegionDraw(const SignedMatrix& matrix, const FrontTree& tree, LayerLimits limits,
                       std::size_t small_region)
    : matrix_(matrix),
      tree_(tree),
      limits_(limits),
      small_region_(small_region),
      adjacent_(adjacency(matrix.graph)),
      children_(tree.fronts.size()),
      local_(matrix.graph.vertices, no_index) {
  const std::vector<Index> parent = parents_of(tree);
  first_front_.resize(tree.fronts.size());
  std::iota(first_front_.begin(), first_front_.end(), Index{0});
  for (Index k = 0; k < tree.fronts.size(); ++k) {
    front_start_.push_back(sequence_.size());
    sequence_.insert(sequence_.end(), tree.fronts[k].own.begin(), tree.fronts[k].own.end());
    if (parent[k] == no_index) {
      roots_.push_back(k);
    } else {
      children_[parent[k]].push_back(k);
      first_front_[parent[k]] = std::min(first_front_[parent[k]], first_front_[k]);
    }
  }
  front_start_.push_back(sequence_.size());
}

std::vector<Index> RegionDraw::draw(CounterRandom& random, const StopSignal& stop,
                                    const std::function<void(double)>& progress) {
  mate_.assign(matrix_.graph.vertices, no_index);
  std::vector<Task> tasks;
  const auto push = [&](const std::vector<Index>& fronts, const std::shared_ptr<Siblings>& siblings) {
    for (const Index front : fronts) {
      if (unmatched_of(front).empty()) continue;
      tasks.push_back({front, siblings});
      ++siblings->left;
    }
  };
  push(roots_, std::make_shared<Siblings>(Siblings{total_}));
  std::size_t matched = 0;
  while (!tasks.empty()) {
    stop.check();
    const Task task = tasks.back();
    tasks.pop_back();
    const std::vector<Index> vertices = unmatched_of(task.front);
    std::optional<mpz_class> rest = solve(task, vertices, random, stop);
    for (const Index v : vertices) matched += mate_[v] == no_index ? 0 : 1;
    --task.siblings->left;
    push(children_[task.front],
         rest ? std::make_shared<Siblings>(Siblings{std::move(*rest)}) : task.siblings);
    if (progress) progress(static_cast<double>(matched) / static_cast<double>(mate_.size()));
  }
  return {mate_.begin(), mate_.begin() + matrix_.graph.rows};
}

std::vector<Index> RegionDraw::unmatched_of(Index front) const {
  std::vector<Index> result;
  for (std::size_t k = front_start_[first_front_[front]]; k < front_start_[front + std::size_t{1}]; ++k) {
    if (mate_[sequence_[k]] == no_index) result.push_back(sequence_[k]);
  }
  return result;
}

/// Matches what is left of the front's own vertices; all of a small part. Returns the sum over the matchings
/// of what remains; none where there was nothing to match.
std::optional<mpz_class> RegionDraw::solve(const Task& task, const std::vector<Index>& vertices,
                                           CounterRandom& random, const StopSignal& stop) {
  std::vector<Index> decided;
  const bool small = vertices.size() <= small_region_;
  for (const Index v : small ? vertices : tree_.fronts[task.front].own) {
    if (mate_[v] == no_index && (!small || matrix_.graph.is_row(v))) decided.push_back(v);
  }
  if (decided.empty()) return std::nullopt;
  Region region;
  build(region, vertices, decided);
  Siblings& siblings = *task.siblings;
  const bool only = siblings.left == 1;
  const bool known = only && siblings.product;
  double most = known ? 0 : region.log2_bound();
  // The sums of the other parts are positive integers.
  if (siblings.product)
    most = known ? log2_of(*siblings.product) : std::min(most, log2_of(*siblings.product));
  const double bits = std::floor(most) + 2;
  const CounterRandom start = random;
  std::size_t next_prime = 0;
  mpz_class rest;
  for (bool done = false; !done;) {
    invert(region, bits, next_prime, stop);
    if (siblings.product && !fits(region.total, *siblings.product, only))
      throw CheckError("planar: the sums over the parts of a region do not multiply to that of the region");
    try {
      rest = decide(region, random, stop);
      done = true;
    } catch (const UnluckyPrimes&) {
      random = start;
      for (const Index v : vertices) mate_[v] = no_index;
    }
  }
  if (siblings.product) {
    mpz_class& product = *siblings.product;
    mpz_divexact(product.get_mpz_t(), product.get_mpz_t(), region.total.get_mpz_t());
  } else if (only && roots_.size() == 1) {
    total_ = region.total;  // the first draw of all
  }
  for (const Index v : vertices) local_[v] = no_index;
  return rest;
}

/// The part's own graph. Its root front holds what is to be decided and the neighbours of that.
void RegionDraw::build(Region& region, const std::vector<Index>& vertices,
                       const std::vector<Index>& decided) {
  for (const bool rows : {true, false}) {
    for (const Index v : vertices) {
      if (matrix_.graph.is_row(v) != rows) continue;
      local_[v] = static_cast<Index>(region.vertex.size());
      region.vertex.push_back(v);
    }
    if (rows) region.matrix.graph.rows = static_cast<Index>(region.vertex.size());
  }
  BlockGraph& graph = region.matrix.graph;
  graph.bipartite = matrix_.graph.bipartite;
  graph.vertices = static_cast<Index>(region.vertex.size());
  std::vector<std::uint8_t> together(graph.vertices, 0);
  for (const Index v : decided) {
    region.decided.push_back(local_[v]);
    together[local_[v]] = 1;
    for (std::uint64_t k = adjacent_.start[v]; k < adjacent_.start[v + std::size_t{1}]; ++k) {
      const Index w = local_[adjacent_.neighbour[k]];
      if (w != no_index) together[w] = 1;
    }
  }
  std::vector<Index> order;
  std::vector<Index> last;
  for (const Index v : vertices) (together[local_[v]] != 0 ? last : order).push_back(local_[v]);
  order.insert(order.end(), last.begin(), last.end());

  std::map<Index, Index> value_number;
  for (Index row = 0; row < graph.rows; ++row) {
    const Index v = region.vertex[row];
    for (std::uint64_t k = adjacent_.start[v]; k < adjacent_.start[v + std::size_t{1}]; ++k) {
      const Index column = local_[adjacent_.neighbour[k]];
      const Index e = adjacent_.edge[k];
      if (column == no_index || matrix_.graph.edges[e].a != v) continue;
      graph.edges.push_back({std::min(row, column), std::max(row, column), matrix_.graph.edges[e].entry});
      const bool positive = matrix_.orientation[e] != 0;
      region.matrix.orientation.push_back(positive == (row < column) ? 1 : 0);
      const Index value = matrix_.value_of[e];
      const auto [at, fresh] = value_number.try_emplace(value, static_cast<Index>(value_number.size()));
      if (fresh) region.matrix.values.push_back(matrix_.values[value]);
      region.matrix.value_of.push_back(at->second);
    }
  }
  region.tree = front_tree(graph, order, static_cast<Index>(last.size()));
  region.edges_at.resize(graph.vertices);
  const std::vector<Index>& edges = region.tree.fronts.back().edges;
  for (Index at = 0; at < edges.size(); ++at) {
    region.edges_at[graph.edges[edges[at]].a].push_back(at);
    region.edges_at[graph.edges[edges[at]].b].push_back(at);
  }
}

/// Sets groups, join and total from primes number next_prime and on.
void RegionDraw::invert(Region& region, double bits, std::size_t& next_prime, const StopSignal& stop) {
  const bool wide = bits > few_bits && processor_has(InstructionSet::avx512);
  const LaneCode& code = wide ? avx512_lanes() : portable_lanes();
  // The primes just below 2^61 and 2^50 lose less than 0.01 bits each.
  const auto primes = static_cast<std::size_t>(std::ceil(bits / (wide ? 49.99 : 60.99)));
  const std::size_t wanted = (primes + code.width - 1) / code.width;
  const Front& root = region.tree.fronts.back();
  std::size_t rows = 0;
  for (const Index v : root.own) rows += region.matrix.graph.is_row(v) ? 1 : 0;
  const std::size_t columns = region.matrix.graph.bipartite ? root.own.size() - rows : rows;
  const std::uint64_t bytes = wanted * RegionInverse::bytes(rows, columns, code.width) +
                              static_cast<std::uint64_t>(limits_.threads) * code.width * 8 *
                                  (region.tree.total.front_words + region.tree.total.stack_words);
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
    std::vector<std::unique_ptr<RegionInverse>> fresh(missing);
    for_parts(missing, limits_.threads, stop, [&](std::size_t g) {
      const auto begin = list.begin() + static_cast<std::ptrdiff_t>(g * code.width);
      try {
        fresh[g] = std::make_unique<RegionInverse>(
            region.matrix, region.tree, code, std::vector<std::uint64_t>(begin, begin + code.width), stop);
      } catch (const UnluckyPrimes&) {
        fresh[g] = nullptr;
      }
    });
    for (std::size_t g = 0; g < missing; ++g) {
      if (fresh[g] == nullptr) continue;
      region.groups.push_back(std::move(fresh[g]));
      for (std::size_t k = 0; k < code.width; ++k) used.push_back(list[g * code.width + k]);
    }
    if (next_prime > 2 * wanted * code.width + 1024)
      throw CheckError("planar: the determinant of a region is zero modulo too many primes");
  }
  region.join = std::make_unique<ResidueJoin>(std::move(used));
  std::vector<std::uint64_t> residues;
  for (const auto& group : region.groups)
    residues.insert(residues.end(), group->determinant().begin(), group->determinant().end());
  region.total = abs(region.join->join_signed(residues.data()));
}

/// Matches the vertices that are to be matched; returns the sum over the matchings of what is left.
mpz_class RegionDraw::decide(Region& region, CounterRandom& random, const StopSignal& stop) {
  const BlockGraph& graph = region.matrix.graph;
  const std::vector<Index>& edges = region.tree.fronts.back().edges;
  mpz_class total = region.total;
  std::vector<std::uint64_t> residues;  // of total
  for (const std::uint64_t p : region.join->primes()) residues.push_back(mpz_fdiv_ui(total.get_mpz_t(), p));
  const std::size_t elements = region.groups.size() * region.tree.fronts.back().own.size();
  const int threads = elements > worth_threads ? limits_.threads : 1;
  for (const Index v : region.decided) {
    if (mate_[region.vertex[v]] != no_index) continue;
    const std::size_t at = choose(region, v, total, residues, random);
    const BlockGraph::Edge& edge = graph.edges[edges[at]];
    mate_[region.vertex[edge.a]] = region.vertex[edge.b];
    mate_[region.vertex[edge.b]] = region.vertex[edge.a];
    for_parts(region.groups.size(), threads, stop, [&](std::size_t g) { region.groups[g]->take(at); });
  }
  return total;
}

/// The edge (of the root front) that v is matched by; `total` and its residues become those of what is left.
std::size_t RegionDraw::choose(Region& region, Index v, mpz_class& total,
                               std::vector<std::uint64_t>& residues, CounterRandom& random) const {
  const BlockGraph& graph = region.matrix.graph;
  const std::vector<Index>& edges = region.tree.fronts.back().edges;
  std::vector<std::size_t> open;
  for (const Index at : region.edges_at[v]) {
    const BlockGraph::Edge& edge = graph.edges[edges[at]];
    if (mate_[region.vertex[edge.a == v ? edge.b : edge.a]] == no_index) open.push_back(at);
  }
  std::vector<mpz_class> weight;
  mpz_class sum;
  std::vector<std::vector<std::uint64_t>> weighed(open.size(), std::vector<std::uint64_t>(residues.size()));
  for (std::size_t c = 0; c < open.size(); ++c) {
    std::size_t first = 0;
    for (const auto& group : region.groups) {
      group->weigh(open[c], residues.data() + first, weighed[c].data() + first);
      first += group->primes();
    }
    weight.push_back(region.join->join(weighed[c].data()));
    sum += weight.back();
  }
  if (sum != total) {
    throw CheckError(fmt::format("planar: the edges of a vertex share {} of the matchings' weight, not {}",
                                 sum.get_str(), total.get_str()));
  }
  mpz_class number = random.below(total);
  std::size_t chosen = 0;
  for (; number >= weight[chosen]; ++chosen) number -= weight[chosen];
  const mpz_class& value = region.matrix.values[region.matrix.value_of[edges[open[chosen]]]].get_num();
  if (value == 1) {
    total = weight[chosen];
    residues = std::move(weighed[chosen]);
  } else {
    mpz_divexact(total.get_mpz_t(), weight[chosen].get_mpz_t(), value.get_mpz_t());
    for (std::size_t k = 0; k < residues.size(); ++k)
      residues[k] = mpz_fdiv_ui(total.get_mpz_t(), region.join->primes()[k]);
  }
  return open[chosen];
}

std::vector<std::uint64_t> RegionDraw::primes_from(bool wide, std::size_t first, std::size_t count) {
  std::vector<std::uint64_t>& known = primes_[wide ? 1 : 0];
  if (known.size() < first + count) {
    known.clear();
    for (const Modulus& modulus :
         choose_primes(static_cast<unsigned>(2 * (first + count)), {}, wide ? 50 : 61))
      known.push_back(modulus.prime);
  }
  const auto begin = known.begin() + static_cast<std::ptrdiff_t>(first);
  return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}

}  // namespace countpm::planar
