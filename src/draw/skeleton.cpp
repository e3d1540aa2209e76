#include "src/draw/skeleton.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "src/draw/paths.hpp"

namespace countpm::draw {
namespace {

constexpr double bond_pixels = 64;      // of a bond with its order beside it
constexpr double least_pixels = 44;     // the same in large molecules
constexpr double atom_border = 0.6;     // around the drawing, in units
constexpr double line_gap = 0.11;       // between the lines of a double bond, in units
constexpr double sheet_width = 1100;    // pixels
constexpr double sheet_bond = 26;       // pixels of a bond on a sheet, at most
constexpr double sheet_least_bond = 9;  // and at least

/// Where the atoms are in a drawing.
class Paper {
 public:
  Paper(const Skeleton& skeleton, double unit)
      : skeleton_(skeleton), box_(bounds(skeleton.position)), unit_(unit) {}
  Point at(Index atom) const {
    const Point& p = skeleton_.position[atom];
    return {(p.x - box_.left + atom_border) * unit_, (p.y - box_.top + atom_border) * unit_};
  }
  double width() const { return (box_.width() + 2 * atom_border) * unit_; }
  double height() const { return (box_.height() + 2 * atom_border) * unit_; }
  double unit() const { return unit_; }

 private:
  const Skeleton& skeleton_;
  Box box_;
  double unit_;
};

std::string segment(const Point& from, const Point& to) {
  return fmt::format("M{} {}L{} {}", number(from.x), number(from.y), number(to.x), number(to.y));
}

// So many parallel lines, in the middle of which the bond is.
std::string parallel_lines(const Point& from, const Point& to, unsigned lines, double gap) {
  const double length = std::max(std::hypot(to.x - from.x, to.y - from.y), 1e-9);
  const Point across{(from.y - to.y) / length, (to.x - from.x) / length};
  std::string data;
  for (unsigned k = 0; k < lines; ++k) {
    const double shift = gap * (k - 0.5 * (lines - 1));
    const Point move{shift * across.x, shift * across.y};
    data += segment({from.x + move.x, from.y + move.y}, {to.x + move.x, to.y + move.y});
  }
  return data;
}

// On a white ground, in the middle of the point.
void write_on_white(SvgWriter& svg, const Point& at, double size, const std::string& text, bool round) {
  const double width = text_width(text, size) + 0.4 * size;
  svg.rectangle(at.x - width / 2, at.y - 0.62 * size, width, 1.24 * size,
                {{"rx", round ? 0.62 * size : size / 3}, {"fill", "#ffffff"}, {"fill-opacity", 0.9}});
  svg.text(at.x, at.y + 0.36 * size, size, text);
}

// "N" of "N12".
std::string symbol_of(const std::string& label) {
  return label.substr(0, std::min(label.find_first_of("0123456789"), label.size()));
}

}  // namespace

Picture draw_bond_orders(const Skeleton& skeleton, const std::vector<EdgeValue>& orders,
                         const std::string& title, const std::string& caption, const PageStyle& style) {
  constexpr double thinnest = 1.5;
  constexpr double widest = 9;
  constexpr double text_size = 11;
  const Box box = bounds(skeleton.position);
  const Paper paper(skeleton,
                    std::max(pixels_a_unit(std::max(box.width(), box.height()), bond_pixels), least_pixels));
  std::vector<std::string> remarks{
      "The wider a line, the larger the share of the structures with a double bond there."};
  if (std::any_of(skeleton.bonds.begin(), skeleton.bonds.end(),
                  [](const SkeletonBond& bond) { return bond.edge == no_edge; }))
    remarks.emplace_back("Thin grey lines: bonds outside the pi system.");
  remarks.push_back("Drawn " + skeleton.about + ".");
  Page page(paper.width(), paper.height(),
            {title, caption, {}, Scale{"Pauling bond order (its label)", "0", "1"}, std::move(remarks)},
            style);
  SvgWriter& svg = page.svg();
  svg.open_group({{"class", "fixed"}, {"fill", "none"}, {"stroke", grey.code}, {"stroke-width", 1.2}});
  for (const SkeletonBond& bond : skeleton.bonds) {
    if (bond.edge == no_edge)
      svg.path(parallel_lines(paper.at(bond.from), paper.at(bond.to), bond.lines, line_gap * paper.unit()),
               {});
  }
  svg.close_group();
  svg.open_group({{"class", "edges"}, {"stroke-linecap", "round"}});
  for (const SkeletonBond& bond : skeleton.bonds) {
    if (bond.edge == no_edge) continue;
    const double share = std::clamp(orders[bond.edge].value, 0.0, 1.0);
    svg.path(segment(paper.at(bond.from), paper.at(bond.to)),
             {{"class", "edge"},
              {"stroke", map_colour(0.12 + 0.88 * share)},
              {"stroke-width", thinnest + (widest - thinnest) * share}});
  }
  svg.close_group();
  svg.open_group({{"class", "labels"}, {"text-anchor", "middle"}, {"fill", ink.code}});
  for (const SkeletonBond& bond : skeleton.bonds) {
    if (bond.edge == no_edge) continue;
    const Point from = paper.at(bond.from);
    const Point to = paper.at(bond.to);
    const std::string& text = orders[bond.edge].text;
    const double length = std::hypot(from.x - to.x, from.y - to.y);
    const double size = std::clamp(0.4 * length / text_width(text, 1), 4.0, text_size);
    write_on_white(svg, {(from.x + to.x) / 2, (from.y + to.y) / 2}, size, text, false);
  }
  svg.close_group();
  svg.open_group({{"class", "atoms"}, {"text-anchor", "middle"}, {"font-weight", "bold"}});
  // Small where bonds are short, as in the middle of a fullerene.
  std::vector<double> shortest(skeleton.position.size(), paper.width());
  for (const SkeletonBond& bond : skeleton.bonds) {
    const Point from = paper.at(bond.from);
    const Point to = paper.at(bond.to);
    for (const Index end : {bond.from, bond.to})
      shortest[end] = std::min(shortest[end], std::hypot(from.x - to.x, from.y - to.y));
  }
  for (Index atom = 0; atom < skeleton.position.size(); ++atom) {
    svg.open_group({{"fill", skeleton.counted[atom] ? blue.code : grey.code}});
    const std::string& label = skeleton.label[atom];
    const double fitting = 0.45 * shortest[atom] / std::max(text_width(label, 1), 1e-9);
    write_on_white(svg, paper.at(atom), std::clamp(fitting, 4.5, 0.9 * text_size), label, true);
    svg.close_group();
  }
  svg.close_group();
  return page.finish();
}

Picture draw_structures(const Skeleton& skeleton, const std::vector<std::vector<bool>>& doubled,
                        const std::string& title, const std::string& caption, const PageStyle& style) {
  constexpr double number_size = 11;
  const std::size_t many = doubled.size();
  const Box box = bounds(skeleton.position);
  const double units = box.width() + 2 * atom_border;
  // As many columns as there is room for drawings of the largest size, or a square of them.
  const auto room = static_cast<std::size_t>(std::max(1.0, sheet_width / (units * sheet_bond)));
  const auto square = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(many))));
  const std::size_t columns = std::min(many, std::max(room, square));
  const double unit =
      std::clamp(sheet_width / (units * static_cast<double>(columns)), sheet_least_bond, sheet_bond);
  const Paper paper(skeleton, unit);
  const double row_height = paper.height() + 2 * number_size;
  const std::size_t rows = (many + columns - 1) / columns;
  Page page(static_cast<double>(columns) * paper.width(), static_cast<double>(rows) * row_height,
            {title, caption, {}, {}, {"Drawn " + skeleton.about + "."}}, style);
  SvgWriter& svg = page.svg();
  svg.open_group({{"fill", "none"},
                  {"stroke", ink.code},
                  {"stroke-width", std::clamp(0.05 * unit, 0.6, 1.3)},
                  {"stroke-linecap", "round"}});
  const auto corner = [&](std::size_t k) {
    const std::size_t row = k / columns;
    return Point{static_cast<double>(k % columns) * paper.width(), static_cast<double>(row) * row_height};
  };
  for (std::size_t k = 0; k < many; ++k) {
    std::string data;
    const Point origin = corner(k);
    for (const SkeletonBond& bond : skeleton.bonds) {
      const bool twice = bond.edge != no_edge && doubled[k][bond.edge];
      const Point from = paper.at(bond.from);
      const Point to = paper.at(bond.to);
      data += parallel_lines({from.x + origin.x, from.y + origin.y}, {to.x + origin.x, to.y + origin.y},
                             bond.lines + (twice ? 1 : 0), line_gap * 1.4 * unit);
    }
    svg.path(data, {{"class", "structure"}});
  }
  svg.close_group();
  svg.open_group({{"class", "symbols"}, {"text-anchor", "middle"}, {"fill", ink.code}});
  for (std::size_t k = 0; k < many; ++k) {
    const Point origin = corner(k);
    for (Index atom = 0; atom < skeleton.position.size(); ++atom) {
      const std::string symbol = symbol_of(skeleton.label[atom]);
      if (symbol == "C") continue;
      const Point at = paper.at(atom);
      write_on_white(svg, {at.x + origin.x, at.y + origin.y}, std::max(0.42 * unit, 5.0), symbol, true);
    }
    svg.text(origin.x + paper.width() / 2, origin.y + paper.height() + number_size, number_size,
             std::to_string(k + 1));
  }
  svg.close_group();
  return page.finish();
}

}  // namespace countpm::draw
