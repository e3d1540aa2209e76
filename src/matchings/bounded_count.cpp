#include "src/matchings/bounded_count.hpp"

#include <bit>
#include <limits>
#include <unordered_map>
#include <utility>

namespace countpm {
namespace {

constexpr std::size_t most_states = std::size_t{1} << 14;

std::uint64_t saturating_add(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t sum = a + b;
  return sum < a ? std::numeric_limits<std::uint64_t>::max() : sum;
}

// The submatrix with its rows and columns numbered 0, 1, ...
struct Local {
  std::vector<std::vector<Index>> columns_of;
  std::vector<std::vector<Index>> rows_of;
};

Local localise(const SparsePattern& pattern, const std::vector<Index>& rows,
               const std::function<bool(Index)>& has_column) {
  Local local;
  std::unordered_map<Index, Index> number;
  local.columns_of.resize(rows.size());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::uint64_t k = pattern.row_start[rows[r]]; k < pattern.row_start[rows[r] + std::size_t{1}]; ++k) {
      if (!has_column(pattern.column[k])) continue;
      const auto [at, fresh] = number.try_emplace(pattern.column[k], static_cast<Index>(number.size()));
      if (fresh) local.rows_of.emplace_back();
      local.columns_of[r].push_back(at->second);
      local.rows_of[at->second].push_back(static_cast<Index>(r));
    }
  }
  return local;
}

// Breadth first, twice: the row found last is far out, and a good place to begin.
std::vector<Index> breadth_first(const Local& local) {
  std::vector<Index> order;
  Index start = 0;
  for (int pass = 0; pass < 2 && !local.columns_of.empty(); ++pass) {
    std::vector<bool> seen(local.columns_of.size(), false);
    order.clear();
    for (std::size_t next = 0; order.size() < local.columns_of.size(); ++next) {
      const Index root = next == 0 ? start : static_cast<Index>(next - 1);
      if (seen[root]) continue;
      seen[root] = true;
      order.push_back(root);
      for (std::size_t head = order.size() - 1; head < order.size(); ++head) {
        for (const Index column : local.columns_of[order[head]]) {
          for (const Index row : local.rows_of[column]) {
            if (!seen[row]) seen[row] = true, order.push_back(row);
          }
        }
      }
    }
    start = order.back();
  }
  return order;
}

}  // namespace

std::optional<std::uint64_t> bounded_count(const SparsePattern& pattern, const std::vector<Index>& rows,
                                           const std::function<bool(Index)>& has_column) {
  const Local local = localise(pattern, rows, has_column);
  if (local.rows_of.size() != rows.size()) return 0;  // a row or a column is left over
  std::vector<std::size_t> rows_left(local.rows_of.size());
  for (std::size_t c = 0; c < rows_left.size(); ++c) rows_left[c] = local.rows_of[c].size();
  constexpr unsigned no_slot = 64;
  std::vector<unsigned> slot(local.rows_of.size(), no_slot);
  std::uint64_t slots_used = 0;
  std::unordered_map<std::uint64_t, std::uint64_t> states{{0, 1}};
  for (const Index row : breadth_first(local)) {
    std::uint64_t entries = 0;
    std::uint64_t finished = 0;
    for (const Index column : local.columns_of[row]) {
      if (slot[column] == no_slot) {
        slot[column] = static_cast<unsigned>(std::countr_one(slots_used));
        if (slot[column] == no_slot) return std::nullopt;
        slots_used |= std::uint64_t{1} << slot[column];
      }
      entries |= std::uint64_t{1} << slot[column];
      if (--rows_left[column] == 0) finished |= std::uint64_t{1} << slot[column];
    }
    std::unordered_map<std::uint64_t, std::uint64_t> next;
    for (const auto& [used, ways] : states) {
      for (std::uint64_t open = entries & ~used; open != 0; open &= open - 1) {
        const std::uint64_t now = used | (open & (~open + 1));
        if ((now & finished) != finished) continue;  // a column whose last row has passed stays unused
        std::uint64_t& sum = next[now & ~finished];
        sum = saturating_add(sum, ways);
      }
    }
    if (next.size() > most_states) return std::nullopt;
    slots_used &= ~finished;
    states = std::move(next);
  }
  const auto at = states.find(0);
  return at == states.end() ? 0 : at->second;
}

}  // namespace countpm
