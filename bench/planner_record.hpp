#pragma once
// One run of bench_planner, and the file of them: tab-separated, a line appended as soon as a run is over, so
// that an interrupted benchmark goes on where it was.
#include <fmt/core.h>
#include <fmt/os.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace countpm::bench {

struct Record {
  std::string part;  // matrices, random, goals; with instance, request and turn the run's key
  std::string instance;
  std::string request;  // auto, or the method asked for
  int turn = 0;
  std::string outcome;   // counted, zero, refused (before counting), stopped (while counting)
  std::string check;     // right, WRONG, unknown
  std::string method;    // that took longest
  std::string shape;     // of the largest block left, "65 rows, 290 entries"
  double predicted = 0;  // seconds of counting
  double counting = 0;   // as measured
  double planning = 0;
  double total = 0;
  std::string note = "-";  // why not
};

inline std::vector<Record> read_records(const std::string& path) {
  std::vector<Record> records;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream in(line);
    Record r;
    std::string turn, predicted, counting, planning, total;
    for (std::string* field : {&r.part, &r.instance, &r.request, &turn, &r.outcome, &r.check, &r.method,
                               &r.shape, &predicted, &counting, &planning, &total, &r.note}) {
      if (!std::getline(in, *field, '\t'))
        throw std::runtime_error(std::string(path).append(": no record: ").append(line));
    }
    r.turn = std::stoi(turn);
    r.predicted = std::stod(predicted);
    r.counting = std::stod(counting);
    r.planning = std::stod(planning);
    r.total = std::stod(total);
    records.push_back(std::move(r));
  }
  return records;
}

inline void append_record(const std::string& path, const Record& r) {
  std::ofstream file(path, std::ios::app);
  file << fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{:.6g}\t{:.6g}\t{:.6g}\t{:.6g}\t{}\n", r.part,
                      r.instance, r.request, r.turn, r.outcome, r.check, r.method, r.shape, r.predicted,
                      r.counting, r.planning, r.total, r.note);
  if (!file.flush()) throw std::runtime_error(path + ": cannot be written");
}

inline bool same_run(const Record& a, const Record& b) {
  return a.part == b.part && a.instance == b.instance && a.request == b.request && a.turn == b.turn;
}

inline bool has_record(const std::vector<Record>& records, const Record& like) {
  return std::any_of(records.begin(), records.end(), [&](const Record& r) { return same_run(r, like); });
}

}  // namespace countpm::bench
