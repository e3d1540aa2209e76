#include "src/distributed/follower.hpp"

#include <unistd.h>

#include <array>
#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "graph/errors.hpp"
#include "src/distributed/protocol.hpp"
#include "src/machine/channel.hpp"
#include "src/watch/monitor.hpp"

namespace countpm {
namespace {

using Json = nlohmann::json;

constexpr auto idle_nap = std::chrono::milliseconds(2);

std::string host_name() {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0) return "?";
  return name.data();
}

void tell_failure(Channel& channel, const char* kind, const std::string& what) {
  const Json failure = {{"kind", kind}, {"host", host_name()}, {"what", what}};
  channel.send(0, protocol::message("failed", failure.dump(-1, ' ', false, Json::error_handler_t::replace)));
}

}  // namespace

std::string await_word(Channel& channel, const std::string& wanted, const Monitor& monitor) {
  while (true) {
    monitor.throw_if_stopped();
    const std::optional<Message> message = channel.receive();
    if (!message) {
      std::this_thread::sleep_for(idle_nap);
      continue;
    }
    auto [word, text] = protocol::parts(message->text);
    if (word == "end") throw EndOfCount();
    if (word == wanted) return text;
    if (word != "flush" && word != "run" && word != "draw" && word != "input" && word != "part")
      throw CheckError("rank 0 says '" + countpm::quoted(word) + "' where '" + wanted + "' is awaited");
  }
}

void tell_what_is_thrown(Channel& channel, const std::function<void()>& work) {
  try {
    work();
  } catch (const InputError& error) {
    tell_failure(channel, "usage", error.what());
  } catch (const UsageError& error) {
    tell_failure(channel, "usage", error.what());
  } catch (const UnableError& error) {
    tell_failure(channel, "unable", error.what());
  } catch (const CheckError& error) {
    tell_failure(channel, "check", error.what());
  } catch (const InterruptedError& error) {
    tell_failure(channel, "interrupted", error.what());
  } catch (const std::bad_alloc&) {
    tell_failure(channel, "unable", "out of memory");
  } catch (const nlohmann::json::exception& error) {
    tell_failure(channel, "check", std::string("rank 0 says what is no JSON: ") + error.what());
  } catch (const std::invalid_argument& error) {
    tell_failure(channel, "check", std::string("rank 0 says what cannot be: ") + error.what());
  } catch (const std::exception& error) {
    tell_failure(channel, "internal", std::string("internal fault: ") + error.what());
  }
}

void await_end(Channel& channel) {
  while (true) {
    const std::optional<Message> message = channel.receive();
    if (!message) {
      std::this_thread::sleep_for(idle_nap);
    } else if (protocol::parts(message->text).first == "end") {
      return;
    }
  }
}

ReadResult read_as_rank_0(const Source& source, const ReadOptions& read_options, Channel& channel,
                          const Monitor& monitor) {
  ReadOptions reading = read_options;
  reading.hash = true;
  if (source.kind != Source::Kind::standard_input) return read_graph(source, reading);
  return read_graph(Source::from_bytes(await_word(channel, "input", monitor), source.name), reading);
}

void follow_to_end(Channel& channel, const std::function<void()>& work) {
  try {
    tell_what_is_thrown(channel, work);
    await_end(channel);
  } catch (const EndOfCount&) {
  }
  channel.send(0, protocol::message("bye"));
}

}  // namespace countpm
