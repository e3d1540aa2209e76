#include "graph/header_words.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "graph/text.hpp"

namespace countpm {
namespace {

// The telling ones first: from `first_vague` on they are names of vertices as well.
constexpr std::array<std::string_view, 19> from_words = {
    "source", "src",  "from",    "start", "origin", "fromid", "fromnode", "fromnodeid", "sourceid", "node1",
    "nodea",  "tail", "vertex1", "id1",   "u",      "i",      "row",      "left",       "v1"};
constexpr std::array<std::string_view, 20> to_words = {
    "target", "dst",   "to",   "end",     "dest", "destination", "toid", "tonode", "tonodeid", "targetid",
    "node2",  "nodeb", "head", "vertex2", "id2",  "v",           "j",    "column", "right",    "v2"};
constexpr std::size_t first_vague_from = 14;
constexpr std::size_t first_vague_to = 15;
constexpr std::array<std::string_view, 8> weight_words = {"weight", "weights",    "w",        "value",
                                                          "wt",     "edgeweight", "capacity", "cost"};

std::string plain(std::string_view word) {
  std::string result = ascii_lower(word);
  std::erase_if(result, [](char c) { return c == '_' || c == '-' || c == ' '; });
  return result;
}

template <std::size_t size>
std::size_t place_in(const std::array<std::string_view, size>& words, std::string_view word) {
  return static_cast<std::size_t>(std::find(words.begin(), words.end(), word) - words.begin());
}

}  // namespace

HeaderWord header_word(std::string_view word) {
  constexpr std::size_t longest = 24;
  if (word.empty() || word.size() > longest) return HeaderWord::none;
  const std::string text = plain(word);
  if (place_in(from_words, text) < from_words.size()) return HeaderWord::from;
  if (place_in(to_words, text) < to_words.size() || text == "col") return HeaderWord::to;
  return place_in(weight_words, text) < weight_words.size() ? HeaderWord::weight : HeaderWord::none;
}

bool are_telling_heads(std::string_view from, std::string_view to) {
  return header_word(from) == HeaderWord::from && header_word(to) == HeaderWord::to &&
         place_in(from_words, plain(from)) < first_vague_from &&
         place_in(to_words, plain(to)) < first_vague_to;
}

bool counts_rows(std::string_view head) {
  constexpr std::array<std::string_view, 11> words = {"",  "id",     "index",  "row",     "no",      "nr",
                                                      "#", "number", "edgeid", "edge_id", "rownames"};
  return std::find(words.begin(), words.end(), ascii_lower(head)) != words.end();
}

}  // namespace countpm
