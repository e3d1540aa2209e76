#pragma once
// HTML text, element by element, that is well-formed XML, too: what is open gets closed, and text cannot be
// anything but text. WHATWG, HTML Living Standard; W3C, Polyglot Markup (2015).
#include <string>
#include <string_view>
#include <vector>

#include "src/draw/svg.hpp"

namespace countpm::html {

using draw::Attribute;
using draw::Attributes;

class HtmlWriter {
 public:
  /// Attributes without a value are left out.
  void open(std::string_view name, Attributes attributes = {});
  void close();
  /// <name ...>text</name>
  void element(std::string_view name, Attributes attributes, std::string_view text);
  /// <name .../>, of the elements that have no content: meta, wbr.
  void single(std::string_view name, Attributes attributes = {});
  /// Escaped; what would not be seen (control characters, marks of direction, bytes that are no UTF-8) stands
  /// as \xNN.
  void text(std::string_view words);
  /// As it is: style sheets, pictures.
  void verbatim(std::string_view markup) { out_ += markup; }

  /// Closes what is open and hands the text over; the writer is empty afterwards.
  std::string finish();

 private:
  void begin(std::string_view name, Attributes attributes);

  std::string out_;
  std::vector<std::string> open_;
};

/// Opens an element for as long as it lives.
class Within {
 public:
  Within(HtmlWriter& html, std::string_view name, Attributes attributes = {}) : html_(html) {
    html_.open(name, attributes);
  }
  ~Within() { html_.close(); }
  Within(const Within&) = delete;
  Within& operator=(const Within&) = delete;

 private:
  HtmlWriter& html_;
};

}  // namespace countpm::html
