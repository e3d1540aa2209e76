#include "src/count/determinant.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "graph/graph_builder.hpp"
#include "graph/kinds/imaginary_unit.hpp"
#include "graph/stop_poll.hpp"
#include "graph/text.hpp"
#include "kernels/arithmetic/ball.hpp"
#include "kernels/arithmetic/big_float.hpp"
#include "kernels/planar/elimination/matrix_residues.hpp"
#include "kernels/support/parallel_ranges.hpp"
#include "matching/line_groups.hpp"
#include "matching/structure.hpp"
#include "src/input/with_graph.hpp"
#include "src/machine/resources.hpp"
#include "src/number/exact_complex.hpp"
#include "src/number/number.hpp"
#include "src/text/format_duration.hpp"
#include "src/text/format_quantity.hpp"

namespace countpm {
namespace {

using planar::ComplexResidues;
using planar::MatrixEntry;
using planar::MatrixResidues;

// Multiplications a second of one thread, as planar's nominal rates are, and by how much they may be off
// before something is refused unseen.
constexpr double nominal_lane_rate = 6e9;
constexpr double nominal_rate = 8e8;
constexpr double nominal_factor = 20;

struct SquareMatrix {
  Index rows = 0;
  std::vector<MatrixEntry> entries;
};

/// What it took.
struct DeterminantCost {
  std::uint64_t blocks = 0;
  std::uint64_t primes = 0;
  int threads = 1;
};

void refuse_count_options(const CountOptions& options, const char* what) {
  const char* other = options.method != "auto"                          ? "a method"
                      : options.device == "gpu" || options.gpus > 0     ? "a GPU"
                      : options.double_check || options.audit_share > 0 ? "a second count"
                                                                        : nullptr;
  if (other != nullptr)
    throw UsageError(fmt::format(
        "a {} is computed in one way, on the CPU, and checked: {} cannot be asked for", what, other));
}

SquareMatrix determinant_matrix(const ReadResult& read, const char* what) {
  const Graph& graph = read.graph;
  const std::uint64_t rows = graph.left_labels.size();
  const std::uint64_t columns = graph.kind == GraphKind::bipartite ? graph.right_labels.size() : rows;
  if (rows != columns)
    throw InputError(read.info.path, 0, fmt::format("a square matrix, as {} are of", what),
                     fmt::format("{} rows and {} columns", rows, columns));
  SquareMatrix matrix;
  matrix.rows = static_cast<Index>(rows);
  std::vector<ComplexRational> weights = complex_weights(graph);
  matrix.entries.reserve(weights.size());
  for (std::size_t e = 0; e < weights.size(); ++e)
    matrix.entries.push_back({graph.edges[e].from, graph.edges[e].to, std::move(weights[e])});
  return matrix;
}

ComplexRational gaussian_times(const ComplexRational& a, const ComplexRational& b) {
  if (a.im == 0 && b.im == 0) return {a.re * b.re, 0};
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

ComplexRational gaussian_product(std::vector<ComplexRational> factors) {
  if (factors.empty()) return {1, 0};
  while (factors.size() > 1) {
    check_stop();
    const std::size_t half = factors.size() / 2;
    for (std::size_t k = 0; k < half; ++k) factors[k] = gaussian_times(factors[2 * k], factors[2 * k + 1]);
    if (factors.size() % 2 == 1) factors[half] = std::move(factors.back());
    factors.resize((factors.size() + 1) / 2);
  }
  return std::move(factors.front());
}

/// Of each the logarithm to the base 2 is above prime_bits - 0.1.
std::vector<std::uint64_t> determinant_primes(std::size_t number, const MatrixResidues& residues,
                                              unsigned prime_bits) {
  std::vector<std::uint64_t> primes;
  for (std::size_t asked = number; primes.size() < number; asked += number + 16) {
    primes.clear();
    for (const Modulus& modulus :
         choose_primes(static_cast<unsigned>(asked), {residues.denominator()}, prime_bits)) {
      if (!residues.is_complex() || modulus.prime % 4 == 1) primes.push_back(modulus.prime);
    }
  }
  primes.resize(number);
  return primes;
}

/// Computes determinants (Pfaffians) of blocks within the limits.
class DeterminantRun {
 public:
  DeterminantRun(const CountOptions& options, Monitor& monitor, const char* what, DeterminantCost& cost)
      : options_(options), monitor_(monitor), what_(what), cost_(cost), resources_(resources_for(options)) {}

  ComplexRational value(Index rows, const std::vector<MatrixEntry>& entries, bool skew) {
    const MatrixResidues residues(rows, entries, skew);
    const planar::LaneCode* const lanes = planar::wide_lanes();
    const planar::LaneCode& code = lanes != nullptr ? *lanes : planar::portable_lanes();
    const unsigned prime_bits = lanes != nullptr ? lanes->prime_bits : 61;
    const double sure_bits = prime_bits - 0.1;
    // More than twice the bound: it has a sign.
    const auto needed = static_cast<std::size_t>((residues.log2_bound() + 2) / sure_bits) + 1;
    const double nominal = residues.multiplications() * static_cast<double>(needed) /
                           (lanes != nullptr ? nominal_lane_rate : nominal_rate) / resources_.threads;
    refuse_beyond(nominal / nominal_factor, rows);
    const int threads = threads_for(residues, code.width, rows);
    const std::vector<std::uint64_t> primes = determinant_primes(needed + 1, residues, prime_bits);
    ++cost_.blocks;
    cost_.primes += primes.size();
    cost_.threads = std::max(cost_.threads, threads);

    Residues re;
    Residues im;
    re.residue.resize(needed);
    im.residue.resize(needed);
    constexpr std::size_t group = planar::most_lanes;
    const std::size_t groups = (needed + group - 1) / group;
    const auto run_group = [&](std::size_t g) {
      const std::size_t first = g * group;
      const std::size_t last = std::min(needed, first + group);
      const std::vector<std::uint64_t> own(primes.begin() + static_cast<std::ptrdiff_t>(first),
                                           primes.begin() + static_cast<std::ptrdiff_t>(last));
      const ComplexResidues found = residues.modulo(code, own, stop_signal_here());
      for (std::size_t k = first; k < last; ++k) {
        // Of the integer that the determinant is times the denominator.
        const uint128 scale = mpz_fdiv_ui(residues.denominator().get_mpz_t(), primes[k]);
        re.residue[k] = scale * found.re[k - first] % primes[k];
        if (residues.is_complex()) im.residue[k] = scale * found.im[k - first] % primes[k];
      }
    };
    const double start = seconds_now();
    run_group(0);
    const double seconds = (seconds_now() - start) * static_cast<double>(groups - 1) / threads;
    refuse_beyond(seconds, rows);
    monitor_.begin_stage(what_, seconds);
    parallel_ranges(threads, groups - 1, 1, [&](std::uint64_t first, std::uint64_t last) {
      for (std::uint64_t g = first; g < last; ++g) run_group(g + 1);
      monitor_.finish(seconds / static_cast<double>(groups - 1));
    });

    std::vector<Modulus> moduli;
    for (std::size_t k = 0; k < needed; ++k) moduli.push_back({primes[k], 0});
    const mpz_class real = join_residues(re, moduli, true);
    const mpz_class imaginary = residues.is_complex() ? join_residues(im, moduli, true) : mpz_class(0);
    check(MatrixResidues(rows, entries, skew, true), real, imaginary, primes.back());
    ComplexRational value{mpq_class(real, residues.denominator()),
                          mpq_class(imaginary, residues.denominator())};
    value.re.canonicalize();
    value.im.canonicalize();
    return value;
  }

 private:
  void refuse_beyond(double seconds, Index rows) const {
    const double left = options_.time_limit_seconds - monitor_.elapsed();
    if (seconds <= left) return;
    throw UnableError(
        fmt::format("the {} of {} rows is predicted to take {}, and the time limit is {}", what_, rows,
                    format_duration(seconds), format_duration(options_.time_limit_seconds)),
        advised_time_limit(monitor_.elapsed(), seconds));
  }

  int threads_for(const MatrixResidues& residues, unsigned width, Index rows) const {
    const std::uint64_t bytes = residues.bytes(width);
    if (bytes > resources_.memory_bytes)
      throw UnableError(fmt::format("the {} of {} rows needs {} of memory, and there are {}", what_, rows,
                                    format_bytes(bytes), format_bytes(resources_.memory_bytes)),
                        fmt::format("try a --memory-limit of {} and some more", format_bytes(bytes)));
    return static_cast<int>(std::min<std::uint64_t>(static_cast<std::uint64_t>(resources_.threads),
                                                    resources_.memory_bytes / bytes));
  }

  void check(const MatrixResidues& other, const mpz_class& real, const mpz_class& imaginary,
             std::uint64_t prime) const {
    const ComplexResidues found = other.modulo(planar::portable_lanes(), {prime}, stop_signal_here());
    const mpz_class p(static_cast<std::uint64_t>(prime));
    const auto agree = [&](const mpz_class& value, std::uint64_t residue) {
      const mpz_class difference =
          value - other.denominator() * mpz_class(static_cast<std::uint64_t>(residue));
      return mpz_divisible_p(difference.get_mpz_t(), p.get_mpz_t()) != 0;
    };
    if (agree(real, found.re[0]) && (found.im.empty() || agree(imaginary, found.im[0]))) return;
    throw CheckError(
        fmt::format("check 'another order' failed: the {} is another number modulo {} by it", what_, prime));
  }

  const CountOptions& options_;
  Monitor& monitor_;
  const char* what_;
  DeterminantCost& cost_;
  Resources resources_;
};

SparsePattern determinant_pattern(const SquareMatrix& matrix) {
  SparsePattern pattern;
  pattern.rows = pattern.columns = matrix.rows;
  pattern.row_start.assign(matrix.rows + std::uint64_t{1}, 0);
  for (const MatrixEntry& entry : matrix.entries) ++pattern.row_start[entry.row + std::uint64_t{1}];
  for (Index i = 0; i < matrix.rows; ++i) pattern.row_start[i + std::uint64_t{1}] += pattern.row_start[i];
  for (const MatrixEntry& entry : matrix.entries) pattern.column.push_back(entry.column);
  return pattern;
}

void sort_entries(std::vector<MatrixEntry>& entries) {
  std::sort(entries.begin(), entries.end(), [](const MatrixEntry& a, const MatrixEntry& b) {
    return std::pair(a.row, a.column) < std::pair(b.row, b.column);
  });
}

ComplexRational determinant_of(SquareMatrix matrix, const CountOptions& options, Monitor& monitor,
                               DeterminantCost& cost) {
  sort_entries(matrix.entries);
  const Structure structure = analyse(determinant_pattern(matrix));
  if (structure.violator) return {0, 0};
  const BlockDecomposition& blocks = structure.decomposition;
  const LineGroups rows = group_lines(blocks.row_block, blocks.blocks);
  const LineGroups columns = group_lines(blocks.column_block, blocks.blocks);
  const std::vector<Index> row_number = rows.numbers();
  const std::vector<Index> column_number = columns.numbers();
  std::vector<std::vector<MatrixEntry>> entries(blocks.blocks);
  for (MatrixEntry& entry : matrix.entries) {
    const Index block = blocks.row_block[entry.row];
    if (block != blocks.column_block[entry.column]) continue;
    entries[block].push_back({row_number[entry.row], column_number[entry.column], std::move(entry.value)});
  }
  std::vector<ComplexRational> factors;
  DeterminantRun run(options, monitor, "determinant", cost);
  for (Index block = 0; block < blocks.blocks; ++block) {
    check_stop();
    const auto size = static_cast<Index>(rows[block].size());
    factors.push_back(size == 1 ? std::move(entries[block].front().value)
                                : run.value(size, entries[block], false));
    if (factors.back().re == 0 && factors.back().im == 0) return {0, 0};
  }
  // det(A) is their signs times that of the matrix in the order of its blocks.
  if (planar::permutation_sign(rows.members) * planar::permutation_sign(columns.members) < 0)
    factors.push_back({-1, 0});
  return gaussian_product(std::move(factors));
}

std::string exact_text(const ComplexRational& value) {
  return value.im == 0 ? value.re.get_str() : fmt::format("({},{})", value.re.get_str(), value.im.get_str());
}

/// Of a file: what its entries may be.
constexpr const char* skew_readings =
    "a skew-symmetric matrix, as Pfaffians are of: each entry minus its mirror image, or the entries above "
    "the "
    "diagonal alone";

bool is_triangle(const SquareMatrix& matrix) {
  return !matrix.entries.empty() &&
         std::all_of(matrix.entries.begin(), matrix.entries.end(),
                     [](const MatrixEntry& entry) { return entry.row < entry.column; });
}

/// Those above the diagonal. Throws InputError, with the rows' labels.
std::vector<MatrixEntry> upper_half(SquareMatrix matrix, const Graph& graph, const std::string& path,
                                    const char* expected = "a skew-symmetric matrix, as Pfaffians are of") {
  const auto refuse = [&](std::string found) { throw InputError(path, 0, expected, std::move(found)); };
  const LabelTable& right = graph.kind == GraphKind::bipartite ? graph.right_labels : graph.left_labels;
  const auto at = [&](Index row, Index column) {
    return fmt::format("row {} and column {}", quoted(graph.left_labels.label(row)),
                       quoted(right.label(column)));
  };
  std::vector<MatrixEntry> upper;
  std::vector<MatrixEntry> lower;  // transposed
  for (MatrixEntry& entry : matrix.entries) {
    if (entry.row == entry.column)
      refuse(fmt::format("{} on the diagonal, in row {}", exact_text(entry.value),
                         quoted(graph.left_labels.label(entry.row))));
    if (entry.row < entry.column) {
      upper.push_back(std::move(entry));
    } else {
      lower.push_back({entry.column, entry.row, std::move(entry.value)});
    }
  }
  sort_entries(upper);
  sort_entries(lower);
  const auto place = [](const MatrixEntry& entry) { return std::pair(entry.row, entry.column); };
  for (std::size_t k = 0; k < std::max(upper.size(), lower.size()); ++k) {
    if (k == upper.size() || (k < lower.size() && place(lower[k]) < place(upper[k])))
      refuse(fmt::format("the entry of {} without its mirror image", at(lower[k].column, lower[k].row)));
    if (k == lower.size() || place(upper[k]) < place(lower[k]))
      refuse(fmt::format("the entry of {} without its mirror image", at(upper[k].row, upper[k].column)));
    const ComplexRational& here = upper[k].value;
    const ComplexRational& there = lower[k].value;
    if (here.re != -there.re || here.im != -there.im)
      refuse(fmt::format("{} in {}, and {} as its mirror image", exact_text(here),
                         at(upper[k].row, upper[k].column), exact_text(there)));
  }
  return upper;
}

/// Of the entries above the diagonal.
ComplexRational pfaffian_of(Index rows, const std::vector<MatrixEntry>& entries, const CountOptions& options,
                            Monitor& monitor, DeterminantCost& cost) {
  if (rows == 0) return {1, 0};
  std::vector<bool> has_entry(rows, false);
  for (const MatrixEntry& entry : entries) has_entry[entry.row] = has_entry[entry.column] = true;
  if (rows % 2 == 1 || std::find(has_entry.begin(), has_entry.end(), false) != has_entry.end()) return {0, 0};
  DeterminantRun run(options, monitor, "Pfaffian", cost);
  return run.value(rows, entries, true);
}

Value rounded_value(const ComplexRational& number, const ReadResult& read, const CountOptions& options) {
  const WeightKind kind = read.graph.weight_kind;
  if (kind != WeightKind::complex) return to_value(Number(number.re), kind, options.arithmetic.bits);
  if (read.info.exact) return exact_complex_value(number);
  const auto bits = std::max<mpfr_prec_t>(192, static_cast<mpfr_prec_t>(options.arithmetic.bits) + 64);
  return to_value(Number(ball_from(number, bits)), kind, options.arithmetic.bits);
}

/// ln of a positive number, to the precision of doubles; near 1 to that of its difference from it.
double ln_of_rational(const mpq_class& number) {
  constexpr mpfr_prec_t bits = 128;
  const bool near = number > mpq_class(1, 2) && number < 2;
  BigFloat value(near ? mpq_class(number - 1) : number, bits);
  if (near) {
    mpfr_log1p(value.get(), value.get(), MPFR_RNDN);
  } else {
    mpfr_log(value.get(), value.get(), MPFR_RNDN);
  }
  return value.to_double();
}

/// part / sqrt(norm)
double share_of(const mpq_class& part, const mpq_class& norm) {
  constexpr mpfr_prec_t bits = 128;
  BigFloat root(norm, bits);
  mpfr_sqrt(root.get(), root.get(), MPFR_RNDN);
  BigFloat share(part, bits);
  mpfr_div(share.get(), share.get(), root.get(), MPFR_RNDN);
  return share.to_double();
}

void say_value(DeterminantResult& result, const ComplexRational& value, const DeterminantCost& cost,
               const ReadResult& read, const CountOptions& options) {
  result.blocks = cost.blocks;
  result.primes = cost.primes;
  result.threads = cost.threads;
  result.value = rounded_value(value, read, options);
  std::visit(
      [&](const auto& number) {
        if constexpr (std::is_same_v<std::decay_t<decltype(number)>, mpz_class> ||
                      std::is_same_v<std::decay_t<decltype(number)>, mpq_class>) {
          result.digits = number.get_str();
        } else {
          result.digits = number.digits;
          if (!read.info.exact && number.error != "0") result.error = number.error;
        }
      },
      result.value);
  if (value.im == 0) {
    result.sign = std::to_string(sgn(value.re));
    if (value.re != 0) result.ln = ln_of_rational(abs(value.re));
    return;
  }
  const mpq_class norm = value.re * value.re + value.im * value.im;
  result.sign = fmt::format("({},{})", share_of(value.re, norm), share_of(value.im, norm));
  result.ln = ln_of_rational(norm) / 2;
}

ReadOptions with_values(ReadOptions reading) {
  reading.weights = true;
  return reading;
}

DeterminantResult summary_of(const ReadResult& read) {
  DeterminantResult result;
  summarise_input(read.graph, read.info, result);
  result.notes = read.info.assumptions;
  return result;
}

/// Of an undirected graph each edge as an arc each way.
ReadResult both_ways(ReadResult read) {
  if (read.graph.kind != GraphKind::undirected) return read;
  ReadOptions symmetric;
  symmetric.kind = GraphKind::directed;
  symmetric.symmetric = true;
  read.graph = convert_graph(std::move(read.graph), read.info.path, symmetric, read.info);
  return read;
}

}  // namespace

Value determinant(ReadResult matrix, const CountOptions& options) {
  refuse_count_options(options, "determinant");
  return with_graph(
      GraphQuestion::determinant, std::move(matrix), options, [&](Monitor& monitor, const ReadResult& read) {
        monitor.enter("computing a determinant");
        DeterminantCost cost;
        return rounded_value(determinant_of(determinant_matrix(read, "determinants"), options, monitor, cost),
                             read, options);
      });
}

Value pfaffian(ReadResult matrix, const CountOptions& options) {
  refuse_count_options(options, "Pfaffian");
  return with_graph(
      GraphQuestion::pfaffian, std::move(matrix), options, [&](Monitor& monitor, const ReadResult& read) {
        monitor.enter("computing a Pfaffian");
        SquareMatrix square = determinant_matrix(read, "Pfaffians");
        const Index rows = square.rows;
        DeterminantCost cost;
        return rounded_value(pfaffian_of(rows, upper_half(std::move(square), read.graph, read.info.path),
                                         options, monitor, cost),
                             read, options);
      });
}

DeterminantResult determinant(const Source& source, const ReadOptions& read_options,
                              const CountOptions& options) {
  refuse_count_options(options, "determinant");
  return with_graph(GraphQuestion::determinant, source, with_values(read_options), options,
                    [&](Monitor& monitor, ReadResult read) {
                      DeterminantResult result = summary_of(read);
                      read = both_ways(std::move(read));
                      SquareMatrix matrix = determinant_matrix(read, "determinants");
                      result.rows = matrix.rows;
                      monitor.enter("computing a determinant");
                      DeterminantCost cost;
                      const ComplexRational value = determinant_of(std::move(matrix), options, monitor, cost);
                      say_value(result, value, cost, read, options);
                      result.seconds = monitor.elapsed();
                      return result;
                    });
}

DeterminantResult pfaffian(const Source& source, const ReadOptions& read_options,
                           const CountOptions& options) {
  refuse_count_options(options, "Pfaffian");
  return with_graph(
      GraphQuestion::pfaffian, source, with_values(read_options), options,
      [&](Monitor& monitor, const ReadResult& read) {
        DeterminantResult result = summary_of(read);
        result.skew = true;
        if (read.graph.kind == GraphKind::undirected)
          throw InputError(
              read.info.path, 0, skew_readings,
              "an undirected graph, whose matrix is symmetric (--kind directed reads each edge as "
              "one entry, --kind bipartite a file as a matrix)");
        SquareMatrix matrix = determinant_matrix(read, "Pfaffians");
        result.rows = matrix.rows;
        result.triangle = is_triangle(matrix);
        if (result.triangle)
          result.notes.emplace_back(
              "all entries are above the diagonal: those below it were taken to be minus these");
        if (result.triangle) sort_entries(matrix.entries);
        const std::vector<MatrixEntry> entries =
            result.triangle ? std::move(matrix.entries)
                            : upper_half(std::move(matrix), read.graph, read.info.path, skew_readings);
        monitor.enter("computing a Pfaffian");
        DeterminantCost cost;
        const ComplexRational value =
            pfaffian_of(static_cast<Index>(result.rows), entries, options, monitor, cost);
        say_value(result, value, cost, read, options);
        result.seconds = monitor.elapsed();
        return result;
      });
}

}  // namespace countpm
