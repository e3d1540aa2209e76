#pragma once
// Reads our pictures back.
#include <boost/property_tree/ptree.hpp>
#include <string>
#include <utility>
#include <vector>

namespace countpm::test {

/// The <svg> element; its attributes under "<xmlattr>". Throws where the text is no well-formed XML.
boost::property_tree::ptree parse_svg(const std::string& text);

/// An attribute, empty where there is none.
std::string attribute(const boost::property_tree::ptree& element, const std::string& name);

struct Element {
  std::string name;
  boost::property_tree::ptree tree;
};
/// All elements of that name at any depth, in the order of the text; `of_class`: with that class, if given.
std::vector<Element> elements(const boost::property_tree::ptree& root, const std::string& name,
                              const std::string& of_class = "");
/// The one of them; throws where there is not exactly one.
boost::property_tree::ptree only(const boost::property_tree::ptree& root, const std::string& name,
                                 const std::string& of_class);

/// Where the middle of a curve's mark is.
std::pair<double, double> middle_of(const Element& mark);

/// The corners of every subpath of a path's data: M, L, h, v, z and numbers alone.
std::vector<std::vector<std::pair<double, double>>> subpaths(const std::string& data);

}  // namespace countpm::test
