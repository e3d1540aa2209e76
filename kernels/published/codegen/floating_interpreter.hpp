#pragma once
// Runs a floating codegen program on the CPU, step for step as the generated code does: the same numbers bit
// for bit, as long as neither contracts products and sums, but for those of complex products, which a GPU
// fuses.
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "kernels/published/codegen/floating_program.hpp"
#include "kernels/published/codegen/product.hpp"
#include "kernels/subsets/gpu/walker.hpp"
#include "kernels/support/work_meter.hpp"

namespace countpm::codegen {

/// One a thread; the program must outlive it. Product: one of published/codegen/product.hpp's that has the
/// program's numbers.
template <class Product>
class FloatingInterpreter {
 public:
  using Numbers = typename Product::Numbers;
  using Value = typename Numbers::Value;
  using Part = typename Product::Part;
  using PartValue = typename Part::Value;
  using Total = typename Numbers::Total;

  explicit FloatingInterpreter(const FloatingProgram& program)
      : program_(program), sums_(program.rows), products_(program.levels.size() + 1) {
    for (const std::vector<FloatingAdd>& column : program.columns) {
      first_entry_.push_back(entries_.size());
      for (const FloatingAdd& add : column) entries_.push_back({add.row, add.imaginary, value_of(add.delta)});
    }
    first_entry_.push_back(entries_.size());
  }

  /// Adds the terms of one item, counted negatively where `minus`. starts: by place, without any of the
  /// program's columns; choice: bit c for column walked + c. O(2^walked rows).
  void add_item(const Numbers& numbers, const Value* starts, std::uint64_t choice, bool minus, Total& total) {
    for (unsigned place = 0; place < program_.rows; ++place) sums_[place] = starts[place];
    for (unsigned c = 0; c < program_.chosen(); ++c) {
      if ((choice >> c & 1) != 0) flip(program_.walked + c, true);
    }
    minus ^= std::popcount(choice) % 2 != 0;
    const std::uint32_t steps = std::uint32_t{1} << program_.walked;
    for (std::uint32_t step = 0; step < steps; ++step) {
      if (step != 0) {
        const auto column = static_cast<unsigned>(std::countr_zero(step));
        flip(column, ((step >> column) & 2) == 0);
      }
      for (std::size_t level = 0; level < program_.levels.size(); ++level) {
        if ((step & ((std::uint32_t{1} << program_.levels[level].column) - 1)) == 0) multiply(numbers, level);
      }
      products_.back().add_to(total, numbers, minus != (step % 2 != 0), [&] {
        double wide = 1;
        for (const Value& x : sums_) wide *= Product::widened(numbers, x);
        return wide;
      });
    }
  }

 private:
  struct Entry {
    unsigned row;
    bool imaginary;
    PartValue value;
  };

  static PartValue value_of(const DoubleDouble& delta) {
    if constexpr (std::is_same_v<PartValue, double>) {
      return delta.high;
    } else {
      return delta;
    }
  }
  PartValue& sum_of(const Entry& entry) {
    if constexpr (std::is_same_v<PartValue, Value>) {
      return sums_[entry.row];
    } else {
      return entry.imaginary ? sums_[entry.row].im : sums_[entry.row].re;
    }
  }
  void flip(unsigned column, bool in) {
    for (std::size_t k = first_entry_[column]; k < first_entry_[column + 1]; ++k) {
      if (in) {
        Part::add(sum_of(entries_[k]), entries_[k].value);
      } else {
        Part::subtract(sum_of(entries_[k]), entries_[k].value);
      }
    }
  }
  void multiply(const Numbers& numbers, std::size_t at) {
    const Level& level = program_.levels[at];
    Product chain[product_chains] = {products_[at]};
    unsigned next = at > 0 ? 1 : 0;  // products_[0] stays 1: no factor
    for (unsigned place = level.begin; place < level.end; ++place) {
      chain[next] = Product::times(chain[next], Product::of(numbers, sums_[place]));
      next = (next + 1) % product_chains;
    }
    products_[at + 1] =
        Product::times(Product::times(chain[0], chain[1]), Product::times(chain[2], chain[3]));
  }

  const FloatingProgram& program_;
  std::vector<Value> sums_;
  std::vector<Product> products_;  // of level l: [l + 1]
  std::vector<Entry> entries_;
  std::vector<std::size_t> first_entry_;
};

/// f(a product of such a program's row sums).
template <class Value, class F>
auto with_product(const FloatingProgram& program, const F& f) {
  if constexpr (std::is_same_v<Value, double>) {
    return program.exact_sums ? f(ExactDoubleProduct()) : f(DoubleProduct());
  } else if constexpr (std::is_same_v<Value, Complex<double>>) {
    return program.exact_sums ? f(ExactComplexProduct()) : f(ComplexDoubleProduct());
  } else if constexpr (std::is_same_v<Value, DoubleDouble>) {
    return f(PairProduct());
  } else {
    return f(ComplexPairProduct());
  }
}

/// Whether all are: what reciprocals need (gray::is_coarse).
bool all_coarse(const FloatingProgram& program);

/// Row sums by place.
template <class Value>
void append_placed(const FloatingProgram& program, const Value* sums, std::vector<Value>& placed) {
  for (const unsigned row : program.row_of) placed.push_back(sums[row]);
}

/// On the CPU, from one start after another. Product: as with_product() has it.
template <class Product>
class InterpretedWalk {
 public:
  using Value = typename Product::Numbers::Value;
  /// The program must outlive it.
  InterpretedWalk(const FloatingProgram& program, double spread);
  /// start: the row sums without any of the walk's columns. Ends early where the meter calls time. Throws
  /// Stopped.
  gray::FloatingParts<Value> sum(const std::vector<Value>& start, WorkMeter& meter);

 private:
  const FloatingProgram& program_;
  typename Product::Numbers numbers_;
  FloatingInterpreter<Product> interpreter_;
};

}  // namespace countpm::codegen
