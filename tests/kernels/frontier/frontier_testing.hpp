#pragma once
// Random valid eliminations, blocks with twins, general graphs and their count by definition.
#include <algorithm>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

#include "kernels/frontier/order/elimination.hpp"
#include "kernels/orders/class_graph.hpp"
#include "tests/kernels/method_testing.hpp"

namespace countpm::testing {

inline std::string text_of(const Elimination& elimination) {
  std::ostringstream out;
  for (const EliminationStep& step : elimination.steps) {
    switch (step.kind) {
      case EliminationStep::Kind::push:
        out << "push ";
        break;
      case EliminationStep::Kind::eliminate:
        out << step.vertex << ' ';
        break;
      case EliminationStep::Kind::join:
        out << "join ";
        break;
    }
  }
  return out.str();
}

inline Elimination in_order(const std::vector<Index>& order) {
  Elimination result;
  result.steps.push_back({EliminationStep::Kind::push, no_index});
  for (const Index v : order) result.steps.push_back({EliminationStep::Kind::eliminate, v});
  return result;
}

/// All classes in a random order.
inline Elimination linear_elimination(const ClassGraph& graph, Random& random) {
  std::vector<Index> order(graph.classes());
  std::iota(order.begin(), order.end(), Index{0});
  std::shuffle(order.begin(), order.end(), random);
  return in_order(order);
}

/// The row classes as they come, then the columns: the tables drop full columns by themselves.
inline Elimination rows_in_order(const ClassGraph& graph) {
  std::vector<Index> order(graph.classes());
  std::iota(order.begin(), order.end(), Index{0});
  return in_order(order);
}
inline Elimination random_linear_rows(const ClassGraph& graph, Random& random) {
  std::vector<Index> order(graph.classes());
  std::iota(order.begin(), order.end(), Index{0});
  std::shuffle(order.begin(), order.begin() + graph.row_classes, random);
  return in_order(order);
}

/// A random tree: some vertices are a separator, eliminated last; the components of the rest are programs of
/// their own, grouped at random into tables that are joined in a random order.
inline void random_program(const ClassGraph& graph, const std::vector<Index>& part, Random& random,
                           std::vector<EliminationStep>& steps) {
  using Kind = EliminationStep::Kind;
  std::vector<Index> order = part;
  std::shuffle(order.begin(), order.end(), random);
  if (order.size() < 2 || below(random, 4) == 0) {
    steps.push_back({Kind::push, no_index});
    for (const Index v : order) steps.push_back({Kind::eliminate, v});
    return;
  }
  const std::size_t separator = 1 + below(random, order.size() / 2 + 1);
  std::vector<std::uint8_t> inside(graph.classes(), 0);
  for (std::size_t k = separator; k < order.size(); ++k) inside[order[k]] = 1;
  std::vector<std::vector<Index>> components;
  for (std::size_t k = separator; k < order.size(); ++k) {
    if (inside[order[k]] != 1) continue;
    std::vector<Index> component{order[k]};
    inside[order[k]] = 2;
    for (std::size_t at = 0; at < component.size(); ++at) {
      const Index v = component[at];
      for (std::uint64_t e = graph.start[v]; e < graph.start[v + std::uint64_t{1}]; ++e) {
        const Index u = graph.neighbour[e];
        if (inside[u] != 1) continue;
        inside[u] = 2;
        component.push_back(u);
      }
    }
    if (!components.empty() && below(random, 3) == 0) {
      auto& last = components.back();
      last.insert(last.end(), component.begin(), component.end());
    } else {
      components.push_back(std::move(component));
    }
  }
  std::size_t open = 0;
  for (const auto& component : components) {
    random_program(graph, component, random, steps);
    ++open;
    while (open > 1 && below(random, 2) == 0) {
      steps.push_back({Kind::join, no_index});
      --open;
    }
  }
  if (open == 0) {
    steps.push_back({Kind::push, no_index});
    open = 1;
  }
  for (; open > 1; --open) steps.push_back({Kind::join, no_index});
  for (std::size_t k = 0; k < separator; ++k) steps.push_back({Kind::eliminate, order[k]});
}

inline Elimination random_elimination(const ClassGraph& graph, Random& random) {
  std::vector<Index> all(graph.classes());
  std::iota(all.begin(), all.end(), Index{0});
  Elimination result;
  random_program(graph, all, random, result.steps);
  return result;
}

/// Rows with their columns along a random tree, and some entries more; the diagonal is a matching.
inline Block<std::int64_t> tree_like(Random& random, Index n, Index more) {
  std::vector<std::vector<std::int64_t>> cells(n, std::vector<std::int64_t>(n, 0));
  const auto put = [&](std::uint64_t i, std::uint64_t j) {
    cells[i][j] = static_cast<std::int64_t>(1 + below(random, 3));
  };
  for (Index i = 0; i < n; ++i) {
    put(i, i);
    const std::uint64_t parent = i == 0 ? 0 : below(random, i);
    if (below(random, 3) != 0) put(i, parent);
    if (below(random, 3) != 0) put(parent, i);
  }
  for (Index k = 0; k < more; ++k) put(below(random, n), below(random, n));
  return dense_block(cells, n);
}

/// Rows and columns are copies of those of a random matrix of that many lines.
inline Block<std::int64_t> block_of_twins(Random& random, Index distinct, Index n) {
  std::vector<std::vector<std::int64_t>> core(distinct, std::vector<std::int64_t>(distinct));
  for (auto& row : core) {
    for (auto& value : row)
      value = below(random, 4) == 0 ? 0 : static_cast<std::int64_t>(1 + below(random, 2));
  }
  std::vector<std::vector<std::int64_t>> rows(n);
  std::vector<Index> multiplicity = random_multiplicity(random, n, below(random, 2) == 0);
  std::vector<Index> source(multiplicity.size());
  for (Index& s : source) s = static_cast<Index>(below(random, distinct));
  for (auto& row : rows) {
    const auto& from = core[below(random, distinct)];
    for (const Index s : source) row.push_back(from[s]);
  }
  Block<std::int64_t> block = dense_block(rows, static_cast<Index>(multiplicity.size()));
  block.multiplicity = std::move(multiplicity);
  return block;
}

/// An undirected graph with small values on its edges, and some vertices doubled.
inline Block<std::int64_t> random_graph(Random& random, Index n, double density) {
  std::vector<std::vector<std::int64_t>> rows(n, std::vector<std::int64_t>(n));
  std::bernoulli_distribution present(density);
  const bool weighted = below(random, 2) == 0;
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < i; ++j) {
      if (!present(random)) continue;
      rows[i][j] = rows[j][i] = weighted ? static_cast<std::int64_t>(below(random, 5)) - 2 : 1;
    }
  }
  for (Index i = 1; i < n; ++i) {
    if (below(random, 4) != 0) continue;
    const auto twin = static_cast<Index>(below(random, i));
    for (Index j = 0; j < n; ++j) rows[i][j] = rows[j][i] = j == i || j == twin ? 0 : rows[twin][j];
  }
  Block<std::int64_t> block = dense_block(rows, n);
  block.general = true;
  return block;
}

/// Each vertex may stay alone, by a weight of 0, 1 or 2.
inline Block<std::int64_t> with_monomers(Block<std::int64_t> block, Random& random) {
  std::vector<std::vector<std::int64_t>> cells(block.matrix.rows,
                                               std::vector<std::int64_t>(block.matrix.rows, 0));
  for (Index u = 0; u < block.matrix.rows; ++u) {
    for (std::uint64_t k = block.matrix.row_start[u]; k < block.matrix.row_start[u + std::uint64_t{1}]; ++k)
      cells[u][block.matrix.column[k]] = block.matrix.value[k];
    cells[u][u] = static_cast<std::int64_t>(below(random, 3));
  }
  block = dense_block(cells, block.matrix.rows);
  block.general = block.monomers = true;
  return block;
}

/// The first free vertex takes each free neighbour.
inline mpz_class hafnian_by_definition(const Block<std::int64_t>& block, std::vector<bool>& taken,
                                       Index from) {
  const Index n = block.matrix.rows;
  while (from < n && taken[from]) ++from;
  if (from == n) return 1;
  taken[from] = true;
  mpz_class sum = 0;
  for (std::uint64_t k = block.matrix.row_start[from]; k < block.matrix.row_start[from + std::uint64_t{1}];
       ++k) {
    const Index j = block.matrix.column[k];
    if (taken[j]) continue;
    taken[j] = true;
    sum += mpz_class(std::to_string(block.matrix.value[k])) * hafnian_by_definition(block, taken, from + 1);
    taken[j] = false;
  }
  taken[from] = false;
  return sum;
}
inline mpz_class hafnian_by_definition(const Block<std::int64_t>& block) {
  std::vector<bool> taken(block.matrix.rows, false);
  return hafnian_by_definition(block, taken, 0);
}

}  // namespace countpm::testing
