// countpm formats: what inputs are read.
#include "apps/commands.hpp"
#include "apps/help_topics.hpp"
#include "apps/json.hpp"
#include "apps/output.hpp"

namespace countpm::app {

int run_formats(const Request& request) {
  write_output(request.json ? indented(json_of(FormatsObject())) : formats_page(output_width()));
  flush_output();
  return 0;
}

}  // namespace countpm::app
