// The table of exact methods, slowest and simplest first. To add one: declare its object in a header beside
// it, list it here; what the planner asks of it are its traits (method.hpp).
#include <fmt/format.h>

#include "graph/errors.hpp"
#include "kernels/expansion/forbert_marx.hpp"
#include "kernels/factors/factors.hpp"
#include "kernels/frontier/frontier.hpp"
#include "kernels/grouped/grouped.hpp"
#include "kernels/hafnian/hafnian.hpp"
#include "kernels/low_rank/low_rank.hpp"
#include "kernels/method.hpp"
#include "kernels/oracle/definition.hpp"
#include "kernels/planar/condensation/method.hpp"
#include "kernels/planar/crossings/method.hpp"
#include "kernels/planar/planar.hpp"
#include "kernels/pruned/pruned.hpp"
#include "kernels/published/codegen/codegen.hpp"
#include "kernels/published/enumerate/enumerate.hpp"
#include "kernels/published/sparse/skipper.hpp"
#include "kernels/published/sparse/sparyser.hpp"
#include "kernels/rook/rook.hpp"
#include "kernels/ryser/ryser.hpp"

namespace countpm {

const std::vector<const Method*>& exact_methods() {
  static const std::vector<const Method*> table{
      &definition_method(), &enumerate_method(), &ryser_method(),        &sparyser_method(),
      &skipper_method(),    &codegen_method(),   &forbert_marx_method(), &rook_method(),
      &low_rank_method(),   &factors_method(),   &frontier_method(),     &grouped_method(),
      &pruned_method(),     &hafnian_method(),   &condensation_method(), &nearly_planar_method(),
      &planar_method(),
  };
  return table;
}

const Method& method_named(std::string_view name) {
  std::string valid;
  for (const Method* method : exact_methods()) {
    if (method->name() == name) return *method;
    valid += fmt::format("{}{}", valid.empty() ? "" : ", ", method->name());
  }
  throw UsageError(fmt::format("unknown method '{}'; the methods are: {}", quoted(std::string(name)), valid));
}

}  // namespace countpm
