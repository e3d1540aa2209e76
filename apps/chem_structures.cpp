#include "apps/chem_structures.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "apps/output.hpp"
#include "graph/errors.hpp"
#include "graph/molecules/pi_system.hpp"
#include "src/chemistry/structure_file.hpp"

namespace countpm::app {
namespace {

constexpr std::uint64_t most_written = 10'000;  // of a molecule

/// Whether any two atoms are at different places.
bool has_places(const Molecule& molecule) {
  return std::any_of(molecule.atoms.begin(), molecule.atoms.end(), [&](const Atom& atom) {
    return atom.x != molecule.atoms[0].x || atom.y != molecule.atoms[0].y || atom.z != molecule.atoms[0].z;
  });
}

}  // namespace

std::uint64_t number_shown(const Request& request, const KekuleResult& result, const char* what,
                           const std::string& option, std::uint64_t most) {
  if (request.limit) {
    if (result.structures < *request.limit) return result.structures.get_ui();
    return *request.limit;
  }
  if (result.structures > most) {
    throw UnableError(fmt::format("{} {} at most {} structures, and there are {}", option, what, most,
                                  result.structures.get_str()),
                      "--number N for the first N of them");
  }
  return result.structures.get_ui();
}

StructuresFile::StructuresFile(const Request& request, const std::string& path)
    : request_(request),
      file_(path.ends_with(".svg") || path.ends_with(".png")
                ? throw UsageError(fmt::format(
                      "{}: --structures writes an SDF, and --sheet draws; give a name that ends in .sdf",
                      quoted(path, 400)))
                : path,
            request.overwrite) {}

void StructuresFile::add(const KekuleResult& result, const WholeMolecule& whole, const std::string& name) {
  const std::uint64_t number = number_shown(request_, result, "writes", "--structures", most_written);
  const bool has_coordinates = result.input.molecule && has_places(whole.molecule);
  const StructureWriter writer(whole, has_coordinates ? draw::Skeleton{} : skeleton_of(whole, result),
                               has_coordinates);
  const std::string title =
      result.input.molecule && !whole.molecule.title.empty() ? whole.molecule.title : name;
  std::uint64_t written = 0;
  list_first(result, number, [&](const std::vector<bool>& one) {
    ++written;
    file_.write(writer.entry(one, fmt::format("{} {}", title, written)));
  });
  written_ += written;
  known_ += result.structures;
}

void StructuresFile::close() {
  file_.close();
  if (!request_.quiet)
    write_error(fmt::format("structures  {}: {} of {} written\n", quoted(file_.path(), 400), written_,
                            known_.get_str()));
}

}  // namespace countpm::app
