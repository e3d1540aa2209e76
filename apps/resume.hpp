#pragma once
// What resume and merge have in common.
#include <string>

#include "apps/options.hpp"

namespace countpm::app {

/// The count or estimate that a journal was made for, with what this command line says of the session. input:
/// another place than the journal's; empty: its own. Sets the process's memory limit.
Request resumed_request(const Request& request, const JournalStatus& status, const std::string& input);

/// For CheckpointOptions::notice.
void say_notice(const std::string& text);

}  // namespace countpm::app
