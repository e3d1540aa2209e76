#pragma once
// Commands and what they print, as text: the `console` blocks of Markdown and the files *.console beside this
// one, which one runner runs.
//
//   # What a file *.console shows, and what a command of it does.
//   $ countpm missing.txt
//   2> countpm: missing.txt: ...
//   [exit 2]
//
// A line that begins with "$ " is a command of bash (with the next line, where it ends in a backslash), and
// what stands below it is its standard output; "2> " begins a line of standard error, "[exit N]" is the exit
// code where that is not 0. "..." stands for anything, and a line of it alone for any lines.
// "COUNTPM_EMULATED_GPUS=2 countpm ..." runs the program that emulates GPUs.
#include <string>
#include <vector>

#include "tests/cli/run_binary.hpp"

namespace countpm::test {

struct Example {
  std::string head;  // the lines above the command: blank ones and comments
  std::string command;
  std::vector<std::string> out;
  std::vector<std::string> err;
  int code = 0;
  bool is_long = false;  // in Markdown: below `<!-- long -->`
};

/// A file *.console.
struct ConsoleFile {
  std::vector<Example> examples;
  std::string tail;  // what stands below the last example
};

/// Of the `console` blocks of a page. A block that begins with something else than a command is a failure.
std::vector<Example> examples_of_page(const std::string& markdown);
/// Of the text of a file *.console; throws std::runtime_error for text above the first command that is no
/// comment.
ConsoleFile read_console(const std::string& text);
/// The text that read_console() reads.
std::string write_console(const ConsoleFile& file);

/// Whether the text is the pattern with something in place of every "...".
bool fits(std::string_view text, std::string_view pattern);
/// The same of lines, where a line "..." of the pattern stands for any lines.
bool fit(const std::vector<std::string>& text, const std::vector<std::string>& pattern);

/// An empty folder of that name with links to data/ and examples/; goes away with the test program.
std::string folder_of_examples(const std::string& name);
/// What a user sees who types the command there.
Example run_example(const Example& example, const std::string& folder);
/// The same on a machine with one core, and with a line for each key of the object where the result is in
/// JSON
/// (--json): what differs from machine to machine is less, and what changed is seen.
Example run_on_one_core(const Example& example, const std::string& folder);

/// Times, sizes of memory and versions as "...".
std::string with_dots(const std::string& line);

}  // namespace countpm::test
