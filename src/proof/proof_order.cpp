#include "src/proof/proof_order.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <queue>
#include <utility>

#include "graph/stop_poll.hpp"
#include "kernels/frontier/order/order_search.hpp"
#include "matching/block.hpp"
#include "matching/general_structure.hpp"

namespace countpm {
namespace {

constexpr std::uint64_t order_seed_of_proofs = 1;

bool has_larger_sets(const ProofStatement& statement) {
  return statement.edges < statement.shape.sets();
}

bool has_monomers_of(const ProofStatement& statement) {
  return std::find(statement.shape.monomer.begin(), statement.shape.monomer.end(), 1) !=
         statement.shape.monomer.end();
}

/// Vertices are neighbours that are in a set together.
SparsePattern neighbour_pattern(const CoverShape& shape) {
  std::vector<std::vector<Index>> neighbours(shape.vertices);
  for (std::uint64_t set = 0; set < shape.sets(); ++set)
    for (std::uint64_t i = shape.start[set]; i < shape.start[set + 1]; ++i)
      for (std::uint64_t j = shape.start[set]; j < shape.start[set + 1]; ++j)
        if (i != j) neighbours[shape.member[i]].push_back(shape.member[j]);
  SparsePattern pattern;
  pattern.rows = pattern.columns = shape.vertices;
  for (std::vector<Index>& own : neighbours) {
    std::sort(own.begin(), own.end());
    own.erase(std::unique(own.begin(), own.end()), own.end());
    pattern.column.insert(pattern.column.end(), own.begin(), own.end());
    pattern.row_start.push_back(pattern.column.size());
  }
  return pattern;
}

/// Which piece every vertex is in, and in which order pieces come.
struct PieceList {
  std::vector<Index> piece;  // of every vertex
  std::vector<Index> order;  // of the pieces
};

/// Pieces whose rows see columns of earlier pieces, or whose columns are seen by rows of earlier ones, but
/// not both: what is left of such a piece in the end is one state. The smallest that is able comes next, so
/// that the largest come when all that is joined to them has gone, and have no edges beyond themselves.
std::vector<Index> order_of_pieces(const SparsePattern& pattern, const GeneralStructure& structure,
                                   const Sides& sides) {
  const Index pieces = structure.components;
  std::vector<std::vector<Index>> after(pieces), before(pieces);  // of every edge between pieces
  std::vector<std::uint64_t> size(pieces), waits_forwards(pieces), waits_backwards(pieces);
  for (Index v = 0; v < pattern.rows; ++v) {
    ++size[structure.component[v]];
    if (sides.side[v] != 0) continue;
    for (std::uint64_t k = pattern.row_start[v]; k < pattern.row_start[v + std::uint64_t{1}]; ++k) {
      const Index from = structure.component[pattern.column[k]];
      const Index to = structure.component[v];
      if (from == to) continue;
      after[from].push_back(to);
      before[to].push_back(from);
      ++waits_forwards[to];
      ++waits_backwards[from];
    }
  }
  using Entry = std::pair<std::uint64_t, Index>;  // size, piece
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> ready;
  std::vector<char> done(pieces), known(pieces);
  const auto look_at = [&](Index piece) {
    if (known[piece] != 0 || (waits_forwards[piece] != 0 && waits_backwards[piece] != 0)) return;
    known[piece] = 1;
    ready.emplace(size[piece], piece);
  };
  for (Index piece = 0; piece < pieces; ++piece) look_at(piece);
  std::vector<Index> order;
  while (!ready.empty()) {
    const Index piece = ready.top().second;
    ready.pop();
    order.push_back(piece);
    done[piece] = 1;
    for (const Index next : after[piece]) {
      --waits_forwards[next];
      look_at(next);
    }
    for (const Index next : before[piece]) {
      --waits_backwards[next];
      look_at(next);
    }
  }
  for (Index piece = 0; piece < pieces; ++piece)
    if (done[piece] == 0) order.push_back(piece);  // without sides there may be circles
  return order;
}

PieceList pieces_of(const ProofStatement& statement, const SparsePattern& pattern) {
  PieceList list;
  const Sides sides = two_colour(pattern, {});
  if (!has_larger_sets(statement) && !has_monomers_of(statement)) {
    const GeneralStructure structure = analyse_general(pattern, [] { check_stop(); });
    if (!structure.violator) {
      // The sides of a matrix, which are rows and columns, and of other graphs any.
      list.piece = structure.component;
      list.order = order_of_pieces(pattern, structure, sides);
      return list;
    }
  }
  list.piece = sides.component;
  for (Index piece = 0; piece < sides.components; ++piece) list.order.push_back(piece);
  return list;
}

/// A piece as a block, and the vertices of its lines.
struct PieceBlock {
  Block<std::int64_t> block;
  std::vector<Index> rows, columns;
};

void finish_row(Block<std::int64_t>& block, std::vector<Index>& row) {
  std::sort(row.begin(), row.end());
  block.matrix.column.insert(block.matrix.column.end(), row.begin(), row.end());
  block.matrix.row_start.push_back(block.matrix.column.size());
  block.matrix.value.resize(block.matrix.column.size(), 1);
  row.clear();
}

/// As a matrix where a piece has two equal sides, and nothing but edges.
PieceBlock block_of_piece(const ProofStatement& statement, const SparsePattern& pattern,
                          const std::vector<Index>& vertices, const std::vector<Index>& piece,
                          std::vector<Index>& number) {
  PieceBlock result;
  const CoverShape& shape = statement.shape;
  const auto within = [&](Index v, Index w) { return piece[v] == piece[w]; };
  const bool plain = !has_larger_sets(statement) && !has_monomers_of(statement);
  std::vector<std::uint8_t> side(vertices.size(), Sides::odd);
  bool bipartite = plain;
  for (std::size_t i = 0; i < vertices.size(); ++i) number[vertices[i]] = static_cast<Index>(i);
  if (plain) {
    std::vector<Index> queue;
    for (std::size_t start = 0; start < vertices.size() && bipartite; ++start) {
      if (side[start] != Sides::odd) continue;
      side[start] = 0;
      queue.assign(1, static_cast<Index>(start));
      while (!queue.empty() && bipartite) {
        const Index at = queue.back();
        queue.pop_back();
        const Index v = vertices[at];
        for (std::uint64_t k = pattern.row_start[v]; k < pattern.row_start[v + std::uint64_t{1}]; ++k) {
          const Index w = pattern.column[k];
          if (!within(v, w)) continue;
          if (side[number[w]] == Sides::odd) {
            side[number[w]] = static_cast<std::uint8_t>(1 - side[at]);
            queue.push_back(number[w]);
          } else if (side[number[w]] == side[at]) {
            bipartite = false;
          }
        }
      }
    }
    bipartite =
        bipartite && 2 * static_cast<std::size_t>(std::count(side.begin(), side.end(), 0)) == vertices.size();
  }
  Block<std::int64_t>& block = result.block;
  std::vector<Index> row;
  if (bipartite) {
    std::vector<Index> place(vertices.size());
    for (std::size_t i = 0; i < vertices.size(); ++i) {
      std::vector<Index>& own = side[i] == 0 ? result.rows : result.columns;
      place[i] = static_cast<Index>(own.size());
      own.push_back(vertices[i]);
    }
    block.matrix.rows = block.matrix.columns = static_cast<Index>(result.rows.size());
    for (const Index v : result.rows) {
      for (std::uint64_t k = pattern.row_start[v]; k < pattern.row_start[v + std::uint64_t{1}]; ++k)
        if (within(v, pattern.column[k])) row.push_back(place[number[pattern.column[k]]]);
      finish_row(block, row);
    }
    return result;
  }
  result.rows = vertices;
  block.general = true;
  block.monomers = !plain;
  std::vector<std::uint64_t> sets;
  if (has_larger_sets(statement)) {
    for (std::uint64_t set = statement.edges; set < shape.sets(); ++set)
      if (within(shape.member[shape.start[set]], vertices.front())) sets.push_back(set);
  }
  block.tiles = static_cast<Index>(sets.size());
  const auto lines = static_cast<Index>(vertices.size());
  block.matrix.rows = block.matrix.columns = lines + block.tiles;
  // Neighbours by edges alone; tiles make others.
  std::vector<std::vector<Index>> rows(vertices.size());
  for (std::uint64_t set = 0; set < statement.edges; ++set) {
    const Index u = shape.member[shape.start[set]];
    const Index v = shape.member[shape.start[set] + 1];
    if (!within(u, vertices.front()) || !within(v, u)) continue;
    rows[number[u]].push_back(number[v]);
    rows[number[v]].push_back(number[u]);
  }
  for (std::size_t i = 0; i < sets.size(); ++i)
    for (std::uint64_t k = shape.start[sets[i]]; k < shape.start[sets[i] + 1]; ++k)
      rows[number[shape.member[k]]].push_back(lines + static_cast<Index>(i));
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    if (!shape.monomer.empty() && shape.monomer[vertices[i]] != 0) rows[i].push_back(static_cast<Index>(i));
    finish_row(block, rows[i]);
  }
  for (const std::uint64_t set : sets) {
    for (std::uint64_t k = shape.start[set]; k < shape.start[set + 1]; ++k)
      row.push_back(number[shape.member[k]]);
    finish_row(block, row);
  }
  return result;
}

/// Eliminates at once what has no set left, or one edge.
std::vector<Index> with_leaves_at_once(const CoverShape& shape, const std::vector<Index>& order) {
  std::vector<std::vector<std::uint64_t>> sets_at(shape.vertices);
  for (std::uint64_t set = 0; set < shape.sets(); ++set)
    for (std::uint64_t k = shape.start[set]; k < shape.start[set + 1]; ++k)
      sets_at[shape.member[k]].push_back(set);
  std::vector<Index> left(shape.vertices);  // sets that no eliminated vertex is in
  for (Index v = 0; v < shape.vertices; ++v) left[v] = static_cast<Index>(sets_at[v].size());
  std::vector<char> gone(shape.vertices), touched(shape.vertices), set_gone(shape.sets());
  std::vector<Index> result, queue;
  const auto ready = [&](Index v) {
    if (gone[v] != 0 || touched[v] == 0 || left[v] > 1) return false;
    if (left[v] == 0) return true;
    for (const std::uint64_t set : sets_at[v])
      if (set_gone[set] == 0) return shape.start[set + 1] - shape.start[set] == 2;
    return true;
  };
  const auto eliminate = [&](Index v) {
    result.push_back(v);
    gone[v] = 1;
    for (const std::uint64_t set : sets_at[v]) {
      if (set_gone[set] != 0) continue;
      set_gone[set] = 1;
      for (std::uint64_t k = shape.start[set]; k < shape.start[set + 1]; ++k) {
        const Index w = shape.member[k];
        --left[w];
        touched[w] = 1;
        if (ready(w)) queue.push_back(w);
      }
    }
  };
  for (const Index v : order) {
    if (gone[v] == 0) eliminate(v);
    while (!queue.empty()) {
      const Index w = queue.back();
      queue.pop_back();
      if (ready(w)) eliminate(w);
    }
  }
  return result;
}

}  // namespace

struct ProofOrder::Piece {
  std::vector<Index> vertices;  // where nothing is searched for
  std::vector<Index> of_class;  // the vertex of every class
  std::unique_ptr<OrderSearch> search;
};

ProofOrder::ProofOrder(const ProofStatement& statement) : statement_(statement) {
  const SparsePattern pattern = neighbour_pattern(statement.shape);
  const PieceList list = pieces_of(statement, pattern);
  std::vector<std::vector<Index>> vertices(list.order.size());
  for (Index v = 0; v < statement.shape.vertices; ++v) vertices[list.piece[v]].push_back(v);
  std::vector<Index> number(statement.shape.vertices);
  constexpr std::size_t smallest_to_search = 4;
  for (const Index i : list.order) {
    check_stop();
    Piece piece;
    piece.vertices = std::move(vertices[i]);
    if (piece.vertices.size() >= smallest_to_search) {
      PieceBlock block = block_of_piece(statement, pattern, piece.vertices, list.piece, number);
      ClassLines lines;
      ClassGraph graph = class_graph(AnyBlock(std::move(block.block)), false, &lines);
      piece.of_class.resize(graph.classes());
      for (std::size_t k = 0; k < block.rows.size(); ++k) piece.of_class[lines.row[k]] = block.rows[k];
      for (std::size_t k = 0; k < block.columns.size(); ++k)
        piece.of_class[lines.column[k]] = block.columns[k];
      piece.search =
          std::make_unique<OrderSearch>(std::move(graph), order_seed_of_proofs, OrderKind::annealing);
    }
    pieces_.push_back(std::move(piece));
  }
}

ProofOrder::~ProofOrder() = default;

double ProofOrder::log2_states() const {
  double states = static_cast<double>(statement_.shape.vertices) + 1;
  for (const Piece& piece : pieces_)
    if (piece.search) states += std::exp2(piece.search->linear_forecast().log2_states);
  return std::log2(states);
}

ProofOrder::Likely ProofOrder::likely(double seconds) {
  double states = static_cast<double>(statement_.shape.vertices) + 1;
  double widest = 1;
  const double all = std::exp2(log2_states());
  for (const Piece& piece : pieces_) {
    if (!piece.search) continue;
    const double share = std::exp2(piece.search->linear_forecast().log2_states) / all;
    if (share > 1e-3) piece.search->sample(seconds * share, stop_signal_here());
    const EliminationForecast& forecast = piece.search->forecast();
    states += std::exp2(forecast.log2_states);
    widest = std::max(widest, std::exp2(forecast.log2_peak_states));
  }
  return {std::log2(states), std::log2(widest)};
}

bool ProofOrder::improvable() const {
  return std::any_of(pieces_.begin(), pieces_.end(),
                     [](const Piece& piece) { return piece.search && piece.search->improvable(); });
}

void ProofOrder::improve(double seconds, int threads) {
  // Where most of the work is.
  double all = 0;
  for (const Piece& piece : pieces_)
    if (piece.search && piece.search->improvable())
      all += std::exp2(piece.search->linear_forecast().log2_states);
  if (!(all > 0)) return;
  for (const Piece& piece : pieces_) {
    if (!piece.search || !piece.search->improvable()) continue;
    const double share = std::exp2(piece.search->linear_forecast().log2_states) / all;
    if (share > 1e-3) piece.search->improve(seconds * share, stop_signal_here(), threads);
  }
}

std::vector<Index> ProofOrder::order() const {
  std::vector<Index> order;
  for (const Piece& piece : pieces_) {
    if (!piece.search) {
      order.insert(order.end(), piece.vertices.begin(), piece.vertices.end());
      continue;
    }
    const std::optional<std::vector<Index>> line = classes_in_line(piece.search->best_linear());
    for (const Index of : *line) order.push_back(piece.of_class[of]);
  }
  return with_leaves_at_once(statement_.shape, order);
}

}  // namespace countpm
