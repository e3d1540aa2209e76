#include "src/proof_check/statement.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include "src/proof_check/refused.hpp"

namespace countpm::proof_check {
namespace {

constexpr std::uint32_t most_vertices = 1'000'000;
constexpr std::size_t most_digits_of_one = 100'000;
constexpr std::size_t most_digits_of_exponent = 9;

struct LetterExponent {
  char letter;
  std::int32_t exponent;
  bool operator<(const LetterExponent& other) const {
    return std::tie(letter, exponent) < std::tie(other.letter, other.exponent);
  }
};
/// top / bottom times powers of letters. The digits stay where they were read.
struct ReadTerm {
  bool negative = false;
  std::string_view top, bottom;  // bottom is empty: 1
  std::vector<LetterExponent> letters;
};

/// Reads a sum: "0", or terms with + between them.
class SumReader {
 public:
  explicit SumReader(std::string_view text) : rest_(text), whole_(text) {}

  std::vector<ReadTerm> read() {
    std::vector<ReadTerm> terms;
    if (rest_ == "0") return terms;
    terms.push_back(term());
    while (take('+')) terms.push_back(term());
    if (!rest_.empty()) refuse();
    std::set<std::vector<LetterExponent>> seen;
    for (const ReadTerm& term : terms)
      need(seen.insert(term.letters).second, "two terms have the same letters");
    return terms;
  }

 private:
  [[noreturn]] void refuse() const {
    throw Refused("'" + std::string(whole_.substr(0, 60)) +
                  "' is no number or sum of terms as proofs have them");
  }
  bool take(char c) {
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  /// Digits without a leading zero, at least one and at most so many.
  std::string_view digits(std::size_t most) {
    std::size_t length = 0;
    while (length < rest_.size() && rest_[length] >= '0' && rest_[length] <= '9') ++length;
    if (length == 0 || length > most || rest_.front() == '0') refuse();
    const std::string_view taken = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return taken;
  }
  ReadTerm term() {
    ReadTerm term;
    term.negative = take('-');
    term.top = digits(most_digits_of_one);
    if (take('/')) {
      term.bottom = digits(most_digits_of_one);
      const mpz_class top(std::string(term.top)), bottom(std::string(term.bottom));
      if (bottom == 1 || gcd(top, bottom) != 1) refuse();
    }
    while (take('*')) letter(term.letters);
    return term;
  }
  void letter(std::vector<LetterExponent>& letters) {
    const char c = rest_.empty() ? '\0' : rest_.front();
    if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))) refuse();
    if (!letters.empty() && letters.back().letter >= c) refuse();
    rest_.remove_prefix(1);
    std::int32_t exponent = 1;
    if (take('^')) {
      const bool negative = take('-');
      exponent = std::stoi(std::string(digits(most_digits_of_exponent)));
      if (exponent == 1 && !negative) refuse();
      if (negative) exponent = -exponent;
    }
    letters.push_back({c, exponent});
  }

  std::string_view rest_, whole_;
};

Residue residue_of(const std::string& text, const Digest& h, const PrimeField& field) {
  Residue sum = 0;
  for (const ReadTerm& term : SumReader(text).read()) {
    Residue value = field.of_digits(term.top);
    if (term.negative) value = field.less(value);
    if (!term.bottom.empty()) {
      const Residue bottom = field.of_digits(term.bottom);
      need(bottom != 0, "a denominator is 0 modulo the prime");
      value = field.times(value, field.inverse(bottom));
    }
    for (const LetterExponent& factor : term.letters) {
      Residue at = field.of_digest(sha256_of(h, std::string("letter ") + factor.letter));
      need(at != 0, "a letter is 0 modulo the prime");
      if (factor.exponent < 0) at = field.inverse(at);
      value =
          field.times(value, field.power(at, static_cast<Residue>(std::abs(std::int64_t{factor.exponent}))));
    }
    sum = field.plus(sum, value);
  }
  return sum;
}

const std::string& text_at(const StrictJson& value, const std::string& what) {
  need(value.kind == StrictJson::Kind::text, what + " is no string");
  return value.text;
}

std::vector<Piece> pieces_at(const StrictJson& proof, const char* key, std::uint32_t vertices, bool edges) {
  std::vector<Piece> pieces;
  for (const StrictJson& item : list_at(proof, key)) {
    need(item.kind == StrictJson::Kind::array, std::string(key) + " has what is no list");
    Piece piece{{}, "1"};
    for (std::size_t k = 0; k < item.items.size(); ++k) {
      const StrictJson& member = item.items[k];
      if (member.kind == StrictJson::Kind::text && k + 1 == item.items.size()) {
        piece.weight = member.text;
      } else {
        piece.vertices.push_back(index_of(member, vertices, std::string("a vertex of ") + key));
      }
    }
    const std::size_t size = piece.vertices.size();
    need(edges ? size == 2 : size >= 3,
         std::string(key) + " has one of " + std::to_string(size) + " vertices");
    for (std::size_t k = 1; k < size; ++k)
      need(piece.vertices[k - 1] < piece.vertices[k], std::string(key) + " has vertices that do not ascend");
    need(SumReader(piece.weight).read().size() == 1, std::string(key) + " has a weight that is 0 or a sum");
    need(pieces.empty() || pieces.back().vertices < piece.vertices,
         std::string(key) + " is not in increasing order");
    pieces.push_back(std::move(piece));
  }
  return pieces;
}

std::vector<std::string> monomers_at(const StrictJson& proof, std::uint32_t vertices) {
  std::vector<std::string> weights;
  if (proof.find("monomers") == nullptr) return std::vector<std::string>(vertices, "0");
  for (const StrictJson& weight : list_at(proof, "monomers")) {
    weights.push_back(text_at(weight, "the weight of a monomer"));
    need(SumReader(weights.back()).read().size() <= 1, "the weight of a monomer is a sum");
  }
  need(weights.size() == vertices, "monomers has not a weight for every vertex");
  return weights;
}

}  // namespace

bool Statement::has_monomers() const {
  return std::any_of(monomers.begin(), monomers.end(),
                     [](const std::string& weight) { return weight != "0"; });
}

const std::vector<StrictJson>& list_at(const StrictJson& owner, std::string_view key) {
  const StrictJson* const value = owner.find(key);
  need(value != nullptr && value->kind == StrictJson::Kind::array,
       std::string(key) + " is missing or no list");
  return value->items;
}

std::uint32_t index_of(const StrictJson& value, std::uint32_t limit, const std::string& what) {
  need(value.kind == StrictJson::Kind::integer && value.integer >= 0 && value.integer < limit,
       what + " is no integer from 0 to below " + std::to_string(limit));
  return static_cast<std::uint32_t>(value.integer);
}

Statement read_statement(const StrictJson& proof) {
  const StrictJson* const format = proof.find("format");
  need(format != nullptr && format->kind == StrictJson::Kind::text && format->text == "countpm-proof 2",
       "this is no proof of the format countpm-proof 2");
  Statement statement;
  const StrictJson* const vertices = proof.find("vertices");
  need(vertices != nullptr, "the number of vertices is missing");
  statement.vertices = index_of(*vertices, most_vertices + 1, "vertices");
  statement.edges = pieces_at(proof, "edges", statement.vertices, true);
  if (proof.find("sets") != nullptr) statement.sets = pieces_at(proof, "sets", statement.vertices, false);
  statement.monomers = monomers_at(proof, statement.vertices);
  std::vector<bool> seen(statement.vertices);
  for (const StrictJson& item : list_at(proof, "order")) {
    const std::uint32_t vertex = index_of(item, statement.vertices, "a vertex of order");
    need(!seen[vertex], "order has a vertex twice");
    seen[vertex] = true;
    statement.order.push_back(vertex);
  }
  need(statement.order.size() == statement.vertices, "order does not have all vertices");
  const StrictJson* const count = proof.find("count");
  need(count != nullptr, "the count is missing");
  statement.count = text_at(*count, "the count");
  SumReader(statement.count).read();
  return statement;
}

Digest hash_of(const Statement& statement) {
  std::string text = "countpm-proof 2\nvertices " + std::to_string(statement.vertices) + " edges " +
                     std::to_string(statement.edges.size()) + "\n";
  for (const Piece& edge : statement.edges)
    text +=
        std::to_string(edge.vertices[0]) + " " + std::to_string(edge.vertices[1]) + " " + edge.weight + "\n";
  if (!statement.sets.empty()) text += "sets " + std::to_string(statement.sets.size()) + "\n";
  for (const Piece& set : statement.sets) {
    text += std::to_string(set.vertices.size());
    for (const std::uint32_t vertex : set.vertices) text += " " + std::to_string(vertex);
    text += " " + set.weight + "\n";
  }
  if (statement.has_monomers()) {
    text += "monomers";
    for (const std::string& weight : statement.monomers) text += " " + weight;
    text += "\n";
  }
  text += "order";
  for (const std::uint32_t vertex : statement.order) text += " " + std::to_string(vertex);
  text += "\ncount " + statement.count + "\n";
  return sha256_of(text);
}

StatementResidues residues_of(const Statement& statement, const Digest& h, const PrimeField& field) {
  StatementResidues residues;
  for (const Piece& edge : statement.edges) residues.edges.push_back(residue_of(edge.weight, h, field));
  for (const Piece& set : statement.sets) residues.sets.push_back(residue_of(set.weight, h, field));
  for (const std::string& weight : statement.monomers)
    residues.monomers.push_back(residue_of(weight, h, field));
  residues.count = residue_of(statement.count, h, field);
  return residues;
}

}  // namespace countpm::proof_check
