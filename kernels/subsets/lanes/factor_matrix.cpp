#include "kernels/subsets/lanes/factor_matrix.hpp"

#include <type_traits>
#include <variant>

#include "matching/rule_twins.hpp"

namespace countpm {
namespace {

ComplexRational as_complex(const ComplexRational& value) {
  return value;
}
ComplexRational as_complex(const mpq_class& value) {
  return {value, 0};
}
ComplexRational as_complex(std::int64_t value) {
  return {mpq_class(static_cast<long>(value)), 0};
}

}  // namespace

FactorMatrix factor_matrix(const AnyBlock& any_block) {
  return std::visit(
      [](const auto& block) {
        using Value = typename std::decay_t<decltype(block.matrix.value)>::value_type;
        FactorMatrix result;
        result.complex = std::is_same_v<Value, ComplexRational>;
        Index classes = 0;
        const std::vector<Index> class_of = rule_twins::column_classes(transpose(block.matrix), classes);
        result.power.assign(classes, 0);
        for (Index j = 0; j < block.matrix.columns; ++j) result.copies.push_back(block.multiplicity_of(j));
        result.value.resize(std::size_t{classes} * block.matrix.columns);
        for (Index i = 0; i < block.matrix.rows; ++i) {
          if (result.power[class_of[i]]++ != 0) continue;
          for (std::uint64_t k = block.matrix.row_start[i]; k < block.matrix.row_start[i + std::uint64_t{1}];
               ++k) {
            result.value[std::size_t{class_of[i]} * block.matrix.columns + block.matrix.column[k]] =
                as_complex(block.matrix.value[k]);
          }
        }
        return result;
      },
      any_block);
}

}  // namespace countpm
