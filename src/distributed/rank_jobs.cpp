#include "src/distributed/rank_jobs.hpp"

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "graph/errors.hpp"
#include "src/distributed/follower.hpp"
#include "src/distributed/leader.hpp"
#include "src/distributed/protocol.hpp"
#include "src/journal/journal_fields.hpp"

namespace countpm {
namespace {

constexpr auto nap_between_jobs = std::chrono::milliseconds(2);

/// Whether a message "failed" says that the rank was interrupted.
bool was_interrupted(const std::string& text) {
  try {
    return fields::text_at(fields::parse(text), "kind") == "interrupted";
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace

std::string job_text(const RankJob& job) {
  if (job.source.kind == Source::Kind::standard_input)
    throw UsageError("several ranks need an input that each of them can read");
  const bool told = job.source.kind == Source::Kind::memory;
  nlohmann::json json = {{"what", job.what},
                         {"name", job.source.name},
                         {"told", told ? 1 : 0},
                         {"seed", job.seed},
                         {"sampler", job.sampler},
                         {"samples", job.samples},
                         {"format", job.format ? name_of(*job.format) : ""}};
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + '\n' + job.source.bytes;
}

RankJob parse_job(const std::string& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const fields::Json json = fields::parse(text.substr(0, end));
  RankJob job;
  job.what = fields::text_at(json, "what");
  const std::string name = fields::text_at(json, "name");
  const bool told = fields::whole_at(json, "told", 0, 1) == 1;
  job.source = told ? Source::from_bytes(text.substr(std::min(end + 1, text.size())), name)
                    : Source::from_argument(name);
  if (job.source.kind == Source::Kind::standard_input) fields::refuse("an input that rank 0 alone has");
  if (const std::string format = fields::text_at(json, "format"); !format.empty())
    job.format = format_named(format);
  job.seed = fields::whole_at(json, "seed", 0, ~std::uint64_t{0});
  job.sampler = fields::text_at(json, "sampler");
  job.samples = fields::whole_at(json, "samples", 0, fields::most_samples);
  return job;
}

void LeadingJob::send(int to, std::string text) {
  if (!std::exchange(told_, true)) tell_others(channel_, protocol::message("job", text_));
  channel_.send(to, std::move(text));
}

void LeadingJob::finish(const std::function<bool()>& interrupted) {
  if (!std::exchange(told_, false)) return;
  tell_others(channel_, protocol::message("over"));
  bool stopped = false;
  std::vector<bool> idle(static_cast<std::size_t>(channel_.ranks()), false);
  while (!all_answered(channel_, idle)) {
    const std::optional<Message> message = channel_.receive();
    if (!message) {
      if (interrupted && interrupted()) throw InterruptedError("interrupted");
      std::this_thread::sleep_for(protocol::nap);
      continue;
    }
    const auto [word, text] = protocol::parts(message->text);
    if (word == "idle") idle[static_cast<std::size_t>(message->from)] = true;
    stopped = stopped || (word == "failed" && was_interrupted(text));
  }
  if (stopped) throw InterruptedError("interrupted: another rank was");
}

std::optional<Message> FollowedJob::receive() {
  std::optional<Message> message = channel_.receive();
  if (message && protocol::parts(message->text).first == "over") {
    over_ = true;
    message->text = protocol::message("end");
  }
  return message;
}

void follow_jobs(Channel& channel, const std::function<bool()>& interrupted,
                 const std::function<void(Channel& channel, const std::string& text)>& work) {
  bool told = false;
  while (true) {
    const std::optional<Message> message = channel.receive();
    if (!message) {
      // Rank 0 hears of it once it has something to do for others; until then nothing is done here.
      if (!told && interrupted && interrupted()) {
        told = true;
        tell_what_is_thrown(channel, [] { throw InterruptedError("interrupted"); });
      }
      std::this_thread::sleep_for(nap_between_jobs);
      continue;
    }
    const std::pair<std::string, std::string> heard = protocol::parts(message->text);
    const std::string& word = heard.first;
    const std::string& text = heard.second;
    if (word == "end") throw EndOfCount();
    if (word == "part") continue;  // of a table that was shared, and is no more
    if (word != "job") throw CheckError("rank 0 says '" + countpm::quoted(word) + "' where a job is awaited");
    FollowedJob own(channel);
    try {
      tell_what_is_thrown(own, [&] { work(own, text); });
      await_end(own);
    } catch (const EndOfCount&) {
    }
    if (!own.over()) throw EndOfCount();
    channel.send(0, protocol::message("idle"));
  }
}

}  // namespace countpm
