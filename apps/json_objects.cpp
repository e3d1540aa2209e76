#include "apps/json_objects.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "apps/json.hpp"
#include "src/report/recurrence_json.hpp"

namespace countpm::app {
namespace {

template <class T>
ObjectInfo object(std::string name, std::string command, std::string text = {}) {
  return {std::move(name), std::move(command), std::move(text), [] { return schema_of<T>(); }};
}

constexpr std::string_view dialect = "https://json-schema.org/draft/2020-12/schema";

/// "string?" may be null, "object[]" is an array of objects.
std::string type_text(const Json& schema) {
  const auto array_of = [](const std::string& items) {
    return items.find_first_of("? ") == std::string::npos ? items + "[]" : "(" + items + ")[]";
  };
  if (schema.contains("const")) return schema["const"].is_string() ? "string" : "integer";
  if (schema.contains("anyOf")) {
    std::vector<std::string> texts;
    bool null = false;
    for (const Json& one : schema["anyOf"]) {
      if (type_text(one) == "null")
        null = true;
      else
        texts.push_back(type_text(one));
    }
    const std::string text = fmt::format("{}", fmt::join(texts, " or "));
    return !null ? text : texts.size() == 1 ? text + "?" : "(" + text + ")?";
  }
  const Json& type = schema["type"];
  const bool null = type.is_array() && type.size() > 1 && type.back() == "null";
  std::string text = type.is_string() ? type.get<std::string>() : type[0].get<std::string>();
  if (text == "array" && schema.contains("items")) text = array_of(type_text(schema["items"]));
  return null ? text + "?" : text;
}

/// The object that the value is, or consists of; null where it is neither. `path` gets "[]" for each array.
const Json* object_in(const Json& schema, std::string& path) {
  if (schema.contains("properties")) return &schema;
  if (schema.contains("anyOf")) {
    for (const Json& one : schema["anyOf"])
      if (const Json* const found = object_in(one, path)) return found;
    return nullptr;
  }
  if (schema.contains("items")) {
    path += "[]";
    return object_in(schema["items"], path);
  }
  if (schema.contains("additionalProperties") && schema["additionalProperties"].is_object()) {
    path += ".NAME";
    return object_in(schema["additionalProperties"], path);
  }
  return nullptr;
}

/// The keys of objects as nested lists; what has been told is told once.
class KeyList {
 public:
  /// The keys of an object, or of its head. `left_out`: keys that the head has.
  void add(const Json& object, const std::string& name, const std::set<std::string>& left_out = {}) {
    object_ = name;
    add_keys(object, "", 0, left_out);
  }
  std::string take() { return std::exchange(text_, {}); }

 private:
  /// An item: neighbours of which there is the same to say.
  struct Item {
    std::string keys, type, meaning;
  };
  struct Told {
    std::string object, type;
  };

  void add_keys(const Json& object, const std::string& path, std::size_t depth,
                const std::set<std::string>& left_out) {
    for (const auto& [key, schema] : object["properties"].items()) {
      if (left_out.contains(key)) continue;
      std::string meaning = schema.contains("description") ? schema["description"].get<std::string>() : "";
      std::string inner = path + key;
      std::string type = type_text(schema);
      const Json* const nested = object_in(schema, inner);
      if (nested == nullptr) {
        add_item(key, path, depth, type, meaning);
        continue;
      }
      if (inner.ends_with(".NAME")) type = "objects by name";
      // The same object may have another description at another place.
      const bool told = !told_objects_.insert(keys_of(*nested)).second;
      if (told) meaning += meaning.empty() ? "keys as above" : "; keys as above";
      end_item(depth);
      add_item(key, path, depth, type, meaning);
      end_item(depth);
      if (!told) add_keys(*nested, inner + ".", depth + 1, {});
    }
    end_item(depth);
  }

  void add_item(const std::string& key, const std::string& path, std::size_t depth, const std::string& type,
                const std::string& meaning) {
    Item item{fmt::format("`{}`", key), type, meaning};
    const auto [known, is_new] = told_.try_emplace(path + key + ": " + meaning, Told{object_, type});
    // A few words are said again.
    const bool long_enough = std::count(meaning.begin(), meaning.end(), ' ') > 3;
    if (long_enough && !is_new && known->second.object != object_) {
      const std::string& before = known->second.type;
      item.meaning = fmt::format("as in {}", known->second.object);
      item.type = type == before ? "" : type == before + "?" ? "or null" : type;
    }
    if (!item_.keys.empty() && item.meaning == item_.meaning) {
      if (item.type == item_.type) {
        item_.keys += ", " + item.keys;
        return;
      }
      if (item.meaning.empty()) {
        item_.keys += fmt::format(" ({}), {}", item_.type, item.keys);
        item_.type = item.type;
        return;
      }
    }
    end_item(depth);
    item_ = item;
  }

  void end_item(std::size_t depth) {
    if (item_.keys.empty()) return;
    std::string line = "- " + item_.keys;
    if (!item_.type.empty()) line += fmt::format(" ({})", item_.type);
    if (!item_.meaning.empty()) line += ": " + item_.meaning;
    // In Markdown [][] would be a link to nothing.
    for (auto at = line.find("[][]"); at != std::string::npos; at = line.find("[][]"))
      line.replace(at, 4, R"(\[\]\[\])");
    const std::string indent(4 * depth, ' ');
    for (std::size_t begin = 0; begin < line.size();) {
      const std::size_t end = end_of_line(line, begin, longest - indent.size() - (begin == 0 ? 0 : 2));
      text_ += indent + (begin == 0 ? "" : "  ") + line.substr(begin, end - begin) + "\n";
      begin = end + 1;
    }
    item_ = {};
  }

  static constexpr std::size_t longest = 160;  // of the docs' lines

  /// Where the line that begins there ends: at a sentence's end, or at a blank outside of code, within
  /// `room`.
  static std::size_t end_of_line(std::string_view text, std::size_t begin, std::size_t room) {
    std::size_t blank = text.size();
    bool code = false;
    for (std::size_t at = begin; at < text.size(); ++at) {
      if (at - begin > room && blank < text.size()) return blank;
      if (text[at] == '`') code = !code;
      if (text[at] != ' ' || code) continue;
      blank = at;
      // "..." ends no sentence.
      if (at > begin + 1 && text[at - 1] == '.' && text[at - 2] != '.') return at;
    }
    return text.size() - begin > room ? blank : text.size();
  }

  static std::string keys_of(const Json& object) {
    std::string keys;
    for (const auto& [key, schema] : object["properties"].items()) keys += key + " ";
    return keys;
  }

  std::string object_;
  Item item_;
  std::string text_;
  std::set<std::string> told_objects_;
  std::map<std::string, Told> told_;
};

/// Moves every object within the schema into `definitions`, each once, named after a key that it stands
/// under.
class References {
 public:
  explicit References(Json& definitions) : definitions_(definitions) {}

  void move_parts(Json& schema, const std::string& key) {
    if (schema.contains("properties"))
      for (auto& [name, part] : schema["properties"].items()) move(part, name);
    for (const char* const inner : {"items", "additionalProperties"})
      if (schema.contains(inner) && schema[inner].is_object()) move(schema[inner], key);
    for (const char* const list : {"anyOf", "prefixItems"})
      if (schema.contains(list))
        for (Json& one : schema[list]) move(one, key);
  }

 private:
  void move(Json& schema, const std::string& key) {
    move_parts(schema, key);
    if (!schema.contains("properties")) return;
    Json reference;
    if (schema.contains("description")) reference["description"] = schema["description"];
    schema.erase("description");
    const auto [known, is_new] = names_.try_emplace(schema.dump());
    if (is_new) {
      known->second = key;
      for (int number = 2; definitions_.contains(known->second); ++number)
        known->second = fmt::format("{}-{}", key, number);
      definitions_[known->second] = schema;
    }
    reference["$ref"] = "#/$defs/" + known->second;
    schema = std::move(reference);
  }

  Json& definitions_;
  std::map<std::string, std::string> names_;
};

const std::set<std::string> bare_keys{"schema", "object", "version"};
const std::set<std::string> head_keys{
    "schema",       "object",  "version", "input",    "problem", "weighted", "maximum_matching",
    "ground_state", "surface", "degree",  "violator", "notes",   "warnings"};

/// Whether it has all keys of the head.
bool has_head(const Json& schema) {
  for (const std::string& key : head_keys)
    if (!schema["properties"].contains(key)) return false;
  return true;
}

Json only(const Json& schema, const std::set<std::string>& keys) {
  Json part{{"properties", Json::object()}};
  for (const auto& [key, value] : schema["properties"].items())
    if (keys.contains(key)) part["properties"][key] = value;
  return part;
}

}  // namespace

const std::vector<ObjectInfo>& json_objects() {
  static const std::vector<ObjectInfo> objects{
      object<CountResult>("count", "countpm INPUT --json",
                          "With `--on-limit estimate` it may be an `estimate`, and with `--on-limit bounds` "
                          "`bounds`."),
      object<BoundedCount>("bounds", "countpm INPUT --on-limit bounds --json",
                           "If there is no count within the limits, with exit code 3."),
      object<CertainBoundsObject>("certain-bounds", "countpm bounds INPUT --json", "Nothing is counted."),
      object<OrbitCount>("orbits", "countpm INPUT --up-to-symmetry --json",
                         "See [symmetry.md](symmetry.md)."),
      object<LnZResult>("ln-z", "countpm INPUT --ln-z --json"),
      object<Explanation>("explain", "countpm explain INPUT --json"),
      object<EstimateResult>("estimate", "countpm estimate INPUT --json"),
      object<RatioResult>(
          "ratio", "countpm estimate A --ratio-to B --json",
          "And `estimate INPUT --integrate x=FROM:TO --json`, where A is the input at TO and B at "
          "FROM."),
      object<SignedSum>("signed-sum", "countpm estimate INPUT --signed --json"),
      object<SamplingForecast>(
          "sampling-forecast", "countpm estimate INPUT --explain --json",
          "Also of `marginals --sampled` and `compare` (of several inputs a line each)."),
      object<MarginalsObject>("marginals", "countpm marginals INPUT --json"),
      object<ApproximateDraws>(
          "draws", "countpm sample INPUT --sampler annealed --json",
          "`list` and `sample` write an array per line ([list.md](list.md)).\nWith `--sampler` "
          "([marginals.md](marginals.md#approximately---sampler-annealed)) this is the last "
          "line."),
      object<DrawForecast>("drawing-forecast", "countpm sample INPUT --explain --json"),
      object<KekuleResult>("molecule", "countpm chem INPUT --json"),
      object<MoleculeObject>("molecule-row", "countpm chem FILE --json, of several molecules",
                             "A line for each; `sha256` is of the molecule's own text."),
      object<DeterminantResult>("determinant", "countpm determinant INPUT --json",
                                "And of `countpm pfaffian INPUT --json`."),
      object<Minors>("minors", "countpm minors INPUT --json"),
      object<MinorsForecast>("minors-forecast", "countpm minors INPUT --explain --json"),
      object<OutcomeProbability>("probability", "countpm probability INPUT --json"),
      object<SeriesRowObject>("many-row", "countpm many INPUT... --json",
                              "A line for each graph, as soon as it is known ([many.md](many.md))."),
      object<FamilyRecurrence>("recurrence", "countpm many FAMILY --recurrence --json",
                               "See [recurrences.md](recurrences.md)."),
      object<ComparedObject>(
          "comparison", "countpm compare INPUT... --json",
          "A line for each estimate, as soon as it is known; for an input that cannot be sampled "
          "(exit 3) an `error`."),
      object<CoverageObject>(
          "coverage", "countpm compare INPUT... --seeds N --json",
          "N lines for each sampler and number of samples (`estimate.seed` distinguishes them), and "
          "then, if there is an exact count, one of these."),
      object<VerifiedObject>("verified", "countpm verify RESULT INPUT --json"),
      object<ProofObject>("proof-check", "countpm verify PROOF --json", "See [proofs.md](proofs.md)."),
      object<StatusObject>("status", "countpm status FILE --json",
                           "Also what `countpm resume PART --json` writes when the part is done."),
      object<SplitObject>("split", "countpm split INPUT --json"),
      object<ProvedObject>("proof", "countpm prove RESULT --json", "See [proofs.md](proofs.md)."),
      object<LatticeObject>("lattice", "countpm lattice SPEC --json", "See [lattices.md](lattices.md)."),
      object<LatticesObject>("lattices", "countpm lattice --json"),
      object<MethodsObject>("methods", "countpm methods --json"),
      object<FormatsObject>("formats", "countpm formats --json"),
      object<VersionObject>("version", "countpm version --json"),
      object<ErrorObject>(
          "error", "Errors",
          "With `--json` an error is an object too, beside the line on standard error and the exit code.\n"
          "Commands that write a line for each graph or matching write it in one line; `many` and `chem` "
          "have "
          "the errors of single graphs in their lines.\n"
          "There is no object if standard output cannot be written, or if a signal had to end a step."),
      object<ProgressObject>(
          "progress", "--progress json",
          "One object per line on standard error, every second, while a count, an estimate and the "
          "like run.\nIt has no head.")};
  return objects;
}

Json schema_of_one(const ObjectInfo& object) {
  Json schema{{"$schema", dialect}, {"title", object.command}};
  schema.update(object.schema());
  return schema;
}

Json schema_of_all() {
  Json definitions = Json::object();
  Json any = Json::array();
  for (const ObjectInfo& one : json_objects()) {
    definitions[one.name] = one.schema();
    any.push_back({{"$ref", "#/$defs/" + one.name}});
  }
  References references(definitions);
  for (const ObjectInfo& one : json_objects()) {
    Json schema = std::move(definitions[one.name]);
    references.move_parts(schema, one.name);
    definitions[one.name] = std::move(schema);
  }
  return {{"$schema", dialect},
          {"title", "What countpm writes with --json"},
          {"anyOf", std::move(any)},
          {"$defs", std::move(definitions)}};
}

std::string json_page() {
  std::string page =
      "# JSON\n\nMade by `countpm schema --markdown` from the descriptions of the results; a test compares "
      "the "
      "two.\n\n"
      "With `--json` commands write objects to standard output; `list` and `sample` write an array of edges "
      "for each matching.\n`schema` writes JSON in any case, and `help` only text.\nThe keys below are all "
      "there are, and they are always there.\nCounts are decimal "
      "strings, since they outgrow every number type.\nJSON has no infinities: an infinite number (the "
      "log10 of 0, a forecast beyond all doubles) is `null`.\n"
      "[schema.json](schema.json), which `countpm schema` prints, says the same to programs: JSON Schema, "
      "draft 2020-12.\n`countpm schema OBJECT` prints one object's.\n\n"
      "## The head\n\nEvery object has the first three keys, and every answer to a question about a graph "
      "has all of "
      "these, `notes` and `warnings` last.\nA type with `?` may be `null`, and `[]` is an array.\nThe keys "
      "of "
      "an object are indented below it.\n\n";
  KeyList list;
  const Json count = json_objects().front().schema();
  list.add(only(count, head_keys), "[the head](#the-head)");
  page += list.take();
  for (const ObjectInfo& one : json_objects()) {
    const Json schema = one.schema();
    const bool is_command = one.command.find(' ') != std::string::npos;
    page += "\n## " + (is_command ? "`" + one.command + "`" : one.command) + "\n\n";
    if (one.name != "progress") page += fmt::format("`object` is `{}`.", one.name);
    if (!one.text.empty()) page += (page.ends_with('.') ? "\n" : "") + one.text;
    list.add(schema, fmt::format("`{}`", one.name), has_head(schema) ? head_keys : bare_keys);
    page += "\n\n" + list.take();
  }
  return page;
}

}  // namespace countpm::app
