#pragma once
// A run of the program whose answer is one JSON value.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/run_binary.hpp"

namespace countpm::test {

/// What the command writes with --json; it is to end well.
inline nlohmann::json run_json(std::vector<std::string> arguments) {
  arguments.emplace_back("--json");
  const Outcome outcome = run(arguments);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  return nlohmann::json::parse(outcome.out);
}

}  // namespace countpm::test
