#include "kernels/planar/gpu/layout.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <stdexcept>

#include "kernels/planar/gpu/tuning.hpp"
#include "kernels/support/task_pool.hpp"

namespace countpm {
namespace {

using namespace planar;

// Of a task: a millisecond or less.
constexpr std::size_t fronts_a_task = 512;
constexpr unsigned panel_pivots = planar_tuning::panel_pivots;

template <class T>
std::uint64_t bytes_of(const std::vector<T>& values) {
  return values.size() * sizeof(T);
}

class LayoutMaker {
 public:
  LayoutMaker(const SignedMatrix& matrix, const FrontTree& tree, const PivotOrder& order)
      : matrix_(matrix), tree_(tree), order_(order), number_(tree.fronts.size(), 0) {
    layout_.skew = !matrix.graph.bipartite;
  }

  PlanarLayout make(int threads) {
    find_children();
    number_by_level();
    place_in_arena();
    add_assemblies(threads);
    for (PlanarLayout::Level& level : layout_.levels) add_panels(level);
    return std::move(layout_);
  }

 private:
  using Sides = PivotOrder::Sides;

  void find_children() {
    children_.resize(tree_.fronts.size());
    depth_.assign(tree_.fronts.size(), 0);
    std::vector<std::size_t> waiting;
    for (std::size_t front = 0; front < tree_.fronts.size(); ++front) {
      const auto first = waiting.end() - static_cast<std::ptrdiff_t>(tree_.fronts[front].children);
      children_[front].assign(first, waiting.end());
      waiting.erase(first, waiting.end());
      if (!tree_.fronts[front].border.empty()) waiting.push_back(front);
    }
    // Parents come after their children.
    for (std::size_t front = tree_.fronts.size(); front-- > 0;) {
      for (const std::size_t child : children_[front]) depth_[child] = depth_[front] + 1;
    }
  }

  bool is_small(std::size_t front) const {
    const Sides& sides = order_.fronts[front];
    return sides.pivots == 0 || sides.rows.size() * sides.columns.size() <= planar_tuning::small_entries;
  }

  void number_by_level() {
    fronts_.resize(tree_.fronts.size());
    std::iota(fronts_.begin(), fronts_.end(), std::size_t{0});
    std::stable_sort(fronts_.begin(), fronts_.end(), [&](std::size_t a, std::size_t b) {
      return std::pair(depth_[a], !is_small(a)) < std::pair(depth_[b], !is_small(b));
    });
    std::uint64_t rows = 0;
    for (std::size_t k = 0; k < fronts_.size(); ++k) {
      const std::size_t front = fronts_[k];
      const Sides& sides = order_.fronts[front];
      // A front whose complete columns no row has an entry in makes the determinant zero.
      if (sides.rows.empty() || sides.columns.empty()) throw std::logic_error("planar: an empty front");
      number_[front] = static_cast<std::uint32_t>(k);
      if (depth_[front] == layout_.levels.size()) {
        layout_.levels.emplace_back();
        layout_.levels.back().small_fronts.first = k;
        layout_.levels.back().rows.first = rows;
      }
      PlanarLayout::Level& level = layout_.levels.back();
      if (is_small(front)) {
        ++level.small_fronts.count;
        level.multiplications += tree_.work[front].multiplications;
      }
      level.rows.count += sides.rows.size();
      level.entries += static_cast<double>(sides.rows.size()) * static_cast<double>(sides.columns.size());
      if (depth_[front] == 0) ++layout_.roots;

      DeviceFront made;
      made.first_row = rows;
      made.rows = static_cast<std::uint32_t>(sides.rows.size());
      made.columns = static_cast<std::uint32_t>(sides.columns.size());
      made.pivots = sides.pivots;
      layout_.fronts.push_back(made);
      layout_.row_front.insert(layout_.row_front.end(), made.rows, static_cast<std::uint32_t>(k));
      rows += made.rows;
    }
  }

  void place_in_arena() {
    std::vector<std::uint64_t> used(layout_.levels.size(), 0);
    for (std::size_t k = 0; k < fronts_.size(); ++k) {
      DeviceFront& front = layout_.fronts[k];
      std::uint64_t& next = used[depth_[fronts_[k]]];
      front.matrix = next;
      front.factors = front.matrix + std::uint64_t{front.rows} * front.columns;
      front.product = front.factors + std::uint64_t{front.rows} * std::min(front.pivots, panel_pivots);
      next = front.product + 1;
    }
    std::array<std::uint64_t, 2> most{};
    for (std::size_t level = 0; level < used.size(); ++level)
      most[level % 2] = std::max(most[level % 2], used[level]);
    layout_.arena_entries = most[0] + most[1];
    for (std::size_t k = 0; k < fronts_.size(); ++k) {
      if (depth_[fronts_[k]] % 2 == 0) continue;
      layout_.fronts[k].matrix += most[0];
      layout_.fronts[k].factors += most[0];
      layout_.fronts[k].product += most[0];
    }
  }

  /// Where each front's part of the tables begins, so that threads fill them side by side.
  void count_assembly() {
    std::uint64_t edges = 0;
    std::uint64_t sources = 0;
    std::uint64_t map = 0;
    layout_.child_start.push_back(0);
    for (const std::size_t front : fronts_) {
      starts_.push_back({edges, sources});
      edges += tree_.fronts[front].edges.size() * (layout_.skew ? 2 : 1);
      for (const std::size_t child : children_[front]) {
        const Sides& passed = order_.fronts[child];
        layout_.children.push_back(number_[child]);
        layout_.fronts[number_[child]].first_map = map;
        sources += passed.rows.size() - passed.pivots;
        map += passed.columns.size() - passed.pivots;
      }
      layout_.child_start.push_back(layout_.children.size());
    }
    layout_.edges.resize(edges);
    layout_.sources.resize(sources);
    layout_.column_map.resize(map);
    layout_.edge_start.resize(layout_.row_front.size() + 1);
    layout_.source_start.resize(layout_.row_front.size() + 1);
    layout_.edge_start.back() = edges;
    layout_.source_start.back() = sources;
  }

  /// A thread's.
  struct Scratch {
    explicit Scratch(std::size_t vertices) : place(vertices, 0) {}

    void number(const std::vector<Index>& vertices) {
      for (Index k = 0; k < vertices.size(); ++k) place[vertices[k]] = k;
    }

    std::vector<Index> place;         // of a vertex in the front at hand
    std::vector<std::uint64_t> next;  // by row of it: where its next entry or source comes
  };

  /// next[row], of so many of each row: from `start` on, one row after the other; `starts` are the same.
  static void prefix_sums(std::vector<std::uint64_t>& next, std::uint64_t start, std::uint64_t* starts) {
    for (std::uint64_t& of_row : next) {
      const std::uint64_t count = of_row;
      of_row = *starts++ = start;
      start += count;
    }
  }

  void add_assembly(std::size_t k, Scratch& scratch) {
    const std::size_t front = fronts_[k];
    const Sides& sides = order_.fronts[front];
    const std::uint64_t first_row = layout_.fronts[k].first_row;
    scratch.number(sides.rows);
    scratch.number(sides.columns);
    const std::vector<Index>& place = scratch.place;
    std::vector<std::uint64_t>& next = scratch.next;

    next.assign(sides.rows.size(), 0);
    for (const Index e : tree_.fronts[front].edges) {
      ++next[place[matrix_.graph.edges[e].a]];
      if (layout_.skew) ++next[place[matrix_.graph.edges[e].b]];
    }
    prefix_sums(next, starts_[k].edges, layout_.edge_start.data() + first_row);
    for (const Index e : tree_.fronts[front].edges) {
      const BlockGraph::Edge& edge = matrix_.graph.edges[e];
      const std::uint32_t value = 2 * matrix_.value_of[e] + (matrix_.orientation[e] != 0 ? 0 : 1);
      layout_.edges[next[place[edge.a]]++] = {place[edge.b], value};
      if (layout_.skew) layout_.edges[next[place[edge.b]]++] = {place[edge.a], value ^ 1U};
    }

    next.assign(sides.rows.size(), 0);
    for (const std::size_t child : children_[front]) {
      const Sides& passed = order_.fronts[child];
      for (Index r = passed.pivots; r < passed.rows.size(); ++r) ++next[place[passed.rows[r]]];
    }
    prefix_sums(next, starts_[k].sources, layout_.source_start.data() + first_row);
    for (const std::size_t child : children_[front]) {
      const Sides& passed = order_.fronts[child];
      for (Index r = passed.pivots; r < passed.rows.size(); ++r)
        layout_.sources[next[place[passed.rows[r]]]++] = {number_[child], r};
      std::uint64_t map = layout_.fronts[number_[child]].first_map;
      for (Index c = passed.pivots; c < passed.columns.size(); ++c)
        layout_.column_map[map++] = place[passed.columns[c]];
    }
  }

  void add_assemblies(int threads) {
    count_assembly();
    std::vector<std::size_t> tasks;
    for (std::size_t first = 0; first < fronts_.size(); first += fronts_a_task) tasks.push_back(first);
    const int useful = static_cast<int>(
        std::min(static_cast<std::size_t>(std::max(threads, 1)), std::max<std::size_t>(tasks.size(), 1)));
    work_through(useful, std::move(tasks), [this] {
      return [this, scratch = Scratch(matrix_.graph.vertices)](std::size_t first, const auto&) mutable {
        const std::size_t last = std::min(first + fronts_a_task, fronts_.size());
        for (std::size_t k = first; k < last; ++k) add_assembly(k, scratch);
      };
    });
  }

  void add_panels(PlanarLayout::Level& level) {
    const std::size_t begin = level.small_fronts.first + level.small_fronts.count;
    const std::size_t end = level.rows.first + level.rows.count == layout_.row_front.size()
                                ? layout_.fronts.size()
                                : layout_.row_front[level.rows.first + level.rows.count];
    unsigned most = 0;
    for (std::size_t k = begin; k < end; ++k) most = std::max(most, layout_.fronts[k].pivots);
    for (unsigned first = 0; first < most; first += panel_pivots) {
      PlanarLayout::Panel panel;
      panel.first_pivot = first;
      panel.inverses.first = layout_.inverses.size();
      panel.factors.first = layout_.factors.size();
      panel.updates.first = layout_.updates.size();
      for (std::size_t k = begin; k < end; ++k) {
        if (first < layout_.fronts[k].pivots) add_tasks(static_cast<std::uint32_t>(k), first);
      }
      panel.inverses.count = layout_.inverses.size() - panel.inverses.first;
      panel.factors.count = layout_.factors.size() - panel.factors.first;
      panel.updates.count = layout_.updates.size() - panel.updates.first;
      level.panels.push_back(panel);
    }
  }

  void add_tasks(std::uint32_t k, unsigned first) {
    const DeviceFront& front = layout_.fronts[k];
    const unsigned next = first + std::min(front.pivots - first, panel_pivots);
    layout_.inverses.push_back(k);
    if (next == front.columns) return;  // nothing is left to be brought up to date
    for (unsigned row = next; row < front.rows; row += planar_tuning::tile_rows)
      layout_.factors.push_back({k, row, 0});
    for (unsigned row = next; row < front.rows; row += planar_tuning::block_rows) {
      for (unsigned column = next; column < front.columns; column += planar_tuning::block_columns)
        layout_.updates.push_back({k, row, column});
    }
  }

  const SignedMatrix& matrix_;
  const FrontTree& tree_;
  const PivotOrder& order_;
  PlanarLayout layout_;
  std::vector<std::vector<std::size_t>> children_;  // by place in the tree
  std::vector<std::size_t> depth_;
  std::vector<std::size_t> fronts_;    // places in the tree, in the layout's order
  std::vector<std::uint32_t> number_;  // in the layout, by place in the tree
  struct Starts {
    std::uint64_t edges;
    std::uint64_t sources;
  };
  std::vector<Starts> starts_;  // of each front of the layout
};

}  // namespace

std::uint64_t PlanarLayout::table_bytes() const {
  return bytes_of(fronts) + bytes_of(row_front) + bytes_of(edge_start) + bytes_of(edges) +
         bytes_of(source_start) + bytes_of(sources) + bytes_of(column_map) + bytes_of(child_start) +
         bytes_of(children) + bytes_of(inverses) + bytes_of(factors) + bytes_of(updates);
}

PlanarLayout planar_layout(const SignedMatrix& matrix, const FrontTree& tree, const PivotOrder& order,
                           int threads) {
  return LayoutMaker(matrix, tree, order).make(threads);
}

}  // namespace countpm
