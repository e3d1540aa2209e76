#include "graph/weight_forms.hpp"

namespace countpm {

const std::vector<WeightForm>& weight_forms() {
  static const std::vector<WeightForm> forms{
      {"7 -3", "integers, of any length"},
      {"2/3", "fractions"},
      {"0.25 .5 1e-3 1.0D0", "decimals, within the range of a double"},
      {"(1,-2) 3+4i -i 3+4j 3+4im 3+4*I", "complex numbers; the parts may be any of the above"},
      {"x 3*x^2 -1/2*x*y^-1", "with letters: the result is a polynomial (docs/polynomial-weights.md)"}};
  return forms;
}

}  // namespace countpm
