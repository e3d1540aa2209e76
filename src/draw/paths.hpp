#pragma once
// What many shapes of one colour have in common.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "graph/lattices/lattice_geometry.hpp"
#include "graph/stop_poll.hpp"
#include "src/draw/svg.hpp"

namespace countpm::draw {

/// One path after the other, so that none is longer than readers of XML take (some stop at 10 MB a value).
class PathChunks {
 public:
  /// The paths go to `svg`, with the class where that is not empty.
  PathChunks(SvgWriter& svg, std::string_view of_class) : svg_(svg), class_(of_class) {}
  /// A subpath that begins with M.
  void add(std::string_view subpath) {
    poll_.step();
    data_ += subpath;
    if (data_.size() >= most_bytes) flush();
  }
  void flush() {
    if (data_.empty()) return;
    if (class_.empty()) {
      svg_.path(data_, {});
    } else {
      svg_.path(data_, {{"class", class_}});
    }
    data_.clear();
  }

 private:
  static constexpr std::size_t most_bytes = std::size_t{1} << 20;
  SvgWriter& svg_;
  std::string_view class_;
  std::string data_;
  StopPoll poll_;
};

/// Bounds of points.
struct Box {
  double left = 0, top = 0, right = 0, bottom = 0;
  double width() const { return right - left; }
  double height() const { return bottom - top; }
};
/// Of at least one point.
inline Box bounds(const std::vector<Point>& points) {
  Box box{points[0].x, points[0].y, points[0].x, points[0].y};
  for (const Point& point : points) {
    box.left = std::min(box.left, point.x);
    box.right = std::max(box.right, point.x);
    box.top = std::min(box.top, point.y);
    box.bottom = std::max(box.bottom, point.y);
  }
  return box;
}

/// Pixels for a unit of length, so that the longer side takes about 600 pixels: at most `most`, and a whole
/// number where a unit is small, so that cells meet on pixels.
inline double pixels_a_unit(double longer_side, double most = 36) {
  constexpr double side = 600;
  constexpr double small = 4;
  const double unit = std::min(most, side / std::max(longer_side, 1.0));
  return unit < small ? std::max(1.0, static_cast<double>(static_cast<int>(unit + 0.75))) : unit;
}

}  // namespace countpm::draw
