// Which of the formats that programs exchange graphs in a text begins as.
#include <fmt/format.h>

#include <algorithm>

#include "graph/errors.hpp"
#include "graph/formats/exchange_graph.hpp"
#include "graph/formats/reader.hpp"
#include "graph/formats/xml_tags.hpp"
#include "graph/text.hpp"

namespace countpm {
namespace {

void drop_blanks(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
}

// A string in quotation marks at the front goes; false where there is none.
bool drop_string(std::string_view& text) {
  if (!text.starts_with('"')) return false;
  std::size_t end = 1;
  while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
  if (end >= text.size()) return false;
  text.remove_prefix(end + 1);
  return true;
}

// { "name" :
bool looks_like_json(std::string_view text) {
  drop_blanks(text);
  if (!text.starts_with('{')) return false;
  text.remove_prefix(1);
  drop_blanks(text);
  if (!drop_string(text)) return false;
  drop_blanks(text);
  return text.starts_with(':');
}

// *Vertices or *Network, after comments.
bool looks_like_pajek(std::string_view text) {
  TextLines lines(text);
  while (lines.next()) {
    if (lines.line_done()) continue;
    const std::string_view word = lines.word();
    if (word.starts_with('%')) continue;
    const std::string lower = ascii_lower(word.substr(0, 16));
    return lower == "*vertices" || lower == "*network";
  }
  return false;
}

// "graph [", after comments and a few pairs of a key and a value (Creator, Version).
bool looks_like_gml(std::string_view text) {
  constexpr int most_pairs = 16;
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
  for (int pair = 0; pair < most_pairs;) {
    drop_blanks(text);
    if (text.starts_with('#')) {
      text.remove_prefix(std::min(text.find('\n'), text.size()));
      continue;
    }
    const std::string_view key = text.substr(0, text.find_first_not_of(letters));
    if (key.empty()) return false;
    text.remove_prefix(key.size());
    drop_blanks(text);
    if (key == "graph") return text.starts_with('[');
    if (!drop_string(text)) text.remove_prefix(std::min(text.find_first_of(" \t\r\n["), text.size()));
    ++pair;
  }
  return false;
}

}  // namespace

std::optional<Format> guess_exchange(std::string_view head) {
  if (looks_like_json(head)) return Format::json;
  if (xml_root(head) == "gexf") return Format::gexf;
  if (looks_like_pajek(head)) return Format::pajek;
  if (looks_like_gml(head)) return Format::gml;
  return std::nullopt;
}

void require_exchange_size(std::string_view bytes, const std::string& name) {
  if (bytes.size() > largest_exchange)
    throw InputError(name, 0, "at most 256 MiB of GML, GEXF or JSON (an edge list may be larger)", "more");
}

}  // namespace countpm
