#include "graph/label_table.hpp"

#include <stdexcept>

namespace countpm {

LabelTable LabelTable::numbered(Index size, std::uint64_t first) {
  LabelTable table;
  table.size_ = size;
  table.numbered_ = true;
  table.first_ = first;
  return table;
}

std::string LabelTable::label(Index id) const {
  if (id >= size_) throw std::out_of_range("LabelTable::label: no such id");
  if (numbered_) return std::to_string(first_ + id);
  return std::string(stored(id));
}

Index LabelTable::append(std::string_view label) {
  if (numbered_) throw std::logic_error("LabelTable::append: the labels are numbers");
  if (size_ == no_index - 1) throw std::length_error("LabelTable::append: too many labels");
  arena_.insert(arena_.end(), label.begin(), label.end());
  start_.push_back(arena_.size());
  return size_++;
}

}  // namespace countpm
