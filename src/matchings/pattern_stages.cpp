#include "src/matchings/pattern_stages.hpp"

#include <algorithm>
#include <numeric>

#include "kernels/frontier/order/order_search.hpp"
#include "src/matchings/entry_kinds.hpp"
#include "src/structure/pieces.hpp"

namespace countpm {
namespace {

// The search for an order: nominal seconds a block, and how many blocks are worth it.
constexpr double search_seconds = 0.05;
constexpr std::size_t searched_blocks = 16;

std::vector<Index> identity(Index size) {
  std::vector<Index> order(size);
  std::iota(order.begin(), order.end(), Index{0});
  return order;
}

std::vector<Index> lines_by(const std::vector<Index>& key) {
  std::vector<Index> order = identity(static_cast<Index>(key.size()));
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return key[a] < key[b]; });
  return order;
}

// Of square blocks along the diagonal that follow each other.
std::vector<PatternFrame> diagonal_frames(const std::vector<Index>& sizes) {
  std::vector<PatternFrame> frames;
  Index at = 0;
  for (const Index size : sizes) {
    frames.push_back({at, at, size, size});
    at += size;
  }
  return frames;
}

/// Rows and columns of a block in the order in which it would be eliminated.
struct BlockOrder {
  std::vector<Index> rows;     // places in the block
  std::vector<Index> columns;  // of a general block: as rows
};

BlockOrder elimination_order(const AnyBlock& block, OrderKind kind, std::uint64_t seed, bool search_on,
                             const StopSignal& stop) {
  ClassLines lines;
  OrderSearch search(class_graph(block, true, &lines), seed, kind);
  if (search_on && search.improvable()) search.improve(search_seconds, stop);
  std::vector<Index> place(search.graph().classes(), 0);
  Index next = 0;
  for (const EliminationStep& step : search.best_linear().steps) {
    if (step.kind == EliminationStep::Kind::eliminate) place[step.vertex] = next++;
  }
  const auto ordered = [&](const std::vector<Index>& class_of) {
    std::vector<Index> key;
    key.reserve(class_of.size());
    for (const Index line : class_of) key.push_back(place[line]);
    return lines_by(key);
  };
  BlockOrder order{ordered(lines.row), {}};
  order.columns = is_general(block) ? order.rows : ordered(lines.column);
  return order;
}

/// The lines of a view's frames, sorted again inside each frame by the pieces' orders.
PatternView ordered_view(const Pieces& pieces, const PatternView& before, OrderKind kind, std::uint64_t seed,
                         const StopSignal& stop) {
  PatternView view = before;
  view.title = "blocks in elimination order";
  std::vector<Index> row_place(before.rows.size());
  for (Index at = 0; at < before.rows.size(); ++at) row_place[before.rows[at]] = at;
  std::vector<std::size_t> largest(pieces.pieces.size());
  std::iota(largest.begin(), largest.end(), std::size_t{0});
  std::stable_sort(largest.begin(), largest.end(), [&](std::size_t a, std::size_t b) {
    return pieces.pieces[a].rows.size() > pieces.pieces[b].rows.size();
  });
  for (std::size_t k = 0; k < largest.size(); ++k) {
    stop.check();
    const Piece& piece = pieces.pieces[largest[k]];
    const std::vector<Index>& columns = piece.columns.empty() ? piece.rows : piece.columns;
    const BlockOrder order = elimination_order(piece.block, kind, seed, k < searched_blocks, stop);
    Index first = row_place[piece.rows.front()];
    for (const Index row : piece.rows) first = std::min(first, row_place[row]);
    for (std::size_t i = 0; i < order.rows.size(); ++i) view.rows[first + i] = piece.rows[order.rows[i]];
    for (std::size_t j = 0; j < order.columns.size(); ++j)
      view.columns[first + j] = columns[order.columns[j]];
  }
  return view;
}

void add_fine_views(PatternStages& stages, const Instance& instance, const Structure& structure,
                    std::optional<OrderKind> order, std::uint64_t seed, const StopSignal& stop) {
  const BlockDecomposition& blocks = structure.decomposition;
  std::vector<Index> sizes(blocks.blocks, 0);
  for (const Index block : blocks.row_block) ++sizes[block];
  PatternView view{"Dulmage-Mendelsohn blocks", lines_by(blocks.row_block), {}, diagonal_frames(sizes)};
  for (const Index row : view.rows) view.columns.push_back(structure.matching.row_mate[row]);
  stages.views.push_back(view);
  if (!order) return;
  stages.views.push_back(ordered_view(cut_pieces(instance, blocks), stages.views.back(), *order, seed, stop));
}

void add_coarse_view(PatternStages& stages, const Matching& matching) {
  const CoarseParts parts(stages.pattern, matching);
  PatternView view{"coarse Dulmage-Mendelsohn parts", lines_by(parts.row), {}, {}};
  // Columns as their rows, then the unmatched ones of their part.
  std::vector<std::vector<Index>> columns(3);
  for (const Index row : view.rows) {
    if (matching.row_mate[row] != no_index) columns[parts.row[row]].push_back(matching.row_mate[row]);
  }
  for (Index j = 0; j < stages.pattern.columns; ++j) {
    if (matching.column_mate[j] == no_index) columns[parts.column[j]].push_back(j);
  }
  Index first_row = 0;
  for (Index part = 0; part < 3; ++part) {
    const auto rows = static_cast<Index>(std::count(parts.row.begin(), parts.row.end(), part));
    const auto first_column = static_cast<Index>(view.columns.size());
    view.columns.insert(view.columns.end(), columns[part].begin(), columns[part].end());
    const auto width = static_cast<Index>(columns[part].size());
    if (rows + width != 0) view.frames.push_back({first_row, first_column, rows, width});
    first_row += rows;
  }
  stages.views.push_back(std::move(view));
}

void add_component_views(PatternStages& stages, const Instance& instance, const GeneralStructure& structure,
                         std::optional<OrderKind> order, std::uint64_t seed, const StopSignal& stop) {
  std::vector<Index> sizes(structure.components, 0);
  for (const Index component : structure.component) ++sizes[component];
  const std::vector<Index> lines = lines_by(structure.component);
  stages.views.push_back({"components", lines, lines, diagonal_frames(sizes)});
  if (!order) return;
  stages.views.push_back(
      ordered_view(cut_pieces(instance, structure), stages.views.back(), *order, seed, stop));
}

void add_violator_view(PatternStages& stages, const TutteViolator& violator) {
  std::vector<Index> sizes{static_cast<Index>(violator.removed.size())};
  std::vector<Index> order = violator.removed;
  for (const std::vector<Index>& component : violator.odd_components) {
    sizes.push_back(static_cast<Index>(component.size()));
    order.insert(order.end(), component.begin(), component.end());
  }
  std::vector<bool> listed(stages.pattern.rows, false);
  for (const Index v : order) listed[v] = true;
  for (Index v = 0; v < stages.pattern.rows; ++v) {
    if (!listed[v]) order.push_back(v);
  }
  stages.views.push_back({"Tutte violator, odd components", order, order, diagonal_frames(sizes)});
}

}  // namespace

PatternStages pattern_stages(const Instance& instance, const Analysis& analysis,
                             std::optional<OrderKind> order, std::uint64_t seed, const StopSignal& stop) {
  PatternStages stages;
  stages.pattern = instance.pattern;
  stages.kind = entry_kinds(instance, analysis);
  stages.views.push_back({"as given", identity(stages.pattern.rows), identity(stages.pattern.columns), {}});
  if (const auto* structure = std::get_if<Structure>(&analysis.structure)) {
    if (structure->violator) {
      add_coarse_view(stages, structure->matching);
    } else {
      add_fine_views(stages, instance, *structure, order, seed, stop);
    }
  } else if (const auto& general = std::get<GeneralStructure>(analysis.structure); general.violator) {
    add_violator_view(stages, *general.violator);
  } else {
    add_component_views(stages, instance, general, order, seed, stop);
  }
  return stages;
}

}  // namespace countpm
