#pragma once
// Runs the countpm binary as a user would: arguments, streams, environment, exit code.
#include <sys/types.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace countpm::test {

/// Far longer than anything takes that ends, with other programs on the machine and under the sanitizers.
constexpr double patience = 60;

struct Outcome {
  std::string out;
  std::string err;
  int code = -1;  // exit code, or 128 + the signal
  double seconds = 0;
  double cpu_seconds = 0;  // of all its threads: what other programs on the machine do does not matter
};

struct Wiring {
  std::string input;                               // standard input
  std::vector<std::string> launcher;               // before the binary: mpirun and its options
  std::map<std::string, std::string> environment;  // on top of the test's own; with COUNTPM_EMULATED_GPUS:
                                                   // the program that has them
  std::string folder;                              // the current one; the test's own where empty
  bool one_core = false;                           // it may run on the first of this process' cores only
  std::optional<std::string> output_file;  // standard output goes there (/dev/full) in place of Outcome::out
  bool close_output = false;               // standard output is not open at all
  std::optional<std::size_t> read_only;    // closes the pipe after this many bytes of output
  // (seconds, number): after the start, or for SIGINT and SIGTERM after the program watches for them, which a
  // machine with much to do may put off, and has printed so many lines, and this file is there (empty: none).
  std::vector<std::pair<double, int>> signals;
  long after_lines = 0;
  std::string after_file;
};

Outcome run(const std::vector<std::string>& arguments, const Wiring& wiring = {});

/// With --time-limit, and with four times as much as long as that is over before there is anything: a machine
/// with much to do may take a short one to read the input.
Outcome run_within(double seconds, std::vector<std::string> arguments, const Wiring& wiring = {});

/// Standard input holds this text.
Wiring feeding(std::string input);
Wiring in_locale(const std::string& name);

/// A file of this text in a folder that goes away with the test program.
std::string file_with(const std::string& text, const std::string& name = "input.txt");

/// Edge lists. complete: K(n,n) as "l0 r0" ...; identity: n disjoint edges.
std::string complete_bipartite(int n);
std::string identity(int n);

/// Lines without their ends.
std::vector<std::string> lines_of(const std::string& text);

}  // namespace countpm::test
