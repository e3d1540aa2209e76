// A round for every step. A claim about the table after it, at one point, is one about the table before it
// on a line: a round sends that polynomial, and it is believed if it is right at a random place.
#include <algorithm>

#include "graph/stop_signal.hpp"
#include "src/proof_check/checks.hpp"
#include "src/proof_check/refused.hpp"

namespace countpm::proof_check {
namespace {

constexpr std::size_t number_bytes = 16;

/// The bytes that a text of base64 stands for. Throws Refused unless it is what these are in base64.
std::string bytes_of_base64(std::string_view text) {
  need(text.size() % 4 == 0, "a round is not in base64");
  std::string bytes;
  while (!text.empty()) {
    std::uint32_t group = 0;
    std::size_t padding = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      const char c = text[k];
      std::uint32_t digit = 0;
      if (c == '=' && k >= 2 && text.size() == 4) {
        ++padding;
      } else {
        need(padding == 0, "a round is not in base64");
        if (c >= 'A' && c <= 'Z') {
          digit = static_cast<std::uint32_t>(c - 'A');
        } else if (c >= 'a' && c <= 'z') {
          digit = static_cast<std::uint32_t>(c - 'a') + 26;
        } else if (c >= '0' && c <= '9') {
          digit = static_cast<std::uint32_t>(c - '0') + 52;
        } else {
          need(c == '+' || c == '/', "a round is not in base64");
          digit = c == '+' ? 62 : 63;
        }
      }
      group = group << 6 | digit;
    }
    need((group & ((1U << (8 * padding)) - 1)) == 0, "a round is not in base64");
    for (std::size_t k = 0; k < 3 - padding; ++k)
      bytes += static_cast<char>(static_cast<unsigned char>(group >> (16 - 8 * k)));
    text.remove_prefix(4);
  }
  return bytes;
}

/// Of a larger set, which is taken in, or of a vertex, which goes with its edges.
struct Step {
  bool of_set = false;
  std::uint32_t vertex = 0;
  bool live = false;  // the vertex was touched before
  struct Member {
    std::uint32_t vertex;
    bool enters;     // it was not touched before
    Residue weight;  // of the edge; of sets not used
  };
  std::vector<Member> members;  // the set, or the other ends of the edges
  Residue weight = 0;           // of the set, or of the vertex as a monomer
};

std::vector<Step> steps_of(const Statement& statement, const StatementResidues& residues) {
  const std::vector<std::uint32_t>& order = statement.order;
  std::vector<std::uint32_t> place(order.size());
  for (std::uint32_t k = 0; k < order.size(); ++k) place[order[k]] = k;
  const auto first_place = [&](const Piece& piece) {
    std::uint32_t first = place[piece.vertices.front()];
    for (const std::uint32_t vertex : piece.vertices) first = std::min(first, place[vertex]);
    return first;
  };
  std::vector<std::vector<std::size_t>> sets(order.size()), edges(order.size());
  for (std::size_t i = 0; i < statement.sets.size(); ++i) sets[first_place(statement.sets[i])].push_back(i);
  for (std::size_t i = 0; i < statement.edges.size(); ++i)
    edges[first_place(statement.edges[i])].push_back(i);

  std::vector<Step> steps;
  std::vector<bool> touched(order.size());
  const auto member = [&](std::uint32_t vertex, Residue weight) {
    const bool enters = !touched[vertex];
    touched[vertex] = true;
    return Step::Member{vertex, enters, weight};
  };
  for (std::uint32_t k = 0; k < order.size(); ++k) {
    for (const std::size_t set : sets[k]) {
      Step step;
      step.of_set = true;
      step.weight = residues.sets[set];
      for (const std::uint32_t vertex : statement.sets[set].vertices)
        step.members.push_back(member(vertex, 0));
      steps.push_back(std::move(step));
    }
    Step step;
    step.vertex = order[k];
    step.live = touched[order[k]];
    step.weight = residues.monomers[order[k]];
    for (const std::size_t edge : edges[k]) {
      const std::vector<std::uint32_t>& ends = statement.edges[edge].vertices;
      step.members.push_back(member(ends[0] == order[k] ? ends[1] : ends[0], residues.edges[edge]));
    }
    steps.push_back(std::move(step));
  }
  return steps;
}

/// claim / scale is what is claimed of the table at the point.
class RoundsCheck {
 public:
  RoundsCheck(const Statement& statement, const StatementResidues& residues, const Digest& h,
              const PrimeField& field, const std::vector<StrictJson>& rounds)
      : field_(field),
        rounds_(rounds),
        h_(h),
        claim_(residues.count),
        steps_(steps_of(statement, residues)),
        point_(statement.vertices) {}

  void run() {
    need(rounds_.size() == steps_.size(),
         "it has " + std::to_string(rounds_.size()) + " rounds, and not " + std::to_string(steps_.size()));
    for (std::size_t k = steps_.size(); k-- > 0;) go_back(steps_[k], rounds_[steps_.size() - 1 - k]);
    need(claim_ == scale_, "the last claim is not 1");
  }

 private:
  /// f'(r) = A q_0 + B q_1 + C (q_2 + .. + q_m)
  struct Relation {
    Residue a, b, c;
  };
  Relation relation_of(const Step& step) const {
    Residue free = 1;  // product of 1 - r over the vertices that enter
    if (step.of_set) {
      Residue b = step.weight;
      for (const Step::Member& member : step.members) {
        b = field_.times(b, point_[member.vertex]);
        if (member.enters) free = field_.times(free, field_.complement(point_[member.vertex]));
      }
      return {field_.plus(free, b), b, b};
    }
    Residue stay = field_.plus(step.weight, step.live ? 1 : 0), entering = 0;
    for (const Step::Member& member : step.members) {
      const Residue r = point_[member.vertex], term = field_.times(member.weight, r);
      if (member.enters) {
        entering = field_.plus(field_.times(entering, field_.complement(r)), field_.times(free, term));
        free = field_.times(free, field_.complement(r));
      } else {
        stay = field_.plus(stay, term);
      }
    }
    return {field_.plus(field_.times(free, stay), entering), free, 0};
  }

  /// The numbers of a round, and its bytes into the hash.
  std::vector<Residue> numbers_of(const StrictJson& sent, std::size_t count) {
    need(sent.kind == StrictJson::Kind::text, "a round is no string");
    const std::string bytes = bytes_of_base64(sent.text);
    need(bytes.size() == count * number_bytes, "a round does not have " + std::to_string(count) + " numbers");
    std::vector<Residue> numbers(count);
    for (std::size_t k = 0; k < bytes.size(); ++k) {
      Residue& number = numbers[k / number_bytes];
      number = number << 8 | static_cast<unsigned char>(bytes[k]);
    }
    for (const Residue number : numbers)
      need(number < field_.prime(), "a number of a round is not below the prime");
    h_ = sha256_of(h_, bytes);
    return numbers;
  }

  /// From a claim about the table after the step to one about the table before it.
  void go_back(const Step& step, const StrictJson& sent) {
    check_stop();
    std::size_t degree = step.live ? 1 : 0;
    for (const Step::Member& member : step.members) degree += member.enters ? 0 : 1;
    const auto [a, b, c] = relation_of(step);
    const std::vector<Residue> numbers = numbers_of(sent, std::max<std::size_t>(degree, 1));
    const Residue t = field_.of_digest(h_);
    // q(t) = q_0 + q_1 t + high, with q_1 from the claim, here as scale b q_1.
    Residue sum = 0, high = 0;
    for (std::size_t i = numbers.size(); i-- > 1;) {
      sum = field_.plus(sum, numbers[i]);
      high = field_.times(field_.plus(high, numbers[i]), t);
    }
    high = field_.times(high, t);
    const Residue said = field_.plus(field_.times(a, numbers[0]), field_.times(c, sum));
    const Residue q1 = field_.minus(claim_, field_.times(scale_, said));
    need(degree > 0 || q1 == 0, "a table does not agree with the next one");
    scale_ = field_.times(scale_, b);
    need(scale_ != 0, "division by 0");
    claim_ = field_.plus(field_.times(scale_, field_.plus(numbers[0], high)), field_.times(q1, t));
    for (const Step::Member& member : step.members) {
      Residue& r = point_[member.vertex];
      if (member.enters) continue;
      const Residue way = step.of_set ? r : field_.times(member.weight, field_.times(r, r));
      r = field_.minus(r, field_.times(t, way));
    }
    if (step.live) point_[step.vertex] = t;
  }

  const PrimeField& field_;
  const std::vector<StrictJson>& rounds_;
  Digest h_;
  Residue claim_;
  Residue scale_ = 1;
  std::vector<Step> steps_;
  std::vector<Residue> point_;
};

}  // namespace

void check_rounds(const Statement& statement, const StatementResidues& residues, Digest h,
                  const PrimeField& field, const std::vector<StrictJson>& rounds) {
  RoundsCheck(statement, residues, h, field, rounds).run();
}

}  // namespace countpm::proof_check
