#pragma once
// Standard output, with every write checked: a full disk is an error, a closed pipe ends the program quietly.
#include <cstddef>
#include <exception>
#include <functional>
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

/// From now on nothing is written, to nobody: for a rank that is not rank 0. false: it is again.
void mute_output(bool mute = true);
bool output_is_muted();

/// From now on what write_output() is given goes there in place of standard output; empty: to standard output
/// again.
void redirect_output(std::function<void(std::string_view)> place);

/// Writes to standard output, buffered. Throws BrokenPipe or OutputError.
void write_output(std::string_view text);
/// Hands everything written so far to the system. Throws the same.
void flush_output();
/// An error's object: to standard output, wherever the answer was to go, and flushed.
void write_error_object(std::string_view text);

/// How wide text for standard output and for standard error is to be: as wide as the terminal, 80 columns
/// where there is none (text_width() of terminal_width.hpp).
std::size_t output_width();
std::size_t error_width();

/// Writes to standard error; failures are ignored, there being nobody to tell.
void write_error(std::string_view text);
bool output_is_terminal();
bool error_is_terminal();

/// SIGPIPE and SIGXFSZ off (a write returns EPIPE, or EFBIG beyond 'ulimit -f', instead), and descriptors 0
/// to 2 open, so that no input file takes the place of a closed one.
void prepare_streams();

}  // namespace countpm::app
