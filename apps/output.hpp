#pragma once
// Standard output, with every write checked: a full disk is an error, a closed pipe ends the program quietly.
#include <exception>
#include <stdexcept>
#include <string_view>

namespace countpm::app {

/// The reader of our output is gone: nothing more to do, and nothing to complain about.
class BrokenPipe : public std::exception {};
/// Standard output cannot be written: a full disk, a closed descriptor.
class OutputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// From now on nothing is written, to nobody: for a rank that is not rank 0.
void mute_output();

/// Writes to standard output, buffered. Throws BrokenPipe or OutputError.
void write_output(std::string_view text);
/// Hands everything written so far to the system. Throws the same.
void flush_output();

/// Writes to standard error; failures are ignored, there being nobody to tell.
void write_error(std::string_view text);
bool error_is_terminal();

/// SIGPIPE and SIGXFSZ off (a write returns EPIPE, or EFBIG beyond 'ulimit -f', instead), and descriptors 0
/// to 2 open, so that no input file takes the place of a closed one.
void prepare_streams();

}  // namespace countpm::app
