#include "tests/draw/svg_reader.hpp"

#include <boost/property_tree/xml_parser.hpp>
#include <cctype>
#include <sstream>
#include <stdexcept>

namespace countpm::test {
namespace {

using Tree = boost::property_tree::ptree;

void collect(const Tree& tree, const std::string& name, const std::string& of_class,
             std::vector<Element>& found) {
  for (const auto& [child_name, child] : tree) {
    if (child_name == name && (of_class.empty() || attribute(child, "class") == of_class))
      found.push_back({child_name, child});
    if (child_name != "<xmlattr>") collect(child, name, of_class, found);
  }
}

}  // namespace

Tree parse_svg(const std::string& text) {
  std::istringstream in(text);
  Tree document;
  boost::property_tree::read_xml(in, document);
  return document.get_child("svg");
}

std::string attribute(const Tree& element, const std::string& name) {
  return element.get<std::string>("<xmlattr>." + name, "");
}

std::vector<Element> elements(const Tree& root, const std::string& name, const std::string& of_class) {
  std::vector<Element> found;
  collect(root, name, of_class, found);
  return found;
}

Tree only(const Tree& root, const std::string& name, const std::string& of_class) {
  const std::vector<Element> found = elements(root, name, of_class);
  if (found.size() != 1) throw std::runtime_error(name + "." + of_class + " is not there exactly once");
  return found.front().tree;
}

std::pair<double, double> middle_of(const Element& mark) {
  std::istringstream in(attribute(mark.tree, "d").substr(1));
  double x = 0;
  double y = 0;
  if (!(in >> x >> y)) throw std::runtime_error("a mark that does not begin with its middle");
  return {x, y};
}

std::vector<std::vector<std::pair<double, double>>> subpaths(const std::string& data) {
  std::vector<std::vector<std::pair<double, double>>> result;
  std::istringstream in(data);
  char command = 'M';
  for (char c = 0; in >> c;) {
    if (c == 'z') continue;
    const bool is_command = std::isalpha(static_cast<unsigned char>(c)) != 0;
    if (is_command) command = c;
    if (!is_command) in.unget();
    if (c == 'M') result.emplace_back();
    if (result.empty()) throw std::runtime_error("a path that does not begin with M: " + data);
    double x = 0;
    double y = 0;
    if (command == 'h' || command == 'v') {
      in >> (command == 'h' ? x : y);
      x += result.back().back().first;
      y += result.back().back().second;
    } else {
      in >> x >> y;
    }
    if (!in || std::string("MLhv").find(command) == std::string::npos)
      throw std::runtime_error("unreadable path: " + data);
    result.back().emplace_back(x, y);
  }
  return result;
}

}  // namespace countpm::test
