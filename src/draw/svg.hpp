#pragma once
// An SVG text, element by element. W3C, Scalable Vector Graphics (SVG) 1.1, 2nd edition (2011).
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "graph/stop_poll.hpp"

namespace countpm::draw {

/// A length with at most 3 decimals, no zeros at the end: "1.5", "-0.333", "12". The value is finite.
std::string number(double value);
/// For XML text and attribute values: & < > " ' escaped; what XML 1.0 cannot hold (control characters, bytes
/// that are no UTF-8) becomes U+FFFD.
std::string escape(std::string_view text);
/// How wide the text is about in a sans-serif font of that size, in the units of `size`: for layout only.
double text_width(std::string_view text, double size);

struct Attribute {
  Attribute(std::string_view attribute_name, std::string_view text) : name(attribute_name), value(text) {}
  Attribute(std::string_view attribute_name, const char* text) : name(attribute_name), value(text) {}
  Attribute(std::string_view attribute_name, double length) : name(attribute_name), value(number(length)) {}
  std::string_view name;
  std::string value;  // escaped when it is written
};
using Attributes = std::initializer_list<Attribute>;

/// Writes elements in the order of the calls, later ones on top. Lengths are pixels until a group transforms
/// them.
class SvgWriter {
 public:
  /// <title> and <desc> say what is shown, for readers who do not see it. White below everything.
  /// `shown`: how many pixels wide the whole is shown; 0: as many as `width`.
  SvgWriter(double width, double height, std::string_view title, std::string_view description,
            double shown = 0);

  /// <name .../>
  void element(std::string_view name, Attributes attributes);
  /// <name ...>text</name>
  void element(std::string_view name, Attributes attributes, std::string_view text);
  void open_group(Attributes attributes);
  void close_group();
  /// A group whose content is cut off at the rectangle; close_group() ends it. `id` is its own in the text.
  void open_clipped(std::string_view id, double x, double y, double width, double height);
  /// All that are open.
  void close_groups();

  void rectangle(double x, double y, double width, double height, Attributes more);
  void line(double x1, double y1, double x2, double y2, Attributes more);
  void circle(double x, double y, double radius, Attributes more);
  /// `data` as the attribute d has it; it must not need escaping.
  void path(std::string_view data, Attributes more);
  /// One line of text; its baseline begins (text-anchor: or ends, or has its middle) at (x, y).
  void text(double x, double y, double size, std::string_view words, Attributes more = {});

  /// Closes what is open and hands the text over; the writer is empty afterwards.
  std::string finish();

 private:
  void begin(std::string_view name);
  void write(std::string_view name, std::string_view value);
  void write(Attributes attributes);

  std::string out_;
  StopPoll poll_;  // of elements
  std::size_t open_groups_ = 0;
};

}  // namespace countpm::draw
