#pragma once
// The values of the states, in one ring or in several at once: what the tables carry beside the keys. The
// steps tell a column which value flows where; what adding and multiplying mean is the column's own.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/arithmetic/arithmetic.hpp"
#include "kernels/frontier/tables/program.hpp"
#include "kernels/orders/class_graph.hpp"
#include "matching/block.hpp"

namespace countpm {

/// A list of moves: the value of state from[k] of a table goes, times a weight, to state to[k] of another.
/// Joins: the product of from[k] of the left and with[k] of the right table.
struct MoveBatch {
  static constexpr std::uint32_t capacity = 2048;
  std::uint32_t size = 0;
  std::uint32_t from[capacity];
  std::uint32_t to[capacity];
  std::uint32_t with[capacity];  // the number of the weight, or the state of the right table
};

/// The values of one table.
class ColumnValues {
 public:
  virtual ~ColumnValues() = default;
  /// Room for that many, contents lost where it grows.
  virtual void ensure(std::uint64_t states) = 0;
  virtual void release() = 0;
  virtual std::uint64_t bytes() const = 0;
};

/// What values are beside ColumnValues where each has bytes_per_state() bytes of its own, side by side: those
/// of exact rings. They can be sent elsewhere as they are.
class FlatValues {
 public:
  virtual ~FlatValues() = default;
  virtual std::byte* data() = 0;
  /// As ensure(), and the first `kept` stay.
  virtual void grow(std::uint64_t states, std::uint64_t kept) = 0;
  /// Gives back memory beyond so many.
  virtual void trim(std::uint64_t states) = 0;
};

/// One ring (or group of rings) over all the tables of a run. Const functions are thread-safe where they work
/// on different states of the target.
class ValueColumn {
 public:
  virtual ~ValueColumn() = default;
  /// Of the table that is made, or is to be made next.
  virtual std::uint64_t bytes_per_state() const = 0;
  virtual std::unique_ptr<ColumnValues> make_values() const = 0;
  /// The weights that the moves of the next round name.
  virtual void set_weights(const std::vector<StepWeight>& weights) = 0;
  /// After that, and before there is room in `to`: what comes next.
  virtual void begin_round(const RoundPlan&, const ColumnValues& /*from*/, ColumnValues& /*to*/) {}
  virtual void begin_join(const ColumnValues& /*left*/, const ColumnValues& /*right*/, ColumnValues& /*to*/) {
  }
  /// The table of the empty set.
  virtual void set_unit(ColumnValues& values) const = 0;
  /// Zeros in states first .. last - 1.
  virtual void clear(ColumnValues& values, std::uint64_t first, std::uint64_t last) const = 0;
  virtual void move(const ColumnValues& from, ColumnValues& to, const MoveBatch& batch) const = 0;
  virtual void move_products(const ColumnValues& left, const ColumnValues& right, ColumnValues& to,
                             const MoveBatch& batch) const = 0;
  /// The table is complete; additions: the most moves into one of its states. After a round or a join of
  /// `right` into it.
  virtual void finish_round(const ColumnValues& from, ColumnValues& values, std::uint64_t states,
                            std::uint64_t additions) const = 0;
  virtual void finish_join(const ColumnValues& left, const ColumnValues& right, ColumnValues& values,
                           std::uint64_t states, std::uint64_t additions) const = 0;
};

/// The columns of an arithmetic, and the way back.
class ValueColumns {
 public:
  virtual ~ValueColumns() = default;
  const std::vector<std::unique_ptr<ValueColumn>>& columns() const { return columns_; }
  /// From the values of the table that is left, one a column, each with one state; none: the count is zero.
  virtual Partial result(const std::vector<std::unique_ptr<ColumnValues>>* last,
                         const Program& program) const = 0;

  /// An entry's share of the result where it was matched outside of the tables, times `ways`.
  virtual Partial factor(const AnyBlock& block, std::uint64_t entry, Index ways) const = 0;

 protected:
  std::vector<std::unique_ptr<ValueColumn>> columns_;
};

/// Precondition: obstacle(block, arithmetic) of dispatch.hpp is empty.
std::unique_ptr<ValueColumns> make_value_columns(const AnyBlock& block, const Arithmetic& arithmetic);

/// The bytes of a state's values in all of its columns.
double bytes_a_state(const AnyBlock& block, const Arithmetic& arithmetic);

}  // namespace countpm
