// Forbert-Marx expansion: how many nodes (calls of reduce) it takes to expand matrices of ../shared/matrices
// down to blocks of at most LEAF rows, without and with a memo of blocks by exact content. Goal: 1 to 10 us a
// node; ibm32, bcspwr01, bcspwr02, d_ss, impcol_b and will57 to the end in seconds. Usage: bench_forbert_marx
// [--limit SECONDS] [--leaf ROWS] Recursive, as a benchmark may be: the depth is at most the number of rows.
#include <fmt/format.h>
#include <gmpxx.h>

#include <bit>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "bench/blocks.hpp"
#include "matching/forbert_marx.hpp"

namespace {

using countpm::Index;
using Matrix = countpm::SparseMatrix<std::int64_t>;

/// A small block by sums over the sets of columns used, row after row.
mpz_class count_leaf(const Matrix& matrix) {
  std::vector<mpz_class> sum(std::size_t{1} << matrix.rows);
  sum[0] = 1;
  for (std::size_t used = 0; used + 1 < sum.size(); ++used) {
    if (sum[used] == 0) continue;
    const auto row = static_cast<Index>(std::popcount(used));
    for (std::uint64_t k = matrix.row_start[row]; k < matrix.row_start[row + std::size_t{1}]; ++k) {
      const std::size_t bit = std::size_t{1} << matrix.column[k];
      if ((used & bit) == 0) sum[used | bit] += sum[used] * static_cast<long>(matrix.value[k]);
    }
  }
  return sum.back();
}

class Expander {
 public:
  struct Stopped {};

  Expander(bool memoise, Index leaf_rows, double limit)
      : memoise_(memoise), leaf_rows_(leaf_rows), limit_(limit) {}

  mpq_class count(const Matrix& matrix) {
    if (++nodes % 1024 == 0 && seconds() > limit_) throw Stopped{};
    const auto reduced = countpm::reduce(matrix, rules_, false);
    if (reduced.blocks.empty()) ++terms;
    mpq_class product = reduced.factor;
    for (const auto& block : reduced.blocks) product *= count_block(block.matrix);
    return product;
  }

  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

  std::uint64_t nodes = 0;   // calls of reduce
  std::uint64_t terms = 0;   // of which nothing was left to count
  std::uint64_t leaves = 0;  // blocks counted densely: small enough, or no line of degree 3 or 4
  std::uint64_t hits = 0;

 private:
  mpq_class count_block(const Matrix& block) {
    std::string key;
    if (memoise_ && block.rows > 4) {
      const auto append = [&key](const auto& list) {
        key.append(reinterpret_cast<const char*>(list.data()), list.size() * sizeof(list[0]));
      };
      append(block.row_start);
      append(block.column);
      append(block.value);
      const auto found = memo_.find(key);
      if (found != memo_.end()) {
        ++hits;
        return found->second;
      }
    }
    mpq_class result;
    const auto split = block.rows <= leaf_rows_ ? std::nullopt : countpm::forbert_marx_split(block, rules_);
    if (split) {
      result = count(split->first);
      result += count(split->second);
    } else {
      if (block.rows > 22) throw Stopped{};
      ++leaves;
      result = count_leaf(block);
    }
    if (!key.empty() && memo_.size() < (std::size_t{1} << 20)) memo_.emplace(std::move(key), result);
    return result;
  }

  const bool memoise_;
  const Index leaf_rows_;
  const double limit_;
  const countpm::RuleSet rules_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::unordered_map<std::string, mpq_class> memo_;
};

}  // namespace

int main(int argc, char** argv) {
  double limit = 30;
  Index leaf = 0;
  for (int k = 1; k + 1 < argc; k += 2) {
    if (std::string(argv[k]) == "--limit") limit = std::atof(argv[k + 1]);
    if (std::string(argv[k]) == "--leaf") leaf = static_cast<Index>(std::atoi(argv[k + 1]));
  }
  fmt::print(
      "| matrix | n | entries | memo | nodes | closed terms | dense leaves | memo hits | seconds | us a node "
      "| count |\n");
  fmt::print("|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (const char* name : {"ibm32", "bcspwr01", "bcspwr02", "d_ss", "impcol_b", "curtis54", "will57"}) {
    const auto path = std::string(COUNTPM_SOURCE_DIR "/../shared/matrices/") + name + ".mtx";
    if (!std::filesystem::exists(path)) {
      fmt::print("| {} | file not found |\n", name);
      continue;
    }
    const Matrix matrix = countpm::bench::read_block(path).matrix;
    for (const bool memoise : {false, true}) {
      Expander expander(memoise, leaf, limit);
      std::string count = "stopped";
      try {
        count = expander.count(matrix).get_str();
      } catch (const Expander::Stopped&) {
        // The table shows how far it came.
      }
      const double seconds = expander.seconds();
      fmt::print("| {} | {} | {} | {} | {} | {} | {} | {} | {:.3f} | {:.2f} | {} |\n", name, matrix.rows,
                 matrix.entries(), memoise ? "yes" : "no", expander.nodes, expander.terms, expander.leaves,
                 expander.hits, seconds, seconds * 1e6 / static_cast<double>(expander.nodes), count);
      std::fflush(stdout);
    }
  }
  return 0;
}
