#include "graph/formats/header_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

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

namespace {

bool is_word_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_word_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
}

struct Twins {
  std::string before;
  std::string behind;
};

// What two words have in common that differ in one number or letter that goes up, or in where an edge begins
// and ends.
std::optional<Twins> twins(std::string_view one, std::string_view other) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 17> pairs = {{{"1", "2"},
                                                                                    {"0", "1"},
                                                                                    {"a", "b"},
                                                                                    {"i", "j"},
                                                                                    {"u", "v"},
                                                                                    {"x", "y"},
                                                                                    {"i", "ii"},
                                                                                    {"one", "two"},
                                                                                    {"from", "to"},
                                                                                    {"source", "target"},
                                                                                    {"left", "right"},
                                                                                    {"l", "r"},
                                                                                    {"src", "dst"},
                                                                                    {"start", "end"},
                                                                                    {"in", "out"},
                                                                                    {"first", "second"},
                                                                                    {"1st", "2nd"}}};
  const std::string a = ascii_lower(one);
  const std::string b = ascii_lower(other);
  for (const auto& [x, y] : pairs) {
    for (std::size_t at = a.find(x); at != std::string::npos; at = a.find(x, at + 1)) {
      const std::string before = a.substr(0, at);
      const std::string behind = a.substr(at + x.size());
      if (fmt::format("{}{}{}", before, y, behind) != b) continue;
      // A word of its own, by what is beside it or by capitals ("NodeA").
      const auto apart = [&](bool digits, std::size_t left, std::size_t right) {
        if (digits)
          return !is_word_digit(left < one.size() ? one[left] : ' ') &&
                 (right >= one.size() || !is_word_digit(one[right]));
        const bool capital = one[at] >= 'A' && one[at] <= 'Z';
        const bool left_apart =
            left >= one.size() || !is_word_letter(one[left]) || (capital && one[left] >= 'a');
        const bool right_apart = right >= one.size() || !is_word_letter(one[right]) ||
                                 (one[right] >= 'A' && one[right] <= 'Z' && one[right - 1] >= 'a');
        return left_apart && right_apart;
      };
      if (apart(is_word_digit(x.front()), at - 1, at + x.size())) return Twins{before, behind};
    }
  }
  return std::nullopt;
}

// "user_id" and "itemId": what stands behind the noun.
std::string_view id_suffix(std::string_view word) {
  for (const std::string_view suffix : {"_id", " id", "-id", ".id", "Id", "ID", "_name", " name", "Name"}) {
    if (word.size() > suffix.size() + 1 && word.ends_with(suffix)) {
      const char before = word[word.size() - suffix.size() - 1];
      if (suffix != "ID" || (before >= 'a' && before <= 'z')) return suffix;
    }
  }
  return {};
}

bool is_noun_of_headers(std::string_view word) {
  constexpr std::array<std::string_view, 98> nouns = {
      "actor",    "applicant", "author",   "away",      "bidder",   "book",     "borrower", "boss",
      "buyer",    "callee",    "caller",   "child",     "citation", "city",     "class",    "company",
      "concept",  "country",   "course",   "customer",  "destino",  "disease",  "donor",    "drug",
      "employee", "employer",  "entity",   "exporter",  "father",   "film",     "firm",     "followee",
      "follower", "friend",    "gene",     "group",     "home",     "hospital", "host",     "husband",
      "importer", "item",      "job",      "label",     "lender",   "ligand",   "machine",  "man",
      "member",   "men",       "mentee",   "mentor",    "mother",   "movie",    "nach",     "name",
      "neighbor", "neighbour", "node",     "object",    "origen",   "paper",    "parent",   "partner",
      "patient",  "person",    "player",   "predator",  "prey",     "product",  "project",  "protein",
      "quelle",   "receiver",  "receptor", "recipient", "resident", "school",   "sender",   "slot",
      "species",  "student",   "subject",  "supplier",  "task",     "teacher",  "team",     "term",
      "town",     "user",      "vertex",   "von",       "wife",     "woman",    "women",    "word",
      "worker",   "ziel"};
  std::string text = ascii_lower(word);
  if (std::find(nouns.begin(), nouns.end(), text) != nouns.end()) return true;
  if (text.ends_with('s')) text.pop_back();
  return std::find(nouns.begin(), nouns.end(), text) != nouns.end();
}

bool is_small(std::string_view word) {
  return word.size() > 1 && word.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") == std::string_view::npos;
}

bool is_one_letter(std::string_view word) {
  return word.size() == 1 && is_word_letter(word[0]);
}

// x1, V23: a letter and a number.
bool is_letter_and_number(std::string_view word) {
  return word.size() > 1 && is_word_letter(word[0]) &&
         std::all_of(word.begin() + 1, word.end(), is_word_digit);
}

}  // namespace

HeadJudge::HeadJudge(std::string_view from, std::string_view to) : from_(from), to_(to) {
  constexpr std::size_t longest = 40;
  if (from.empty() || to.empty() || from.size() > longest || to.size() > longest || from == to) {
    again_ = true;
    return;
  }
  if (is_one_letter(from) && is_one_letter(to)) {
    letters_ = (from == "A" && to == "B") || (from == "a" && to == "b") || (from == "x" && to == "y") ||
               (from == "X" && to == "Y");
    return;
  }
  if (std::optional<Twins> found = twins(from, to)) {
    twins_ = true;
    before_ = std::move(found->before);
    behind_ = std::move(found->behind);
  } else if (const std::string_view suffix = id_suffix(from); !suffix.empty() && id_suffix(to) == suffix) {
    twins_ = true;
    behind_ = ascii_lower(suffix);
  }
  stand_out_ = is_small(from) && is_small(to);
  nouns_ = is_noun_of_headers(from) && is_noun_of_headers(to);
}

void HeadJudge::look(std::string_view from, std::string_view to) {
  ++lines_;
  for (const std::string_view word : {from, to}) {
    again_ = again_ || word == from_ || word == to_;
    stand_out_ = stand_out_ && !is_small(word);
    letters_ = letters_ && !is_one_letter(word);
    if (!twins_ || again_) continue;
    const std::string small = ascii_lower(word);
    const bool alike = small.size() > before_.size() + behind_.size() && small.starts_with(before_) &&
                       small.ends_with(behind_);
    const std::string_view middle =
        alike ? std::string_view(small).substr(before_.size(), small.size() - before_.size() - behind_.size())
              : std::string_view();
    // Of one letter in common, all of a letter and a number are like them.
    const bool short_stem = before_.size() + behind_.size() < 2;
    if (alike &&
        (std::all_of(middle.begin(), middle.end(), is_word_digit) || middle.size() < 2 || before_.empty()))
      twins_ = false;
    if (short_stem && is_letter_and_number(word)) ++short_words_;
  }
  if (twins_ && !other_twins_) other_twins_ = twins(from, to).has_value();
}

HeadReading HeadJudge::reading() const {
  if (again_ || lines_ == 0) return HeadReading::edge;
  const bool telling = twins_ && (std::any_of(before_.begin(), before_.end(), is_word_letter) ||
                                  std::any_of(behind_.begin(), behind_.end(), is_word_letter));
  if (telling && short_words_ < 2 * lines_)
    return lines_ > 1 && !other_twins_ && short_words_ == 0 ? HeadReading::header : HeadReading::either;
  return letters_ || stand_out_ || nouns_ ? HeadReading::either : HeadReading::edge;
}

bool counts_rows(std::string_view head) {
  constexpr std::array<std::string_view, 11> words = {"",  "id",     "index",  "row",     "no",      "nr",
                                                      "#", "number", "edgeid", "edge_id", "rownames"};
  return std::find(words.begin(), words.end(), ascii_lower(head)) != words.end();
}

}  // namespace countpm
