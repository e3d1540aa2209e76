#include "kernels/planar/orientation/signed_matrix.hpp"

#include <cstdint>
#include <map>

namespace countpm::planar {

SignedMatrix signed_matrix(const AnyBlock& any_block, BlockGraph graph, Orientation orientation) {
  SignedMatrix result{std::move(graph), std::move(orientation), {}, {}};
  result.value_of.reserve(result.graph.edges.size());
  std::visit(
      [&](const auto& block) {
        using Value = typename std::decay_t<decltype(block.matrix.value)>::value_type;
        if constexpr (!std::is_same_v<Value, ComplexRational>) {
          std::map<Value, Index> numbers;
          for (const BlockGraph::Edge& edge : result.graph.edges) {
            const Value& value = block.matrix.value[edge.entry];
            const auto [at, fresh] = numbers.try_emplace(value, static_cast<Index>(numbers.size()));
            if (fresh) result.values.emplace_back(mpz_class(0));
            if constexpr (std::is_same_v<Value, mpq_class>) {
              result.values[at->second] = value;
            } else {
              result.values[at->second] = mpq_class(static_cast<std::int64_t>(value));
            }
            result.value_of.push_back(at->second);
          }
        }
      },
      any_block);
  return result;
}

void make_imaginary(SignedMatrix& matrix, const std::vector<std::uint8_t>& edges) {
  const std::vector<mpq_class> before = std::move(matrix.values);
  matrix.values.clear();
  matrix.imaginary.clear();
  std::vector<Index> number(2 * before.size(),
                            no_index);  // of what is left of value v: at 2 v, times i 2 v + 1
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const std::size_t place = 2 * std::size_t{matrix.value_of[e]} + (edges[e] != 0 ? 1 : 0);
    if (number[place] == no_index) {
      number[place] = static_cast<Index>(matrix.values.size());
      matrix.values.push_back(before[matrix.value_of[e]]);
      matrix.imaginary.push_back(edges[e] != 0 ? 1 : 0);
    }
    matrix.value_of[e] = number[place];
  }
}

}  // namespace countpm::planar
