#pragma once
// For eliminations that are run to see how fast they are.

namespace countpm::planar {

/// Cut short: where a time limit has been reached.
struct TimeLimit {
  double seconds = 0;
  double work_done = 0;  // multiplications modulo one prime, when it was reached or the end was
  double elapsed = 0;
};

}  // namespace countpm::planar
