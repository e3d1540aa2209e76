#pragma once
// How the program ends, for shells and scripts: docs/exit-codes.md.

namespace countpm::app::exit_code {

enum ExitCode {
  done = 0,
  internal_fault = 1,
  bad_usage = 2,
  unable = 3,
  check_failed = 4,
  not_verified = 5,   // of verify
  units_missing = 6,  // of merge
  interrupted = 130,  // 128 and the number of the signal, as shells have it: Ctrl-C,
  terminated = 143    // and SIGTERM
};

}  // namespace countpm::app::exit_code
