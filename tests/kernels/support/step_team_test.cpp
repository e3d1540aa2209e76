// Many small steps on a team's threads: every part once, whoever does it, and what one throws comes out.
#include "kernels/support/step_team.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

namespace countpm {
namespace {

TEST(StepTeams, DoEveryPartOnce) {
  for (const int threads : {1, 2, 4}) {
    StepTeam team(threads);
    std::vector<int> done(40, 0);
    for (std::uint32_t step = 0; step < 300; ++step) {
      const std::uint32_t parts = step % 40;
      team.run(parts, [&](std::uint32_t part) { done[part] += part < parts ? 1 : 100; });
    }
    for (std::size_t part = 0; part < done.size(); ++part) {
      int expected = 0;
      for (std::uint32_t step = 0; step < 300; ++step) expected += part < step % 40 ? 1 : 0;
      EXPECT_EQ(done[part], expected) << part << " " << threads;
    }
  }
}

TEST(StepTeams, PassOnWhatIsThrown) {
  StepTeam team(3);
  const auto fail = [&] {
    team.run(8, [](std::uint32_t part) {
      if (part % 2 == 1) throw std::runtime_error("part");
    });
  };
  EXPECT_THROW(fail(), std::runtime_error);
  int sum = 0;
  team.run(1, [&](std::uint32_t) { ++sum; });
  EXPECT_EQ(sum, 1);
  EXPECT_THROW(fail(), std::runtime_error);
}

}  // namespace
}  // namespace countpm
