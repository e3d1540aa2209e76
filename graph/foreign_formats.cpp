#include "graph/foreign_formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "graph/errors.hpp"

namespace countpm {

const std::vector<ForeignFormat>& foreign_formats() {
  static const std::vector<ForeignFormat> table = {
      {{".smi", ".smiles"},
       "SMILES (molecules as lines of text)",
       "countpm does not read them by itself; its Python module does where RDKit is installed: python3 -c "
       "\"import countpm; print(*(k.structures for k in countpm.kekule_many('FILE')))\""},
      {{".pdb", ".mol2", ".cml", ".cif"},
       "a molecule's atoms and bonds",
       "RDKit or Open Babel writes it as a mol file, which is read"},
      {{".pickle", ".pkl", ".gpickle"},
       "a Python pickle",
       "with networkx: nx.write_edgelist(pickle.load(open(FILE, 'rb')), 'graph.edgelist', data=False)"},
      {{".mat"},
       "a MATLAB file",
       "with SciPy: scipy.io.mmwrite('matrix.mtx', scipy.io.loadmat(FILE)[VARIABLE])"},
      {{".rb", ".rua", ".rsa", ".hb"},
       "the Harwell-Boeing or Rutherford-Boeing format",
       "with SciPy: scipy.io.mmwrite('matrix.mtx', scipy.io.hb_read(FILE))"},
      {{".gw", ".lgr"}, "LEDA's format", "write one line 'u v' for each edge"},
      {{".lgf"}, "LEMON's format", "write one line 'u v' for each edge"},
      {{".cnf", ".wcnf"}, "a formula of DIMACS (SAT), not a graph", ""},
      {{".lp", ".mps"}, "a linear program, not a graph", ""},
      {{".xls", ".xlsx", ".ods"}, "a spreadsheet", "save it as CSV with two columns, source and target"},
      {{".parquet", ".feather", ".h5", ".hdf5"},
       "a table of binary data",
       "with pandas: to_csv('edges.csv', index=False), with columns source and target"},
      {{".xz", ".bz2", ".zst", ".lz4", ".zip", ".7z", ".rar", ".tar", ".tgz", ".z"},
       "a packed file",
       "unpack it into 'countpm -'"},
      {{".part", ".journal"},
       "a part or checkpoint of countpm",
       "'countpm resume FILE' goes on with it, 'countpm status FILE' says how far it is"},
      {{".svg", ".png", ".jpg", ".jpeg", ".gif", ".pdf", ".ps", ".eps", ".tif", ".tiff"}, "a picture", ""},
      {{".html", ".htm", ".md", ".rst", ".tex", ".doc", ".docx", ".odt", ".log"}, "a document", ""},
      {{".py", ".ipynb", ".r", ".jl", ".m", ".nb", ".c", ".cc", ".cpp", ".h", ".hpp", ".cu", ".sh", ".o",
        ".so"},
       "a program",
       ""},
  };
  return table;
}

const ForeignFormat* foreign_format(std::string_view ending) {
  const std::vector<ForeignFormat>& table = foreign_formats();
  const auto found = std::find_if(table.begin(), table.end(), [ending](const ForeignFormat& format) {
    return std::find(format.endings.begin(), format.endings.end(), ending) != format.endings.end();
  });
  return found == table.end() ? nullptr : &*found;
}

namespace {

struct Mark {
  std::string_view bytes;
  std::string_view name;
  std::string_view unpack;  // a command that writes what is within; empty where there is none
};

// In std::string_view literals a NUL needs its length: "..."sv.
using namespace std::string_view_literals;
constexpr std::array marks = {
    Mark{"\xfd"
         "7zXZ\0"sv,
         "xz data", "xz -dc"},
    Mark{"BZh"sv, "bzip2 data", "bzip2 -dc"},
    Mark{"\x28\xb5\x2f\xfd"sv, "Zstandard data", "zstd -dc"},
    Mark{"\x04\x22\x4d\x18"sv, "LZ4 data", "lz4 -dc"},
    Mark{"PK\x03\x04"sv, "a zip archive", "unzip -p"},
    Mark{"7z\xbc\xaf\x27\x1c"sv, "a 7z archive", "7z x -so"},
    Mark{"\x1f\x9d"sv, "data of compress", "uncompress -c"},
    Mark{"\x93NUMPY"sv, "a NumPy array", ""},
    Mark{"\x89HDF\r\n"sv, "HDF5 data", ""},
    Mark{"%PDF-"sv, "a PDF document", ""},
};

bool has_mark(std::string_view head, const Mark& mark) {
  if (!head.starts_with(mark.bytes)) return false;
  // "BZh" begins a label as well: bzip2 goes on with a digit and the first six digits of pi.
  return mark.bytes != "BZh" || (head.size() >= 10 && head.substr(4, 6) == "1AY&SY");
}

}  // namespace

void refuse_binary(const std::string& name, bool standard_input, std::string_view head) {
  const auto mark =
      std::find_if(marks.begin(), marks.end(), [head](const Mark& m) { return has_mark(head, m); });
  if (mark == marks.end()) return;
  if (mark->unpack.empty()) throw InputError(name, 0, "text, plain or in gzip", std::string(mark->name));
  throw InputError(name, 0, "text, plain or in gzip",
                   fmt::format("{} ({} {} | countpm - reads it)", mark->name, mark->unpack,
                               standard_input ? "FILE" : quoted(name, 200)));
}

}  // namespace countpm
