#pragma once
// Several journals of one count, made on different machines, as one.
#include <string>
#include <vector>

#include "src/journal/journal.hpp"

namespace countpm {

/// A journal and the file that it is from.
struct NamedJournal {
  std::string file;
  Journal journal;
};

/// The finished units of all, as a journal of the whole count that has no id yet. Parts of one `countpm
/// split`, journals of counts that made the same plan, and copies of one journal that went on by themselves
/// belong together: input, version, rules, and of every block the method, the plan, the moduli and the units
/// are the same; so are the options, but those whose names are free. Throws InputError where they do not, and
/// CheckError where two of them contradict each other. A range of one may cover several of another: what
/// follows from them by sums and differences is taken, every unit once. O(records log records).
/// Of parts of an estimate, where all are there and done, the samples of all of them, in the order of their
/// numbers.
Journal join_journals(const std::vector<NamedJournal>& journals,
                      const std::vector<std::string>& free_options);

/// Which parts of an estimate are not there or not done, likewise.
std::string missing_samples(const std::vector<NamedJournal>& journals);

/// Which units of the joined journal nobody has, for a message: "1024 of 4096 units are missing: ..."; empty
/// where none are.
std::string missing_units(const Journal& joined, const std::vector<NamedJournal>& journals);

}  // namespace countpm
