#pragma once
// Estimates and ratios that are killed at random moments and resumed.
#include <csignal>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/kill-resume/resuming.hpp"

namespace countpm::test {

using Json = nlohmann::json;

/// A file for a checkpoint, in a folder of its own that goes away.
class Place {
 public:
  Place()
      : folder_(std::filesystem::temp_directory_path() /
                ("countpm-estimate-" + std::to_string(std::random_device()()))) {
    std::filesystem::create_directories(folder_);
  }
  ~Place() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;

  std::string file() const { return (folder_ / "journal").string(); }
  std::string with(const std::string& name, const std::string& text) const {
    std::string path = (folder_ / name).string();
    std::ofstream(path) << text;
    return path;
  }

 private:
  std::filesystem::path folder_;
};

using Arguments = std::vector<std::string>;

inline Arguments operator+(Arguments arguments, const Arguments& more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

inline Json json_of(const Outcome& outcome) {
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  return outcome.code == 0 ? Json::parse(outcome.out) : Json();
}

inline Json status_of(const std::string& file) {
  return json_of(run({"status", file, "--json"}));
}

/// Of all sampled blocks.
inline std::uint64_t samples_in(const std::string& file) {
  const Json status = status_of(file);
  std::uint64_t samples = 0;
  for (const Json& sampled : status["sampled"]) samples += sampled["samples"].get<std::uint64_t>();
  return samples;
}

/// What has to be the same in the end: of an estimate, or of a ratio.
inline Json figures_of(const Json& result) {
  if (result.contains("estimate")) return result["estimate"];
  Json figures;
  for (const char* key : {"ln", "ln_standard_error", "ln_interval", "doubt", "samples", "effective_samples",
                          "pareto_k", "apart", "second", "goal_missed"})
    figures[key] = result.at(key);
  return figures;
}

inline void kill_and_resume(const Arguments& asked, int kills, std::uint64_t seed) {
  const Arguments unlimited{"--time-limit", "none"};  // a busy machine would take fewer samples
  const Arguments estimate = asked + unlimited;
  const Outcome whole = run(estimate + Arguments{"--json"});
  const Json expected = figures_of(json_of(whole));
  ASSERT_FALSE(expected.is_null());
  const Place place;
  Random random(seed);
  std::uint64_t before = 0;
  for (int k = 0; k < kills; ++k) {
    const bool begun = std::filesystem::exists(place.file());
    Wiring wiring;
    // The first leaves some samples behind.
    const double share = k == 0 ? 0.6 : 0.2 + 0.6 * static_cast<double>(random() % 1000) / 1000;
    wiring.signals = {{whole.seconds * share, k == 0 || random() % 2 == 0 ? SIGTERM : SIGKILL}};
    const Arguments session =
        begun ? Arguments{"resume", place.file()} : estimate + Arguments{"--checkpoint", place.file()};
    const Arguments threads = begun ? Arguments{"--threads", std::to_string(1 + random() % 3)} : Arguments{};
    const Outcome outcome = run(session + threads + (begun ? unlimited : Arguments{}), wiring);
    SCOPED_TRACE("session " + std::to_string(k) + ": " + outcome.err);
    ASSERT_TRUE(outcome.code == 0 || outcome.code == 130 || outcome.code == 128 + SIGKILL ||
                outcome.code == 128 + SIGTERM)
        << outcome.code;
    if (!std::filesystem::exists(place.file())) continue;
    const std::uint64_t now = samples_in(place.file());
    EXPECT_GE(now, before);
    before = now;
    if (outcome.code == 0) break;
  }
  if (!std::filesystem::exists(place.file())) GTEST_SKIP() << "killed too soon every time";
  EXPECT_GT(before, 0U);
  const Json value = json_of(run(Arguments{"resume", place.file(), "--json"} + unlimited));
  EXPECT_EQ(figures_of(value), expected);
  // What is done answers again.
  EXPECT_EQ(figures_of(json_of(run({"resume", place.file(), "--json"}))), expected);
  EXPECT_TRUE(status_of(place.file())["estimated"].get<bool>());
}

}  // namespace countpm::test
