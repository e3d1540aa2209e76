#pragma once
// Every option of the command line, once: the parser, --help, docs/options.md, the man page, completions and
// the tests read this table.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apps/questions.hpp"
#include "src/api/entries.hpp"
#include "src/api/sampled_result.hpp"
#include "src/draw/network.hpp"
#include "src/estimate/compare.hpp"
#include "src/estimate/estimate.hpp"
#include "src/matchings/integration.hpp"

namespace countpm::app {

/// What --svg draws.
enum class DrawKind { automatic, tiles, height, edges, matrix };

/// What is to be done with a count beyond the limits.
enum class OnLimit { refuse, estimate, bounds };

/// What a command line asks for, checked; defaults where it is silent.
struct Request {
  std::string command = "count";
  bool command_named = false;  // on the command line
  Questions asked;             // what options make of its question
  bool asks(Question question) const { return asked.has(question); }
  std::vector<std::string> arguments;                      // without the command's name
  std::vector<std::pair<std::string, std::string>> given;  // the options, name and value

  ReadOptions read;
  CountOptions count;
  ListOptions list;
  MarginalOptions marginals;
  std::optional<std::string> given_edge;  // marginals: --given A,B
  std::optional<std::string> pairs_file;  // marginals: --pairs FILE
  bool split_estimate = false;            // split: --estimate
  double edge_error = 0.01;               // --error SHARE
  SampleOptions sample;
  EstimateOptions estimate;
  CompareOptions compare{{}, {100, 1000, 10'000}};
  OnLimit on_limit = OnLimit::refuse;  // --on-limit NAME
  std::optional<std::uint64_t> limit;
  std::uint64_t parts = 2;  // split
  std::string output;       // the answer's file; split: a folder or how names begin; merge: a journal
  std::string input;        // merge: where the input is; empty: where the parts say
  std::optional<std::uint64_t> power;             // --power K
  std::optional<std::string> column;              // minors: --column LABEL
  std::optional<std::vector<Index>> photons_in;   // probability: --in N,N,...
  std::optional<std::vector<Index>> photons_out;  // probability: --out N,N,...
  bool ln_only = false;                           // determinant, pfaffian: --ln-only
  bool hyper = false;                             // --kind hyper
  std::optional<std::string> svg;                 // --svg FILE
  DrawKind draw = DrawKind::automatic;
  countpm::draw::PageStyle page;                                        // --title, --width, --no-legend
  countpm::draw::MapScale map_scale = countpm::draw::MapScale::linear;  // --scale
  std::optional<std::string> heights;                                   // --heights FILE
  std::optional<std::string> ln_weights;                                // --ln-weights FILE
  std::optional<std::string> ratio_to;                                  // estimate --ratio-to INPUT
  std::optional<LetterRange> integrate;                                 // estimate --integrate LETTER=FROM:TO
  std::optional<std::string> structures;                                // chem --structures FILE
  std::optional<std::string> sheet;                                     // chem --sheet FILE
  std::optional<std::string> html;                                      // --html FILE
  std::optional<std::string> proof;                                     // count: --proof FILE
  bool overwrite = false;                                               // of these, a file that is there
  std::string begun_as;    // resume, merge: the command line that the count began with,
  std::string asked_as;    // and the one that goes on with it
  bool no_counts = false;  // series: digits, not decimals
  bool ratio = false;      // series: each count over the first
  std::uint64_t jobs = 0;  // series: counted at a time; 0: small ones as many as there are threads

  bool json = false;
  bool csv = false;
  bool quiet = false;
  bool report = false;
  bool checks = false;
  std::string progress;  // a style, or none; empty: not asked for
  bool help = false;
  bool version = false;
  bool settings = false;  // methods --settings
  bool markdown = false;
  bool manual = false;                     // help --man
  std::optional<std::string> completions;  // help --completions SHELL
};

enum class ValueType {
  flag,
  choice,
  choices,
  choice_or_integer,
  integer,
  integers,
  duration,
  bytes,
  range,
  share,
  guarantee,
  weight,  // or the letter of a polynomial
  text,
  file
};

/// What stands behind an option; nothing behind a flag.
struct OptionValue {
  ValueType type = ValueType::flag;
  std::string_view value_name = {};            // for help; empty for flags
  std::string_view default_value = {};         // as a user would write it; empty: none
  std::uint64_t least = 0, most = 0;           // integer, integers, choice_or_integer, bytes
  std::vector<std::string_view> choices = {};  // choice, choices, choice_or_integer
  std::string_view unknown = {};     // weight: the letter of a polynomial that may stand in its place
  std::string_view bare_value = {};  // choice, weight: what it is without a value; empty: it needs one
};

/// What an option is to some questions, where that is something else than to the others.
struct OptionUse {
  Questions questions;
  std::string_view help;
  std::string_view default_value = {};         // empty: as for the others
  std::vector<std::string_view> choices = {};  // those of its choices that belong to them; empty: all
  bool only_integers = false;                  // of a choice_or_integer, and then there is no default
};

struct OptionInfo : OptionValue {
  std::string_view name;  // without the dashes
  Questions questions;    // to which it belongs
  std::string_view help;
  void (*apply)(Request& request, std::string_view value);
  char letter = 0;  // -q; 0: none
  bool repeatable = false;
  bool kept = true;                   // by a checkpoint
  std::optional<Question> asks = {};  // what it makes of its command's question
  std::string_view why = {};          // options of the command do not belong to that; may be empty
  std::vector<OptionUse> uses = {};   // for which `help` does not hold
};

/// Options that docs/options.md has together, and help, too, unless they are a command's own: those come
/// first, under its name.
struct OptionSection {
  std::string_view title;
  bool own;
  std::vector<OptionInfo> options;
};
const std::vector<OptionSection>& option_sections();
/// Those that belong to a question or a few.
std::vector<OptionSection> own_sections();
/// All options.
const std::vector<OptionInfo>& option_table();
/// Null where there is none of that name.
const OptionInfo* find_option(std::string_view name);

/// What a checkpoint keeps of a request: name and value of everything that says what is counted, and how.
std::vector<std::pair<std::string, std::string>> kept_options(const Request& request);
/// Applies them again, as they are read from the file. InputError where one is none that kept_options()
/// gives: a file that others made must not name files to be written.
void apply_kept_options(Request& request, const std::vector<std::pair<std::string, std::string>>& options,
                        const std::string& file);
/// Whether an option with this name belongs to the command.
bool takes_option(std::string_view command, std::string_view name);
/// Whether an option of that name could stand beside those that there are.
bool could_take(const Request& request, std::string_view name);
/// Whether the command line has the option.
bool is_given(const Request& request, std::string_view option);
/// Sets an option of the request, as the command line does. Throws UsageError.
void apply_option(Request& request, const std::string& name, const std::string& value);

/// "-q, --quiet", "--number N".
std::string spelling(const OptionInfo& option);
/// What the option does: for one command; and for all of them, with those apart that differ.
std::string_view help_of(const OptionInfo& option, std::string_view command);
std::string help_of_all(const OptionInfo& option);
std::string_view default_of(const OptionInfo& option, std::string_view command);
/// The option with the choices that belong to the command.
OptionInfo for_command(const OptionInfo& option, std::string_view command);
/// The values an option takes, in words: "auto, cpu, gpu", "0 to 1024", "seconds, or 10s, 5m, ..., none".
std::string value_help(const OptionInfo& option);
/// The same for help: shorter, and nothing where the value's name says it.
std::string short_value_help(const OptionInfo& option);

/// Reads argv with cxxopts over the whole table. Throws UsageError, with the nearest name and where to look,
/// for what does not exist, does not parse, is out of range or does not belong to the command. Of an option
/// that is given more than once the last one counts, but for repeatable ones.
Request parse_command_line(int argc, const char* const* argv);

}  // namespace countpm::app
