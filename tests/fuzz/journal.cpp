// Fuzzes journals: lines of JSON, a header and records, to which the checksums that fit are added. What is
// sound enough to be of one of the small inputs of forged_journals.cpp goes on with it, too. The seeds say
// VERSION where journals have the version that runs.
#include <sstream>
#include <stdexcept>

#include "graph/errors.hpp"
#include "src/api/entries.hpp"
#include "src/journal/journal.hpp"
#include "tests/fuzz/forged_journals.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const countpm::forge::Trials trials;
  std::istringstream lines(std::string(reinterpret_cast<const char*>(data), size));
  std::vector<std::string> contents;
  for (std::string line; std::getline(lines, line);) contents.push_back(line);
  const std::string version = "\"VERSION\"";
  if (const std::size_t at = contents.empty() ? std::string::npos : contents[0].find(version);
      at != std::string::npos)
    contents[0].replace(at, version.size(), "\"" + std::string(countpm::version()) + "\"");
  const std::string journal = countpm::forge::with_checksums(contents);
  try {
    const countpm::Journal parsed = countpm::parse_journal(journal, "fuzz");
    const auto number = trials.case_of(parsed.header.sha256);
    if (!number) return 0;
    for (const countpm::forge::Outcome& outcome : {trials.resume(*number, journal), trials.status(journal)}) {
      if (!outcome.broken.empty()) throw std::logic_error(outcome.broken);
    }
  } catch (const countpm::InputError&) {
  }
  return 0;
}
