#pragma once
// The names that tests of readers use most.
#include "tests/graph/read_support.hpp"

namespace countpm::reading_names {

using testing::as_kind;
using testing::edge_labels;
using testing::in_format;
using testing::input_error;
using testing::Labels;
using testing::read_text;
using testing::with_weights;

}  // namespace countpm::reading_names
