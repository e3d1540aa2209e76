#include "graph/formats/foreign_formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "graph/errors.hpp"
#include "graph/formats/formats.hpp"
#include "graph/formats/xml_tags.hpp"
#include "graph/molecules/smiles_text.hpp"
#include "graph/text.hpp"

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
      {{".dl"},
       "UCINET's DL format",
       "with igraph: Graph.Read_DL('FILE', directed=False).write_graphml('graph.graphml')"},
      {{".sif"},
       "Cytoscape's SIF (a word between the ends of an edge)",
       "'countpm --ends 1,3 - < FILE' reads it where every line has three words"},
      {{".smat"},
       "SMAT (numbers of rows, columns and entries, then an entry a line)",
       "'countpm --kind bipartite - < FILE' reads it as a matrix, --kind undirected as a graph's"},
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
      {{".svg", ".png", ".jpg", ".jpeg", ".gif", ".pdf", ".ps", ".eps", ".tif", ".tiff", ".pgm", ".ppm",
        ".pnm", ".xbm", ".xpm", ".bmp", ".webp"},
       "a picture",
       ""},
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

std::string remedy_for(const ForeignFormat& foreign, const std::string& name) {
  std::string remedy(foreign.remedy);
  const bool plain = name.find_first_of("'\"\\$`\n<") == std::string::npos && printable(name) == name;
  constexpr std::string_view place = "'FILE'";
  if (const std::size_t at = remedy.find(place); plain && at != std::string::npos)
    remedy.replace(at, place.size(), fmt::format("'{}'", name));
  return remedy;
}

namespace {

struct TextMark {
  std::string_view begin;  // in small letters
  std::string_view name;
  std::string_view remedy;
};

constexpr std::array text_marks = {
    TextMark{"version https://git-lfs.github.com/spec/", "a pointer of Git LFS, and not the file itself",
             "'git lfs pull' fetches it"},
    TextMark{"leda.graph", "LEDA's format", "write one line 'u v' for each edge"},
    TextMark{"@nodes", "LEMON's format", "write one line 'u v' for each edge"},
    TextMark{"inchi=1", "InChI (molecules as lines of text)",
             "RDKit or Open Babel writes it as a mol file, which is read"},
    TextMark{"{\\rtf", "a document", ""},
};

// "dl n = 4", "dl nr=3, nc=4", and "dl" alone above "n=4".
bool looks_like_dl(std::string_view head) {
  TextLines lines(head);
  std::string start;
  while (start.size() < 16 && lines.next()) {
    for (std::string_view word = lines.word(); !word.empty(); word = lines.word())
      start += ascii_lower(word.substr(0, 16)) + " ";
  }
  if (!start.starts_with("dl ")) return false;
  const std::string_view next = std::string_view(start).substr(3);
  for (const std::string_view key : {"nr", "nc", "n"}) {
    if (next.starts_with(key))
      return next.substr(key.size()).find_first_not_of(' ') < next.size() && next.find('=') <= key.size() + 1;
  }
  return false;
}

// "t # 0" or "t 4 5", then a line "v 0 label".
bool looks_like_gspan(std::string_view head) {
  TextLines lines(head);
  if (!lines.next() || lines.word() != "t") return false;
  const std::string_view word = lines.word();
  if (word != "#" && (!parse_number(word) || !parse_number(lines.word()))) return false;
  return lines.next() && lines.word() == "v" && parse_number(lines.word()) && !lines.line_done();
}

[[noreturn]] void refuse_text(const std::string& name, std::string_view what, std::string_view remedy) {
  throw InputError(name, 0, "a graph or a matrix",
                   fmt::format("{}{}{}", what, remedy.empty() ? "" : ": ", remedy));
}

void refuse_other_xml(const std::string& name, std::string_view head, std::optional<Format> read_as) {
  const std::string start = ascii_lower(head.substr(0, 256));
  const std::string_view root = xml_root(head);
  if (start.starts_with("<!doctype html") || ascii_lower(root) == "html")
    refuse_text(name, "a page of HTML", "perhaps one that a server sent in the place of the file");
  if (root.empty() || root == "graphml" || root.ends_with(":graphml") || root == "gexf") return;
  // Of DOT and tables a line may begin with < all the same.
  if (read_as == Format::graphml || read_as == Format::gexf || !start.starts_with("<?xml")) return;
  refuse_text(name,
              fmt::format("XML whose root is <{}>, and not <graphml> or <gexf>", quoted(std::string(root))),
              "");
}

}  // namespace

void refuse_foreign_text(const std::string& name, std::string_view head, std::optional<Format> read_as) {
  head.remove_prefix(std::min(head.find_first_not_of(" \t\r\n"), head.size()));
  const std::string start = ascii_lower(head.substr(0, 64));
  for (const TextMark& mark : text_marks) {
    if (start.starts_with(mark.begin)) refuse_text(name, mark.name, mark.remedy);
  }
  refuse_other_xml(name, head, read_as);
  if (read_as && read_as != Format::metis) return;
  if (looks_like_gspan(head))
    refuse_text(name, "lines t, v and e, as gSpan and subgraph matching have them",
                "\"sed -n 's/^e //p' FILE | countpm --ends 1,2 -\" takes the edges alone");
  if (read_as) return;
  if (looks_like_dl(head)) {
    const ForeignFormat& dl = *foreign_format(".dl");
    refuse_text(name, dl.name, remedy_for(dl, name));
  }
}

void refuse_smiles(const std::string& name, std::string_view head) {
  if (!looks_like_smiles(head)) return;
  const ForeignFormat& smiles = *foreign_format(".smi");
  refuse_text(name, smiles.name,
              remedy_for(smiles, name) + "; --format edgelist or csv takes the lines for edges");
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
    Mark{"\x89PNG\r\n"sv, "a picture (PNG)", ""},
    Mark{"\xff\xd8\xff"sv, "a picture (JPEG)", ""},
    Mark{"GIF87a"sv, "a picture (GIF)", ""},
    Mark{"GIF89a"sv, "a picture (GIF)", ""},
    Mark{"\xd0\xcf\x11\xe0"sv, "a document or spreadsheet of Microsoft Office", ""},
    Mark{"SQLite format 3"sv, "a database (SQLite)", ""},
    Mark{"PAR1"sv, "a table of Parquet", ""},
    Mark{"\x7f"
         "ELF"sv,
         "a program", ""},
    Mark{"\x80\x04\x95"sv, "a Python pickle", ""},
    Mark{"\x80\x05\x95"sv, "a Python pickle", ""},
    Mark{"MATLAB 5.0 MAT-file"sv, "a MATLAB file", ""},
};

bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r';
}

bool has_mark(std::string_view head, const Mark& mark) {
  if (!head.starts_with(mark.bytes)) return false;
  // Letters may begin a label as well (the gene PAR1).
  const auto is_letter = [](char c) { return c >= ' ' && c <= '~'; };
  if (mark.bytes != "%PDF-" && mark.bytes != "BZh" &&
      std::all_of(mark.bytes.begin(), mark.bytes.end(), is_letter)) {
    const std::string_view start = head.substr(0, 1024);
    return std::any_of(start.begin(), start.end(), is_control);
  }
  // "BZh" begins a label as well: bzip2 goes on with a digit and the first six digits of pi.
  return mark.bytes != "BZh" || (head.size() >= 10 && head.substr(4, 6) == "1AY&SY");
}

// Whether a zip archive is one of .xlsx, .docx, .ods and the like, by its first members.
bool is_office(std::string_view head) {
  const std::string_view start = head.substr(0, 4096);
  return start.find("[Content_Types].xml") != std::string_view::npos ||
         start.find("application/vnd.oasis") != std::string_view::npos ||
         start.find("xl/workbook.xml") != std::string_view::npos;
}

}  // namespace

void refuse_binary(const std::string& name, bool standard_input, std::string_view head) {
  const auto mark =
      std::find_if(marks.begin(), marks.end(), [head](const Mark& m) { return has_mark(head, m); });
  if (mark == marks.end()) return;
  if (mark->unpack == "unzip -p" && is_office(head))
    throw InputError(name, 0, "text, plain or in gzip",
                     "a spreadsheet or document of an office program (zip): save it as CSV with two columns, "
                     "source and target");
  if (mark->unpack.empty()) throw InputError(name, 0, "text, plain or in gzip", std::string(mark->name));
  throw InputError(name, 0, "text, plain or in gzip",
                   fmt::format("{} ({} {} | countpm - reads it)", mark->name, mark->unpack,
                               standard_input ? "FILE" : quoted(name, 200)));
}

}  // namespace countpm
