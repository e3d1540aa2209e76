#pragma once
// What resume and merge, and verify and prove, have in common.
#include <string>

#include "apps/options.hpp"
#include "src/verify/stored_result.hpp"

namespace countpm::app {

/// The count or estimate that a journal was made for, with what this command line says of the session. input:
/// another place than the journal's; empty: its own. Sets the process's memory limit.
Request resumed_request(const Request& request, const JournalStatus& status, const std::string& input);

/// What a result was counted with, with the threads and limits of this command line, the signals of
/// `watched`, and whatever GPUs there are.
Request request_of_result(const StoredResult& stored, const Request& request, const CountOptions& watched);

/// For CheckpointOptions::notice.
void say_notice(const std::string& text);

}  // namespace countpm::app
