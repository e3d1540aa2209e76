#include "kernels/estimate/bethe/marginals.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "graph/stop_poll.hpp"

namespace countpm {
namespace {

constexpr int most_sweeps = 400;
constexpr double small_change = 0x1p-30;
constexpr double least_message = 0x1p-60;

/// What all other entries of the line send, inverted: from what each entry of the line brings.
void pass(const std::vector<double>& brought, const std::vector<std::uint64_t>& start,
          const std::vector<std::uint64_t>* entry, std::vector<double>& sent) {
  StopPoll poll;
  for (std::size_t line = 0; line + 1 < start.size(); ++line) {
    poll.steps(start[line + 1] - start[line]);
    double sum = 0;
    for (std::uint64_t k = start[line]; k < start[line + 1]; ++k)
      sum += brought[entry == nullptr ? k : (*entry)[k]];
    for (std::uint64_t k = start[line]; k < start[line + 1]; ++k) {
      const std::uint64_t e = entry == nullptr ? k : (*entry)[k];
      sent[e] = 1 / std::max(sum - brought[e], least_message * sum);
    }
  }
}

/// Beliefs: x = 1 / (sum of a y over the other entries of the row), y likewise by columns; the entry's share
/// of its row is a y / (sum of a y over the row).
std::vector<double> beliefs(const SampleMatrix& matrix, const std::vector<std::uint64_t>& by_column) {
  const std::uint64_t entries = matrix.rows.entries();
  const auto weigh = [&](std::vector<double>& message) {
    if (matrix.weight.empty()) return;
    for (std::uint64_t k = 0; k < entries; ++k) message[k] *= matrix.weight[k];
  };
  std::vector<double> y(entries, 1.0);
  std::vector<double> x(entries);
  std::vector<double> before(entries);
  weigh(y);
  for (int sweep = 0; sweep < most_sweeps; ++sweep) {
    check_stop();
    before = y;
    pass(y, matrix.rows.row_start, nullptr, x);
    weigh(x);
    pass(x, matrix.columns.row_start, &by_column, y);
    weigh(y);
    double change = 0;
    for (std::uint64_t k = 0; k < entries; ++k) change = std::max(change, std::abs(y[k] / before[k] - 1));
    if (change < small_change) break;
  }
  for (Index i = 0; i < matrix.rows.rows; ++i) {
    double sum = 0;
    for (std::uint64_t k = matrix.rows.row_start[i]; k < matrix.rows.row_start[i + 1]; ++k) sum += y[k];
    for (std::uint64_t k = matrix.rows.row_start[i]; k < matrix.rows.row_start[i + 1]; ++k) y[k] /= sum;
  }
  return y;
}

/// Makes every line add up to marginal_one: from the leaves of a spanning tree (forest) to its root each
/// vertex passes what it lacks to the edge to its parent. The tree is of the largest entries, which can bear
/// it. A tree has as many rows as columns, so that its root lacks nothing.
class TreeCorrection {
 public:
  TreeCorrection(const SampleMatrix& matrix, const std::vector<std::uint64_t>& by_column,
                 std::vector<std::int64_t>& marginal)
      : rows_(matrix.rows), columns_(matrix.columns), by_column_(by_column), marginal_(marginal) {}

  bool run() {
    const std::size_t n = rows_.rows;
    seen_.assign(2 * n, false);
    std::vector<std::int64_t> lack(2 * n, marginal_one);
    for (Index i = 0; i < rows_.rows; ++i) {
      for (std::uint64_t k = rows_.row_start[i]; k < rows_.row_start[i + 1]; ++k) {
        lack[i] -= marginal_[k];
        lack[n + rows_.column[k]] -= marginal_[k];
      }
    }
    choose_tree();
    for (std::size_t root = 0; root < 2 * n; ++root) {
      if (!seen_[root]) grow(root);
    }
    for (std::size_t at = order_.size(); at-- > 0;) {
      const Step& step = order_[at];
      if (step.parent == root_parent) {
        if (lack[step.vertex] != 0) return false;
        continue;
      }
      marginal_[step.entry] += lack[step.vertex];
      lack[step.parent] -= lack[step.vertex];
    }
    return true;
  }

 private:
  static constexpr std::size_t root_parent = ~std::size_t{0};
  struct Step {
    std::size_t vertex;  // rows, then columns
    std::size_t parent;
    std::uint64_t entry;
  };

  // Kruskal's algorithm.
  void choose_tree() {
    const std::size_t n = rows_.rows;
    std::vector<Index> row_of(rows_.entries());
    for (Index i = 0; i < rows_.rows; ++i)
      std::fill(row_of.begin() + static_cast<std::ptrdiff_t>(rows_.row_start[i]),
                row_of.begin() + static_cast<std::ptrdiff_t>(rows_.row_start[i + std::uint64_t{1}]), i);
    std::vector<std::uint64_t> order(rows_.entries());
    std::iota(order.begin(), order.end(), std::uint64_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [this](std::uint64_t a, std::uint64_t b) { return marginal_[a] > marginal_[b]; });
    std::vector<std::size_t> above(2 * n);
    std::iota(above.begin(), above.end(), std::size_t{0});
    const auto root_of = [&above](std::size_t v) {
      for (; above[v] != v; v = above[v]) above[v] = above[above[v]];
      return v;
    };
    in_tree_.assign(rows_.entries(), false);
    StopPoll poll;
    for (const std::uint64_t k : order) {
      poll.step();
      const std::size_t a = root_of(row_of[k]);
      const std::size_t b = root_of(n + rows_.column[k]);
      if (a == b) continue;
      above[a] = b;
      in_tree_[k] = true;
    }
  }

  void grow(std::size_t root) {
    const std::size_t n = rows_.rows;
    seen_[root] = true;
    order_.push_back({root, root_parent, 0});
    for (std::size_t head = order_.size() - 1; head < order_.size(); ++head) {
      poll_.step();
      const std::size_t v = order_[head].vertex;
      const bool row = v < n;
      const SparsePattern& lines = row ? rows_ : columns_;
      const std::size_t line = row ? v : v - n;
      for (std::uint64_t k = lines.row_start[line]; k < lines.row_start[line + 1]; ++k) {
        const std::size_t next = row ? n + lines.column[k] : lines.column[k];
        if (seen_[next] || !in_tree_[row ? k : by_column_[k]]) continue;
        seen_[next] = true;
        order_.push_back({next, v, row ? k : by_column_[k]});
      }
    }
  }

  const SparsePattern& rows_;
  const SparsePattern& columns_;
  const std::vector<std::uint64_t>& by_column_;
  std::vector<std::int64_t>& marginal_;
  std::vector<bool> seen_;
  std::vector<bool> in_tree_;
  std::vector<Step> order_;
  StopPoll poll_;
};

}  // namespace

std::optional<std::vector<std::int64_t>> bethe_marginals(const SampleMatrix& matrix) {
  const std::vector<std::uint64_t> by_column = entries_by_column(matrix);
  const std::vector<double> belief = beliefs(matrix, by_column);
  std::vector<std::int64_t> marginal(belief.size());
  for (std::size_t k = 0; k < belief.size(); ++k) {
    if (!std::isfinite(belief[k])) return std::nullopt;
    marginal[k] = std::llround(belief[k] * static_cast<double>(marginal_one));
  }
  if (!TreeCorrection(matrix, by_column, marginal).run()) return std::nullopt;
  const bool negative = std::any_of(marginal.begin(), marginal.end(), [](std::int64_t p) { return p < 0; });
  if (negative) return std::nullopt;
  return marginal;
}

}  // namespace countpm
