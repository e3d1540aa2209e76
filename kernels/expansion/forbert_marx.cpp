#include "kernels/expansion/forbert_marx.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <type_traits>
#include <utility>

#include "kernels/arithmetic/bound.hpp"
#include "kernels/arithmetic/dispatch.hpp"
#include "kernels/expansion/forecast.hpp"
#include "kernels/support/plan_text.hpp"
#include "matching/fingerprint.hpp"
#include "matching/forbert_marx.hpp"

namespace countpm {
namespace {

constexpr double most_units = 1024;
constexpr double nodes_per_unit = 512;
// All terms in memory together: so many entries (12 bytes each) at most.
constexpr double most_entries = 4e6;
// A term's largest block is split into several units only where the other blocks, which every one of them
// then counts again, have fewer rows.
constexpr Index small_rows = 16;

template <class Value>
class ForbertMarxJob : public Job, public Repeatable {
 public:
  ForbertMarxJob(const SparseMatrix<Value>& matrix, const mpq_class& factor, ExpansionOptions options,
                 std::uint64_t seed)
      : options_(std::move(options)), seed_(seed) {
    entries_ = static_cast<double>(matrix.entries());
    if (options_.terms_wanted && static_cast<double>(*options_.terms_wanted) > most_terms())
      throw PlanError("a plan has too many terms");
    rows_ = matrix.rows;
    root_ = reduced_product(matrix, options_.rules, root_tally_);
    if constexpr (std::is_same_v<Value, ComplexRational>) {
      root_.factor = {mpq_class(root_.factor.re * factor), mpq_class(root_.factor.im * factor)};
    } else {
      root_.factor *= factor;
    }
  }

  /// Terms that another job has made.
  ForbertMarxJob(std::vector<Product<Value>> terms, ExpansionOptions options, std::uint64_t seed)
      : options_(std::move(options)), seed_(seed) {
    std::call_once(terms_once_, [&] { terms_ = std::move(terms); });
  }

  std::uint64_t units() const override { return terms().size(); }
  std::string plan() const override {
    PlanWriter writer;
    Sha256 hash;
    for (const Product<Value>& term : terms()) {
      add_to_fingerprint(hash, term.factor);
      for (const SparseMatrix<Value>& matrix : term.matrices) add_to_fingerprint(hash, matrix);
    }
    writer.put("wanted", wanted_);
    // What the terms are, so that another version that splits otherwise is found out.
    writer.put_all("terms", std::vector<mpz_class>{mpz_class(hash.digest().substr(0, 32), 16)});
    return writer.text();
  }

  Partial run(std::uint64_t unit, const StopSignal& stop) const override {
    WorkMeter meter(stop);
    Expansion<Value> expansion(options_, stop, meter);
    Partial result;
    expansion.evaluate(terms()[unit], result);
    const std::lock_guard lock(mutex_);
    tally_.add(expansion.tally());
    return result;
  }

  double log2_work() const override {
    std::call_once(forecast_once_, [&] { forecast_ = forecast_expansion(root_, options_, seed_).work; });
    return forecast_;
  }
  bool sampled() const override { return true; }

  double nominal_rate() const override {
    return nominal_nodes_per_second * std::min(1.0, 500 / std::max(entries_, 1.0));
  }

  double measured_rate(double seconds) const override {
    // By descents again: running a slice of the tree would time its top, where blocks are large and splits
    // are slow.
    const ExpansionForecast measured = forecast_expansion(root_, options_, seed_, seconds);
    return std::exp2(std::clamp(measured.work - measured.seconds, -300.0, 60.0));
  }

  std::unique_ptr<Job> with_moduli_subset(const Arithmetic& arithmetic) const override {
    auto job = std::make_unique<ForbertMarxJob>(terms(), options_, seed_);
    job->options_.arithmetic = arithmetic;
    return job;
  }

  std::uint64_t bytes_per_thread() const override {
    // A frame holds a matrix that waits, and a split takes a row or two entries away: the matrices on the
    // stack shrink to nothing.
    const double frames = std::min<double>(rows_ + entries_ / 2, 4 * static_cast<double>(rows_) + 8);
    const double bytes = 1e5 + 16.0 * std::ldexp(1.0, SmallPermanent::most_rows) +
                         frames * (256 + 0.5 * entries_ * (4 + sizeof(Value)));
    return static_cast<std::uint64_t>(std::min(bytes, 1e18));
  }

  RuleTally tally() const override {
    const std::lock_guard lock(mutex_);
    RuleTally sum = root_tally_;
    sum.add(tally_);
    return sum;
  }

 private:
  const std::vector<Product<Value>>& terms() const {
    std::call_once(terms_once_, [&] { make_terms(); });
    return terms_;
  }

  /// The index of the term's largest matrix.
  static std::size_t largest(const Product<Value>& term) {
    std::size_t at = 0;
    for (std::size_t k = 1; k < term.matrices.size(); ++k) {
      if (term.matrices[k].rows > term.matrices[at].rows) at = k;
    }
    return at;
  }

  bool worth_splitting(const Product<Value>& term) const {
    if (term.matrices.empty()) return false;
    const std::size_t at = largest(term);
    Index others = 0;
    for (std::size_t k = 0; k < term.matrices.size(); ++k) {
      if (k != at) others += term.matrices[k].rows;
    }
    return others <= small_rows && term.matrices[at].rows > leaf_rows<Value>(options_);
  }

  /// How many terms to make: as many as the forecast is worth, or a plan says.
  std::uint64_t terms_wanted() const {
    if (options_.terms_wanted) return *options_.terms_wanted;
    return static_cast<std::uint64_t>(
        std::ceil(std::min(std::exp2(std::min(log2_work(), 60.0)) / nodes_per_unit, most_terms())));
  }
  double most_terms() const {
    return std::ceil(std::min(most_units, most_entries / std::max(entries_, 1.0)));
  }

  /// Breadth-first: the term with the largest block is split, until there are enough.
  void make_terms() const {
    wanted_ = terms_wanted();
    const auto smaller = [](const Product<Value>& a, const Product<Value>& b) {
      return a.matrices[largest(a)].rows < b.matrices[largest(b)].rows;
    };
    std::vector<Product<Value>> open;  // a heap
    std::vector<Product<Value>> closed;
    const auto sort_in = [&](Product<Value>&& term) {
      if (worth_splitting(term)) {
        open.push_back(std::move(term));
        std::push_heap(open.begin(), open.end(), smaller);
      } else {
        closed.push_back(std::move(term));
      }
    };
    RuleTally tally;
    sort_in(Product<Value>(root_));
    while (!open.empty() && open.size() + closed.size() < wanted_) {
      std::pop_heap(open.begin(), open.end(), smaller);
      Product<Value> term = std::move(open.back());
      open.pop_back();
      const std::size_t at = largest(term);
      const auto split = forbert_marx_split(term.matrices[at], options_.rules);
      if (!split) {
        closed.push_back(std::move(term));
        continue;
      }
      ++tally[split->rule].applied;
      ++tally[split->rule].removed;
      term.matrices.erase(term.matrices.begin() + static_cast<std::ptrdiff_t>(at));
      for (const SparseMatrix<Value>* half : {&split->first, &split->second}) {
        Product<Value> product = reduced_product(*half, options_.rules, tally);
        if (product.matrices.empty() && product.factor == typename Reduced<Value>::Factor{}) continue;
        if constexpr (std::is_same_v<Value, ComplexRational>) {
          const ComplexRational a = product.factor;
          product.factor = {mpq_class(a.re * term.factor.re - a.im * term.factor.im),
                            mpq_class(a.re * term.factor.im + a.im * term.factor.re)};
        } else {
          product.factor *= term.factor;
        }
        product.matrices.insert(product.matrices.end(), term.matrices.begin(), term.matrices.end());
        sort_in(std::move(product));
      }
    }
    terms_ = std::move(closed);
    for (Product<Value>& term : open) terms_.push_back(std::move(term));
    if (terms_.empty()) {
      Product<Value> nothing;
      terms_.push_back(std::move(nothing));
    }
    const std::lock_guard lock(mutex_);
    tally_.add(tally);
  }

  ExpansionOptions options_;
  std::uint64_t seed_;
  double entries_ = 0;
  Index rows_ = 0;
  Product<Value> root_;
  RuleTally root_tally_;
  mutable std::once_flag forecast_once_;
  mutable double forecast_ = 0;
  mutable std::once_flag terms_once_;
  mutable std::vector<Product<Value>> terms_;
  mutable std::uint64_t wanted_ = 0;
  mutable std::mutex mutex_;
  mutable RuleTally tally_;
};

/// The block with every row multiplied by its denominators' least common multiple, where that fits int64.
std::optional<SparseMatrix<std::int64_t>> scaled_to_integers(const SparseMatrix<mpq_class>& matrix) {
  SparseMatrix<std::int64_t> result;
  static_cast<SparsePattern&>(result) = static_cast<const SparsePattern&>(matrix);
  result.value.reserve(matrix.value.size());
  for (Index i = 0; i < matrix.rows; ++i) {
    mpz_class scale = 1;
    for (std::uint64_t k = matrix.row_start[i]; k < matrix.row_start[i + std::uint64_t{1}]; ++k)
      scale = lcm(scale, matrix.value[k].get_den());
    for (std::uint64_t k = matrix.row_start[i]; k < matrix.row_start[i + std::uint64_t{1}]; ++k) {
      const mpz_class value = matrix.value[k].get_num() * (scale / matrix.value[k].get_den());
      if (!value.fits_slong_p()) return std::nullopt;
      result.value.push_back(value.get_si());
    }
  }
  return result;
}

class ForbertMarx : public Method {
 public:
  std::string_view name() const override { return "forbert-marx"; }
  std::string_view summary() const override {
    return "expansion on rows and columns with 3 or 4 entries; sparse blocks";
  }
  std::string_view complexity() const override {
    return "O(2^splits) terms (predicted by sampling), O(n * entries) memory";
  }
  std::string_view reference() const override {
    return "H. Forbert, D. Marx, Calculation of the permanent of a sparse positive matrix, Comput. Phys. "
           "Commun. 150 (2003)";
  }
  std::string_view work_name() const override { return "terms"; }
  double setup_seconds() const override { return 0.3; }  // it samples
  std::optional<Refusal> obstacle(const AnyBlock& block, const Arithmetic& arithmetic) const override {
    return countpm::obstacle(block, arithmetic);
  }
  std::optional<Refusal> nothing_to_do(const AnyBlock& block, const RuleSet& rules) const override {
    const bool three = rules.has(Rule::forbert_marx_3);
    const bool four = rules.has(Rule::forbert_marx_4);
    if (!three && !four)
      return Refusal{RefusalKind::nothing_to_do,
                     "its rules forbert-marx-3 and forbert-marx-4 are switched off"};
    const auto splits = [&](std::uint64_t degree) { return (three && degree == 3) || (four && degree == 4); };
    const bool some = std::visit(
        [&](const auto& b) {
          std::vector<std::uint64_t> degree(b.matrix.columns, 0);
          for (Index i = 0; i < b.matrix.rows; ++i) {
            std::uint64_t row_degree = 0;
            for (std::uint64_t k = b.matrix.row_start[i]; k < b.matrix.row_start[i + std::uint64_t{1}]; ++k) {
              row_degree += b.multiplicity_of(b.matrix.column[k]);
              ++degree[b.matrix.column[k]];
            }
            if (splits(row_degree)) return true;
          }
          return std::any_of(degree.begin(), degree.end(), splits);
        },
        block);
    if (some) return std::nullopt;
    const std::string degrees = !four ? "3" : !three ? "4" : "3 or 4";
    return Refusal{RefusalKind::nothing_to_do, fmt::format("no row or column has {} entries", degrees)};
  }
  std::unique_ptr<Job> make_job(const AnyBlock& block, const Arithmetic& arithmetic,
                                const MethodOptions& options) const override {
    ExpansionOptions expansion;
    expansion.rules = options.rules;
    expansion.arithmetic = arithmetic;
    if (options.plan) {
      constexpr std::uint64_t most = 65536;
      expansion.terms_wanted = PlanReader(*options.plan).number("wanted", 1, most);
    }
    return make_forbert_marx_job(block, expansion, options.seed);
  }
};

}  // namespace

std::unique_ptr<Job> make_forbert_marx_job(const AnyBlock& any_block, const ExpansionOptions& options,
                                           std::uint64_t seed) {
  return std::visit(
      [&](const auto& block) -> std::unique_ptr<Job> {
        using Value = typename std::decay_t<decltype(block.matrix.value)>::value_type;
        const Block<Value> whole = expanded(block);
        if constexpr (std::is_same_v<Value, mpq_class>) {
          if (const auto integers = scaled_to_integers(whole.matrix)) {
            const mpq_class factor(mpz_class(1), denominator(whole));
            return std::make_unique<ForbertMarxJob<std::int64_t>>(*integers, factor, options, seed);
          }
        }
        return std::make_unique<ForbertMarxJob<Value>>(whole.matrix, mpq_class(1), options, seed);
      },
      any_block);
}

const Method& forbert_marx_method() {
  static const ForbertMarx method;
  return method;
}

}  // namespace countpm
