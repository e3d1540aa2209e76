#pragma once
// Labels -> ids while a file is read: a direct table for short decimal numbers, open addressing for all other
// labels.
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/label_table.hpp"

namespace countpm {

/// Gives every new label the next id. O(label length) a call on average; 4 to 48 bytes a label beside the
/// LabelTable.
class LabelIndex {
 public:
  /// The id of the label, new or known. Throws std::length_error beyond no_index - 1 labels.
  Index id_of(std::string_view label);
  Index size() const { return table_.size(); }
  /// Starts from a table that is complete: only take(), size() and table() may follow.
  void adopt(LabelTable table) { table_ = std::move(table); }
  /// Hands the table over; the index is empty afterwards.
  LabelTable take();
  const LabelTable& table() const { return table_; }

 private:
  // Labels of up to 8 bytes are their own key, so that a look-up touches this slot alone; longer ones have
  // their hash there.
  struct Slot {
    std::uint64_t key;
    std::uint32_t length;  // of the label, at most 2^32 - 1 here
    Index id;              // no_index: free
  };
  struct Free {
    void operator()(void* memory) const { std::free(memory); }
  };

  Index append(std::string_view label);
  Index id_of_number(std::uint32_t number, std::string_view label);
  void grow();

  LabelTable table_;
  // direct_[number] is id + 1, or 0; calloc'ed so that untouched pages cost nothing.
  std::unique_ptr<Index[], Free> direct_;
  std::uint64_t direct_size_ = 0;
  std::vector<Slot> slots_;  // a power of two, at most 2/3 full
  std::uint64_t used_ = 0;
};

}  // namespace countpm
