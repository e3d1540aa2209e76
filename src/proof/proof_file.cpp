#include "src/proof/proof_file.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "src/api/version.hpp"

namespace countpm {
namespace {

using ProofJson = nlohmann::json;

/// What is no UTF-8 becomes U+FFFD.
std::string json_string(const std::string& text) {
  return ProofJson(text).dump(-1, ' ', false, ProofJson::error_handler_t::replace);
}

/// "a,b,c", some to a line.
template <class Element, class Text>
std::string json_list(const std::vector<Element>& elements, std::size_t per_line, const Text& text) {
  std::string list = "[";
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (i > 0) list += ",";
    if (i > 0 && i % per_line == 0) list += "\n  ";
    list += text(elements[i]);
  }
  return list + "]";
}

std::string set_text(const ProofStatement& statement, std::uint64_t set) {
  const CoverShape& shape = statement.shape;
  std::string text = "[";
  for (std::uint64_t k = shape.start[set]; k < shape.start[set + 1]; ++k) {
    if (k > shape.start[set]) text += ",";
    text += std::to_string(shape.member[k]);
  }
  if (!statement.weight.empty()) {
    const std::string weight = text_of(statement.weight[set]);
    if (weight != "1") text += ",\"" + weight + "\"";
  }
  return text + "]";
}

bool is_utf8(const std::string& text) {
  try {
    static_cast<void>(ProofJson(text).dump());
    return true;
  } catch (const ProofJson::exception&) {
    return false;
  }
}

}  // namespace

std::string rounds_member(const std::vector<std::string>& rounds) {
  return "\"rounds\": " + json_list(rounds, 1, [](const std::string& round) { return "\"" + round + "\""; });
}

std::string planar_member(const EmbeddingProof& form) {
  constexpr std::size_t vertices_a_line = 10;
  const auto around = [](const std::vector<Index>& neighbours) {
    return json_list(neighbours, neighbours.size() + 1, [](Index v) { return std::to_string(v); });
  };
  return "\"planar\": {\"rotation\": " + json_list(form.rotation, vertices_a_line, around) +
         ",\n\"orientation\": \"" + form.orientation + "\"}";
}

std::string proof_text(const ProofStatement& statement, const std::vector<Index>& order,
                       const std::string& claim, const std::string& member, const InputInfo& input) {
  constexpr std::size_t numbers_a_line = 20;
  constexpr std::size_t sets_a_line = 10;
  const auto number = [](auto n) { return std::to_string(n); };
  std::string text = "{\n\"format\": \"countpm-proof 2\",\n";
  text += fmt::format("\"program\": {},\n", json_string(fmt::format("countpm {}", version())));
  text += fmt::format("\"input\": {{\"name\": {}", json_string(input.path));
  if (!input.sha256.empty()) text += fmt::format(", \"sha256\": {}", json_string(input.sha256));
  text += "},\n";
  text += fmt::format("\"vertices\": {},\n", statement.shape.vertices);
  if (statement.rows) text += fmt::format("\"rows\": {},\n", *statement.rows);
  std::vector<std::uint64_t> edges, larger;
  for (std::uint64_t set = 0; set < statement.shape.sets(); ++set)
    (set < statement.edges ? edges : larger).push_back(set);
  const auto one_set = [&statement](std::uint64_t set) { return set_text(statement, set); };
  text += fmt::format("\"edges\": {},\n", json_list(edges, sets_a_line, one_set));
  if (!larger.empty()) text += fmt::format("\"sets\": {},\n", json_list(larger, sets_a_line, one_set));
  if (!statement.monomer_weight.empty()) {
    text += fmt::format("\"monomers\": {},\n",
                        json_list(statement.monomer_weight, numbers_a_line,
                                  [](const ProofTerm& term) { return "\"" + text_of(term) + "\""; }));
  }
  bool labels = !statement.labels.empty();
  for (const std::string& label : statement.labels) labels = labels && is_utf8(label);
  if (labels)
    text += fmt::format("\"labels\": {},\n", json_list(statement.labels, numbers_a_line, json_string));
  text += fmt::format("\"order\": {},\n", json_list(order, numbers_a_line, number));
  text += fmt::format("\"count\": \"{}\",\n", claim);
  return text + member + "\n}\n";
}

}  // namespace countpm
