#pragma once
// Reads our pages back.
#include <string>
#include <vector>

#include "src/html/pages.hpp"
#include "tests/draw/svg_reader.hpp"

namespace countpm::test {

/// The <html> element of the page around the fragment; throws where that is no well-formed XML.
boost::property_tree::ptree parse_page(const html::Fragment& fragment);
boost::property_tree::ptree parse_page(const std::string& page);

/// All text of an element, in order, style sheets left out.
std::string text_of(const boost::property_tree::ptree& element);

/// The first element of that class.
boost::property_tree::ptree first(const boost::property_tree::ptree& root, const std::string& name,
                                  const std::string& of_class);

/// The cells' texts of the first table, row by row, its head first.
std::vector<std::vector<std::string>> table_of(const boost::property_tree::ptree& root);

}  // namespace countpm::test
