#include "src/series/follow_questions.hpp"

#include "graph/errors.hpp"
#include "kernels/estimate/samples/sampler.hpp"
#include "src/count/follow_count.hpp"
#include "src/distributed/follower.hpp"
#include "src/distributed/rank_jobs.hpp"
#include "src/estimate/compare.hpp"
#include "src/estimate/follow_estimate.hpp"

namespace countpm {

void follow_questions(const ReadOptions& read_options, const CountOptions& count_options,
                      const EstimateOptions& options) {
  const auto work = [&](Channel& channel, const std::string& text) {
    const RankJob job = parse_job(text);
    ReadOptions reading = read_options;
    reading.hash = true;
    if (job.format) reading.format = job.format;
    CountOptions own = count_options;
    own.channel = &channel;
    if (job.what == "count") return follow(job.source, reading, own);
    if (job.what != "estimate")
      throw CheckError("rank 0 asks for '" + countpm::quoted(job.what) + "', and there is no such job");
    own.seed = job.seed;
    EstimateOptions one = options;
    one.replicates = 1;
    if (!job.sampler.empty())
      one = compared_options(options, count_options, sampler_named(job.sampler), job.samples);
    follow_estimate(job.source, reading, own, one);
  };
  follow_jobs(*count_options.channel, count_options.interrupted, work);
}

}  // namespace countpm
