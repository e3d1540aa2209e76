// graph6, digraph6 and sparse6: a graph as one line of printable characters, six bits in each (character -
// 63).
//   size     n <= 62: one character; else ~ and 18 bits; else ~~ and 36 bits
//   graph6   the upper triangle of the adjacency matrix, column by column
//   digraph6 & first; the whole adjacency matrix, row by row
//   sparse6  : first; a list of pairs (bit b, number x of k bits), k the bits of n - 1:
//            v += b; then x > v moves v to x,
//            and otherwise {x, v} is an edge
// Vertices are 0 .. n - 1, as nauty numbers them. One graph; files of several are taken apart
// before (graph/formats/graph_entries.hpp). O(bytes) time.
// B. D. McKay, formats.txt of nauty, https://users.cecs.anu.edu.au/~bdm/data/formats.txt
#include <fmt/format.h>

#include "graph/errors.hpp"
#include "graph/formats/reader.hpp"
#include "graph/graph_builder.hpp"
#include "graph/stop_poll.hpp"

namespace countpm {
namespace {

// The bits of one line, after the header, the format's own first character and the size have been taken off.
class SixBits {
 public:
  SixBits(std::string_view bytes, const std::string& name, std::string_view format, std::string_view first)
      : name_(name) {
    const std::string header = fmt::format(">>{}<<", format);
    if (bytes.starts_with(header)) {
      bytes.remove_prefix(header.size());
    } else if (bytes.starts_with(">>")) {
      fail(fmt::format("the header {}", header), found(bytes.substr(0, 12)));
    }
    const std::size_t end = std::min(bytes.find_first_of("\r\n"), bytes.size());
    text_ = bytes.substr(0, end);
    const std::size_t more = bytes.find_first_not_of("\r\n", end);
    if (more != std::string_view::npos) {
      std::uint64_t line = 1;
      for (std::size_t i = end; i < more; ++i) line += bytes[i] == '\n' ? 1 : 0;
      throw InputError(name_, line,
                       fmt::format("one {} graph ('countpm many' counts each of several)", format),
                       fmt::format("{} graphs, one per line", lines_with_text(bytes)));
    }
    if (!first.empty()) {
      if (!text_.starts_with(first))
        fail(fmt::format("'{}', which begins {}", first, format), found(text_.substr(0, 1)));
      text_.remove_prefix(first.size());
    }
    for (std::size_t i = 0; i < text_.size(); ++i) {
      if (text_[i] < 63 || text_[i] > 126) {
        fail("characters from '?' to '~'",
             fmt::format("{} as character {}", found(text_.substr(i, 1)), i + 1));
      }
    }
    read_size();
  }

  std::uint64_t vertices() const { return vertices_; }
  std::uint64_t bits() const { return std::uint64_t{6} * text_.size(); }
  bool bit(std::uint64_t at) const { return (text_[at / 6] - 63) >> (5 - at % 6) & 1; }

  /// The line holds `bits` bits and zeros up to the next character.
  void expect_bits(std::uint64_t bits) const {
    const std::uint64_t characters = bits / 6 + (bits % 6 != 0 ? 1 : 0);
    if (text_.size() != characters) {
      fail(fmt::format("{} characters after the size for {} vertices", characters, vertices_),
           fmt::format("{}", text_.size()));
    }
    for (std::uint64_t at = bits; at < this->bits(); ++at) {
      if (bit(at)) fail("zeros after the last bit of the matrix", "a one");
    }
  }

  [[noreturn]] void fail(const std::string& expected, const std::string& found) const {
    throw InputError(name_, 1, expected, found);
  }

 private:
  void read_size() {
    std::size_t tildes = 0;
    while (tildes < 2 && tildes < text_.size() && text_[tildes] == '~') ++tildes;
    const std::size_t characters = tildes == 0 ? 1 : tildes == 1 ? 3 : 6;
    if (text_.size() < tildes + characters) fail("the number of vertices", "the end of the line");
    for (std::size_t i = tildes; i < tildes + characters; ++i) {
      vertices_ = vertices_ << 6 | static_cast<std::uint64_t>(text_[i] - 63);
    }
    if (vertices_ >= no_index)
      fail(fmt::format("at most {} vertices", no_index - 1), fmt::format("{}", vertices_));
    text_.remove_prefix(tildes + characters);
  }

  static std::uint64_t lines_with_text(std::string_view text) {
    std::uint64_t lines = 0;
    bool inside = false;
    for (const char c : text) {
      const bool ends = c == '\n' || c == '\r';
      lines += !inside && !ends ? 1 : 0;
      inside = !ends;
    }
    return lines;
  }

  static std::string found(std::string_view text) {
    return text.empty() ? "the end of the line" : fmt::format("'{}'", quoted(std::string(text)));
  }

  const std::string& name_;
  std::string_view text_;
  std::uint64_t vertices_ = 0;
};

}  // namespace

Graph read_graph6(std::string_view bytes, const std::string& name, const ReadOptions& options,
                  InputInfo& info) {
  const SixBits bits(bytes, name, "graph6", "");
  const std::uint64_t n = bits.vertices();  // below 2^32, so that n (n - 1) fits
  bits.expect_bits(n == 0 ? 0 : n * (n - 1) / 2);
  GraphBuilder builder(name, GraphKind::undirected, options, info);
  builder.number_vertices(static_cast<Index>(n), 0, 0);
  std::uint64_t at = 0;
  StopPoll poll;
  for (Index j = 1; j < n; ++j) {
    poll.steps(j);
    for (Index i = 0; i < j; ++i) {
      if (bits.bit(at++)) builder.add(i, j, 1);
    }
  }
  return builder.finish();
}

Graph read_digraph6(std::string_view bytes, const std::string& name, const ReadOptions& options,
                    InputInfo& info) {
  const SixBits bits(bytes, name, "digraph6", "&");
  const std::uint64_t n = bits.vertices();
  bits.expect_bits(n * n);
  GraphBuilder builder(name, GraphKind::directed, options, info);
  builder.number_vertices(static_cast<Index>(n), 0, 0);
  std::uint64_t at = 0;
  StopPoll poll;
  for (Index i = 0; i < n; ++i) {
    poll.steps(n);
    for (Index j = 0; j < n; ++j) {
      if (bits.bit(at++)) builder.add(i, j, 1);
    }
  }
  return builder.finish();
}

Graph read_sparse6(std::string_view bytes, const std::string& name, const ReadOptions& options,
                   InputInfo& info) {
  const SixBits bits(bytes, name, "sparse6", ":");
  const std::uint64_t n = bits.vertices();
  GraphBuilder builder(name, GraphKind::undirected, options, info);
  builder.number_vertices(static_cast<Index>(n), 0, 0);
  unsigned width = 0;
  while (n > 1 && (n - 1) >> width != 0) ++width;
  // What does not decode must be the ones that fill the last character up. Of n = 2^k vertices a zero may
  // come first, for k + 1 ones or more might be read as an edge; networkx writes it before k - 1 ones too.
  const auto expect_filling = [&](std::uint64_t at, const char* instead) {
    const std::uint64_t rest = bits.bits() - at;
    if (rest >= 6) bits.fail(fmt::format("edges among {} vertices, then fewer than 6 ones", n), instead);
    const bool zero_first = n == std::uint64_t{1} << width && rest == width && rest > 0 && !bits.bit(at);
    std::string filling;
    for (std::uint64_t i = at; i < bits.bits(); ++i) filling += bits.bit(i) ? '1' : '0';
    if (filling.find('0', zero_first ? 1 : 0) == std::string::npos) return;
    bits.fail(fmt::format("ones that fill the last character up after the edges among {} vertices", n),
              fmt::format("the bits {}{}", filling, rest > width ? std::string(", ") + instead : ""));
  };
  std::uint64_t at = 0;
  std::uint64_t v = 0;
  StopPoll poll;
  while (bits.bits() - at > width) {
    poll.step();
    std::uint64_t x = 0;
    for (unsigned i = 1; i <= width; ++i) x = x << 1 | (bits.bit(at + i) ? 1U : 0U);
    if (bits.bit(at)) ++v;
    if (v >= n || x >= n) {
      expect_filling(at, "a vertex beyond");
      return builder.finish();
    }
    if (x > v) {
      v = x;
    } else {
      builder.add(static_cast<Index>(x), static_cast<Index>(v), 1);
    }
    at += width + 1;
  }
  expect_filling(at, "half an edge");
  return builder.finish();
}

}  // namespace countpm
