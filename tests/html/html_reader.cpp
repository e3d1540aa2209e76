#include "tests/html/html_reader.hpp"

#include <boost/property_tree/xml_parser.hpp>
#include <sstream>
#include <stdexcept>

namespace countpm::test {
namespace {

using Tree = boost::property_tree::ptree;

}  // namespace

Tree parse_page(const html::Fragment& fragment) {
  return parse_page(html::page_of(fragment));
}

Tree parse_page(const std::string& page) {
  const std::string doctype = "<!DOCTYPE html>\n";
  if (!page.starts_with(doctype)) throw std::runtime_error("no document type");
  std::istringstream in(page.substr(doctype.size()));
  Tree document;
  boost::property_tree::read_xml(in, document, boost::property_tree::xml_parser::no_concat_text);
  return document.get_child("html");
}

std::string text_of(const Tree& element) {
  std::string text;
  for (const auto& [name, child] : element) {
    if (name == "<xmltext>") text += child.data();
    if (name != "<xmlattr>" && name != "style") text += text_of(child);
  }
  return text;
}

Tree first(const Tree& root, const std::string& name, const std::string& of_class) {
  const std::vector<Element> found = elements(root, name, of_class);
  if (found.empty()) throw std::runtime_error("there is no " + name + "." + of_class);
  return found.front().tree;
}

std::vector<std::vector<std::string>> table_of(const Tree& root) {
  std::vector<std::vector<std::string>> rows;
  for (const Element& row : elements(first(root, "table", ""), "tr")) {
    rows.emplace_back();
    for (const auto& [name, cell] : row.tree)
      if (name == "th" || name == "td") rows.back().push_back(text_of(cell));
  }
  return rows;
}

}  // namespace countpm::test
