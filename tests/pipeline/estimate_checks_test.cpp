// An estimate beside what is certain: what contradicts it is never shown.
#include "src/checks/estimate_checks.hpp"

#include <gtest/gtest.h>

#include "graph/errors.hpp"

namespace countpm {
namespace {

TEST(EstimateChecks, NestingBounds) {
  CertifiedBounds bounds;
  bounds.log2_lower = 20;
  bounds.log2_upper = 30;
  Checks checks;
  verify_nesting_bound(20 - 1e-9, bounds, checks);  // by rounding
  verify_nesting_bound(25, bounds, checks);
  ASSERT_EQ(checks.list().size(), 1U);
  EXPECT_TRUE(checks.list()[0].ran);
  try {
    verify_nesting_bound(19.9, bounds, checks);
    FAIL() << "the bound of the rejection is below what the block has";
  } catch (const CheckError& error) {
    EXPECT_NE(std::string(error.what()).find("at least 2^20"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("2^19.9"), std::string::npos) << error.what();
  }
}

TEST(EstimateChecks, Intervals) {
  Checks checks;
  verify_interval(3, 5, 4, 9, false, checks);
  verify_interval(8, 12, 4, 9, false, checks);
  verify_interval(5, 6, 4, 9, false, checks);
  verify_interval(3, 4, 4, 9, false, checks);
  EXPECT_THROW(verify_interval(3, 3.9, 4, 9, false, checks), CheckError);
  EXPECT_THROW(verify_interval(9.1, 10, 4, 9, false, checks), CheckError);
  verify_interval(9.1, 10, 4, 9, true, checks);
  Checks doubtful;
  verify_interval(9.1, 10, 4, 9, true, doubtful);
  ASSERT_EQ(doubtful.list().size(), 1U);
  EXPECT_FALSE(doubtful.list()[0].ran);
  EXPECT_FALSE(doubtful.list()[0].detail.empty());
}

}  // namespace
}  // namespace countpm
