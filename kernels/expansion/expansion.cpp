#include "kernels/expansion/expansion.hpp"

#include <cmath>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "kernels/expansion/forbert_marx.hpp"
#include "matching/forbert_marx.hpp"

namespace countpm {

template <class Value>
Product<Value> reduced_product(const SparseMatrix<Value>& matrix, const RuleSet& rules, RuleTally& tally,
                               bool* overflow) {
  Reduced<Value> reduced = reduce(matrix, rules, false);
  tally.add(reduced.tally);
  if (overflow != nullptr) *overflow = reduced.overflow;
  Product<Value> product{std::move(reduced.factor), {}};
  product.matrices.reserve(reduced.blocks.size());
  for (Block<Value>& block : reduced.blocks) product.matrices.push_back(std::move(block.matrix));
  return product;
}

template Product<std::int64_t> reduced_product(const SparseMatrix<std::int64_t>&, const RuleSet&, RuleTally&,
                                               bool*);
template Product<mpq_class> reduced_product(const SparseMatrix<mpq_class>&, const RuleSet&, RuleTally&,
                                            bool*);
template Product<ComplexRational> reduced_product(const SparseMatrix<ComplexRational>&, const RuleSet&,
                                                  RuleTally&, bool*);

template <class Value>
Index leaf_rows(const ExpansionOptions& options) {
  if (options.leaf_rows != 0) return std::min(options.leaf_rows, SmallPermanent::most_rows);
  // 2-core AMD EPYC (Zen 4) under load, 2026-11-21, seconds for leaves of 8, 10, 12, 13, 14, 16 rows:
  // lap_25 1.66 0.88 0.52 0.34 0.22 0.16, pores_1 0.64 0.39 0.25 0.17 0.15 0.14, will57 2.7 1.8 1.4 0.85
  // 0.80 1.06.
  return std::is_same_v<Value, std::int64_t> ? 13 : 7;
}
template Index leaf_rows<std::int64_t>(const ExpansionOptions&);
template Index leaf_rows<mpq_class>(const ExpansionOptions&);
template Index leaf_rows<ComplexRational>(const ExpansionOptions&);

double small_leaf_work(Index rows) {
  // 2^n sets in about 4 ns each (n / 2 products), and 200 ns.
  return nominal_nodes_per_second * (2e-7 + 4e-9 * std::ldexp(1.0, static_cast<int>(rows)));
}

namespace {
// 0.05 s of nodes: skipper samples for some 10 ms.
const double log2_worth_a_choice = std::log2(0.05 * nominal_nodes_per_second);
}  // namespace

LeafJob make_leaf_job(const AnyBlock& block, const ExpansionOptions& options, bool quick) {
  LeafJob best;
  const auto consider = [&](const Method& method) {
    if (method.obstacle(block, options.arithmetic)) return;
    std::unique_ptr<Job> job = method.make_job(block, options.arithmetic, {options.rules, 1});
    if (job->runs_on_all_threads()) return;  // wants the threads and the memory for itself
    const double log2_work =
        job->log2_work() - std::log2(job->nominal_rate()) + std::log2(nominal_nodes_per_second);
    if (!best.job || log2_work < best.log2_work) best = {std::move(job), log2_work};
  };
  if (options.leaf_method != "auto") {
    consider(method_named(options.leaf_method));
  } else {
    // The forecast of the method for tiny blocks costs nothing; others are asked only where it would take
    // longer than they need for theirs.
    const std::vector<const Method*>& methods = exact_methods();
    for (const Method* method : methods) {
      if (method->traits().for_tiny_matrices) consider(*method);
    }
    for (const Method* method : methods) {
      if (best.job && (quick || best.log2_work < log2_worth_a_choice)) break;
      if (method != &forbert_marx_method() && !method->traits().for_tiny_matrices) consider(*method);
    }
  }
  if (!best.job) throw std::logic_error("forbert-marx: no method counts the leaves");
  return best;
}

bool has_splittable_line(const SparsePattern& pattern, const RuleSet& rules) {
  const auto splittable = [&](std::uint64_t degree) {
    return (degree == 3 && rules.has(Rule::forbert_marx_3)) ||
           (degree == 4 && rules.has(Rule::forbert_marx_4));
  };
  std::vector<Index> column_degree(pattern.columns, 0);
  for (const Index j : pattern.column) ++column_degree[j];
  for (Index line = 0; line < pattern.rows; ++line) {
    if (splittable(pattern.row_degree(line)) || splittable(column_degree[line])) return true;
  }
  return false;
}

SparseMatrix<mpq_class> promoted(const SparseMatrix<std::int64_t>& matrix) {
  SparseMatrix<mpq_class> result;
  static_cast<SparsePattern&>(result) = static_cast<const SparsePattern&>(matrix);
  result.value.reserve(matrix.value.size());
  for (const std::int64_t value : matrix.value) result.value.emplace_back(static_cast<std::int64_t>(value));
  return result;
}

template <class Value>
bool Expansion<Value>::evaluate(Product<Value> product, Partial& result) {
  stack_.clear();
  push_product(std::move(product));
  while (true) {
    Frame& top = stack_.back();
    if (top.pending.empty()) {
      const Frame done = std::move(top);
      stack_.pop_back();
      if (stack_.empty()) {
        result = done.value;
        return true;
      }
      if (done.is_sum) {
        multiply(stack_.back().value, done.value, options_.arithmetic);
      } else {
        add(stack_.back().value, done.value, options_.arithmetic);
      }
      continue;
    }
    SparseMatrix<Value> next = std::move(top.pending.back());
    top.pending.pop_back();
    if (!(top.is_sum ? add_half(next) : multiply_block(std::move(next)))) return false;
  }
}

/// A half of a split: reduced, it is a product.
template <class Value>
bool Expansion<Value>::add_half(const SparseMatrix<Value>& half) {
  bool overflow = false;
  Product<Value> product = reduced_product(half, options_.rules, tally_, &overflow);
  if (product.matrices.empty() && product.factor == typename Reduced<Value>::Factor{})
    return true;  // a term that is zero
  if constexpr (std::is_same_v<Value, std::int64_t>) {
    if (overflow) {
      // Rules were left out; wider entries take them.
      Partial value = from_factor(product.factor, options_.arithmetic);
      for (const SparseMatrix<Value>& block : product.matrices) {
        Partial factor;
        if (!count_promoted(block, factor)) return false;
        multiply(value, factor, options_.arithmetic);
      }
      add(stack_.back().value, value, options_.arithmetic);
      return true;
    }
  }
  push_product(std::move(product));
  return true;
}

/// A block of a product: a leaf, or split into a sum.
template <class Value>
bool Expansion<Value>::multiply_block(SparseMatrix<Value>&& block) {
  if (block.rows <= leaf_rows<Value>(options_)) {
    work_ += small_leaf_work(block.rows);
    if (meter_.spend(4) && !meter_.look()) return false;
    multiply(stack_.back().value, from_factor(small_permanent_(block), options_.arithmetic),
             options_.arithmetic);
    return true;
  }
  // A split costs some nanoseconds an entry: the meter's units are some 50 ns here.
  if (meter_.spend(16 + block.entries()) && !meter_.look()) return false;
  work_ += 1;
  if (auto split = forbert_marx_split(block, options_.rules)) {
    ++tally_[split->rule].applied;
    ++tally_[split->rule].removed;  // a term more
    Frame sum{true, zero(options_.arithmetic), {}};
    sum.pending.push_back(std::move(split->first));
    sum.pending.push_back(std::move(split->second));
    stack_.push_back(std::move(sum));
    return true;
  }
  Partial factor;
  if (std::is_same_v<Value, std::int64_t> && has_splittable_line(block, options_.rules)) {
    if (!count_promoted(block, factor)) return false;
  } else if (!count_leaf(std::move(block), factor)) {
    return false;
  }
  multiply(stack_.back().value, factor, options_.arithmetic);
  return true;
}

/// The block in rational numbers, whose integers have no bound: one machine inside the other, never deeper.
template <class Value>
bool Expansion<Value>::count_promoted(const SparseMatrix<Value>& block, Partial& result) {
  if constexpr (std::is_same_v<Value, std::int64_t>) {
    Expansion<mpq_class> wide(options_, stop_, meter_);
    const bool done = wide.evaluate(reduced_product(promoted(block), options_.rules, tally_), result);
    tally_.add(wide.tally());
    work_ += wide.work();
    return done;
  } else {
    return false;
  }
}

template <class Value>
bool Expansion<Value>::count_leaf(SparseMatrix<Value>&& block, Partial& result) {
  const LeafJob leaf = make_leaf_job(Block<Value>{std::move(block), {}}, options_);
  result = zero(options_.arithmetic);
  for (std::uint64_t unit = 0; unit < leaf.job->units(); ++unit)
    add(result, leaf.job->run(unit, stop_), options_.arithmetic);
  work_ += std::exp2(std::min(leaf.log2_work, 1000.0));
  return meter_.look();
}

template class Expansion<std::int64_t>;
template class Expansion<mpq_class>;
template class Expansion<ComplexRational>;

}  // namespace countpm
