#pragma once
// Where something lies in the plane: x to the right, y downwards.

namespace countpm {

struct Point {
  double x = 0;
  double y = 0;
};

}  // namespace countpm
