// The command line: options, then the command, then one exit code for each way to end.
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include <countpm_commit.hpp>
#include "apps/answer_file.hpp"
#include "apps/build_info.hpp"
#include "apps/commands.hpp"
#include "apps/exit_codes.hpp"
#include "apps/help.hpp"
#include "apps/json.hpp"
#include "apps/memory_limit.hpp"
#include "apps/option_errors.hpp"
#include "apps/options.hpp"
#include "apps/output.hpp"
#include "apps/output_file.hpp"
#include "apps/ranks.hpp"
#include "apps/signals.hpp"
#include "graph/text.hpp"
#include "src/distributed/follower.hpp"
#include "src/machine/gpu_start.hpp"

namespace countpm::app {
namespace {

using namespace exit_code;

void watch_for_signals() {
  watch_signals([] {
    if (error_is_terminal()) write_error("\r\033[K");
    write_error("countpm: interrupted\n");
  });
}

/// Each once, as an input may be read several times.
void tell_warnings(Request& request) {
  if (request.quiet) return;
  request.read.warn =
      [told = std::make_shared<std::pair<std::mutex, std::set<std::string>>>()](const std::string& warning) {
        const std::lock_guard lock(told->first);
        if (told->second.insert(warning).second)
          write_error("countpm: warning: " + printable(warning) + "\n");
      };
}

int run(int argc, const char* const* argv, const Ranks& ranks) {
  if (argc == 1 && !input_waits()) {
    write_error(general_help(error_width()));
    return bad_usage;
  }
  Request request = parse_command_line(argc, argv);
  ranks.check(request);
  request.count.channel = ranks.channel();
  const CommandInfo& command = *find_command(request.command);
  if (request.help) {
    const bool of_one = request.command_named || !request.arguments.empty();
    write_output(of_one ? command_help(command, output_width()) : general_help(output_width()));
    flush_output();
    return done;
  }
  if (request.version) return run_version(request);
  // Finding out how much memory there is takes as long as all the rest of a command that only says something.
  if (command.run != run_version && command.run != run_help && command.run != run_complete)
    apply_memory_limit(request.count);
  tell_warnings(request);
  check_outputs(request, request.arguments);
  AnswerFile answer(request);
  if (!ranks.several()) watch_for_signals();
  int code = done;
  try {
    code = run_asked(request);
  } catch (const InterruptedError&) {
    // The rows of a table that are there stay, as they would on standard output.
    if (request.command == "many" || request.command == "compare") answer.close();
    throw;
  }
  answer.close();
  if (!request.quiet) ranks.tell_losses();
  return code;
}

/// What the library does, which tells of the exception.
std::terminate_handler& usual_end() {
  static std::terminate_handler handler = nullptr;
  return handler;
}

/// What no thread handed on to whoever waits for it, or nothing may throw: out of memory is that, and not a
/// fault of the program.
[[noreturn]] void end_by_exception() {
  if (const std::exception_ptr left = std::current_exception()) {
    try {
      std::rethrow_exception(left);
    } catch (const std::bad_alloc&) {
      const LimitOfOthers room;  // for the message
      if (claim_final_message()) write_error("countpm: " + out_of_memory_message() + "\n");
      _exit(unable);
    } catch (...) {
      usual_end()();
    }
  }
  usual_end()();
  std::abort();
}

// Turns a failure into a line on standard error, an object on standard output where --json asks for one, and
// the exit code.
class Failure {
 public:
  Failure(bool json, bool lines) : json_(json), lines_(lines) {}

  int report(const std::string& kind, const std::string& message, int code,
             const InputError* input = nullptr) const {
    write_error("countpm: " + printable(message) + "\n");
    if (json_ && kind != "output") {
      try {
        write_error_object(error_text({kind, message, code, input}, lines_));
      } catch (const std::exception&) {
        return code;  // the message on standard error stands
      }
    }
    return code;
  }

 private:
  bool json_;
  bool lines_;  // an object a line, as the command's others
};

/// Every rank but rank 0 says nothing itself, and its exit code is no matter: rank 0 speaks for all, as long
/// as it is there.
int run_as_one_of_several(int argc, const char* const* argv, const Ranks& ranks) {
  if (ranks.leads()) return run(argc, argv, ranks);
  mute_output();
  follow_to_end(*ranks.channel(), [&] { run(argc, argv, ranks); });
  if (!ranks.channel()->lost(0)) return done;
  if (!ranks.is_first_left()) {
    // mpirun may end all with the first one that ends: not before that one has spoken.
    std::this_thread::sleep_for(std::chrono::seconds(1));
    return unable;
  }
  mute_output(false);
  throw UnableError("rank 0 is gone, which led the others: the count has ended",
                    "with a checkpoint, `countpm resume` goes on from what it has");
}

int guarded(int argc, const char* const* argv, Ranks& ranks) {
  // The options may be what is wrong, so --json is looked for here too.
  bool json = false;
  for (int i = 1; i < argc; ++i) json = json || std::string_view(argv[i]) == "--json";
  const std::string_view command = argc > 1 ? argv[1] : "";
  const bool lines = command == "list" || command == "sample" || command == "many" || command == "compare";
  const Failure failure(json, lines);
  try {
    if (!several_ranks_started()) return run(argc, argv, ranks);
    watch_for_signals();  // before MPI starts threads
    ranks.begin();
    return run_as_one_of_several(argc, argv, ranks);
  } catch (const BrokenPipe&) {
    return done;
  } catch (const OutputError& error) {
    return failure.report("output", error.what(), internal_fault);
  } catch (const InputError& error) {
    return failure.report("input", error.what(), bad_usage, &error);
  } catch (const UsageError& error) {
    return failure.report("usage", error.what(), bad_usage);
  } catch (const UnableError& error) {
    return failure.report("unable", error.what(), unable);
  } catch (const CheckError& error) {
    return failure.report("check", error.what(), check_failed);
  } catch (const MissingUnitsError& error) {
    return failure.report("missing", error.what(), units_missing);
  } catch (const InterruptedError& error) {
    const int code = interruption_code();
    if (!claim_final_message()) return code;
    return failure.report("interrupted", error.what(), code);
  } catch (const std::bad_alloc&) {
    return failure.report("unable", out_of_memory_message(), unable);
#ifdef __wasm32__
  } catch (const std::length_error&) {  // more than an address of 32 bits can name
    return failure.report("unable", out_of_memory_message(), unable);
#endif
  } catch (const std::exception& error) {
    return failure.report("internal", std::string("internal fault: ") + error.what() + "; please report it",
                          internal_fault);
  }
}

}  // namespace
}  // namespace countpm::app

int main(int argc, char** argv) {
  countpm::app::build_info() = {COUNTPM_COMMIT, COUNTPM_COMMIT_DATE};
  countpm::app::usual_end() = std::set_terminate(countpm::app::end_by_exception);
  countpm::app::hold_signals();
  countpm::app::prepare_streams();
  countpm::app::Ranks ranks;
  const int code = countpm::app::guarded(argc, argv, ranks);
  ranks.end();
  if (countpm::gpu_is_starting()) {  // nobody waits for it
    std::fflush(nullptr);
    _exit(code);
  }
  return code;
}
