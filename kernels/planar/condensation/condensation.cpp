#include "kernels/planar/condensation/condensation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "graph/clock.hpp"
#include "kernels/arithmetic/up_float.hpp"
#include "kernels/gpu/launch.hpp"
#include "kernels/planar/condensation/gpu/form.hpp"
#include "kernels/planar/condensation/gpu/lane.hpp"
#include "kernels/planar/elimination/lane_values.hpp"
#include "kernels/planar/elimination/lane_words.hpp"
#include "kernels/planar/elimination/long_product.hpp"
#include "kernels/planar/elimination/skew_swap.hpp"
#include "kernels/support/for_parts.hpp"

namespace countpm::planar {
namespace {

// An odd stride spreads a column over the sets of the cache.
std::size_t stride_of(std::size_t size) {
  return size | 1;
}
std::size_t size_of(const BlockGraph& graph) {
  return graph.bipartite ? graph.rows : graph.vertices;
}

/// Elements of lanes.
class LaneField {
 public:
  using Word = std::uint64_t;
  explicit LaneField(const LaneArithmetic& lanes) : lanes_(lanes) {}

  std::size_t width() const { return lanes_.width(); }
  /// The first that is zero modulo no prime; `count` where all are zero.
  std::size_t find_pivot(const Word* row, std::size_t count) const {
    bool differ = false;
    for (std::size_t k = 0; k < count; ++k) {
      const Zeros zeros = lanes_.zeros(row + k * width());
      if (zeros == Zeros::none) return k;
      differ = differ || zeros == Zeros::some;
    }
    if (differ) throw PivotsDiffer();
    return count;
  }
  void copy(Word* to, const Word* from) const { lanes_.copy(to, from); }
  void swap(Word* a, Word* b) const { lanes_.swap(a, b); }
  void negate(Word* element) const { lanes_.negate(element); }
  void condense(const CondenseTask<Word>& task) const { lanes_.condense(task); }

 private:
  const LaneArithmetic& lanes_;
};

/// Doubles, every step divided by its pivot.
class DoubleField {
 public:
  using Word = double;

  static std::size_t width() { return 1; }
  static std::size_t find_pivot(const Word* row, std::size_t count) {
    const Word* largest =
        std::max_element(row, row + count, [](Word a, Word b) { return std::abs(a) < std::abs(b); });
    return largest == row + count || *largest == 0 ? count : static_cast<std::size_t>(largest - row);
  }
  static void copy(Word* to, const Word* from) { *to = *from; }
  static void swap(Word* a, Word* b) { std::swap(*a, *b); }
  static void negate(Word* element) { *element = -*element; }
  static void condense(const CondenseTask<Word>& task) {
    if (task.depth == 1) {
      condense<1>(task);
    } else {
      condense<2>(task);
    }
  }

 private:
  template <unsigned lines>
  static void condense(const CondenseTask<Word>& task) {
    using Step = condensation_step::DoubleField;
    const Word scale = Step::scale(*task.pivot);
    Word left[lines];
    for (unsigned t = 0; t < lines; ++t) left[t] = Step::left<lines>(task.left[t], *task.pivot);
    for (std::size_t k = 0; k < task.count; ++k) {
      Word right[lines];
      for (unsigned t = 0; t < lines; ++t) right[t] = task.right[t * task.right_stride + k];
      task.row[k] = Step::condensed<lines>(scale, task.row[k], left, right);
    }
  }
};

/// A dense matrix and its condensation; of a skew-symmetric one the entries above the diagonal are kept.
template <class Field>
class DenseMatrix {
 public:
  using Word = typename Field::Word;

  DenseMatrix(std::size_t size, bool skew, const Field& field)
      : field_(field),
        size_(size),
        stride_(stride_of(size)),
        skew_(skew),
        words_(size * stride_ * field.width()) {}

  Word* at(std::size_t i, std::size_t j) { return words_.data() + (i * stride_ + j) * field_.width(); }

  /// False: the determinant (Pfaffian) is zero. With a time limit: stops there.
  bool run(const StopSignal& stop, TimeLimit* limit) {
    const double start = seconds_now();
    if (skew_ && size_ % 2 != 0) return false;
    const auto over = [&] {
      if (limit == nullptr) return false;
      limit->elapsed = seconds_now() - start;
      return limit->elapsed > limit->seconds;
    };
    const std::size_t lines = skew_ ? 2 : 1;
    for (std::size_t k = 0; k < size_ && !over(); k += lines) {
      if (!(skew_ ? take_pair(k, stop) : take_column(k, stop))) return false;
      if (limit != nullptr) limit->work_done += step_multiplications(size_ - k - lines, skew_);
    }
    over();
    return true;
  }

  /// The list of pivots, in the order in which they were taken.
  const std::vector<Word>& pivots() const { return pivots_; }
  bool odd() const { return odd_; }  // whether lines changed places an odd number of times

  /// Of a step that leaves so many lines.
  static double step_multiplications(std::size_t left, bool skew) {
    const auto lines = static_cast<double>(left);
    return skew ? 1.5 * lines * (lines - 1) : 2 * lines * lines;
  }

 private:
  static constexpr std::size_t rows_a_look = 16;

  bool take_column(std::size_t k, const StopSignal& stop) {
    const std::size_t pivot = k + field_.find_pivot(at(k, k), size_ - k);
    if (pivot == size_) return false;
    if (pivot != k) {
      for (std::size_t i = k; i < size_; ++i) field_.swap(at(i, k), at(i, pivot));
      odd_ = !odd_;
    }
    list(at(k, k));
    for (std::size_t i = k + 1; i < size_; ++i) {
      if (i % rows_a_look == 0) stop.check();
      field_.condense({at(i, k + 1), at(k, k), at(i, k), at(k, k + 1), stride_, size_ - k - 1, 1});
    }
    return true;
  }

  bool take_pair(std::size_t k, const StopSignal& stop) {
    const std::size_t partner = k + 1 + field_.find_pivot(at(k, k + 1), size_ - k - 1);
    if (partner == size_) return false;
    if (partner != k + 1) {
      swap_in_upper_triangle(
          k, size_, k + 1, partner,
          [&](std::size_t i, std::size_t j, std::size_t g, std::size_t h) {
            field_.swap(at(i, j), at(g, h));
          },
          [&](std::size_t i, std::size_t j) { field_.negate(at(i, j)); });
      odd_ = !odd_;
    }
    list(at(k, k + 1));
    std::vector<Word> left(2 * field_.width());
    for (std::size_t i = k + 2; i + 1 < size_; ++i) {
      if (i % rows_a_look == 0) stop.check();
      field_.copy(left.data(), at(k + 1, i));
      field_.negate(left.data());
      field_.copy(left.data() + field_.width(), at(k, i));
      field_.condense({at(i, i + 1), at(k, k + 1), left.data(), at(k, i + 1), stride_, size_ - i - 1, 2});
    }
    return true;
  }

  void list(const Word* pivot) { pivots_.insert(pivots_.end(), pivot, pivot + field_.width()); }

  const Field& field_;
  std::size_t size_;
  std::size_t stride_;
  bool skew_;
  std::vector<Word> words_;
  std::vector<Word> pivots_;
  bool odd_ = false;
};

/// The last pivot over the powers of the others: the k-th of P to the power of P - k - 2, which is the
/// product of all products of pivots 0 .. j, j <= P - 3.
std::vector<std::uint64_t> value_of(const std::vector<std::uint64_t>& pivots, bool odd,
                                    const LaneArithmetic& lanes) {
  const std::size_t width = lanes.width();
  const std::size_t count = pivots.size() / width;
  const std::uint64_t* one = lanes.primes().one;
  std::vector<std::uint64_t> first(one, one + width);
  std::vector<std::uint64_t> powers = first;
  for (std::size_t k = 0; k + 2 < count; ++k) {
    lanes.scale(first.data(), 0, 1, pivots.data() + k * width);
    lanes.scale(powers.data(), 0, 1, first.data());
  }
  std::vector<std::uint64_t> value(width);
  lanes.invert(value.data(), powers.data());
  if (count > 0) lanes.scale(value.data(), 0, 1, pivots.data() + (count - 1) * width);
  if (odd) lanes.negate(value.data());
  lanes.decode(value.data());
  return value;
}

/// The entries as doubles, each vertex scaled by a power of two so that none is above 1.
class ScaledEntries {
 public:
  explicit ScaledEntries(const SignedMatrix& matrix) : matrix_(matrix), half_(matrix.graph.vertices, 0) {
    for (const mpq_class& value : matrix.values) magnitude_.push_back(UpFloat::of(value));
    std::vector<std::int64_t> top(matrix.graph.vertices, std::numeric_limits<std::int64_t>::min());
    for (Index e = 0; e < matrix.graph.edges.size(); ++e) {
      const std::int64_t exponent = magnitude_[matrix.value_of[e]].exponent;
      for (const Index v : {matrix.graph.edges[e].a, matrix.graph.edges[e].b})
        top[v] = std::max(top[v], exponent);
    }
    for (Index v = 0; v < matrix.graph.vertices; ++v) {
      if (top[v] != std::numeric_limits<std::int64_t>::min()) half_[v] = (top[v] + 1) >> 1;
    }
  }

  double operator()(Index edge) const {
    const auto [a, b, entry] = matrix_.graph.edges[edge];
    const UpFloat& size = magnitude_[matrix_.value_of[edge]];
    constexpr std::int64_t gone = -2000;
    const auto exponent = static_cast<int>(std::max(size.exponent - half_[a] - half_[b], gone));
    const double scaled = std::ldexp(size.mantissa, exponent);
    return (matrix_.values[matrix_.value_of[edge]] > 0) == (matrix_.orientation[edge] != 0) ? scaled
                                                                                            : -scaled;
  }

  /// What the determinant (Pfaffian) has been divided by.
  LongProduct scaled_by() const {
    LongProduct product;
    for (const std::int64_t half : half_) product.scale(half);
    return product;
  }

 private:
  const SignedMatrix& matrix_;
  std::vector<UpFloat> magnitude_;
  std::vector<std::int64_t> half_;
};

/// An edge's place in the matrix.
CondensationEntry place_of(const BlockGraph& graph, const BlockGraph::Edge& edge) {
  return {edge.a, edge.b - (graph.bipartite ? graph.rows : 0), 0};
}

/// On the CPU; none where a pivot is zero.
std::vector<double> cpu_pivots(const DenseForm& form, const std::vector<CondensationEntry>& entries,
                               const std::vector<double>& values, const StopSignal& stop) {
  const DoubleField field;
  DenseMatrix<DoubleField> dense(form.size, form.skew, field);
  for (std::size_t e = 0; e < entries.size(); ++e) *dense.at(entries[e].row, entries[e].column) = values[e];
  return dense.run(stop, nullptr) ? dense.pivots() : std::vector<double>();
}

/// ln |det|; not a number where a pivot was zero.
double ln_of(const SignedMatrix& matrix, const StopSignal& stop, const GpuInfo* gpu) {
  const BlockGraph& graph = matrix.graph;
  const ScaledEntries scaled(matrix);
  std::vector<CondensationEntry> entries;
  std::vector<double> values;
  for (Index e = 0; e < graph.edges.size(); ++e) {
    entries.push_back(place_of(graph, graph.edges[e]));
    entries.back().signed_value = 2 * e;
    values.push_back(scaled(e));
  }
  const DenseForm form = dense_form(graph);
  const std::vector<double> pivots = gpu != nullptr ? on_gpu<PivotsForm>(*gpu, form, entries, values, stop)
                                                    : cpu_pivots(form, entries, values, stop);
  if (pivots.empty() && form.size > 0) return std::numeric_limits<double>::quiet_NaN();
  LongProduct product = scaled.scaled_by();
  for (const double pivot : pivots) product.multiply(std::abs(pivot));
  return product.ln();
}

}  // namespace

std::vector<std::uint64_t> condensation(const SignedMatrix& matrix, const LaneCode& code,
                                        const std::vector<std::uint64_t>& primes, const StopSignal& stop,
                                        TimeLimit* limit) {
  const BlockGraph& graph = matrix.graph;
  const LaneArithmetic lanes(code, primes);
  const LaneField field(lanes);
  const LaneValues values(matrix, lanes);
  DenseMatrix<LaneField> dense(size_of(graph), !graph.bipartite, field);
  for (Index e = 0; e < graph.edges.size(); ++e) {
    const BlockGraph::Edge& edge = graph.edges[e];
    lanes.copy(dense.at(edge.a, graph.bipartite ? edge.b - graph.rows : edge.b),
               values.of(e, matrix.orientation[e] != 0));
  }
  std::vector<std::uint64_t> result(primes.size(), 0);
  if (!dense.run(stop, limit) || (limit != nullptr && limit->elapsed > limit->seconds)) return result;
  const std::vector<std::uint64_t> value = value_of(dense.pivots(), dense.odd(), lanes);
  std::copy_n(value.begin(), primes.size(), result.begin());
  return result;
}

// The sums of step_multiplications() over all steps.
double condensation_multiplications(const BlockGraph& graph) {
  const auto size = static_cast<double>(size_of(graph));
  if (graph.bipartite) return size * (size - 1) * (2 * size - 1) / 3;
  const double pairs = std::floor(size / 2);
  return std::max(pairs * (pairs - 1) * (2 * pairs - 2.5), 0.0);
}

std::uint64_t condensation_words(const BlockGraph& graph) {
  // Whatever is beyond that many, no memory holds it.
  constexpr std::uint64_t most = std::uint64_t{1} << 46;
  const std::uint64_t size = size_of(graph);
  return size > (std::uint64_t{1} << 23) ? most : std::min(most, size * stride_of(size));
}

DenseForm dense_form(const BlockGraph& graph) {
  return {static_cast<std::uint32_t>(size_of(graph)), !graph.bipartite};
}

std::vector<CondensationEntry> dense_entries(const SignedMatrix& matrix) {
  std::vector<CondensationEntry> entries;
  entries.reserve(matrix.graph.edges.size());
  for (Index e = 0; e < matrix.graph.edges.size(); ++e) {
    entries.push_back(place_of(matrix.graph, matrix.graph.edges[e]));
    entries.back().signed_value = 2 * matrix.value_of[e] + (matrix.orientation[e] != 0 ? 0 : 1);
  }
  return entries;
}

double ln_by_condensation(const SignedMatrix& matrix, const LogDeterminantLimits& limits,
                          const StopSignal& stop, const GpuInfo* gpu) {
  if (gpu == nullptr)
    limits.refuse_beyond(sizeof(double) * static_cast<double>(condensation_words(matrix.graph)));
  return ln_of(matrix, stop, gpu);
}

LogDeterminant nearer(double own, const LogDeterminant& certain) {
  const double apart = std::abs(own - certain.ln);
  // Beyond that the other has the better digits.
  constexpr double most_apart = 1e-9;
  return apart <= std::max(most_apart, certain.error) ? LogDeterminant{own, apart + certain.error} : certain;
}

LogDeterminant log_condensation(const SignedMatrix& matrix, const LogDeterminantLimits& limits,
                                const StopSignal& stop, const GpuInfo* gpu) {
  double own = 0;
  LogDeterminant certain;
  for_parts(2, std::min(limits.threads, 2), stop, [&](std::size_t part) {
    if (part == 0) {
      own = ln_by_condensation(matrix, limits, stop, gpu);
    } else {
      certain = log_determinant(matrix, limits, stop);
    }
  });
  return nearer(own, certain);
}

}  // namespace countpm::planar
