// --device gpu, on GPUs that the CPU emulates: what is asked of them is done there, with the CPU's numbers.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/cli/run_binary.hpp"

namespace countpm::test::emulated_gpus_test {
namespace {

using Json = nlohmann::json;

Outcome run_with_gpus(const char* gpus, const std::vector<std::string>& arguments) {
  Wiring emulated;
  emulated.environment["COUNTPM_EMULATED_GPUS"] = gpus;
  return run(arguments, emulated);
}

/// K_24: eight vertices, three times each, with weights by their numbers.
std::string repeated_lines(bool complex) {
  std::string text;
  for (int i = 0; i < 24; ++i) {
    for (int j = i + 1; j < 24; ++j) {
      const int a = i / 3;
      const int b = j / 3;
      text += std::to_string(i) + " " + std::to_string(j) + " " + std::to_string(1 + (a + b + a * b) % 7) +
              (complex ? "+" + std::to_string(1 + (a * a + b * b) % 5) + "i\n" : "\n");
    }
  }
  return file_with(text, complex ? "complex.txt" : "integers.txt");
}

TEST(EmulatedGpus, HafniansWithRepeatedLines) {
  const auto ask = [&](bool complex, const char* device, const char* method) {
    const Outcome outcome = run_with_gpus("1", {repeated_lines(complex), "--kind", "undirected", "--weights",
                                                "--method", method, "--device", device, "--json"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return Json::parse(outcome.out);
  };
  const Json gpu = ask(false, "gpu", "hafnian");
  EXPECT_EQ(gpu["device"], "gpu");
  EXPECT_EQ(gpu["blocks"][0]["plan"], "12 pairs of vertices, some of them alike");
  EXPECT_EQ(gpu["count"], ask(false, "cpu", "frontier")["count"]);
  const Json complex = ask(true, "gpu", "hafnian");
  EXPECT_EQ(complex["device"], "gpu");
  EXPECT_NE(complex["error_bound"], nullptr);
}

// The very same digits.
TEST(EmulatedGpus, LogarithmsByCondensation) {
  for (const char* const spec :
       {"lattice:square:8x9", "lattice:triangular:5x6", "lattice:hexagon:3x3x3", "lattice:torus:6x6"}) {
    std::vector<std::string> arguments{spec, "--ln-z", "--method", "condensation", "--json"};
    const Json expected = Json::parse(run(arguments).out);
    EXPECT_EQ(expected["device"], "cpu");
    arguments.insert(arguments.end(), {"--device", "gpu"});
    const Outcome outcome = run_with_gpus("1", arguments);
    const Json found = Json::parse(outcome.out);
    EXPECT_EQ(found["device"], "gpu") << outcome.err;
    EXPECT_EQ(found["ln_z"], expected["ln_z"]) << spec;
    EXPECT_EQ(found["ln_z_error"], expected["ln_z_error"]) << spec;
  }
  const Outcome report =
      run_with_gpus("1", {"lattice:square:8x8", "--ln-z", "--method=condensation", "--gpus=1", "--report"});
  EXPECT_NE(report.err.find("device"), std::string::npos) << report.err;
  const Outcome two =
      run_with_gpus("2", {"lattice:square:8x8", "--ln-z", "--method=condensation", "--gpus=2"});
  EXPECT_EQ(two.code, 2) << two.err;
}

}  // namespace
}  // namespace countpm::test::emulated_gpus_test
