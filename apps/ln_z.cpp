#include "apps/ln_z.hpp"

#include <fmt/format.h>

#include "apps/answer.hpp"
#include "apps/commands.hpp"
#include "kernels/method.hpp"
#include "src/words/ln_z_words.hpp"

namespace countpm::app {

void check_ln_z(const Request& request) {
  const CountOptions& options = request.count;
  const char* other = nullptr;
  const LogForm form =
      options.method == "auto" ? LogForm::sparse : method_named(options.method).traits().log_form;
  if (form == LogForm::none) other = "a --method other than planar and condensation";
  if ((options.device == "gpu" || options.gpus > 0) && form != LogForm::dense)
    other = "--device gpu without --method condensation";
  if (options.gpus > 1) other = "--gpus above 1";
  if (other != nullptr) throw UsageError(fmt::format("--ln-z and {} exclude each other", other));
}

namespace {

std::vector<words::Fact> report_facts(const LnZResult& result) {
  std::vector<words::Fact> facts{{"logarithm", words::logarithm_kind(result)}};
  if (result.violator) facts.push_back({"why zero", words::violator_text(*result.violator)});
  for (words::Fact& fact : words::facts_of(result)) facts.push_back(std::move(fact));
  if (!result.gpu.empty()) facts.push_back({"device", result.gpu});
  facts.push_back({"time", words::times_text(result.seconds)});
  return facts;
}

}  // namespace

int run_ln_z(const Request& request) {
  check_ln_z(request);
  ReportPage page(request);
  StructurePicture picture(request);
  const LnZResult result = page.or_refusal([&] {
    return asked(request, {request.count.time_limit_seconds, &page, &picture},
                 [&](const ReadOptions& read, const CountOptions& options) {
                   return ln_z(input_of(request), read, options);
                 });
  });
  show(
      request, result, [&] { return words::logarithm_text(result) + "\n"; },
      [&] { return report_of(result, report_facts(result)); });
  if (page.wanted()) page.write(html::ln_z_fragment(result, picture.beside(page)));
  picture.finish();
  return 0;
}

}  // namespace countpm::app
