#include "tests/products/generator/file_text.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "tests/products/generator/numpy_bytes.hpp"
#include "tests/products/generator/written.hpp"

namespace countpm::products {
namespace {

/// What is written where.
class Writer {
 public:
  Writer(const Instance& instance, const Product& product, bool other)
      : in_(instance), product_(product), ties_(instance.ties), written_(instance.written) {
    if (!other) return;
    for (std::size_t t = 0; t < ties_.size(); ++t) ties_[t].weight = instance.other[t];
    if (instance.other_lacks_last) ties_.pop_back();
  }

  std::string text() const {
    switch (product_.form()) {
      case Form::edge_list:
        return edge_list();
      case Form::separated:
        return separated();
      case Form::csv:
        return csv();
      case Form::columns:
        return columns_of_a_table();
      case Form::matrix_market:
        return matrix_market();
      case Form::array:
        return array();
      case Form::dense:
        return dense();
      case Form::dimacs:
        return dimacs();
      case Form::graph6:
        return graph6();
      case Form::digraph6:
        return digraph6();
      case Form::sparse6:
        return sparse6();
      case Form::graphml:
        return graphml();
      case Form::dot:
        return dot();
      case Form::gml:
        return gml();
      case Form::gexf:
        return gexf();
      case Form::pajek:
        return pajek();
      case Form::json:
        return json();
      case Form::hyper:
        return hyper();
      case Form::metis:
        return metis();
      case Form::adjacency_list:
        return adjacency_list();
      case Form::tgf:
        return tgf();
      case Form::npy:
        return npy_bytes(stored_matrix());
      case Form::npz:
        return npz_bytes(stored_matrix(), is_long_or_has_parallels() || product_.seed % 3 != 0);
      default:
        return {};
    }
  }

 private:
  bool bipartite() const { return in_.kind == Kind::bipartite; }
  bool arcs() const { return in_.kind == Kind::directed && !in_.symmetric; }
  const std::string& from(const Tie& tie) const { return in_.left_label[static_cast<std::size_t>(tie.from)]; }
  const std::string& to(const Tie& tie) const {
    return (bipartite() ? in_.right_label : in_.left_label)[static_cast<std::size_t>(tie.to)];
  }
  int columns() const { return bipartite() ? in_.right : in_.left; }

  std::string edge_list() const {
    std::string text;
    if (in_.left + in_.right == 0) text += "#! empty\n";
    const auto declare = [&](const std::vector<std::string>& labels, const char* side, int first) {
      for (std::size_t v = 0; v < labels.size(); ++v) {
        text += "#! " + std::string(side) + " " + labels[v];
        for (const auto& [named, degree] : in_.named_degrees)
          if (named == static_cast<int>(v) + first) text += " degree " + std::to_string(degree);
        text += '\n';
      }
    };
    declare(in_.left_label, bipartite() ? "left" : "vertex", 0);
    declare(in_.right_label, "right", in_.left);
    for (const Tie& tie : ties_)
      text += from(tie) + " " + to(tie) + (written_ ? " " + tie.weight.text : "") + "\n";
    return text;
  }

  std::string csv() const {
    std::string text = written_ ? "source,target,weight\n" : "source,target\n";
    for (const Tie& tie : ties_)
      text += from(tie) + "," + to(tie) + (written_ ? ",\"" + tie.weight.text + "\"" : "") + "\n";
    return text;
  }

  /// a -- b, a -> b; of arcs b <- a as well.
  std::string separated() const {
    constexpr std::array<const char*, 4> undirected{"--", "->", "<->", "=>"};
    // Where a letter follows, a--b is a label.
    const bool glued = product_.seed % 5 == 0 && in_.letters.empty() && in_.at.empty();
    const std::string blank = glued ? "" : " ";
    const char* const word = arcs() ? "->" : in_.symmetric ? "--" : undirected[product_.seed / 7 % 4];
    std::string text;
    for (std::size_t t = 0; t < ties_.size(); ++t) {
      const Tie& tie = ties_[t];
      const bool back = std::string_view(word) == "->" && !glued && (product_.seed >> (t % 32) & 1) != 0;
      text += back ? to(tie) + " <- " + from(tie) : from(tie) + blank + word + blank + to(tie);
      text += (written_ ? " " + tie.weight.text : "") + "\n";
    }
    return text;
  }

  /// A column of notes beside the others; TableColumns says which are which.
  std::string columns_of_a_table() const {
    const TableColumns columns = table_columns(in_, product_);
    std::string text;
    const auto add = [&](std::vector<std::string> fields) {
      for (std::size_t k = 0; k < fields.size(); ++k)
        text += (k == 0 ? "" : std::string(1, columns.delimiter)) + fields[k];
      text += '\n';
    };
    const auto line = [&](const std::string& note, const std::string& from, const std::string& to,
                          const std::string& weight) {
      std::vector<std::string> fields = columns.weight_first ? std::vector<std::string>{from, note, to}
                                                             : std::vector<std::string>{note, from, to};
      if (written_) fields.insert(columns.weight_first ? fields.begin() : fields.end(), weight);
      add(fields);
    };
    if (columns.header) line("note", "begin", "finish", "mass");
    for (std::size_t t = 0; t < ties_.size(); ++t) {
      const std::string& weight = ties_[t].weight.text;
      line("n" + std::to_string(t), from(ties_[t]), to(ties_[t]),
           columns.delimiter == ' ' ? weight : "\"" + weight + "\"");
    }
    return text;
  }

  /// All entries, those of an undirected graph on both sides of the diagonal.
  std::vector<Tie> entries() const {
    std::vector<Tie> all = ties_;
    if (in_.kind != Kind::undirected) return all;
    for (const Tie& tie : ties_)
      if (tie.from != tie.to) all.push_back({tie.to, tie.from, tie.weight});
    return all;
  }

  const char* field() const {
    switch (product_.weights()) {
      case Weights::none:
        return "pattern";
      case Weights::decimal:
      case Weights::negative_decimal:
      case Weights::exact_decimal:
        return "real";
      case Weights::complex_integer:
      case Weights::complex_decimal:
      case Weights::exact_complex:
        return "complex";
      default:
        return "integer";
    }
  }

  std::string market_value(const Literal& weight) const {
    if (std::string_view(field()) != "complex") return weight.text;
    return weight.re + " " + (weight.im.empty() ? "0" : weight.im);
  }

  std::string matrix_market() const {
    const bool half = in_.kind == Kind::undirected && product_.seed % 2 == 0;
    std::vector<Tie> all = half ? ties_ : entries();
    std::string text = std::string("%%MatrixMarket matrix coordinate ") + field() +
                       (half ? " symmetric\n" : " general\n") + std::to_string(in_.left) + " " +
                       std::to_string(columns()) + " " + std::to_string(all.size()) + "\n";
    for (const Tie& tie : all) {
      const int row = half ? std::max(tie.from, tie.to) : tie.from;
      const int column = half ? std::min(tie.from, tie.to) : tie.to;
      text += std::to_string(row + 1) + " " + std::to_string(column + 1);
      if (written_) text += " " + market_value(tie.weight);
      text += '\n';
    }
    return text;
  }

  std::map<std::pair<int, int>, const Literal*> places(const std::vector<Tie>& all) const {
    std::map<std::pair<int, int>, const Literal*> found;
    for (const Tie& tie : all) found[{tie.from, tie.to}] = &tie.weight;
    return found;
  }

  std::string array() const {
    const char* const kind = product_.weights() == Weights::none ? "integer" : field();
    const std::string zero = std::string_view(kind) == "complex" ? "0 0" : "0";
    std::string text = std::string("%%MatrixMarket matrix array ") + kind + " general\n" +
                       std::to_string(in_.left) + " " + std::to_string(columns()) + "\n";
    const std::vector<Tie> all = entries();
    const auto found = places(all);
    for (int j = 0; j < columns(); ++j) {
      for (int i = 0; i < in_.left; ++i) {
        const auto place = found.find({i, j});
        text += (place == found.end() ? zero : market_value(*place->second)) + "\n";
      }
    }
    return text;
  }

  std::string dense() const {
    std::string text;
    const std::vector<Tie> all = entries();
    const auto found = places(all);
    for (int i = 0; i < in_.left; ++i) {
      for (int j = 0; j < columns(); ++j) {
        const auto place = found.find({i, j});
        if (j > 0) text += ' ';
        text += place == found.end() ? "0" : written_ ? place->second->text : "1";
      }
      text += '\n';
    }
    return text;
  }

  std::string dimacs() const {
    std::string text = "c a product of features\np " + std::string(arcs() ? "sp " : "edge ") +
                       std::to_string(in_.left) + " " + std::to_string(ties_.size()) + "\n";
    for (const Tie& tie : ties_)
      text += std::string(arcs() ? "a " : "e ") + from(tie) + " " + to(tie) +
              (written_ ? " " + tie.weight.text : "") + "\n";
    return text;
  }

  static std::string size_bytes(int size) {
    if (size < 63) return {static_cast<char>(63 + size)};
    return {'~', static_cast<char>(63 + size / 4096), static_cast<char>(63 + size / 64 % 64),
            static_cast<char>(63 + size % 64)};
  }

  static std::string six_bits(std::vector<bool> bits, bool fill) {
    while (bits.size() % 6 != 0) bits.push_back(fill);
    std::string text;
    for (std::size_t b = 0; b < bits.size(); b += 6) {
      int value = 0;
      for (std::size_t k = 0; k < 6; ++k) value = 2 * value + (bits[b + k] ? 1 : 0);
      text += static_cast<char>(63 + value);
    }
    return text;
  }

  std::string graph6() const {
    const std::vector<Tie> all = both_ways();
    const auto found = places(all);
    std::vector<bool> bits;
    for (int j = 0; j < in_.left; ++j)
      for (int i = 0; i < j; ++i) bits.push_back(found.contains({i, j}));
    return size_bytes(in_.left) + six_bits(bits, false) + "\n";
  }

  std::string digraph6() const {
    const auto found = places(ties_);
    std::vector<bool> bits;
    for (int i = 0; i < in_.left; ++i)
      for (int j = 0; j < in_.left; ++j) bits.push_back(found.contains({i, j}));
    return "&" + size_bytes(in_.left) + six_bits(bits, false) + "\n";
  }

  std::string sparse6() const {
    std::vector<std::pair<int, int>> pairs;
    for (const Tie& tie : ties_) pairs.emplace_back(std::max(tie.from, tie.to), std::min(tie.from, tie.to));
    std::sort(pairs.begin(), pairs.end());
    int width = 0;
    while ((1 << width) < in_.left) ++width;
    std::vector<bool> bits;
    const auto number = [&](int value) {
      for (int b = width - 1; b >= 0; --b) bits.push_back((value >> b & 1) != 0);
    };
    int current = 0;
    for (const auto& [v, u] : pairs) {
      if (v == current + 1) {
        bits.push_back(true);
        ++current;
      } else if (v == current) {
        bits.push_back(false);
      } else {
        bits.push_back(true);
        number(v);
        bits.push_back(false);
        current = v;
      }
      number(u);
    }
    const int free = static_cast<int>((6 - bits.size() % 6) % 6);
    if (width < 6 && in_.left == (1 << width) && free >= width && current < in_.left - 1)
      bits.push_back(false);
    return ":" + size_bytes(in_.left) + six_bits(bits, true) + "\n";
  }

  /// Undirected edges with either end first.
  std::vector<Tie> both_ways() const {
    std::vector<Tie> all = ties_;
    for (const Tie& tie : ties_) all.push_back({tie.to, tie.from, tie.weight});
    return all;
  }

  std::string graphml() const {
    std::string text =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml "
        "xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
        "<key id=\"w\" for=\"edge\" attr.name=\"weight\" attr.type=\"string\"/>\n<graph id=\"G\" "
        "edgedefault=\"" +
        std::string(arcs() ? "directed" : "undirected") + "\">\n";
    for (const std::string& label : in_.left_label) text += "<node id=\"" + label + "\"/>\n";
    for (const Tie& tie : ties_) {
      text += R"(<edge source=")" + from(tie) + R"(" target=")" + to(tie) + "\"";
      text += written_ ? "><data key=\"w\">" + tie.weight.text + "</data></edge>\n" : "/>\n";
    }
    return text + "</graph>\n</graphml>\n";
  }

  std::string dot() const {
    std::string text = arcs() ? "digraph {\n" : "graph {\n";
    for (const std::string& label : in_.left_label) text += "  " + label + ";\n";
    for (const Tie& tie : ties_)
      text += "  " + from(tie) + (arcs() ? " -> " : " -- ") + to(tie) +
              (written_ ? " [weight=\"" + tie.weight.text + "\"]" : "") + ";\n";
    return text + "}\n";
  }

  std::string gml() const {
    std::string text = "graph [\n";
    if (arcs()) text += "directed 1\n";
    for (std::size_t v = 0; v < in_.left_label.size(); ++v)
      text += "node [ id " + std::to_string(v) + " label \"" + in_.left_label[v] + "\" ]\n";
    for (const Tie& tie : ties_)
      text += "edge [ source " + std::to_string(tie.from) + " target " + std::to_string(tie.to) +
              (written_ ? " weight \"" + tie.weight.text + "\"" : "") + " ]\n";
    return text + "]\n";
  }

  std::string gexf() const {
    std::string text = "<?xml version=\"1.0\"?>\n<gexf><graph defaultedgetype=\"" +
                       std::string(arcs() ? "directed" : "undirected") + "\">\n<nodes>\n";
    for (std::size_t v = 0; v < in_.left_label.size(); ++v)
      text += "<node id=\"" + std::to_string(v) + "\" label=\"" + in_.left_label[v] + "\"/>\n";
    text += "</nodes>\n<edges>\n";
    for (const Tie& tie : ties_)
      text += "<edge source=\"" + std::to_string(tie.from) + "\" target=\"" + std::to_string(tie.to) +
              (written_ ? "\" weight=\"" + tie.weight.text : "") + "\"/>\n";
    return text + "</edges>\n</graph></gexf>\n";
  }

  std::string pajek() const {
    std::string text = "*Vertices " + std::to_string(in_.left) + "\n";
    for (std::size_t v = 0; v < in_.left_label.size(); ++v)
      text += std::to_string(v + 1) + " \"" + in_.left_label[v] + "\"\n";
    text += arcs() ? "*Arcs\n" : "*Edges\n";
    for (const Tie& tie : ties_)
      text += std::to_string(tie.from + 1) + " " + std::to_string(tie.to + 1) +
              (written_ ? " " + tie.weight.text : "") + "\n";
    return text;
  }

  std::string json() const {
    std::string text = "{\"directed\": " + std::string(arcs() ? "true" : "false") + ", \"nodes\": [";
    for (const std::string& label : in_.left_label)
      text += std::string(text.ends_with('[') ? "" : ", ") + "{\"id\": \"" + label + "\"}";
    text += "],\n\"links\": [";
    for (const Tie& tie : ties_)
      text += std::string(text.ends_with('[') ? "" : ",\n") + "{\"source\": \"" + from(tie) +
              "\", \"target\": \"" + to(tie) + "\"" +
              (written_ ? ", \"weight\": \"" + tie.weight.text + "\"" : "") + "}";
    return text + "]}\n";
  }

  /// Of each vertex its neighbours, with the edges' weights.
  std::vector<std::vector<std::pair<int, const Literal*>>> neighbours(bool from_both_ends) const {
    std::vector<std::vector<std::pair<int, const Literal*>>> all(static_cast<std::size_t>(in_.left));
    for (const Tie& tie : ties_) {
      all[static_cast<std::size_t>(tie.from)].emplace_back(tie.to, &tie.weight);
      if (from_both_ends && tie.from != tie.to)
        all[static_cast<std::size_t>(tie.to)].emplace_back(tie.from, &tie.weight);
    }
    return all;
  }

  std::string metis() const {
    // The last digit: edges have weights; the one before: so many numbers in front of a vertex's line; the
    // one before: its size.
    const int own = static_cast<int>(product_.seed / 7 % 4);
    std::string text =
        "% a product of features\n" + std::to_string(in_.left) + " " + std::to_string(ties_.size());
    if (own == 0 && written_) text += " 1";
    if (own == 1) text += written_ ? " 11" : " 10";
    if (own == 2) text += written_ ? " 011 2" : " 010 2";
    if (own == 3) text += written_ ? " 101" : " 100";
    text += '\n';
    for (const auto& line : neighbours(true)) {
      std::string words = own == 0 ? "" : own == 2 ? " 5 0" : " 7";
      for (const auto& [other, weight] : line)
        words += " " + in_.left_label[static_cast<std::size_t>(other)] + (written_ ? " " + weight->text : "");
      text += words.substr(words.empty() ? 0 : 1) + "\n";
    }
    return text;
  }

  std::string adjacency_list() const {
    // Parallel edges are listed from one end: from both they are one.
    const bool both = in_.kind == Kind::undirected || in_.symmetric ? product_.seed % 2 == 0 : false;
    const bool parallel = among(product_.edit(), {Edit::parallel_summed, Edit::listed_again});
    const bool colon = product_.seed % 3 == 0;
    std::string text = "# a product of features\n";
    std::vector<std::vector<std::pair<int, const Literal*>>> lines;
    if (product_.edit() == Edit::both_ways) {
      lines = neighbours(false);
    } else if (parallel && in_.kind == Kind::undirected) {
      lines.resize(static_cast<std::size_t>(in_.left));
      for (const Tie& tie : ties_)
        lines[static_cast<std::size_t>(std::min(tie.from, tie.to))].emplace_back(std::max(tie.from, tie.to),
                                                                                 &tie.weight);
    } else {
      lines = neighbours(both);
    }
    const std::vector<std::string>& labels = bipartite() ? in_.right_label : in_.left_label;
    for (std::size_t v = 0; v < lines.size(); ++v) {
      text += in_.left_label[v] + (colon ? ":" : "");
      for (const auto& [other, weight] : lines[v]) text += " " + labels[static_cast<std::size_t>(other)];
      text += '\n';
    }
    return text;
  }

  std::string tgf() const {
    std::string text;
    for (const std::vector<std::string>* labels : {&in_.left_label, &in_.right_label})
      for (const std::string& label : *labels)
        text += label + (product_.seed % 2 == 0 ? " the vertex " + label : "") + "\n";
    text += "#\n";
    for (const Tie& tie : ties_)
      text += from(tie) + " " + to(tie) + (written_ ? " " + tie.weight.text : "") + "\n";
    return text;
  }

  bool is_long_or_has_parallels() const {
    return product_.input() == InputSort::strip ||
           among(product_.edit(), {Edit::parallel_summed, Edit::listed_again});
  }

  StoredMatrix stored_matrix() const {
    StoredMatrix matrix{in_.left, columns(), entries(), true, false, false, product_.seed};
    if (!written_)
      for (Tie& entry : matrix.entries) entry.weight.value = 1;
    const std::string_view numbers = field();
    matrix.integers = numbers == "integer" || numbers == "pattern";
    matrix.complex = numbers == "complex";
    const ReadOptions reading = reading_of(in_, product_);
    matrix.only_ones = !written_ && !reading.weights && !reading.ground_state;
    return matrix;
  }

  std::string hyper() const {
    std::string text = in_.left == 0 ? "#! empty\n" : "";
    for (const std::string& label : in_.left_label) text += "#! vertex " + label + "\n";
    for (const MarkedSet& set : in_.sets) {
      for (std::size_t k = 0; k < set.members.size(); ++k)
        text += (k == 0 ? "" : " ") + in_.left_label[static_cast<std::size_t>(set.members[k])];
      text += (written_ ? " ; " + set.weight.text : "") + "\n";
    }
    return text;
  }

  const Instance& in_;
  const Product& product_;
  std::vector<Tie> ties_;
  bool written_;
};

}  // namespace

std::string file_text(const Instance& instance, const Product& product, bool other) {
  return Writer(instance, product, other).text();
}

}  // namespace countpm::products
