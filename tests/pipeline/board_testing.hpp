#pragma once
// A count or an estimate by a board, whose orders the test takes and brings back.
#include <atomic>
#include <exception>
#include <optional>
#include <thread>
#include <utility>

#include "src/distributed/work_board.hpp"

namespace countpm::testing {

/// What `carry_out` returns, on a thread of its own; `serve` is called until it is over.
template <class CarryOut, class Serve>
auto served(WorkBoard& board, const CarryOut& carry_out, const Serve& serve) {
  std::optional<decltype(carry_out())> result;
  std::exception_ptr failure;
  std::atomic<bool> over{false};
  std::thread thread([&] {
    try {
      result = carry_out();
    } catch (...) {
      failure = std::current_exception();
    }
    over = true;
    board.close();
  });
  while (!over) {
    board.wait(0.02);
    serve();
  }
  thread.join();
  if (failure) std::rethrow_exception(failure);
  return *std::move(result);
}

}  // namespace countpm::testing
