// countpm prove RESULT [INPUT]: a proof of a number that is there.
#include "apps/commands.hpp"
#include "apps/json.hpp"
#include "apps/output.hpp"
#include "apps/progress_scope.hpp"
#include "apps/resume.hpp"
#include "src/verify/prove_result.hpp"

namespace countpm::app {

int run_prove(const Request& request) {
  std::string text;
  {
    ProgressScope scope(request);
    CountOptions watched = request.count;
    scope.watch(watched);  // before a result is read, which may come through a pipe
    const StoredResult stored = read_stored_result(request.arguments[0]);
    Request counted = request_of_result(stored, request, watched);
    counted.count.device = "cpu";  // whatever counted it
    const std::string input = request.arguments.size() > 1 ? request.arguments[1] : stored.input;
    text = prove_result(stored, Source::from_argument(input), counted.read, counted.count);
    // As text: taken apart it would need memory that nobody has foreseen.
    if (request.json) text = indented_around(json_of(ProvedObject{stored, input}), "proof", text);
  }
  write_output(text);
  flush_output();
  return 0;
}

}  // namespace countpm::app
