#include "kernels/planar/orientation/signed_matrix.hpp"

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
              result.values[at->second] = mpq_class(static_cast<long>(value));
            }
            result.value_of.push_back(at->second);
          }
        }
      },
      any_block);
  return result;
}

}  // namespace countpm::planar
