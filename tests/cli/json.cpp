// docs/json.md: exactly these keys, of these types.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "matching/rules.hpp"
#include "test_paths.hpp"
#include "tests/cli/run_binary.hpp"

namespace countpm::test::json_test {
namespace {

using Json = nlohmann::json;
using Schema = std::vector<std::pair<const char*, const char*>>;  // key, types divided by |

std::string type_of(const Json& value) {
  if (value.is_null()) return "null";
  if (value.is_boolean()) return "bool";
  if (value.is_string()) return "string";
  if (value.is_number_unsigned()) return "integer";
  if (value.is_number()) return "number";
  return value.is_array() ? "array" : "object";
}

void expect_schema(const Json& value, const Schema& schema, const std::string& where) {
  ASSERT_TRUE(value.is_object()) << where;
  std::size_t known = 0;
  for (const auto& [key, types] : schema) {
    ASSERT_TRUE(value.contains(key)) << where << " lacks " << key;
    ++known;
    const std::string type = type_of(value[key]);
    const std::string allowed = std::string("|") + types + "|";
    const bool fits = allowed.find("|" + type + "|") != std::string::npos ||
                      (type == "integer" && allowed.find("|number|") != std::string::npos);
    EXPECT_TRUE(fits) << where << "." << key << " is a " << type << ", not a " << types;
  }
  EXPECT_EQ(value.size(), known) << where << " has keys that are not documented: " << value;
}

const Schema input_schema{{"path", "string"},      {"format", "string"}, {"kind", "string"},
                          {"vertices", "integer"}, {"edges", "integer"}, {"sha256", "string|null"},
                          {"sets", "integer|null"}};
const Schema count_schema{{"version", "string"},
                          {"input", "object"},
                          {"problem", "string"},
                          {"weighted", "bool"},
                          {"count", "string"},
                          {"log10", "number|null"},
                          {"exact", "bool"},
                          {"proved", "bool"},
                          {"error_bound", "string|null"},
                          {"method", "string"},
                          {"device", "string"},
                          {"threads", "integer"},
                          {"ranks", "integer"},
                          {"lost_ranks", "integer"},
                          {"blocks", "array"},
                          {"reductions", "object"},
                          {"violator", "object|null"},
                          {"checks", "array"},
                          {"seconds", "object"},
                          {"notes", "array"},
                          {"warnings", "array"},
                          {"estimate", "null"},
                          {"entropy", "object|null"},
                          {"audit", "object|null"},
                          {"recheck", "object"},
                          {"maximum_matching", "object|null"},
                          {"ground_state", "object|null"},
                          {"degree", "integer|null"},
                          {"coefficients", "array|null"},
                          {"power", "integer|null"},
                          {"polynomial", "object|null"}};
const Schema entropy_schema{
    {"ln_z", "number"}, {"per_vertex", "number"}, {"per_dimer", "number"}, {"limit", "object|null"}};
const Schema block_schema{{"rows", "integer"},
                          {"edges", "integer"},
                          {"general", "bool"},
                          {"method", "string"},
                          {"count", "string|null"},
                          {"seconds", "number"},
                          {"predicted_seconds", "number|null"},
                          {"work", "number|null"},
                          {"work_name", "string"},
                          {"arithmetic", "string"},
                          {"kernel", "string|null"},
                          {"plan", "string"}};
const Schema seconds_schema{{"read", "number"}, {"structure", "number"}, {"reduce", "number"},
                            {"plan", "number"}, {"count", "number"},     {"verify", "number"},
                            {"total", "number"}};
const Schema error_schema{{"kind", "string"}, {"message", "string"}, {"exit_code", "integer"}};
const Schema input_error_schema{{"kind", "string"}, {"message", "string"},    {"exit_code", "integer"},
                                {"file", "string"}, {"line", "integer|null"}, {"expected", "string"},
                                {"found", "string"}};

Json count_json(std::vector<std::string> arguments) {
  arguments.emplace_back("--json");
  const Outcome outcome = run(arguments);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  Json value = Json::parse(outcome.out);
  expect_schema(value, count_schema, "count");
  expect_schema(value["input"], input_schema, "input");
  expect_schema(value["seconds"], seconds_schema, "seconds");
  if (!value["entropy"].is_null()) expect_schema(value["entropy"], entropy_schema, "entropy");
  for (const Json& block : value["blocks"]) expect_schema(block, block_schema, "block");
  for (const Json& check : value["checks"]) {
    expect_schema(check, {{"name", "string"}, {"ok", "bool|null"}, {"detail", "string"}}, "check");
  }
  for (const Json& rule : value["reductions"]) {
    expect_schema(rule, {{"applied", "integer"}, {"removed", "integer"}}, "rule");
  }
  if (!value["violator"].is_null()) {
    expect_schema(
        value["violator"],
        {{"side", "string"}, {"vertices", "array"}, {"neighbours", "array"}, {"odd_components", "array"}},
        "violator");
  }
  return value;
}

TEST(JsonOutput, OfACount) {
  const std::string text = complete_bipartite(6);
  const Json value = count_json({file_with(text), "--no-rule", "twins"});
  EXPECT_EQ(value["count"], "720");
  EXPECT_NEAR(value["log10"].get<double>(), 2.857332, 1e-6);
  EXPECT_EQ(value["exact"], true);
  EXPECT_EQ(value["proved"], true);
  EXPECT_EQ(value["problem"], "perfect matchings");
  EXPECT_TRUE(value["maximum_matching"].is_null());
  EXPECT_EQ(value["input"]["vertices"], 12);
  EXPECT_EQ(value["input"]["edges"], 36);
  EXPECT_EQ(value["input"]["format"], "edgelist");
  EXPECT_EQ(value["input"]["kind"], "undirected");
  EXPECT_EQ(value["blocks"].size(), 1U);
  EXPECT_EQ(value["reductions"].size(), rule_count);
}

TEST(JsonOutput, Sha256IsOfTheFilesBytes) {
  // printf 'a x\n' | sha256sum
  EXPECT_EQ(count_json({file_with("a x\n")})["input"]["sha256"],
            "219ba22af22d10cbfa1edd34175a38c921eb48679378abc71fe2c64f25ef68da");
}

TEST(JsonOutput, OfZeroAndOfFloats) {
  const Json zero = count_json({file_with("a x\nb x\nc x\nc y\nc z\n")});
  EXPECT_EQ(zero["count"], "0");
  EXPECT_TRUE(zero["log10"].is_null());
  EXPECT_FALSE(zero["violator"].is_null());
  const std::string decimals = file_with("a x 0.5\na y 0.25\nb x 2.0\nb y 4.0\n");
  const Json exact = count_json({decimals, "--weights"});
  EXPECT_EQ(exact["exact"], true);
  EXPECT_TRUE(exact["error_bound"].is_null());
  EXPECT_EQ(exact["count"], "2.5");
  const Json real = count_json({decimals, "--weights", "--method", "ryser", "--no-rule", "double"});
  EXPECT_EQ(real["exact"], false);
  EXPECT_EQ(real["proved"], false);
  EXPECT_TRUE(real["error_bound"].is_string());
  EXPECT_NEAR(std::stod(real["count"].get<std::string>()), 2.5, 1e-12);
}

TEST(JsonOutput, OfAGeneralGraph) {
  const Json value = count_json({COUNTPM_SOURCE_DIR "/data/molecules/C20.edgelist"});
  EXPECT_EQ(value["count"], "36");
  EXPECT_EQ(value["problem"], "perfect matchings of a general graph");
  ASSERT_EQ(value["blocks"].size(), 1U);
  EXPECT_EQ(value["blocks"][0]["general"], true);
  EXPECT_EQ(value["blocks"][0]["rows"], 20);
  EXPECT_EQ(value["blocks"][0]["edges"], 30);
  const Json zero = count_json({file_with("a b\nb c\nc a\nc d\nc e\n")});
  EXPECT_EQ(zero["count"], "0");
  EXPECT_EQ(zero["violator"]["side"], "vertices");
  EXPECT_EQ(zero["violator"]["neighbours"], Json::array({"c"}));
  EXPECT_EQ(zero["violator"]["odd_components"].size(), 2U);
}

TEST(JsonOutput, OfMaximumMatchings) {
  const Json board = count_json({"lattice:square:5x5", "--maximum"});
  EXPECT_EQ(board["count"], "2180");
  EXPECT_EQ(board["problem"], "maximum matchings");
  expect_schema(board["maximum_matching"], {{"size", "integer"}, {"free_vertices", "integer"}}, "matching");
  EXPECT_EQ(board["maximum_matching"]["size"], 12);
  EXPECT_EQ(board["maximum_matching"]["free_vertices"], 1);
  EXPECT_TRUE(board["entropy"].is_null());
  const Json general = count_json({"lattice:triangular:3x3", "--maximum"});
  EXPECT_EQ(general["problem"], "maximum matchings of a general graph");
  EXPECT_EQ(general["maximum_matching"]["size"], 4);
  const Json perfect = count_json({"lattice:square:4x4", "--maximum"});
  EXPECT_EQ(perfect["count"], "36");
  EXPECT_EQ(perfect["maximum_matching"]["free_vertices"], 0);
}

TEST(JsonOutput, OfGroundStatesAndFactors) {
  const Json states = count_json({"lattice:square:4x4:weights=1/2,1", "--ground-state", "min"});
  EXPECT_EQ(states["problem"], "perfect matchings of minimum weight");
  expect_schema(states["ground_state"],
                {{"extremum", "string"},
                 {"weight", "string|null"},
                 {"edges_dropped", "integer"},
                 {"odd_sets", "integer"}},
                "ground_state");
  EXPECT_EQ(states["ground_state"]["weight"], "4");
  EXPECT_EQ(states["count"], "1");
  EXPECT_EQ(states["weighted"], false);
  const Json none = count_json({file_with("a b -0.5\nb c 1\n"), "--ground-state", "max"});
  EXPECT_TRUE(none["ground_state"]["weight"].is_null());
  EXPECT_EQ(none["count"], "0");
  const Json decimal = count_json({file_with("a b -0.5\nc d 0.125\n"), "--ground-state", "max"});
  EXPECT_EQ(decimal["ground_state"]["weight"], "-0.375");
  const Json factors = count_json({"lattice:square:4x4", "--degree", "2"});
  EXPECT_EQ(factors["problem"], "2-factors");
  EXPECT_EQ(factors["degree"], 2);
  EXPECT_EQ(factors["input"]["vertices"], 16);
  EXPECT_EQ(factors["input"]["edges"], 24);
  EXPECT_TRUE(factors["ground_state"].is_null());
}

TEST(JsonOutput, OfExplain) {
  const Outcome outcome = run({"explain", file_with(complete_bipartite(8)), "--no-rule", "twins", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json value = Json::parse(outcome.out);
  expect_schema(value,
                {{"version", "string"},
                 {"input", "object"},
                 {"problem", "string"},
                 {"maximum_matching", "object|null"},
                 {"ground_state", "object|null"},
                 {"degree", "integer|null"},
                 {"rows", "integer"},
                 {"columns", "integer"},
                 {"matching_size", "integer"},
                 {"violator", "object|null"},
                 {"structure_blocks", "integer"},
                 {"entries_dropped", "integer"},
                 {"reductions", "object"},
                 {"factor", "string|null"},
                 {"blocks", "array"},
                 {"log10_total_seconds", "number|null"},
                 {"feasible", "bool"},
                 {"load", "object|null"},
                 {"assumed", "object|null"},
                 {"notes", "array"},
                 {"warnings", "array"}},
                "explain");
  ASSERT_EQ(value["blocks"].size(), 1U);
  expect_schema(value["blocks"][0],
                {{"rows", "integer"},
                 {"edges", "integer"},
                 {"general", "bool"},
                 {"log2_bound", "number|null"},
                 {"arithmetic", "string"},
                 {"bounds", "object"},
                 {"methods", "array"}},
                "block");
  for (const Json& method : value["blocks"][0]["methods"]) {
    expect_schema(method,
                  {{"method", "string"},
                   {"gpus_together", "integer"},
                   {"waiting_bytes", "integer"},
                   {"obstacle", "string|null"},
                   {"log10_seconds", "number|null"},
                   {"log10_work", "number|null"},
                   {"work_name", "string"},
                   {"plan", "string"},
                   {"memory_bytes", "integer"},
                   {"measured", "bool"},
                   {"device", "string"},
                   {"chosen", "bool"}},
                  "method");
  }
}

TEST(JsonOutput, OfErrors) {
  const std::string path = file_with("a x\nb\n");
  const Outcome input = run({path, "--json"});
  EXPECT_EQ(input.code, 2);
  Json value = Json::parse(input.out);
  expect_schema(value, {{"version", "string"}, {"error", "object"}}, "top");
  expect_schema(value["error"], input_error_schema, "error");
  EXPECT_EQ(value["error"]["line"], 2);
  EXPECT_EQ(value["error"]["file"], path);
  EXPECT_EQ(value["error"]["exit_code"], 2);
  EXPECT_EQ(input.err, "countpm: " + value["error"]["message"].get<std::string>() + "\n");

  const Outcome usage = run({path, "--json", "--nosuch"});
  value = Json::parse(usage.out);
  expect_schema(value["error"], error_schema, "error");
  EXPECT_EQ(value["error"]["kind"], "usage");

  Wiring no_gpu;
  no_gpu.environment["CUDA_VISIBLE_DEVICES"] = "-1";
  const Outcome unable = run({path, "--json", "--device", "gpu"}, no_gpu);
  value = Json::parse(unable.out);
  EXPECT_EQ(value["error"]["kind"], "unable");
  EXPECT_EQ(value["error"]["exit_code"], 3);
  EXPECT_EQ(unable.code, 3);
}

TEST(JsonOutput, PathsThatAreNoUtf8) {
  const Outcome outcome = run({file_with("a x\n", "\xff\xfe.txt"), "--json"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(Json::parse(outcome.out)["count"], "1");
}

}  // namespace
}  // namespace countpm::test::json_test
