#include "matching/small_workspace.hpp"

namespace countpm {

void SmallWorkspace::start(Index rows) {
  lines_ = rows;
  for (auto& mask : mask_) std::fill_n(mask.begin(), rows, 0);
  alive_[0] = alive_[1] = rows == 64 ? ~std::uint64_t{0} : bit(rows) - 1;
  waiting_ = {0, 0};
  factor_ = {};
  blocks_ = 0;
  zero_ = vanished_ = overflow_ = false;
}

void SmallWorkspace::load(const SparseMatrix<Value>& matrix) {
  start(matrix.rows);
  for (Index i = 0; i < matrix.rows; ++i) {
    for (std::uint64_t k = matrix.row_start[i]; k < matrix.row_start[i + std::uint64_t{1}]; ++k) {
      put(i, matrix.column[k], matrix.value[k]);
    }
  }
  enqueue_all();
}

std::uint64_t SmallWorkspace::entries() const {
  std::uint64_t count = 0;
  for (std::uint64_t rest = alive_[0]; rest != 0; rest &= rest - 1) {
    count += degree(Side::rows, static_cast<Index>(std::countr_zero(rest)));
  }
  return count;
}

void SmallWorkspace::enqueue_all() {
  for (const Side side : {Side::rows, Side::columns}) {
    for (std::uint64_t rest = alive_[index_of(side)]; rest != 0; rest &= rest - 1) {
      const auto line = static_cast<Index>(std::countr_zero(rest));
      const Index entries_here = degree(side, line);
      if (entries_here <= 2) waiting_[index_of(side)] |= bit(line);
      if (entries_here == 0) zero_ = true;
    }
  }
}

bool SmallWorkspace::next_line(Side& side, Index& line) {
  for (const Side s : {Side::rows, Side::columns}) {
    std::uint64_t& waiting = waiting_[index_of(s)];
    waiting &= alive_[index_of(s)];
    if (waiting == 0) continue;
    side = s;
    line = static_cast<Index>(std::countr_zero(waiting));
    waiting &= waiting - 1;
    return true;
  }
  return false;
}

void SmallWorkspace::erase_entry(Side side, Index line, Index cross) {
  const std::size_t s = index_of(side);
  mask_[s][line] &= ~bit(cross);
  mask_[1 - s][cross] &= ~bit(line);
  if (mask_[s][line] == 0 || mask_[1 - s][cross] == 0) zero_ = true;
  if (degree(side, line) <= 2) waiting_[s] |= bit(line);
  if (degree(other(side), cross) <= 2) waiting_[1 - s] |= bit(cross);
}

void SmallWorkspace::clear_line(Side side, Index line) {
  const std::size_t s = index_of(side);
  alive_[s] &= ~bit(line);
  for (std::uint64_t rest = mask_[s][line]; rest != 0; rest &= rest - 1) {
    const auto cross = static_cast<Index>(std::countr_zero(rest));
    std::uint64_t& mask = mask_[1 - s][cross];
    mask &= ~bit(line);
    if (mask == 0 && (alive_[1 - s] & bit(cross)) != 0) zero_ = true;
    if (std::popcount(mask) <= 2) waiting_[1 - s] |= bit(cross);
  }
  mask_[s][line] = 0;
}

void SmallWorkspace::erase_pair(Side side, Index line, Index cross) {
  alive_[index_of(other(side))] &=
      ~bit(cross);  // before its last entry goes, or it would look like an empty line
  clear_line(side, line);
  clear_line(other(side), cross);
}

bool SmallWorkspace::merge(Side side, Index into, Index from, Value a, Value b, Index without) {
  const std::size_t s = index_of(side);
  const std::uint64_t mask_into = mask_[s][into] & ~bit(without);
  const std::uint64_t mask_from = mask_[s][from] & ~bit(without);
  // Compute everything first: where something does not fit, nothing may have changed.
  std::array<Value, 64> merged;  // NOLINT(cppcoreguidelines-pro-type-member-init): only what mask_into and
                                 // mask_from name is read
  std::uint64_t cancelled = 0;
  bool fits = true;
  for (std::uint64_t rest = mask_into | mask_from; rest != 0; rest &= rest - 1) {
    const auto cross = static_cast<Index>(std::countr_zero(rest));
    Value sum = 0;
    if ((mask_into & bit(cross)) != 0) fits &= multiply_entries(a, value_[place(side, into, cross)], sum);
    if ((mask_from & bit(cross)) != 0) {
      Value product = 0;
      fits &=
          multiply_entries(b, value_[place(side, from, cross)], product) && add_entries(sum, product, sum);
    }
    merged[cross] = sum;
    if (sum == 0) cancelled |= bit(cross);
  }
  if (!fits) {
    overflow_ = true;
    return false;
  }

  alive_[s] &= ~bit(from);
  alive_[s] &= ~bit(into);  // it may be empty for a moment
  clear_line(other(side), without);
  for (std::uint64_t rest = mask_from; rest != 0; rest &= rest - 1) {
    const auto cross = static_cast<Index>(std::countr_zero(rest));
    std::uint64_t& mask = mask_[1 - s][cross];
    mask = (mask & ~bit(from)) | bit(into);
    if (std::popcount(mask) <= 2) waiting_[1 - s] |= bit(cross);
  }
  for (std::uint64_t rest = (mask_into | mask_from) & ~cancelled; rest != 0; rest &= rest - 1) {
    const auto cross = static_cast<Index>(std::countr_zero(rest));
    value_[place(side, into, cross)] = merged[cross];
  }
  mask_[s][from] = 0;
  mask_[s][into] = mask_into | mask_from;
  alive_[s] |= bit(into);
  if (cancelled != 0) vanished_ = true;
  for (std::uint64_t rest = cancelled; rest != 0; rest &= rest - 1) {
    erase_entry(side, into, static_cast<Index>(std::countr_zero(rest)));
  }
  if (mask_[s][into] == 0) zero_ = true;
  if (degree(side, into) <= 2) waiting_[s] |= bit(into);
  return true;
}

bool SmallWorkspace::match(std::array<std::uint8_t, 64>& column_of_row,
                           std::array<std::uint8_t, 64>& row_of_column) const {
  std::uint64_t free_columns = alive_[1];
  std::uint64_t left = 0;
  for (std::uint64_t rest = alive_[0]; rest != 0; rest &= rest - 1) {
    const auto i = static_cast<Index>(std::countr_zero(rest));
    const std::uint64_t choice = mask_[0][i] & free_columns;
    if (choice == 0) {
      left |= bit(i);
      continue;
    }
    const auto j = static_cast<Index>(std::countr_zero(choice));
    free_columns &= ~bit(j);
    column_of_row[i] = static_cast<std::uint8_t>(j);
    row_of_column[j] = static_cast<std::uint8_t>(i);
  }
  // One augmenting path, breadth first, for each row left over.
  for (; left != 0; left &= left - 1) {
    const auto start_row = static_cast<Index>(std::countr_zero(left));
    std::array<std::uint8_t, 64> parent;  // NOLINT: of a column: the row it was reached from
    std::array<std::uint8_t, 64> queue;   // NOLINT: rows
    std::uint64_t seen = 0;
    std::size_t head = 0;
    std::size_t tail = 0;
    queue[tail++] = static_cast<std::uint8_t>(start_row);
    std::uint64_t goal = 0;
    while (head < tail && goal == 0) {
      const std::uint8_t i = queue[head++];
      const std::uint64_t fresh = mask_[0][i] & ~seen;
      seen |= fresh;
      goal = fresh & free_columns;
      for (std::uint64_t rest = fresh; rest != 0; rest &= rest - 1) {
        const auto j = static_cast<Index>(std::countr_zero(rest));
        parent[j] = i;
        if (goal == 0) queue[tail++] = row_of_column[j];
      }
    }
    if (goal == 0) return false;
    auto j = static_cast<Index>(std::countr_zero(goal));
    free_columns &= ~bit(j);
    while (true) {
      const std::uint8_t i = parent[j];
      const std::uint8_t freed = column_of_row[i];
      column_of_row[i] = static_cast<std::uint8_t>(j);
      row_of_column[j] = i;
      if (i == start_row) break;
      j = freed;
    }
  }
  return true;
}

bool SmallWorkspace::split() {
  vanished_ = false;
  blocks_ = 0;
  std::array<std::uint8_t, 64> column_of_row;  // NOLINT: filled for every row that is alive
  std::array<std::uint8_t, 64> row_of_column;  // NOLINT
  if (!match(column_of_row, row_of_column)) {
    zero_ = true;
    return false;
  }
  // The strong component of a matched pair is what it reaches forwards and backwards. Few blocks are the rule
  // here, so this beats Tarjan's bookkeeping; what is still unassigned shrinks by every component found.
  std::uint64_t rows_left = alive_[0];
  while (rows_left != 0) {
    const auto first = static_cast<Index>(std::countr_zero(rows_left));
    std::uint64_t columns_left = 0;
    for (std::uint64_t rest = rows_left; rest != 0; rest &= rest - 1)
      columns_left |= bit(column_of_row[std::countr_zero(rest)]);

    std::uint64_t forward = bit(column_of_row[first]);  // as columns
    std::uint64_t open = forward;
    while (open != 0) {
      const auto j = static_cast<Index>(std::countr_zero(open));
      open &= open - 1;
      const std::uint64_t fresh = mask_[0][row_of_column[j]] & columns_left & ~forward;
      forward |= fresh;
      open |= fresh;
    }
    std::uint64_t backward = bit(first);  // as rows
    open = backward;
    while (open != 0) {
      const auto i = static_cast<Index>(std::countr_zero(open));
      open &= open - 1;
      const std::uint64_t fresh = mask_[1][column_of_row[i]] & rows_left & ~backward;
      backward |= fresh;
      open |= fresh;
    }
    std::uint64_t rows = 0;
    std::uint64_t columns = 0;
    for (std::uint64_t rest = backward; rest != 0; rest &= rest - 1) {
      const auto i = static_cast<Index>(std::countr_zero(rest));
      if ((forward & bit(column_of_row[i])) == 0) continue;
      rows |= bit(i);
      columns |= bit(column_of_row[i]);
    }
    block_[blocks_++] = {rows, columns};
    rows_left &= ~rows;
  }
  if (blocks_ <= 1) return true;
  for (Index block = 0; block < blocks_; ++block) {
    const auto [rows, columns] = block_[block];
    for (std::uint64_t rest = rows; rest != 0; rest &= rest - 1) mask_[0][std::countr_zero(rest)] &= columns;
    for (std::uint64_t rest = columns; rest != 0; rest &= rest - 1) mask_[1][std::countr_zero(rest)] &= rows;
  }
  enqueue_all();
  return true;
}

SparseMatrix<std::int64_t> SmallWorkspace::compact(std::uint64_t rows, std::uint64_t columns) const {
  SparseMatrix<Value> result;
  result.rows = static_cast<Index>(std::popcount(rows));
  result.columns = static_cast<Index>(std::popcount(columns));
  result.row_start.resize(result.rows + std::size_t{1});
  std::size_t count = 0;
  for (std::uint64_t rest = rows; rest != 0; rest &= rest - 1)
    count += degree(Side::rows, static_cast<Index>(std::countr_zero(rest)));
  result.column.reserve(count);
  result.value.reserve(count);
  Index row = 0;
  for (std::uint64_t rest = rows; rest != 0; rest &= rest - 1) {
    for_each(Side::rows, static_cast<Index>(std::countr_zero(rest)), [&](Index column, Value value) {
      if ((columns & bit(column)) == 0) return;
      result.column.push_back(static_cast<Index>(std::popcount(columns & (bit(column) - 1))));
      result.value.push_back(value);
    });
    result.row_start[++row] = result.column.size();
  }
  return result;
}

}  // namespace countpm
