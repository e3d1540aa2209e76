#include "src/draw/svg.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <iterator>
#include <utility>

#include "src/draw/colours.hpp"

namespace countpm::draw {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD
constexpr std::string_view font = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif";

// A character's length where a well-formed UTF-8 character that XML 1.0 allows begins at `at`, else 0.
std::size_t character_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[at + k]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return first >= 0x20 || first == '\t' || first == '\n' || first == '\r' ? 1 : 0;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || at + length > text.size()) return 0;
  std::uint32_t code = first & (0x7FU >> length);
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte(k) & 0xC0) != 0x80) return 0;
    code = code << 6 | (byte(k) & 0x3F);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool forbidden = (code >= 0xD800 && code < 0xE000) || code == 0xFFFE || code == 0xFFFF;
  return overlong || forbidden || code > 0x10FFFF ? 0 : length;
}

}  // namespace

std::string number(double value) {
  std::string text = fmt::format("{:.3f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string escape(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = character_length(text, at);
    if (length != 1) {
      result += length == 0 ? replacement : text.substr(at, length);
      at += length == 0 ? 1 : length;
      continue;
    }
    // cppcheck-suppress containerOutOfBounds ; at < text.size(), as the loop says
    switch (const char c = text[at++]) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

double text_width(std::string_view text, double size) {
  constexpr double mean_advance = 0.56;  // of Helvetica's letters, in ems
  std::size_t characters = 0;
  for (const char c : text) characters += (static_cast<unsigned char>(c) & 0xC0) != 0x80 ? 1 : 0;
  return mean_advance * size * static_cast<double>(characters);
}

SvgWriter::SvgWriter(double width, double height, std::string_view title, std::string_view description,
                     double shown) {
  const double scale = shown > 0 ? shown / width : 1;
  // cppcheck-suppress useInitializationList ; as long as a page
  out_ = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" "
      "height=\"{1}\" viewBox=\"0 0 {2} {3}\" role=\"img\" font-family=\"{4}\">\n",
      number(width * scale), number(height * scale), number(width), number(height), escape(font));
  element("title", {}, title);
  element("desc", {}, description);
  element("rect", {{"class", "paper"}, {"width", "100%"}, {"height", "100%"}, {"fill", white_paper}});
}

void SvgWriter::begin(std::string_view name) {
  poll_.step();
  out_ += '<';
  out_ += name;
}

void SvgWriter::write(std::string_view name, std::string_view value) {
  fmt::format_to(std::back_inserter(out_), " {}=\"{}\"", name, escape(value));
}

void SvgWriter::write(Attributes attributes) {
  for (const Attribute& attribute : attributes) write(attribute.name, attribute.value);
}

void SvgWriter::element(std::string_view name, Attributes attributes) {
  begin(name);
  write(attributes);
  out_ += "/>\n";
}

void SvgWriter::element(std::string_view name, Attributes attributes, std::string_view text) {
  begin(name);
  write(attributes);
  fmt::format_to(std::back_inserter(out_), ">{}</{}>\n", escape(text), name);
}

void SvgWriter::open_group(Attributes attributes) {
  begin("g");
  write(attributes);
  out_ += ">\n";
  ++open_groups_;
}

void SvgWriter::close_group() {
  out_ += "</g>\n";
  --open_groups_;
}

void SvgWriter::open_clipped(std::string_view id, double x, double y, double width, double height) {
  begin("clipPath");
  write({{"id", id}});
  out_ += ">\n";
  rectangle(x, y, width, height, {});
  out_ += "</clipPath>\n";
  open_group({{"clip-path", "url(#" + std::string(id) + ")"}});
}

void SvgWriter::close_groups() {
  while (open_groups_ != 0) close_group();
}

void SvgWriter::rectangle(double x, double y, double width, double height, Attributes more) {
  begin("rect");
  write({{"x", x}, {"y", y}, {"width", width}, {"height", height}});
  write(more);
  out_ += "/>\n";
}

void SvgWriter::line(double x1, double y1, double x2, double y2, Attributes more) {
  begin("line");
  write({{"x1", x1}, {"y1", y1}, {"x2", x2}, {"y2", y2}});
  write(more);
  out_ += "/>\n";
}

void SvgWriter::circle(double x, double y, double radius, Attributes more) {
  begin("circle");
  write({{"cx", x}, {"cy", y}, {"r", radius}});
  write(more);
  out_ += "/>\n";
}

void SvgWriter::path(std::string_view data, Attributes more) {
  begin("path");
  write(more);
  out_ += " d=\"";
  out_ += data;
  out_ += "\"/>\n";
}

void SvgWriter::text(double x, double y, double size, std::string_view words, Attributes more) {
  begin("text");
  write({{"x", x}, {"y", y}, {"font-size", size}});
  write(more);
  fmt::format_to(std::back_inserter(out_), ">{}</text>\n", escape(words));
}

std::string SvgWriter::finish() {
  close_groups();
  out_ += "</svg>\n";
  return std::exchange(out_, {});
}

}  // namespace countpm::draw
