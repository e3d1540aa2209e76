// What commands write with --json is described by docs/json.md and docs/schema.json (console/json.console
// shows it, python/tests/test_schema.py validates it).
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "test_paths.hpp"
#include "tests/cli/run_binary.hpp"
#include "tests/file_text.hpp"

namespace countpm::test::json_test {
namespace {

using Json = nlohmann::json;

TEST(JsonOutput, ItsDocsAreMadeOfItsDescription) {
  const std::string docs = COUNTPM_SOURCE_DIR "/docs/";
  EXPECT_TRUE(run({"schema", "--markdown"}).out == testing::file_text(docs + "json.md"))
      << "countpm schema --markdown > docs/json.md";
  EXPECT_TRUE(run({"schema"}).out == testing::file_text(docs + "schema.json"))
      << "countpm schema > docs/schema.json";
}

TEST(JsonOutput, OfNoGpu) {
  Wiring no_gpu;
  no_gpu.environment["CUDA_VISIBLE_DEVICES"] = "-1";
  const Outcome unable = run({file_with("a x\n"), "--json", "--device", "gpu"}, no_gpu);
  const Json value = Json::parse(unable.out);
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
