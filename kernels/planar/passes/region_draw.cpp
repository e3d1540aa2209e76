#include "kernels/planar/passes/region_draw.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "graph/errors.hpp"
#include "kernels/planar/passes/region_parts.hpp"
#include "kernels/planar/passes/use_residues.hpp"
#include "kernels/support/for_parts.hpp"

namespace countpm::planar {
namespace {

// Beyond so many rows missing of a matrix something else is wrong.
constexpr Index most_border = 64;
// Elements of all groups' pivot rows and columns from which on threads are worth their start.
constexpr std::size_t worth_threads = 2000;

double log2_of(const mpz_class& value) {
  std::int64_t exponent = 0;
  const double mantissa = mpz_get_d_2exp(&exponent, value.get_mpz_t());
  return std::log2(mantissa) + static_cast<double>(exponent);
}

/// Whether the sum over a part may be one of those that multiply to `product`, or is the last.
bool fits(const mpz_class& part, const mpz_class& product, bool only) {
  return only ? part == product : mpz_divisible_p(product.get_mpz_t(), part.get_mpz_t()) != 0;
}

}  // namespace

RegionDraw::RegionDraw(const Terms& terms, const FrontTree& tree, LayerLimits limits,
                       std::size_t small_region)
    : terms_(terms),
      matrix_(terms[0].matrix),
      tree_(tree),
      limits_(limits),
      small_region_(small_region),
      adjacent_(adjacency(matrix_.graph)),
      children_(tree.fronts.size()),
      local_(matrix_.graph.vertices, no_index) {
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
  find_top();
}

/// Whether the subtree's own vertices have a cycle on which the terms' orientations differ in an odd number
/// of edges.
bool RegionDraw::goes_around(Index front) const {
  if (terms_.size() == 1) return false;
  const auto differs = [&](Index e) {
    std::uint32_t terms = 0;
    for (std::size_t t = 1; t < terms_.size(); ++t)
      terms |= static_cast<std::uint32_t>(terms_[t].matrix.orientation[e] ^ matrix_.orientation[e]) << t;
    return terms;
  };
  constexpr std::uint32_t outside = std::uint32_t{1} << 30;
  constexpr std::uint32_t unseen = std::uint32_t{1} << 31;
  std::vector<std::uint32_t> potential(matrix_.graph.vertices, outside);
  const std::size_t first = front_start_[first_front_[front]];
  const std::size_t last = front_start_[front + std::size_t{1}];
  for (std::size_t k = first; k < last; ++k) potential[sequence_[k]] = unseen;
  std::vector<Index> queue;
  for (std::size_t k = first; k < last; ++k) {
    if (potential[sequence_[k]] != unseen) continue;
    potential[sequence_[k]] = 0;
    queue.assign(1, sequence_[k]);
    for (std::size_t head = 0; head < queue.size(); ++head) {
      const Index v = queue[head];
      for (std::uint64_t a = adjacent_.start[v]; a < adjacent_.start[v + std::size_t{1}]; ++a) {
        const Index w = adjacent_.neighbour[a];
        if (potential[w] == outside) continue;
        const std::uint32_t across = potential[v] ^ differs(adjacent_.edge[a]);
        if (potential[w] == unseen) {
          potential[w] = across;
          queue.push_back(w);
        } else if (potential[w] != across) {
          return true;
        }
      }
    }
  }
  return false;
}

void RegionDraw::find_top() {
  std::vector<Index> open = roots_;
  for (std::size_t k = 0; k < open.size(); ++k) {
    const Index front = open[k];
    if (goes_around(front)) {
      top_.push_back(front);
      for (const Index child : children_[front]) open.push_back(child);
    } else {
      below_.push_back(front);
    }
  }
}

std::vector<Index> RegionDraw::draw(CounterRandom& random, const StopSignal& stop,
                                    const std::function<void(double)>& progress) {
  mate_.assign(matrix_.graph.vertices, no_index);
  std::vector<Task> tasks;
  const auto push = [&](const std::vector<Index>& fronts, const std::shared_ptr<Siblings>& siblings) {
    for (const Index front : fronts) {
      Task task = task_of(front, siblings);
      if (task.vertices.empty()) continue;
      tasks.push_back(std::move(task));
      ++siblings->left;
    }
  };
  const auto whole = std::make_shared<Siblings>(Siblings{total_});
  if (top_.empty()) {
    push(below_, whole);
  } else {
    tasks.push_back(task_of_top(whole));
    ++whole->left;
  }
  std::size_t matched = 0;
  while (!tasks.empty()) {
    stop.check();
    const Task task = std::move(tasks.back());
    tasks.pop_back();
    std::optional<mpz_class> rest = solve(task, random, stop);
    for (const Index v : task.vertices) matched += mate_[v] == no_index ? 0 : 1;
    --task.siblings->left;
    push(task.children, rest ? std::make_shared<Siblings>(Siblings{std::move(*rest)}) : task.siblings);
    if (progress) progress(static_cast<double>(matched) / static_cast<double>(mate_.size()));
  }
  return {mate_.begin(), mate_.begin() + matrix_.graph.rows};
}

RegionDraw RegionDraw::on_one_thread(std::uint64_t memory_bytes) const {
  RegionDraw result = *this;
  result.limits_ = {memory_bytes, 1};
  return result;
}

std::vector<Index> RegionDraw::unmatched_of(Index front) const {
  std::vector<Index> result;
  for (std::size_t k = front_start_[first_front_[front]]; k < front_start_[front + std::size_t{1}]; ++k) {
    if (mate_[sequence_[k]] == no_index) result.push_back(sequence_[k]);
  }
  return result;
}

/// The front's own vertices are to be matched; all of a small part, which then are the rows, for a matching
/// of the rows is one of all.
RegionDraw::Task RegionDraw::task_of(Index front, const std::shared_ptr<Siblings>& siblings) const {
  Task task{unmatched_of(front), {}, children_[front], siblings, false};
  const bool small = task.vertices.size() <= small_region_;
  for (const Index v : small ? task.vertices : tree_.fronts[front].own) {
    if (mate_[v] == no_index && (!small || matrix_.graph.is_row(v))) task.decided.push_back(v);
  }
  return task;
}

RegionDraw::Task RegionDraw::task_of_top(const std::shared_ptr<Siblings>& siblings) const {
  Task task{sequence_, {}, below_, siblings, true};
  if (sequence_.size() <= small_region_) {
    for (const Index v : sequence_) {
      if (matrix_.graph.is_row(v)) task.decided.push_back(v);
    }
    return task;
  }
  for (const Index front : top_)
    task.decided.insert(task.decided.end(), tree_.fronts[front].own.begin(), tree_.fronts[front].own.end());
  return task;
}

/// Matches what is to be matched now. Returns the sum over the matchings of what remains; none where there
/// was nothing to match.
std::optional<mpz_class> RegionDraw::solve(const Task& task, CounterRandom& random, const StopSignal& stop) {
  if (task.decided.empty()) return std::nullopt;
  Region region;
  build(region, task, 0);
  Siblings& siblings = *task.siblings;
  const bool only = siblings.left == 1;
  const bool known = only && siblings.product;
  double most = known ? 0 : region.log2_bound();
  // The sums of the other parts are positive integers.
  if (siblings.product)
    most = known ? log2_of(*siblings.product) : std::min(most, log2_of(*siblings.product));
  mpz_class rest;
  if (task.all_terms && border_ > 0) rebuild(region, task, border_);
  match(region, task, std::floor(most) + 2, rest, random, stop);
  if (siblings.product) {
    mpz_class& product = *siblings.product;
    mpz_divexact(product.get_mpz_t(), product.get_mpz_t(), region.total.get_mpz_t());
  } else if (only && roots_.size() == 1) {
    total_ = region.total;  // the first draw of all
  }
  for (const Index v : task.vertices) local_[v] = no_index;
  return rest;
}

void RegionDraw::rebuild(Region& region, const Task& task, Index border) {
  for (const Index v : task.vertices) local_[v] = no_index;
  region = Region();
  build(region, task, border);
}

/// decide(), with other primes where some are unlucky, and with a larger border where one of several terms is
/// singular.
void RegionDraw::match(Region& region, const Task& task, double bits, mpz_class& rest, CounterRandom& random,
                       const StopSignal& stop) {
  const Siblings& siblings = *task.siblings;
  const bool only = siblings.left == 1;
  const CounterRandom start = random;
  std::size_t next_prime = 0;
  for (Index border = region.border;;) {
    try {
      invert(region, bits, next_prime, stop);
      if (siblings.product && !fits(region.total, *siblings.product, only))
        throw CheckError("planar: the sums over the parts of a region do not multiply to that of the region");
      rest = decide(region, random, stop);
      if (task.all_terms) border_ = border;
      return;
    } catch (const UnluckyPrimes&) {
      random = start;
      for (const Index v : task.vertices) mate_[v] = no_index;
    }
    if (!task.all_terms) continue;
    border = border == 0 ? 2 : 2 * border;
    if (border > most_border) throw CheckError("planar: a matrix of the torus lacks too much of its rank");
    rebuild(region, task, border);
  }
}

/// Matches the vertices that are to be matched; returns the sum over the matchings of what is left.
mpz_class RegionDraw::decide(Region& region, CounterRandom& random, const StopSignal& stop) {
  const BlockGraph& graph = region.graph();
  const std::vector<Index>& edges = region.tree.fronts.back().edges;
  mpz_class total = region.total;
  const std::size_t elements = region.groups.size() * region.tree.fronts.back().own.size();
  const int threads = elements > worth_threads ? limits_.threads : 1;
  for (const Index v : region.decided) {
    if (mate_[region.vertex[v]] != no_index) continue;
    const std::size_t at = choose(region, v, total, random);
    const BlockGraph::Edge& edge = graph.edges[edges[at]];
    mate_[region.vertex[edge.a]] = region.vertex[edge.b];
    mate_[region.vertex[edge.b]] = region.vertex[edge.a];
    for_parts(region.groups.size(), threads, stop, [&](std::size_t g) {
      for (const auto& inverse : region.groups[g]) inverse->take(at);
    });
  }
  return total;
}

/// The edge (of the root front) that v is matched by; `total` becomes that of what is left.
std::size_t RegionDraw::choose(Region& region, Index v, mpz_class& total, CounterRandom& random) const {
  const BlockGraph& graph = region.graph();
  const std::vector<Index>& edges = region.tree.fronts.back().edges;
  std::vector<std::size_t> open;
  for (const Index at : region.edges_at[v]) {
    const BlockGraph::Edge& edge = graph.edges[edges[at]];
    if (mate_[region.vertex[edge.a == v ? edge.b : edge.a]] == no_index) open.push_back(at);
  }
  std::vector<mpz_class> weight;
  mpz_class sum;
  std::vector<std::uint64_t> weighed(region.join->primes().size());
  for (const std::size_t at : open) {
    std::fill(weighed.begin(), weighed.end(), 0);
    std::size_t first = 0;
    for (const auto& group : region.groups) {
      for (const auto& inverse : group) inverse->weigh(at, weighed.data() + first);
      first += group[0]->primes();
    }
    weight.push_back(region.join->join(weighed.data()));
    sum += weight.back();
  }
  if (sum != total) {
    throw CheckError(fmt::format("planar: the edges of a vertex share {} of the matchings' weight, not {}",
                                 sum.get_str(), total.get_str()));
  }
  mpz_class number = random.below(total);
  std::size_t chosen = 0;
  for (; number >= weight[chosen]; ++chosen) number -= weight[chosen];
  const SignedMatrix& matrix = region.terms[0].matrix;
  const mpz_class& value = matrix.values[matrix.value_of[edges[open[chosen]]]].get_num();
  mpz_divexact(total.get_mpz_t(), weight[chosen].get_mpz_t(), value.get_mpz_t());
  return open[chosen];
}

}  // namespace countpm::planar
