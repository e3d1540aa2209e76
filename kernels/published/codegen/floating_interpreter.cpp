#include "kernels/published/codegen/floating_interpreter.hpp"

#include <algorithm>

#include "kernels/subsets/gpu/floating_parts.hpp"

namespace countpm::codegen {

bool all_coarse(const FloatingProgram& program) {
  return std::all_of(program.columns.begin(), program.columns.end(), [](const auto& column) {
    return std::all_of(column.begin(), column.end(),
                       [](const FloatingAdd& add) { return gray::is_coarse(add.delta.high); });
  });
}

template <class Product>
InterpretedWalk<Product>::InterpretedWalk(const FloatingProgram& program, double spread)
    : program_(program), numbers_(spread, program.rows), interpreter_(program) {}

template <class Product>
gray::FloatingParts<typename InterpretedWalk<Product>::Value> InterpretedWalk<Product>::sum(
    const std::vector<Value>& start, WorkMeter& meter) {
  if constexpr (gray::asks_for_coarse<Value>)
    numbers_.allow_reciprocals(all_coarse(program_) && gray::all_coarse(start));
  std::vector<Value> placed;
  append_placed(program_, start.data(), placed);
  typename Product::Numbers::Total total;
  const std::uint64_t choices = std::uint64_t{1} << program_.chosen();
  std::uint64_t done = 0;
  while (done < choices) {
    interpreter_.add_item(numbers_, placed.data(), done, false, total);
    ++done;
    if (meter.spend(std::uint64_t{1} << program_.walked) && !meter.look()) break;
  }
  return gray::floating_parts(numbers_, {total}, done << program_.walked, done << program_.walked);
}
template class InterpretedWalk<DoubleProduct>;
template class InterpretedWalk<ExactDoubleProduct>;
template class InterpretedWalk<PairProduct>;
template class InterpretedWalk<ComplexDoubleProduct>;
template class InterpretedWalk<ExactComplexProduct>;
template class InterpretedWalk<ComplexPairProduct>;

}  // namespace countpm::codegen
