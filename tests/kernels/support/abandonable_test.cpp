// Work that looks at no signal: its result, what it throws, and what becomes of it when nobody waits.
#include "kernels/support/abandonable.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <memory>
#include <stdexcept>
#include <thread>

namespace countpm {
namespace {

TEST(Abandonable, GivesTheResultOrTheFailure) {
  const auto here = std::this_thread::get_id();
  EXPECT_EQ(done_or_abandoned([] { return std::this_thread::get_id(); }), here);  // no signal
  const StopSignal signal;
  const StopScope scope(&signal);
  EXPECT_NE(done_or_abandoned([] { return std::this_thread::get_id(); }), here);
  EXPECT_EQ(*done_or_abandoned([seven = std::make_unique<int>(7)] { return std::make_unique<int>(*seven); }),
            7);
  EXPECT_THROW(done_or_abandoned([]() -> int { throw std::out_of_range("so"); }), std::out_of_range);
}

// Its caller goes on at once; what it has is freed when it is done.
TEST(Abandonable, IsLeftToItself) {
  StopSignal signal;
  const StopScope scope(&signal);
  std::promise<void> door;
  std::promise<void> begun;
  const auto owned = std::make_shared<int>(1);
  const std::weak_ptr<int> trace = owned;
  const std::jthread stopper([&signal, begin = begun.get_future()] {
    begin.wait();
    signal.request();
  });
  EXPECT_THROW(done_or_abandoned([opened = door.get_future().share(), owned, &begun]() {
                 begun.set_value();
                 opened.wait();
                 return *owned;
               }),
               Stopped);
  EXPECT_GT(trace.use_count(), 1);  // it still waits
  door.set_value();
  while (trace.use_count() > 1) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  // And where the signal was requested before, nothing is begun.
  EXPECT_THROW(done_or_abandoned([]() -> int { throw std::out_of_range("so"); }), Stopped);
}

}  // namespace
}  // namespace countpm
