#pragma once
// Ctrl-C and SIGTERM: the first asks the count to stop, which it does within a second; the second kills.
#include <functional>

namespace countpm::app {

/// Starts the thread that waits for SIGINT and SIGTERM; call once, before any other thread exists. Where the
/// first signal has not ended the program after 0.25 s (a blocked read, a long step that does not poll), the
/// thread runs `last_words` and exits with interruption_code() itself. A signal that was ignored when the
/// program began (nohup, a shell's background job) stays ignored.
void watch_signals(std::function<void()> last_words);

/// From now on the program gets 30 s rather than 0.25 s to end after the first signal: units have begun, and
/// a checkpoint is to be written, perhaps over a network.
void allow_time_to_stop();

/// Whether a signal has asked the program to stop.
bool stop_requested();

/// Holds signals back until they are watched, so that the first milliseconds end like all others. At the
/// start, before there are threads.
void hold_signals();

/// How the program ends then: 143 after SIGTERM, else 130.
int interruption_code();

/// True for the first of the two who may say that the program was interrupted: the command that noticed, or
/// the watcher.
bool claim_final_message();

}  // namespace countpm::app
