#pragma once
// How fast a share of work grows, and how sure that is: for the time that is left.
#include <vector>

namespace countpm {

/// Seconds left: at the mean rate so far, and at that rate with two of its standard errors more or less; < 0
/// where that is not known. The errors are those of the mean of the rates in equal slices of the time so far:
/// 4 slices at least. Long units make steps, uneven slices, and so a wide range.
struct RemainingTime {
  double seconds = -1;
  double low = -1;
  double high = -1;
};

class RateMeter {
 public:
  /// done: the share at the start, 0 .. 1.
  void start(double now, double done);
  /// Notes the share done now: it never falls.
  void note(double now, double done);
  /// Of the work a second; 0 where nothing was done yet.
  double rate() const;
  RemainingTime remaining() const;

 private:
  struct Mark {
    double time = 0;
    double done = 0;
  };
  std::vector<Mark> marks_;  // some 64, at even distances
  Mark last_;
  double distance_ = 0;
};

}  // namespace countpm
