#pragma once
// The elimination of fronts by a GPU's warps, a prime a lane (kernels/gpu/cpu_executor.hpp says how a kernel
// is written; planar/gpu/layout.hpp describes the tables).
//
// A level of the tree at a time: rows are assembled, a warp each; small fronts are then eliminated by one
// warp each, and large ones panel by panel: the pivot block inverted by one warp, the rows below it
// multiplied by the inverse, and what is left brought up to date in blocks. No two warps of a launch write
// the same entry, and no lane reads what another one has written in the same launch, so that nothing waits.
#include "kernels/planar/gpu/lane.hpp"
#include "kernels/planar/gpu/layout.hpp"

namespace countpm {

/// The layout's tables on the device, and the numbers: a group of 32 primes after the other.
struct PlanarTables {
  const DeviceFront* fronts = nullptr;
  const std::uint32_t* row_front = nullptr;
  const std::uint64_t* edge_start = nullptr;
  const DeviceEntry* edges = nullptr;
  const std::uint64_t* source_start = nullptr;
  const DeviceSource* sources = nullptr;
  const std::uint32_t* column_map = nullptr;
  const std::uint64_t* child_start = nullptr;
  const std::uint32_t* children = nullptr;

  const planar_step::LanePrime* primes = nullptr;  // [groups][32]
  const std::uint32_t* values = nullptr;           // [groups][value_count][32]
  std::uint32_t* arena = nullptr;                  // [groups][arena_entries][32]
  std::uint32_t* zero_pivots = nullptr;            // [groups][32], set where a pivot was zero
  std::uint64_t arena_entries = 0;
  std::uint64_t value_count = 0;
  bool skew = false;
};

/// One lane of one group.
class PlanarLane {
 public:
  COUNTPM_HD_INLINE PlanarLane(const PlanarTables& given, std::uint64_t at_group, unsigned at_lane)
      : tables(given),
        group(at_group),
        lane(at_lane),
        ring(given.primes[at_group * planar_step::lanes + at_lane]) {}

  COUNTPM_HD_INLINE std::uint32_t& number(std::uint64_t entry) const {
    return tables.arena[(group * tables.arena_entries + entry) * planar_step::lanes + lane];
  }
  COUNTPM_HD_INLINE planar_step::LaneBlock matrix(const DeviceFront& front) const {
    return {&number(front.matrix), front.columns};
  }
  /// A21 A11^-1, row by row of the whole front.
  COUNTPM_HD_INLINE planar_step::LaneBlock factors(const DeviceFront& front) const {
    return {&number(front.factors), factor_columns(front)};
  }
  static COUNTPM_HD_INLINE unsigned factor_columns(const DeviceFront& front) {
    return front.pivots < planar_tuning::panel_pivots ? front.pivots : planar_tuning::panel_pivots;
  }
  static COUNTPM_HD_INLINE unsigned panel_size(const DeviceFront& front, unsigned first) {
    const unsigned left = front.pivots - first;
    return left < planar_tuning::panel_pivots ? left : planar_tuning::panel_pivots;
  }

  /// One row of a front: its edges, and what its children pass on.
  COUNTPM_HD_INLINE void assemble(std::uint64_t row) const {
    const DeviceFront& front = tables.fronts[tables.row_front[row]];
    const auto r = static_cast<unsigned>(row - front.first_row);
    std::uint32_t* target = &matrix(front).at(r, 0);
    for (unsigned c = 0; c < front.columns; ++c) target[std::size_t{c} * planar_step::lanes] = 0;
    for (std::uint64_t e = tables.edge_start[row]; e < tables.edge_start[row + 1]; ++e) {
      const DeviceEntry& edge = tables.edges[e];
      target[std::size_t{edge.column} * planar_step::lanes] = value(edge);
    }
    for (std::uint64_t s = tables.source_start[row]; s < tables.source_start[row + 1]; ++s)
      add_source(target, tables.sources[s]);
    if (r == 0) number(front.product) = product_of_children(tables.row_front[row]);
  }

  COUNTPM_HD_INLINE void invert(const DeviceFront& front, unsigned first) const {
    const planar_step::LaneBlock block = matrix(front).from(first, first);
    const unsigned size = panel_size(front, first);
    const std::uint32_t product = number(front.product);
    store(front, tables.skew ? planar_step::invert_block<true>(ring, block, size, product)
                             : planar_step::invert_block<false>(ring, block, size, product));
  }
  COUNTPM_HD_INLINE void store(const DeviceFront& front, const planar_step::PivotProduct& found) const {
    number(front.product) = found.product;
    if (found.zero) tables.zero_pivots[group * planar_step::lanes + lane] = 1;
  }
  /// Rows from .. to - 1 of A21 A11^-1.
  COUNTPM_HD_INLINE void factor_rows(const DeviceFront& front, unsigned first, unsigned from,
                                     unsigned to) const {
    const unsigned size = panel_size(front, first);
    planar_step::multiply_block<true>(ring, factors(front).from(from, 0), matrix(front).from(from, first),
                                      matrix(front).from(first, first), to - from, size, size);
  }
  /// Rows from .. to - 1, columns from_column .. to_column - 1 of what is left.
  COUNTPM_HD_INLINE void update(const DeviceFront& front, unsigned first, unsigned from, unsigned to,
                                unsigned from_column, unsigned to_column) const {
    if (from >= to || from_column >= to_column) return;
    planar_step::multiply_block<false>(ring, matrix(front).from(from, from_column),
                                       factors(front).from(from, 0), matrix(front).from(first, from_column),
                                       to - from, to_column - from_column, panel_size(front, first));
  }

  COUNTPM_HD_INLINE void eliminate(const DeviceFront& front) const {
    for (unsigned first = 0; first < front.pivots; first += planar_tuning::panel_pivots) {
      invert(front, first);
      const unsigned next = first + panel_size(front, first);
      if (next < front.rows) factor_rows(front, first, next, front.rows);
      update(front, first, next, front.rows, next, front.columns);
    }
  }

  const PlanarTables& tables;
  std::uint64_t group;
  unsigned lane;
  planar_step::Ring ring;

 private:
  COUNTPM_HD_INLINE std::uint32_t value(const DeviceEntry& edge) const {
    const std::uint32_t plus =
        tables.values[(group * tables.value_count + edge.signed_value / 2) * planar_step::lanes + lane];
    return edge.signed_value % 2 != 0 ? ring.negate(plus) : plus;
  }
  COUNTPM_HD_INLINE void add_source(std::uint32_t* target, const DeviceSource& source) const {
    constexpr unsigned chunk = 4;  // so many loads are under way at once
    const DeviceFront& child = tables.fronts[source.front];
    const std::uint32_t* map = tables.column_map + child.first_map;
    const std::uint32_t* from = &matrix(child).at(source.row, child.pivots);
    const unsigned columns = child.columns - child.pivots;
    for (unsigned first = 0; first < columns; first += chunk) {
      std::uint32_t* entry[chunk];
      std::uint32_t sum[chunk];
      COUNTPM_UNROLL
      for (unsigned c = 0; c < chunk; ++c) {
        const unsigned column = first + c < columns ? first + c : columns - 1;
        entry[c] = target + std::size_t{map[column]} * planar_step::lanes;
        sum[c] = ring.add(*entry[c], from[std::size_t{column} * planar_step::lanes]);
      }
      COUNTPM_UNROLL
      for (unsigned c = 0; c < chunk; ++c) {
        if (first + c < columns) *entry[c] = sum[c];
      }
    }
  }
  COUNTPM_HD_INLINE std::uint32_t product_of_children(std::uint32_t front) const {
    std::uint32_t product = ring.one();
    for (std::uint64_t k = tables.child_start[front]; k < tables.child_start[front + 1]; ++k)
      product = ring.multiply(product, number(tables.fronts[tables.children[k]].product));
    return product;
  }
};

/// Work that warps or blocks share out: `count` tasks for each group, the tasks of a group next to each
/// other.
struct PlanarShare {
  std::uint64_t count = 0;
  std::uint64_t groups = 0;

  COUNTPM_HD_INLINE std::uint64_t all() const { return count * groups; }
};

/// Rows first_row .. first_row + share.count - 1.
struct AssembleKernel {
  static constexpr unsigned threads = 256;
  static constexpr unsigned blocks_per_multiprocessor = 4;
  static constexpr unsigned tasks_a_block = threads / planar_step::lanes;
  PlanarTables tables;
  PlanarShare share;
  std::uint64_t first_row = 0;

  template <class Block>
  COUNTPM_HD void operator()(Block& block) const {
    block.each([&](unsigned thread) {
      const std::uint64_t task = std::uint64_t{block.index()} * tasks_a_block + thread / planar_step::lanes;
      if (task >= share.all()) return;
      PlanarLane(tables, task / share.count, thread % planar_step::lanes)
          .assemble(first_row + task % share.count);
    });
  }
};

/// Fronts first_front .. first_front + share.count - 1, as a whole.
struct SmallFrontKernel {
  static constexpr unsigned threads = 128;
  static constexpr unsigned blocks_per_multiprocessor = 3;
  static constexpr unsigned tasks_a_block = threads / planar_step::lanes;
  PlanarTables tables;
  PlanarShare share;
  std::uint64_t first_front = 0;

  template <class Block>
  COUNTPM_HD void operator()(Block& block) const {
    block.each([&](unsigned thread) {
      const std::uint64_t task = std::uint64_t{block.index()} * tasks_a_block + thread / planar_step::lanes;
      if (task >= share.all()) return;
      PlanarLane(tables, task / share.count, thread % planar_step::lanes)
          .eliminate(tables.fronts[first_front + task % share.count]);
    });
  }
};

/// The pivot blocks from pivot first_pivot on of the fronts in `tasks`: a block of threads each, whose warps
/// share the columns and the rows.
template <bool skew>
struct InvertKernel {
  static constexpr unsigned threads = planar_tuning::invert_threads;
  static constexpr unsigned blocks_per_multiprocessor = 1;
  static constexpr unsigned tasks_a_block = 1;
  static constexpr unsigned warps = threads / planar_step::lanes;
  PlanarTables tables;
  PlanarShare share;
  const std::uint32_t* tasks = nullptr;  // fronts
  unsigned first_pivot = 0;

  template <class Block>
  COUNTPM_HD void operator()(Block& block) const {
    const DeviceFront& front = tables.fronts[tasks[block.index() % share.count]];
    const unsigned size = PlanarLane::panel_size(front, first_pivot);
    auto found = block.template per_thread<planar_step::PivotProduct>();
    auto inverse = block.template per_thread<std::uint32_t>();
    block.each([&](unsigned thread) {
      found[thread] = {lane_of(block.index(), thread).number(front.product), false};
    });
    for (unsigned k = 0; k < size; k += planar_step::GaussJordan<skew>::width) {
      block.each([&](unsigned thread) {
        const PlanarLane lane = lane_of(block.index(), thread);
        const auto steps = steps_of(lane, front, size);
        const std::uint32_t pivot = steps.pivot(k);
        found[thread].take(lane.ring, pivot);
        inverse[thread] = lane.ring.invert(pivot);
        for (unsigned j = thread / planar_step::lanes; j < size; j += warps)
          steps.scale_column(k, inverse[thread], j);
      });
      block.sync();
      block.each([&](unsigned thread) {
        const PlanarLane lane = lane_of(block.index(), thread);
        const auto steps = steps_of(lane, front, size);
        for (unsigned i = thread / planar_step::lanes; i < size; i += warps)
          steps.eliminate_row(k, inverse[thread], i);
      });
      block.sync();
    }
    block.each([&](unsigned thread) {
      if (thread < planar_step::lanes) lane_of(block.index(), thread).store(front, found[thread]);
    });
  }

 private:
  COUNTPM_HD_INLINE PlanarLane lane_of(unsigned task, unsigned thread) const {
    return PlanarLane(tables, task / share.count, thread % planar_step::lanes);
  }
  COUNTPM_HD_INLINE planar_step::GaussJordan<skew> steps_of(const PlanarLane& lane, const DeviceFront& front,
                                                            unsigned size) const {
    return {lane.ring, lane.matrix(front).from(first_pivot, first_pivot), size};
  }
};

/// tile_rows rows of A21 A11^-1 a task.
struct FactorKernel {
  static constexpr unsigned threads = 128;
  static constexpr unsigned blocks_per_multiprocessor = 3;
  static constexpr unsigned tasks_a_block = threads / planar_step::lanes;
  PlanarTables tables;
  PlanarShare share;
  const DeviceTile* tasks = nullptr;
  unsigned first_pivot = 0;

  template <class Block>
  COUNTPM_HD void operator()(Block& block) const {
    block.each([&](unsigned thread) {
      const std::uint64_t task = std::uint64_t{block.index()} * tasks_a_block + thread / planar_step::lanes;
      if (task >= share.all()) return;
      const DeviceTile& tile = tasks[task % share.count];
      const DeviceFront& front = tables.fronts[tile.front];
      const unsigned end = tile.row + planar_step::tile_rows;
      PlanarLane(tables, task / share.count, thread % planar_step::lanes)
          .factor_rows(front, first_pivot, tile.row, end < front.rows ? end : front.rows);
    });
  }
};

/// block_rows x block_columns entries of what is left a block of threads, a tile a warp: the factors travel
/// through shared memory, some pivots at a time.
struct UpdateKernel {
  static constexpr unsigned threads = planar_tuning::block_rows / planar_step::tile_rows *
                                      (planar_tuning::block_columns / planar_step::tile_columns) *
                                      planar_step::lanes;
  static constexpr unsigned blocks_per_multiprocessor = planar_tuning::update_blocks;
  static constexpr unsigned tasks_a_block = 1;
  static constexpr unsigned rows = planar_tuning::block_rows;
  static constexpr unsigned columns = planar_tuning::block_columns;
  static constexpr unsigned chunk = planar_tuning::update_chunk;
  static constexpr std::size_t left_words = std::size_t{rows} * chunk * planar_step::lanes;
  static constexpr std::size_t right_words = std::size_t{columns} * chunk * planar_step::lanes;
  static constexpr std::size_t shared_bytes = (left_words + right_words) * sizeof(std::uint32_t);
  PlanarTables tables;
  PlanarShare share;
  const DeviceTile* tasks = nullptr;
  unsigned first_pivot = 0;

  template <class Block>
  COUNTPM_HD void operator()(Block& block) const {
    constexpr unsigned strips = rows / planar_step::tile_rows;
    const DeviceTile tile = tasks[block.index() % share.count];
    const std::uint64_t group = block.index() / share.count;
    const DeviceFront& front = tables.fronts[tile.front];
    const unsigned depth = PlanarLane::panel_size(front, first_pivot);
    auto* left = block.template shared<std::uint32_t>();
    auto* right = left + left_words;
    auto sums = block.template per_thread<planar_step::TileSums>();
    block.each([&](unsigned thread) { sums[thread].clear(); });
    for (unsigned first = 0; first < depth; first += chunk) {
      const unsigned some = depth - first < chunk ? depth - first : chunk;
      if (first != 0) block.sync();
      block.each([&](unsigned thread) { load(front, tile, group, first, some, thread, left, right); });
      block.sync();
      block.each([&](unsigned thread) {
        const unsigned warp = thread / planar_step::lanes;
        const unsigned lane = thread % planar_step::lanes;
        const std::uint32_t* a[planar_step::tile_rows];
        const std::uint32_t* b[planar_step::tile_columns];
        COUNTPM_UNROLL
        for (unsigned i = 0; i < planar_step::tile_rows; ++i)
          a[i] = left + ((warp % strips * planar_step::tile_rows + i) * chunk) * planar_step::lanes + lane;
        COUNTPM_UNROLL
        for (unsigned j = 0; j < planar_step::tile_columns; ++j)
          b[j] = right + (warp / strips * planar_step::tile_columns + j) * planar_step::lanes + lane;
        sums[thread].add(a, b, columns * planar_step::lanes, some);
      });
    }
    block.each([&](unsigned thread) {
      const unsigned warp = thread / planar_step::lanes;
      const unsigned row = tile.row + warp % strips * planar_step::tile_rows;
      const unsigned column = tile.column + warp / strips * planar_step::tile_columns;
      if (row >= front.rows || column >= front.columns) return;
      const PlanarLane lane(tables, group, thread % planar_step::lanes);
      sums[thread].template store<false>(lane.ring, lane.matrix(front).from(row, column), front.rows - row,
                                         front.columns - column);
    });
  }

 private:
  struct alignas(16) Four {
    std::uint32_t word[4];
  };

  /// Pivots first .. first + some - 1 of the panel: `left` rows x chunk entries, `right` chunk x columns.
  /// Beyond the front's edge the last row or column is taken once more.
  COUNTPM_HD_INLINE void load(const DeviceFront& front, const DeviceTile& tile, std::uint64_t group,
                              unsigned first, unsigned some, unsigned thread, std::uint32_t* left,
                              std::uint32_t* right) const {
    constexpr unsigned parts = planar_step::lanes / 4;  // of an entry
    const PlanarLane lane(tables, group, thread % parts * 4);
    const planar_step::LaneBlock factors = lane.factors(front);
    const planar_step::LaneBlock matrix = lane.matrix(front);
    const auto copy = [&](std::uint32_t* to, const std::uint32_t& from) {
      *reinterpret_cast<Four*>(to) = *reinterpret_cast<const Four*>(&from);
    };
    for (unsigned entry = thread / parts; entry < rows * chunk; entry += threads / parts) {
      const unsigned row = tile.row + entry / chunk;
      const unsigned pivot = entry % chunk;
      if (pivot >= some) continue;
      copy(left + std::size_t{entry} * planar_step::lanes + lane.lane,
           factors.at(row < front.rows ? row : front.rows - 1, first + pivot));
    }
    for (unsigned entry = thread / parts; entry < columns * some; entry += threads / parts) {
      const unsigned column = tile.column + entry % columns;
      copy(right + std::size_t{entry} * planar_step::lanes + lane.lane,
           matrix.at(first_pivot + first + entry / columns,
                     column < front.columns ? column : front.columns - 1));
    }
  }
};

/// The product over the roots, out of Montgomery form: one warp a group.
struct CollectKernel {
  static constexpr unsigned threads = planar_step::lanes;
  static constexpr unsigned blocks_per_multiprocessor = 1;
  static constexpr unsigned tasks_a_block = 1;
  PlanarTables tables;
  PlanarShare share;                 // one task a group
  std::uint64_t roots = 0;           // fronts 0 .. roots - 1
  std::uint32_t* results = nullptr;  // [groups][32]

  template <class Block>
  COUNTPM_HD void operator()(Block& block) const {
    block.each([&](unsigned thread) {
      if (block.index() >= share.groups) return;
      const PlanarLane lane(tables, block.index(), thread);
      std::uint32_t product = 1;
      for (std::uint64_t k = 0; k < roots; ++k)
        product = lane.ring.multiply(product, lane.number(tables.fronts[k].product));
      results[std::uint64_t{block.index()} * planar_step::lanes + thread] = product;
    });
  }
};

}  // namespace countpm
