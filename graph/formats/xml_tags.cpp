#include "graph/formats/xml_tags.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdlib>

#include "graph/errors.hpp"
#include "graph/text.hpp"

namespace countpm {
namespace {

constexpr std::size_t most_elements_deep = 32;

bool is_xml_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

}  // namespace

XmlTags::XmlTags(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {
  check_characters();
}

void XmlTags::close(const XmlTag& tag, std::vector<std::string_view>& open) const {
  if (open.empty() || open.back() != tag.name) {
    fail(open.empty() ? "no more closing tags" : fmt::format("</{}>", quoted(std::string(open.back()))),
         fmt::format("</{}>", quoted(std::string(tag.name))));
  }
  open.pop_back();
}

void XmlTags::enter(const XmlTag& tag, std::vector<std::string_view>& open) const {
  if (open.size() == most_elements_deep)
    fail(fmt::format("elements at most {} deep", most_elements_deep), "deeper ones");
  open.push_back(tag.name);
}

void XmlTags::require_closed(const std::vector<std::string_view>& open) const {
  if (!open.empty()) fail(fmt::format("</{}>", quoted(std::string(open.back()))), "the end of the file");
}

std::string XmlTags::required(const XmlTag& tag, std::string_view attribute) const {
  std::optional<std::string> value = optional(tag, attribute);
  if (value) return *std::move(value);
  throw InputError(name_, tag.line, fmt::format("{}=\"...\" in <{}>", attribute, tag.name), "none");
}

void XmlTags::fail(const std::string& expected, const std::string& found) const {
  throw InputError(name_, line_, expected, found);
}

// What XML 1.0 allows (2.2): no control characters but tab and line ends, no U+FFFE or U+FFFF.
void XmlTags::check_characters() {
  for (std::size_t i = 0; i < bytes_.size(); ++i) {
    const auto byte = static_cast<unsigned char>(bytes_[i]);
    const bool no_character =
        byte == 0xef && (bytes_.substr(i, 3) == "\xef\xbf\xbe" || bytes_.substr(i, 3) == "\xef\xbf\xbf");
    if (!no_character && (byte >= 0x20 || is_xml_space(bytes_[i]))) continue;
    advance(i);
    if (byte == 0) fail("XML text", "a NUL byte");
    fail("characters that XML allows",
         no_character ? "U+FFFE or U+FFFF" : fmt::format("the byte 0x{:02x}", byte));
  }
}

// Numeric references in text and attributes that nothing here looks at.
void XmlTags::check_references(std::string_view text) const {
  for (std::size_t at = text.find("&#"); at != std::string_view::npos; at = text.find("&#", at + 2)) {
    const std::size_t end = std::min(text.find(';', at), text.size());
    std::string character;
    const std::string entity(text.substr(at + 1, std::min<std::size_t>(end - at - 1, 16)));
    if (!append_xml_reference(entity, character))
      fail("a reference to a character that XML allows", shown("&" + entity + ";"));
  }
}

// The next opening, closing or empty tag; comments, CDATA, processing instructions and the DOCTYPE are
// passed over.
std::optional<XmlTag> XmlTags::next() {
  for (;;) {
    poll_.step();
    const std::size_t start = bytes_.find('<', at_);
    if (start == std::string_view::npos) return std::nullopt;
    check_references(bytes_.substr(at_, start - at_));
    advance(start);
    const std::string_view rest = bytes_.substr(start);
    if (rest.starts_with("<!--")) {
      advance_past("-->", 4);
    } else if (rest.starts_with("<![CDATA[")) {
      advance_past("]]>", 9);
    } else if (rest.starts_with("<?")) {
      advance_past("?>", 2);
    } else if (rest.starts_with("<!")) {
      const std::size_t end = rest.find('>');
      // A DOCTYPE with declarations of its own, of entities for example.
      if (rest.substr(0, end).find('[') != std::string_view::npos)
        fail("a DOCTYPE without declarations", "'['");
      advance_past(">", 2);
    } else {
      return read_tag();
    }
  }
}

XmlTag XmlTags::read_tag() {
  XmlTag tag;
  tag.line = line_;
  std::size_t at = at_ + 1;
  if (at < bytes_.size() && bytes_[at] == '/') {
    tag.closes = true;
    ++at;
  }
  const std::size_t name_start = at;
  while (at < bytes_.size() && !is_xml_space(bytes_[at]) && bytes_[at] != '>' && bytes_[at] != '/' &&
         bytes_[at] != '<')
    ++at;
  tag.name = bytes_.substr(name_start, at - name_start);
  if (tag.name.empty()) fail("the name of an element after '<'", "none");
  const std::size_t attributes_start = at;
  char quote = 0;
  for (; at < bytes_.size(); ++at) {
    const char c = bytes_[at];
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '>' || c == '<') {
      break;
    }
  }
  if (at == bytes_.size() || bytes_[at] != '>') {
    fail(fmt::format("the end of the tag <{}", quoted(std::string(tag.name))),
         at == bytes_.size() ? "the end of the file" : "'<'");
  }
  tag.attributes = bytes_.substr(attributes_start, at - attributes_start);
  if (tag.attributes.ends_with('/')) {
    tag.empty = true;
    tag.attributes.remove_suffix(1);
    if (tag.closes) fail("a closing tag", "'/>'");
  }
  check_references(tag.attributes);
  advance(at + 1);
  return tag;
}

std::optional<std::string> XmlTags::optional(const XmlTag& tag, std::string_view attribute) const {
  std::string_view rest = tag.attributes;
  for (;;) {
    while (!rest.empty() && is_xml_space(rest.front())) rest.remove_prefix(1);
    const std::size_t equal = rest.find('=');
    if (equal == std::string_view::npos) break;
    std::string_view key = rest.substr(0, equal);
    while (!key.empty() && is_xml_space(key.back())) key.remove_suffix(1);
    rest.remove_prefix(equal + 1);
    while (!rest.empty() && is_xml_space(rest.front())) rest.remove_prefix(1);
    if (rest.empty() || (rest.front() != '"' && rest.front() != '\'')) break;
    const std::size_t end = rest.find(rest.front(), 1);
    if (end == std::string_view::npos) break;
    const std::string_view value = rest.substr(1, end - 1);
    rest.remove_prefix(end + 1);
    if (key == attribute) return decoded(value, tag.line);
  }
  return std::nullopt;
}

// &lt; &gt; &amp; &quot; &apos; and the numeric references; as in every attribute of XML (3.3.3) a tab or a
// line end that is no reference is a blank.
std::string XmlTags::decoded(std::string_view text, std::uint64_t line) const {
  std::string result;
  while (!text.empty()) {
    const std::size_t ampersand = std::min(text.find('&'), text.size());
    for (const char c : text.substr(0, ampersand)) result += is_xml_space(c) ? ' ' : c;
    text.remove_prefix(ampersand);
    if (text.empty()) break;
    const std::size_t end = std::min(text.find(';'), text.size());
    const std::string entity(text.substr(1, end - 1));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (entity == "lt")
      result += '<';
    else if (entity == "gt")
      result += '>';
    else if (entity == "amp")
      result += '&';
    else if (entity == "quot")
      result += '"';
    else if (entity == "apos")
      result += '\'';
    else if (!append_xml_reference(entity, result)) {
      throw InputError(name_, line, "&lt; &gt; &amp; &quot; &apos; or a numeric reference",
                       shown("&" + entity + ";"));
    }
  }
  return result;
}

bool append_xml_reference(const std::string& entity, std::string& result) {
  if (entity.size() < 2 || entity.size() > 9 || entity[0] != '#') return false;
  const bool hexadecimal = entity[1] == 'x';
  const char* const start = entity.c_str() + (hexadecimal ? 2 : 1);
  char* end = nullptr;
  const unsigned long code = std::strtoul(start, &end, hexadecimal ? 16 : 10);
  if (*start == '\0' || *end != '\0' || !std::isalnum(static_cast<unsigned char>(*start))) return false;
  // The characters of XML 1.0.
  if (code < 0x20 && code != 0x9 && code != 0xa && code != 0xd) return false;
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) || code == 0xfffe || code == 0xffff) return false;
  const auto put = [&](std::uint64_t byte) { result += static_cast<char>(byte); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xc0 | code >> 6);
    put(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    put(0xe0 | code >> 12);
    put(0x80 | (code >> 6 & 0x3f));
    put(0x80 | (code & 0x3f));
  } else {
    put(0xf0 | code >> 18);
    put(0x80 | (code >> 12 & 0x3f));
    put(0x80 | (code >> 6 & 0x3f));
    put(0x80 | (code & 0x3f));
  }
  return true;
}

void XmlTags::advance(std::size_t to) {
  line_ += static_cast<std::uint64_t>(std::count(bytes_.begin() + static_cast<std::ptrdiff_t>(at_),
                                                 bytes_.begin() + static_cast<std::ptrdiff_t>(to), '\n'));
  at_ = to;
}
void XmlTags::advance_past(std::string_view end, std::size_t from) {
  const std::size_t found = bytes_.find(end, at_ + from);
  if (found == std::string_view::npos) fail(shown(end), "the end of the file");
  advance(found + end.size());
}

std::string_view xml_root(std::string_view head) {
  if (head.starts_with("\xef\xbb\xbf")) head.remove_prefix(3);
  for (;;) {
    while (!head.empty() && is_xml_space(head.front())) head.remove_prefix(1);
    if (!head.starts_with('<')) return {};
    const bool comment = head.starts_with("<!--");
    if (!comment && !head.starts_with("<?") && !head.starts_with("<!")) break;
    const std::string_view mark = comment ? "-->" : head.starts_with("<?") ? "?>" : ">";
    const std::size_t end = head.find(mark, comment ? 4 : 2);
    if (end == std::string_view::npos) return {};
    head.remove_prefix(end + mark.size());
  }
  std::size_t end = 1;
  while (end < head.size() && !is_xml_space(head[end]) && head[end] != '>' && head[end] != '/') ++end;
  return head.substr(1, end - 1);
}

}  // namespace countpm
