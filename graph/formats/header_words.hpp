#pragma once
// Words that head the columns of a table of edges: "source,target,weight", "from<TAB>to", "u v".
#include <cstddef>
#include <string>
#include <string_view>

namespace countpm {

enum class HeaderWord { none, from, to, weight };

/// Which column a word heads, in any case of letters, with "_", "-" and blanks left out ("Node 1",
/// "from_id").
HeaderWord header_word(std::string_view word);

/// Whether two words that head the ends of edges are hardly ever vertices ("source target"; "u v" may be).
bool are_telling_heads(std::string_view from, std::string_view to);

/// What two words of a first line are that stand above other words.
enum class HeadReading { edge, header, either };

/// Tells it from the words of the lines below. A header: numbered twins ("gene1 gene2", "Node A", "Node B",
/// "user_id item_id") that no other line has, nor words like them. Either: such twins above others, or above
/// a single line; two letters in order ("A B"); words in small letters above words that are not; nouns that
/// head columns often ("person friend").
class HeadJudge {
 public:
  HeadJudge(std::string_view from, std::string_view to);

  /// Takes the ends of a later line.
  void look(std::string_view from, std::string_view to);
  HeadReading reading() const;

 private:
  std::string from_;
  std::string to_;
  std::string before_;  // what the twins have in common, in small letters: in front and behind
  std::string behind_;
  bool twins_ = false;
  bool letters_ = false;
  bool stand_out_ = false;  // small letters above others
  bool nouns_ = false;
  bool again_ = false;  // another line has one of them, or a word like them
  bool other_twins_ = false;
  std::size_t short_words_ = 0;  // a letter and a number, as twins of one letter are
  std::size_t lines_ = 0;
};

/// Whether a word heads numbers of rows ("id", "index", "").
bool counts_rows(std::string_view head);

}  // namespace countpm
