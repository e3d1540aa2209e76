#pragma once
// How weights are written, for help: what parse_weight.hpp and letters.hpp read.
#include <string_view>
#include <vector>

namespace countpm {

struct WeightForm {
  std::string_view examples;  // with blanks between them
  std::string_view meaning;
};

const std::vector<WeightForm>& weight_forms();

}  // namespace countpm
