#pragma once
// The Markdown tables of bench_planner's records.
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "bench/clock.hpp"
#include "bench/planner_record.hpp"

namespace countpm::bench {

constexpr double counts_from_seconds = 0.5;  // shorter counts are not judged
constexpr double best_within = 1.5;          // the chosen method may take that many times the best one's time

struct Goal {
  std::string group;
  std::string name;
  double seconds;
  std::string count;  // "" where ../shared's known.tsv has it
};

inline const std::vector<Goal>& goals() {
  static const std::vector<Goal> table = [] {
    std::vector<Goal> list;
    for (const char* name : {"bcspwr02", "d_ss", "curtis54", "will57", "impcol_b", "dwt_59", "bfwb62",
                             "ww_36_pmec_36", "west0067", "CAG_mat72", "steam3"})
      list.push_back({"SUPerman's sparse matrices (5 s together)", name, 1, ""});
    for (const char* name : {"bcsstk01", "mycielskian6", "mesh1e1", "d_ss", "curtis54", "bcspwr02"})
      list.push_back({"the code-generation paper's (20 s together)", name, 20, ""});
    for (const auto& [name, seconds] : std::vector<std::pair<const char*, double>>{{"er_n48_p08", 0.1},
                                                                                   {"er_n48_p10", 0.2},
                                                                                   {"er_n48_p12", 4},
                                                                                   {"er_n48_p15", 6},
                                                                                   {"er_n48_p20", 120},
                                                                                   {"er_n40_p20", 1},
                                                                                   {"er_n40_p30", 12},
                                                                                   {"er_n30_p90", 2},
                                                                                   {"er_n32_p90", 8}})
      list.push_back({"random matrices", name, seconds, ""});
    for (const auto& [name, count] : std::vector<std::pair<const char*, const char*>>{
             {"molecules/C60", "12500"}, {"molecules/C70", "52168"}, {"molecules/C20", "36"}})
      list.push_back({"fullerenes", name, 0.1, count});
    for (const auto& [name, count] :
         std::vector<std::pair<const char*, const char*>>{{"lattice:square:20x20", "-"},
                                                          {"lattice:honeycomb:20x20", "-"},
                                                          {"lattice:cubic:4x4x4", "5051532105"},
                                                          {"lattice:cubic:4x4x6", "-"}})
      list.push_back({"lattices", name, 1, count});
    return list;
  }();
  return table;
}

inline bool is_counted(const Record& r) {
  return r.outcome == "counted" || r.outcome == "zero";
}

inline std::string seconds_text(double seconds) {
  if (seconds < 0.001) return "< 0.001";
  return seconds < 1     ? fmt::format("{:.3f}", seconds)
         : seconds < 100 ? fmt::format("{:.2f}", seconds)
                         : fmt::format("{:.3g}", seconds);
}

inline std::string share_text(std::size_t part, std::size_t whole) {
  if (whole == 0) return "none to judge";
  return fmt::format("{} of {} ({:.0f} %)", part, whole,
                     100 * static_cast<double>(part) / static_cast<double>(whole));
}

inline std::string ratio_text(const Record& r) {
  return r.counting < counts_from_seconds ? "" : fmt::format("{:.2f}", r.predicted / r.counting);
}

inline std::string matrices_report(const std::vector<Record>& records) {
  std::string decided =
      "| matrix | largest block | method | predicted s | counting s | ratio | planning s | total s | "
      "known |\n|---|---|---|---|---|---|---|---|---|\n";
  std::string others = "| matrix | largest block | outcome | predictions |\n|---|---|---|---|\n";
  std::size_t all = 0, counted = 0, wrong = 0;
  for (const Record& r : records) {
    if (r.part != "matrices") continue;
    ++all;
    wrong += r.check == "WRONG" ? 1 : 0;
    if (!is_counted(r)) {
      others += fmt::format("| {} | {} | {} | {} |\n", r.instance, r.shape, r.outcome, r.note);
      continue;
    }
    ++counted;
    decided += fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", r.instance, r.shape, r.method,
                           seconds_text(r.predicted), seconds_text(r.counting), ratio_text(r),
                           seconds_text(r.planning), seconds_text(r.total), r.check);
  }
  return fmt::format("## Matrices of ../shared\n\n{} decided, {} wrong.\n\n{}\nNot decided:\n\n{}\n",
                     share_text(counted, all), wrong, decided, others);
}

/// Predicted over measured of every run of over half a second, by method.
inline std::string accuracy_report(const std::vector<Record>& records) {
  struct Tally {
    std::size_t good = 0, all = 0;
    std::vector<double> ratios;
  };
  std::map<std::string, Tally> methods;
  Tally chosen;
  std::string outliers;
  for (const Record& r : records) {
    const bool stopped = r.outcome == "stopped";
    if (!(is_counted(r) || stopped) || r.counting < counts_from_seconds || r.part == "goals") continue;
    const double ratio = r.predicted / r.counting;
    if (stopped && ratio >= 0.5) continue;  // nobody knows how long it would have taken
    const bool good = !stopped && ratio >= 0.5 && ratio <= 2;
    std::vector<Tally*> into = {&methods[r.method]};
    if (r.request == "auto") into.push_back(&chosen);
    for (Tally* tally : into) {
      ++tally->all;
      tally->good += good ? 1 : 0;
      tally->ratios.push_back(ratio);
    }
    if (!good)
      outliers +=
          fmt::format("| {} | {} | {} | {} | {}{} |\n", r.instance, r.shape, r.method,
                      seconds_text(r.predicted), seconds_text(r.counting), stopped ? ", stopped" : "");
  }
  std::string text =
      "## Predicted over measured\n\nEvery count of over 0.5 s, of ../shared's and of the random "
      "instances; a stopped one where the seconds until then prove the prediction too short.\n\n| method | "
      "within 0.5 to 2 | median ratio |\n"
      "|---|---|---|\n";
  const auto row = [](const std::string& name, const Tally& tally) {
    return fmt::format("| {} | {} | {} |\n", name, share_text(tally.good, tally.all),
                       tally.all == 0 ? "" : fmt::format("{:.2f}", median(tally.ratios)));
  };
  text += row("as chosen by auto", chosen);
  for (const auto& [name, tally] : methods) text += row(name, tally);
  text +=
      "\nOutside:\n\n| instance | largest block | method | predicted s | counting s "
      "|\n|---|---|---|---|---|\n";
  return text + outliers + "\n";
}

/// Auto's seconds against those of the best method asked for by name, on the random instances.
inline std::string choice_report(const std::vector<Record>& records) {
  std::size_t good = 0, all = 0, refused = 0;
  std::string misses;
  for (const Record& chosen : records) {
    if (chosen.part != "random" || chosen.request != "auto") continue;
    if (!is_counted(chosen)) {
      ++refused;
      continue;
    }
    if (chosen.counting < counts_from_seconds) continue;
    double best = chosen.counting;
    std::string by = chosen.method;
    for (const Record& r : records) {
      if (r.part != "random" || r.instance != chosen.instance || !is_counted(r) || r.counting >= best)
        continue;
      best = r.counting;
      by = r.method;
    }
    ++all;
    if (chosen.counting <= best_within * best) {
      ++good;
    } else {
      misses += fmt::format("| {} | {} | {} {} | {} {} |\n", chosen.instance, chosen.shape, chosen.method,
                            seconds_text(chosen.counting), by, seconds_text(best));
    }
  }
  return fmt::format(
      "## The choice\n\nOf the random instances counted in over 0.5 s, the chosen method is within "
      "{} times the best one's seconds in {}; {} were refused.\n\n| instance | largest block | "
      "chosen, s | best, s |\n|---|---|---|---|\n{}\n",
      best_within, share_text(good, all), refused, misses);
}

inline std::string goals_report(const std::vector<Record>& records) {
  std::string text =
      "## Goals\n\nTotal seconds of a count, reading to checking; medians of the turns.\n\n"
      "| group | input | method | goal s | median s | counting s | planning s | met | known |\n"
      "|---|---|---|---|---|---|---|---|---|\n";
  std::map<std::string, double> sums;
  for (const Goal& goal : goals()) {
    std::vector<double> total, counting, planning;
    std::string method, check, outcome;
    for (const Record& r : records) {
      if (r.part != "goals" || r.instance != goal.name) continue;
      total.push_back(r.total);
      counting.push_back(r.counting);
      planning.push_back(r.planning);
      method = r.method;
      if (check != "WRONG") check = r.check;
      if (!is_counted(r)) outcome = r.outcome;
    }
    if (total.empty()) continue;
    sums[goal.group] += median(total);
    const std::string met = !outcome.empty() ? outcome : median(total) < goal.seconds ? "yes" : "no";
    text += fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", goal.group, goal.name, method,
                        goal.seconds, seconds_text(median(total)), seconds_text(median(counting)),
                        seconds_text(median(planning)), met, check);
  }
  text += "\n| group | sum of medians, s |\n|---|---|\n";
  for (const auto& [group, sum] : sums) text += fmt::format("| {} | {} |\n", group, seconds_text(sum));
  return text + "\n";
}

}  // namespace countpm::bench
