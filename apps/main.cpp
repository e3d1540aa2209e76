// The command line: options, then the command, then one exit code for each way to end.
#include <exception>
#include <new>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "apps/commands.hpp"
#include "apps/help.hpp"
#include "apps/json.hpp"
#include "apps/memory_limit.hpp"
#include "apps/options.hpp"
#include "apps/output.hpp"
#include "apps/signals.hpp"

namespace countpm::app {
namespace {

enum ExitCode {
  done = 0,
  internal_fault = 1,
  bad_usage = 2,
  unable = 3,
  check_failed = 4,
  interrupted = 130
};

int run(int argc, const char* const* argv) {
  const Request request = parse_command_line(argc, argv);
  if (request.version) return run_version(request);
  const CommandInfo& command = *find_command(request.command);
  if (request.help) {
    // Without a command before it, --help is about all of them.
    const bool named = argc > 1 && find_command(argv[1]) != nullptr;
    write_output(named ? command_help(command) : general_help());
    flush_output();
    return done;
  }
  apply_memory_limit(request.count.memory_limit_bytes, request.count.threads);
  watch_signals([] {
    if (error_is_terminal()) write_error("\r\033[K");
    write_error("countpm: interrupted\n");
  });
  return command.run(request);
}

// Turns a failure into a line on standard error, an object on standard output where --json asks for one, and
// the exit code.
class Failure {
 public:
  explicit Failure(bool json) : json_(json) {}

  int report(const std::string& kind, const std::string& message, int code,
             const InputError* input = nullptr) const {
    write_error("countpm: " + message + "\n");
    if (json_ && kind != "output") {
      try {
        write_output(indented(error_json(kind, message, code, input)));
        flush_output();
      } catch (const std::exception&) {
        return code;  // the message on standard error stands
      }
    }
    return code;
  }

 private:
  bool json_;
};

int guarded(int argc, const char* const* argv) {
  // The options may be what is wrong, so --json is looked for here too.
  bool json = false;
  for (int i = 1; i < argc; ++i) json = json || std::string_view(argv[i]) == "--json";
  const Failure failure(json);
  try {
    return run(argc, argv);
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
  } catch (const InterruptedError& error) {
    if (!claim_last_words()) return interrupted;
    return failure.report("interrupted", error.what(), interrupted);
  } catch (const std::bad_alloc&) {
    return failure.report("unable", "out of memory; raise --memory-limit, or use a machine with more memory",
                          unable);
  } catch (const std::exception& error) {
    return failure.report("internal", std::string("internal fault: ") + error.what() + "; please report it",
                          internal_fault);
  }
}

}  // namespace
}  // namespace countpm::app

int main(int argc, char** argv) {
  countpm::app::prepare_streams();
  return countpm::app::guarded(argc, argv);
}
