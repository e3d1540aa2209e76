// The table of exact methods, slowest and simplest first. To add one: declare its object in a header beside
// it, list it here.
#include <fmt/format.h>

#include "graph/errors.hpp"
#include "kernels/dense/complement.hpp"
#include "kernels/dense/merged.hpp"
#include "kernels/exact/codegen.hpp"
#include "kernels/exact/definition.hpp"
#include "kernels/exact/enumerate.hpp"
#include "kernels/exact/forbert_marx.hpp"
#include "kernels/exact/ryser.hpp"
#include "kernels/exact/skipper.hpp"
#include "kernels/exact/sparyser.hpp"
#include "kernels/frontier/frontier.hpp"
#include "kernels/method.hpp"
#include "kernels/planar/condensation_method.hpp"
#include "kernels/planar/planar.hpp"
#include "kernels/shift/shift.hpp"

namespace countpm {

const std::vector<const Method*>& exact_methods() {
  static const std::vector<const Method*> table{
      &definition_method(), &enumerate_method(), &ryser_method(),        &sparyser_method(),
      &skipper_method(),    &codegen_method(),   &forbert_marx_method(), &complement_method(),
      &frontier_method(),   &merged_method(),    &shift_method(),        &condensation_method(),
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
