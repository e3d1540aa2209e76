// The options of minors and probability.
#include "apps/photon_options.hpp"

#include "apps/option_rows.hpp"
#include "apps/parse_value.hpp"

namespace countpm::app {

ReadOptions reading_amplitudes(const Request& request) {
  ReadOptions read = request.read;
  read.weights = true;
  read.hash = request.json;
  return read;
}

std::vector<OptionInfo> photon_options() {
  return {
      value_row(
          "column", ValueType::text, "LABEL", "",
          "of a square matrix: the permanents without this column and each row in turn. In a matrix file "
          "columns are called 1, 2, ...",
          {"minors"}, [](Request& request, std::string_view value) { request.column = value; }),
      bounded(value_row(
                  "in", ValueType::integers, "N,N,...", "",
                  "how many photons enter each mode, in the order of the matrix's columns", {"probability"},
                  [](Request& request, std::string_view value) { request.photons_in = parse_copies(value); }),
              0, most_copies),
      bounded(
          value_row(
              "out", ValueType::integers, "N,N,...", "",
              "how many photons leave by each mode, in the order of the matrix's rows", {"probability"},
              [](Request& request, std::string_view value) { request.photons_out = parse_copies(value); }),
          0, most_copies),
  };
}

void share_with_photons(std::vector<OptionInfo>& table) {
  for (const std::string_view command : {"minors", "probability"}) {
    share_options(table,
                  {"time-limit", "memory-limit", "exact", "precision", "format", "as", "weights", "multi",
                   "output", "overwrite", "json", "report", "quiet", "progress", "no-progress", "help"},
                  command);
    for (OptionInfo& option : table) {
      if (option.name == "weights")
        option.uses.push_back({command, "values count here in any case; this may be left out"});
      if (option.name == "exact")
        option.uses.push_back({command,
                               "take decimals, and the parts of complex numbers, for the fractions that they "
                               "spell, and count exactly"});
      if (option.name == "precision")
        option.uses.push_back({command, "count real and complex values with this many bits"});
    }
  }
  share_options(table, {"rows", "cols", "csv"}, "minors");
  share_options(
      table,
      {"method", "device", "gpus", "threads", "arithmetic", "double-check", "order", "no-rule", "seed"},
      "probability");
}

}  // namespace countpm::app
