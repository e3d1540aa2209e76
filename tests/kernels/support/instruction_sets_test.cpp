// What the processor is said to have, against what the kernel lists in /proc/cpuinfo.
#include "kernels/support/instruction_sets.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

namespace countpm {
namespace {

/// The names on the first line "flags : ..."; none where there is no such file.
std::set<std::string> listed_flags() {
  std::ifstream file("/proc/cpuinfo");
  std::set<std::string> flags;
  for (std::string line; flags.empty() && std::getline(file, line);) {
    if (!line.starts_with("flags")) continue;
    std::istringstream words(line.substr(line.find(':') + 1));
    for (std::string word; words >> word;) flags.insert(word);
  }
  return flags;
}

TEST(InstructionSets, AreThoseThatTheSystemLists) {
#ifndef __x86_64__
  GTEST_SKIP() << "no sets but the baseline; under qemu-user /proc/cpuinfo is of the machine beneath";
#endif
  const std::set<std::string> flags = listed_flags();
  if (flags.empty()) GTEST_SKIP() << "no /proc/cpuinfo";
  const auto has_all = [&](const std::set<std::string>& names) {
    return std::includes(flags.begin(), flags.end(), names.begin(), names.end());
  };
  const bool avx2 = has_all({"avx2", "fma", "bmi1", "bmi2", "popcnt", "abm"});
  EXPECT_EQ(processor_has(InstructionSet::avx2), avx2);
  EXPECT_EQ(processor_has(InstructionSet::avx512),
            avx2 && has_all({"avx512f", "avx512dq", "avx512bw", "avx512vl", "avx512ifma"}));
  EXPECT_TRUE(processor_has(InstructionSet::baseline));
}

TEST(InstructionSets, AChoiceNeedsItsSetAndAutomaticTakesTheWidest) {
  EXPECT_EQ(instruction_set_for(LaneChoice::automatic), widest_instruction_set());
  EXPECT_EQ(instruction_set_for(LaneChoice::scalar), std::nullopt);
  EXPECT_EQ(instruction_set_for(LaneChoice::baseline), InstructionSet::baseline);
  for (const auto& [choice, set] : {std::pair(LaneChoice::avx2, InstructionSet::avx2),
                                    std::pair(LaneChoice::avx512, InstructionSet::avx512)}) {
    EXPECT_EQ(instruction_set_for(choice),
              processor_has(set) ? std::optional<InstructionSet>(set) : std::nullopt);
    EXPECT_EQ(lanes_supported(choice), processor_has(set));
  }
  EXPECT_TRUE(lanes_supported(LaneChoice::automatic));
  EXPECT_TRUE(lanes_supported(LaneChoice::scalar));
  EXPECT_TRUE(lanes_supported(LaneChoice::baseline));
}

}  // namespace
}  // namespace countpm
