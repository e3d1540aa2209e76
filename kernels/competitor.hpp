#pragma once
// A preparation that searches, and may be told what a long search would have to save.

namespace countpm {

/// A Preparation whose search can be cut short: class X : public Preparation, public Competitor.
class Competitor {
 public:
  virtual ~Competitor() = default;

  /// Before all else: so many seconds the best of the other methods is predicted to take, on so many cores.
  /// What takes longer, or is not found in a small share of that time, is refused.
  virtual void compete_with(double seconds, int cores) = 0;
};

}  // namespace countpm
