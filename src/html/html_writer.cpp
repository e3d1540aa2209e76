#include "src/html/html_writer.hpp"

#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "graph/text.hpp"

namespace countpm::html {
namespace {

/// A line break behind these would be a blank.
bool is_in_line(std::string_view name) {
  return name == "span" || name == "sup";
}

}  // namespace

void HtmlWriter::begin(std::string_view name, Attributes attributes) {
  out_ += '<';
  out_ += name;
  for (const Attribute& attribute : attributes) {
    if (attribute.value.empty()) continue;
    fmt::format_to(std::back_inserter(out_), " {}=\"{}\"", attribute.name,
                   draw::escape(printable(attribute.value)));
  }
}

void HtmlWriter::open(std::string_view name, Attributes attributes) {
  begin(name, attributes);
  out_ += '>';
  open_.emplace_back(name);
}

void HtmlWriter::close() {
  out_ += "</";
  out_ += open_.back();
  out_ += is_in_line(open_.back()) ? ">" : ">\n";
  open_.pop_back();
}

void HtmlWriter::element(std::string_view name, Attributes attributes, std::string_view words) {
  open(name, attributes);
  text(words);
  close();
}

void HtmlWriter::single(std::string_view name, Attributes attributes) {
  begin(name, attributes);
  out_ += "/>";
}

void HtmlWriter::text(std::string_view words) {
  out_ += draw::escape(printable(words));
}

std::string HtmlWriter::finish() {
  while (!open_.empty()) close();
  return std::exchange(out_, {});
}

}  // namespace countpm::html
