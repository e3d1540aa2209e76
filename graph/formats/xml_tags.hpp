#pragma once
// The tags of an XML text, one after the other, with their lines. Boost's parser (RapidXML, by recursion on
// the depth of elements) tells no lines; a scan over the tags goes before it, bounds the depth and refuses
// characters and declarations that it would take.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/stop_poll.hpp"

namespace countpm {

struct XmlTag {
  std::string_view name;
  std::string_view attributes;  // between the name and the closing > or />
  bool closes = false;          // </name>
  bool empty = false;           // <name ... />
  std::uint64_t line = 0;
};

class XmlTags {
 public:
  /// Throws InputError for characters that XML 1.0 does not allow. Both must outlive this.
  XmlTags(std::string_view bytes, const std::string& name);

  /// Calls visit(tag, open) for every element as it opens, `open` being the names of those around it.
  /// Elements are closed by their own names, and at most 32 deep.
  template <class Visit>
  void for_each_element(const Visit& visit) {
    std::vector<std::string_view> open;
    while (const std::optional<XmlTag> tag = next()) {
      if (tag->closes) {
        close(*tag, open);
        continue;
      }
      visit(*tag, open);
      if (!tag->empty) enter(*tag, open);
    }
    require_closed(open);
  }

  /// The value of an attribute that must be there.
  std::string required(const XmlTag& tag, std::string_view attribute) const;
  std::optional<std::string> optional(const XmlTag& tag, std::string_view attribute) const;

  /// An error on the line that the scan has come to.
  [[noreturn]] void fail(const std::string& expected, const std::string& found) const;

 private:
  std::optional<XmlTag> next();
  XmlTag read_tag();
  void close(const XmlTag& tag, std::vector<std::string_view>& open) const;
  void enter(const XmlTag& tag, std::vector<std::string_view>& open) const;
  void require_closed(const std::vector<std::string_view>& open) const;
  void check_characters();
  void check_references(std::string_view text) const;
  std::string decoded(std::string_view text, std::uint64_t line) const;
  void advance(std::size_t to);
  void advance_past(std::string_view end, std::size_t from);

  std::string_view bytes_;
  const std::string& name_;
  std::size_t at_ = 0;
  StopPoll poll_;
  std::uint64_t line_ = 1;
};

/// The name of the first element, empty where there is none: after a byte order mark, <?...?>, comments and
/// a DOCTYPE.
std::string_view xml_root(std::string_view head);

/// "#65" or "#x41" -> the character, appended in UTF-8; false where XML 1.0 has no such character.
bool append_xml_reference(const std::string& entity, std::string& result);

}  // namespace countpm
